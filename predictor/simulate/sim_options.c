/** @file sim_options.c  Checks the options of a simulation, and whether they fit together. */
#include "sim_options.h"

#include "model/util/values.h"
#include "nereus/resize_price.h"
#include "nereus/simulate.h"

const struct nereus_option nereus_sim_machine_options[] = {
    {"nodes", 0, NEREUS_OPTION_COUNT, "N",
     "nodes of the cluster (those of --profile or --synthetic, with their cores)",
     offsetof(struct nereus_sim_options, nodes), NULL},
    {"cores-per-node", 0, NEREUS_OPTION_COUNT, "C",
     "cores of each; jobs get whole nodes (1 with --nodes)",
     offsetof(struct nereus_sim_options, cores_per_node), NULL},
    {"scheduler", 0, NEREUS_OPTION_CHOICE, "NAME", "fcfs, easy or conservative (easy)",
     offsetof(struct nereus_sim_options, scheduler), nereus_sim_scheduler_names},
    {"arrival-scale", 0, NEREUS_OPTION_NUMBER, "X", "multiply submit times by this (1)",
     offsetof(struct nereus_sim_options, arrival_scale), NULL},
    {"load", 0, NEREUS_OPTION_NUMBER, "X",
     "scale submit times so that the jobs ask for this share of the cluster",
     offsetof(struct nereus_sim_options, offered_load), NULL},
    {"generate", 0, NEREUS_OPTION_TEXT, "lublin:JOBS",
     "instead of a file: a workload after Lublin and Feitelson",
     offsetof(struct nereus_sim_options, generate), NULL},
    {"seed", 0, NEREUS_OPTION_NATURAL, "S", "of all that is drawn (1)",
     offsetof(struct nereus_sim_options, seed), NULL},
    {"latency", 0, NEREUS_OPTION_TEXT, "TIMES",
     "what a batch system adds, as `nereus slurm workload --latencies` measures it: \"submit:2.9s "
     "next:2.6s job:0.9s round:5s\" (nothing)",
     offsetof(struct nereus_sim_options, latency), NULL},
    {"node-power", 0, NEREUS_OPTION_NUMBER, "WATTS",
     "what a node draws that a job holds: joules a node-second (no energy is computed)",
     offsetof(struct nereus_sim_options, power.busy_w), NULL},
    {"idle-power", 0, NEREUS_OPTION_NUMBER, "WATTS",
     "what a free node draws: joules a node-second (0)",
     offsetof(struct nereus_sim_options, power.idle_w), NULL},
    {"resize-power", 0, NEREUS_OPTION_NUMBER, "WATTS",
     "what a node draws while its job is resized (as --node-power)",
     offsetof(struct nereus_sim_options, power.resize_w), NULL},
};
const struct nereus_option nereus_sim_malleable_options[] = {
    {"malleable", 0, NEREUS_OPTION_NUMBER, "SHARE", "of the jobs, 0 to 1 (0)",
     offsetof(struct nereus_sim_options, share), NULL},
    {"policy", 0, NEREUS_OPTION_CHOICE, "NAME",
     "none, shrink-to-start, grow-into-idle, both, equipartition, or broker: as `nereus slurm "
     "broker` (both)",
     offsetof(struct nereus_sim_options, policy), nereus_sim_policy_names},
    {"method", 'm', NEREUS_OPTION_TEXT, "METHOD",
     "of every resize; best or auto: the one with the least predicted RT (best)",
     offsetof(struct nereus_sim_options, method), NULL},
    {"shrink-to", 0, NEREUS_OPTION_NUMBER, "X", "least nodes, times those asked for (0.25)",
     offsetof(struct nereus_sim_options, shrink), NULL},
    {"grow-to", 0, NEREUS_OPTION_NUMBER, "X", "most nodes, times those asked for (2)",
     offsetof(struct nereus_sim_options, grow), NULL},
    {"iteration-time", 0, NEREUS_OPTION_TEXT, "DISTRIBUTION",
     "seconds on the nodes asked for: constant:V, uniform:LOW:HIGH, exponential:MEAN or "
     "lognormal:MEDIAN:LOG-SD (lognormal:1:1)",
     offsetof(struct nereus_sim_options, t_iter), NULL},
    {"serial-share", 0, NEREUS_OPTION_TEXT, "DISTRIBUTION",
     "of an iteration on one process, by Amdahl's law (constant:0)",
     offsetof(struct nereus_sim_options, serial), NULL},
    {"bytes-per-process", 0, NEREUS_OPTION_TEXT, "BYTES",
     "variable data of each process asked for, or a distribution of it (0)",
     offsetof(struct nereus_sim_options, bytes_per_process), NULL},
    {"classes", 0, NEREUS_OPTION_TEXT, "FILE.ini",
     "classes of applications: the options of this group for a part of the jobs",
     offsetof(struct nereus_sim_options, classes), NULL},
    {"price-scale", 0, NEREUS_OPTION_NUMBER, "X", "multiply what resizes cost by this (1)",
     offsetof(struct nereus_sim_options, price_scale), NULL},
};

static const char *const checkpoint_words[] = {"none", "auto", NULL};

const struct nereus_option nereus_sim_failure_options[] = {
    {"node-mtbf", 0, NEREUS_OPTION_SECONDS, "TIME",
     "mean time between failures of a node, as 8760h: failures are drawn with the seed (none)",
     offsetof(struct nereus_sim_options, node_mtbf_s), NULL},
    {"node-failures", 0, NEREUS_OPTION_TEXT, "FILE.csv",
     "failures from a list instead: columns time_s, node (from 0) and, if known, repair_s",
     offsetof(struct nereus_sim_options, node_failures), NULL},
    {"node-repair", 0, NEREUS_OPTION_SECONDS, "TIME", "how long a node that failed is out (1h)",
     offsetof(struct nereus_sim_options, node_repair_s), NULL},
    {"on-failure", 0, NEREUS_OPTION_CHOICE, "WHAT",
     "a job that loses a node can end, requeue (wait at its old place in the queue) or restart: "
     "malleable jobs with checkpoints at once on the nodes left, others as requeue (restart)",
     offsetof(struct nereus_sim_options, on_failure), nereus_sim_on_failure_names},
    {"restarts", 0, NEREUS_OPTION_NATURAL, "N", "of a job, at most (10)",
     offsetof(struct nereus_sim_options, restarts), NULL},
    {"checkpoint", 0, NEREUS_OPTION_TEXT, "EVERY",
     "time of computing between two checkpoints; auto: by Daly from --node-mtbf. A job goes on "
     "from its last one; none: it starts anew (none)",
     offsetof(struct nereus_sim_options, checkpoint), checkpoint_words},
};

const size_t nereus_sim_machine_option_count = NEREUS_COUNT_OF(nereus_sim_machine_options);
const size_t nereus_sim_malleable_option_count = NEREUS_COUNT_OF(nereus_sim_malleable_options);
const size_t nereus_sim_failure_option_count = NEREUS_COUNT_OF(nereus_sim_failure_options);

const struct nereus_sim_policy *nereus_sim_policy_of(const struct nereus_sim_options *options)
{
    enum { BOTH = 3 };
    return nereus_sim_policies[options->policy >= 0 ? options->policy : BOTH];
}

static enum nereus_status check_sources(const struct nereus_sim_options *options, bool file,
                                        struct nereus_error *err)
{
    if (options->nodes == 0 && options->profile.profile == NULL &&
        options->profile.synthetic == NULL)
        return nereus_fail(err, NEREUS_ERR_ARGUMENT,
                           "--nodes is missing, or a machine that says how many there are: "
                           "--profile or --synthetic");
    if (options->nodes > NEREUS_SIM_NODES_MAX || options->cores_per_node > 1 << 20) {
        return nereus_fail(err, NEREUS_ERR_ARGUMENT,
                           "at most %d nodes of %d cores can be simulated", NEREUS_SIM_NODES_MAX,
                           1 << 20);
    }
    if (file == (options->generate != NULL)) {
        return nereus_fail(err, NEREUS_ERR_ARGUMENT,
                           "name one workload: a file, or --generate lublin:JOBS");
    }
    if (options->offered_load >= 0 && options->arrival_scale >= 0) {
        return nereus_fail(err, NEREUS_ERR_ARGUMENT,
                           "--load and --arrival-scale both scale submit times: give one of them");
    }
    if (options->offered_load == 0 || options->arrival_scale == 0) {
        return nereus_fail(err, NEREUS_ERR_ARGUMENT, "--%s must be above 0, not 0",
                           options->offered_load == 0 ? "load" : "arrival-scale");
    }
    if (options->power.busy_w < 0 && (options->power.idle_w > 0 || options->power.resize_w >= 0)) {
        return nereus_fail(err, NEREUS_ERR_ARGUMENT, "--%s needs --node-power",
                           options->power.idle_w > 0 ? "idle-power" : "resize-power");
    }
    return NEREUS_OK;
}

static enum nereus_status check_malleable(const struct nereus_sim_options *options,
                                          struct nereus_draw_malleable *draw,
                                          struct nereus_error *err)
{
    struct nereus_draw_jobs *jobs = &draw->jobs;
    *draw = (struct nereus_draw_malleable){
        .jobs = {.share = options->share, .shrink = options->shrink, .grow = options->grow},
        .seed = options->seed};
    if (options->share > 1) {
        return nereus_fail(err, NEREUS_ERR_ARGUMENT, "--malleable must be 0 to 1, not %g",
                           options->share);
    }
    NEREUS_TRY(nereus_profile_settings_check(&options->profile, err));
    if (!nereus_resize_names_every_method(options->method)) {
        struct nereus_method method;
        NEREUS_TRY(nereus_method_parse(options->method, &method, err));
    }
    if (options->shrink > 1 || options->grow < 1) {
        return nereus_fail(err, NEREUS_ERR_ARGUMENT,
                           "--shrink-to must be 0 to 1 and --grow-to at least 1, not %g and %g",
                           options->shrink, options->grow);
    }
    NEREUS_TRY(nereus_draw_parse("--iteration-time", options->t_iter, &jobs->t_iter_s, err));
    NEREUS_TRY(nereus_draw_parse_bytes("--bytes-per-process", options->bytes_per_process,
                                       &jobs->bytes_per_process, err));
    return nereus_draw_parse("--serial-share", options->serial, &jobs->serial, err);
}

bool nereus_sim_has_failures(const struct nereus_sim_options *options)
{
    return options->node_mtbf_s > 0 || options->node_failures != NULL;
}

static enum nereus_status check_failures(const struct nereus_sim_options *options,
                                         double *interval_s, struct nereus_error *err)
{
    const bool by_daly = options->checkpoint != NULL && strcmp(options->checkpoint, "auto") == 0;
    *interval_s = by_daly ? INFINITY : 0;
    if (options->checkpoint == NULL || strcmp(options->checkpoint, "none") == 0)
        return NEREUS_OK;
    if (!nereus_sim_has_failures(options)) {
        return nereus_fail(err, NEREUS_ERR_ARGUMENT,
                           "--checkpoint needs nodes that fail: --node-mtbf or --node-failures");
    }
    if (by_daly && !(options->node_mtbf_s > 0))
        return nereus_fail(err, NEREUS_ERR_ARGUMENT, "--checkpoint auto needs --node-mtbf");
    return by_daly
               ? NEREUS_OK
               : nereus_value_parse_seconds("--checkpoint", options->checkpoint, interval_s, err);
}

#define AT(member) NULL, offsetof(struct nereus_sim_latency, member), NULL
static const struct nereus_option latencies[] = {
    {"submit", 0, NEREUS_OPTION_DELAY, "2.9s", AT(submit_s)},
    {"next", 0, NEREUS_OPTION_DELAY, "2.6s", AT(next_s)},
    {"job", 0, NEREUS_OPTION_DELAY, "0.9s", AT(job_s)},
    {"round", 0, NEREUS_OPTION_DELAY, "5s", AT(round_s)},
};
#undef AT

/* Missing entries are 0 s, as all are of NULL. */
static enum nereus_status parse_latencies(const char *text, struct nereus_sim_latency *latency,
                                          struct nereus_error *err)
{
    static const struct nereus_entries entries = {"--latency", latencies,
                                                  NEREUS_COUNT_OF(latencies), " ,", ':'};
    *latency = (struct nereus_sim_latency){0};
    return text != NULL ? nereus_entries_store(&entries, text, latency, err) : NEREUS_OK;
}

static enum nereus_status parse_generate(const char *text, int64_t *jobs, struct nereus_error *err)
{
    static const char model[] = "lublin:";
    if (!nereus_text_begins_with(text, model))
        return nereus_fail(err, NEREUS_ERR_PARSE, "--generate must be lublin:JOBS, not '%s'", text);
    NEREUS_TRY(nereus_value_parse_integer("--generate lublin", text + strlen(model), 1, jobs, err));
    return *jobs <= NEREUS_SIM_JOBS_MAX
               ? NEREUS_OK
               : nereus_fail(err, NEREUS_ERR_ARGUMENT, "--generate: at most %d jobs",
                             NEREUS_SIM_JOBS_MAX);
}

enum nereus_status nereus_sim_options_check(const struct nereus_sim_options *options, bool file,
                                            struct nereus_sim_drawn *drawn,
                                            struct nereus_error *err)
{
    NEREUS_TRY(check_sources(options, file, err));
    NEREUS_TRY(check_malleable(options, &drawn->malleable, err));
    NEREUS_TRY(check_failures(options, &drawn->interval_s, err));
    NEREUS_TRY(parse_latencies(options->latency, &drawn->latency, err));
    drawn->jobs = 0;
    return options->generate != NULL ? parse_generate(options->generate, &drawn->jobs, err)
                                     : NEREUS_OK;
}
