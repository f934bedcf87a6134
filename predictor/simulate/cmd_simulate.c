/** @file cmd_simulate.c  nereus simulate: a cluster under a workload. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "draw.h"
#include "model/util/try.h"
#include "model/util/values.h"
#include "predictor/cli/command.h"
#include "predictor/cli/options.h"
#include "predictor/predict/profile_option.h"
#include "predictor/run/interrupt.h"
#include "report.h"
#include "simulation.h"

struct settings {
    int64_t nodes, cores_per_node, seed, bytes_per_process;
    struct nereus_profile_settings profile;
    const char *generate, *method, *t_iter, *serial;
    int scheduler, policy, format;
    double share, arrival_scale, load, shrink, grow;
};

#define AT(member) offsetof(struct settings, member)
static const struct nereus_option machine_table[] = {
    {"nodes", 0, NEREUS_OPTION_COUNT, "N", "nodes of the cluster", AT(nodes), NULL},
    {"cores-per-node", 0, NEREUS_OPTION_COUNT, "C", "cores of each; jobs get whole nodes (1)",
     AT(cores_per_node), NULL},
    {"scheduler", 0, NEREUS_OPTION_CHOICE, "NAME", "fcfs, easy or conservative (easy)",
     AT(scheduler), nereus_scheduler_names},
    {"arrival-scale", 0, NEREUS_OPTION_NUMBER, "X", "multiply submit times by this (1)",
     AT(arrival_scale), NULL},
    {"load", 0, NEREUS_OPTION_NUMBER, "X",
     "scale submit times so that the jobs ask for this share of the cluster", AT(load), NULL},
    {"generate", 0, NEREUS_OPTION_TEXT, "lublin:JOBS",
     "instead of a file: a workload after Lublin and Feitelson", AT(generate), NULL},
    {"seed", 0, NEREUS_OPTION_NATURAL, "S", "of all that is drawn (1)", AT(seed), NULL},
    {"format", 0, NEREUS_OPTION_CHOICE, "FORMAT",
     "text: a summary; csv: a line per job; json: both (text)", AT(format), nereus_format_choices},
};
static const struct nereus_option malleable_table[] = {
    {"malleable", 0, NEREUS_OPTION_NUMBER, "SHARE", "of the jobs, 0 to 1 (0)", AT(share), NULL},
    {"policy", 0, NEREUS_OPTION_CHOICE, "NAME",
     "none, shrink-to-start, grow-into-idle, both or equipartition (both)", AT(policy),
     nereus_policy_names},
    {"method", 'm', NEREUS_OPTION_TEXT, "METHOD",
     "of every resize; best: the one with the least predicted RT (best)", AT(method), NULL},
    {"shrink-to", 0, NEREUS_OPTION_NUMBER, "X", "least nodes, times those asked for (0.25)",
     AT(shrink), NULL},
    {"grow-to", 0, NEREUS_OPTION_NUMBER, "X", "most nodes, likewise (2)", AT(grow), NULL},
    {"iteration-time", 0, NEREUS_OPTION_TEXT, "DISTRIBUTION",
     "seconds on the nodes asked for: constant:V, uniform:LOW:HIGH, exponential:MEAN or "
     "lognormal:MEDIAN:SD (lognormal:1:1)",
     AT(t_iter), NULL},
    {"serial-share", 0, NEREUS_OPTION_TEXT, "DISTRIBUTION",
     "of an iteration on one process, by Amdahl's law (constant:0)", AT(serial), NULL},
    {"bytes-per-process", 0, NEREUS_OPTION_BYTES, "BYTES",
     "variable data of each process asked for (0)", AT(bytes_per_process), NULL},
};

/* --- the command line --- */

static enum nereus_status check_sources(const struct settings *settings, int files,
                                        struct nereus_error *err)
{
    if (settings->nodes == 0) {
        return nereus_fail(err, NEREUS_ERR_ARGUMENT, "--nodes is missing");
    }
    if (settings->nodes > NEREUS_SIM_NODES_MAX || settings->cores_per_node > 1 << 20) {
        return nereus_fail(err, NEREUS_ERR_ARGUMENT,
                           "at most %d nodes of %d cores can be simulated", NEREUS_SIM_NODES_MAX,
                           1 << 20);
    }
    if ((files == 1) == (settings->generate != NULL)) {
        return nereus_fail(err, NEREUS_ERR_ARGUMENT,
                           "name one workload: a file, or --generate lublin:JOBS");
    }
    if (settings->load >= 0 && settings->arrival_scale >= 0) {
        return nereus_fail(err, NEREUS_ERR_ARGUMENT,
                           "--load and --arrival-scale both scale submit times: give one of them");
    }
    if (settings->load == 0 || settings->arrival_scale == 0) {
        return nereus_fail(err, NEREUS_ERR_ARGUMENT, "--%s must be above 0, not 0",
                           settings->load == 0 ? "load" : "arrival-scale");
    }
    return NEREUS_OK;
}

static enum nereus_status check_malleable(const struct settings *settings,
                                          struct nereus_draw_malleable *draw,
                                          struct nereus_error *err)
{
    *draw = (struct nereus_draw_malleable){.share = settings->share,
                                           .shrink = settings->shrink,
                                           .grow = settings->grow,
                                           .seed = settings->seed};
    if (settings->share > 1) {
        return nereus_fail(err, NEREUS_ERR_ARGUMENT, "--malleable must be 0 to 1, not %g",
                           settings->share);
    }
    NEREUS_TRY(nereus_profile_settings_check(&settings->profile, err));
    if (settings->shrink > 1 || settings->grow < 1) {
        return nereus_fail(err, NEREUS_ERR_ARGUMENT,
                           "--shrink-to must be 0 to 1 and --grow-to at least 1, not %g and %g",
                           settings->shrink, settings->grow);
    }
    NEREUS_TRY(nereus_draw_parse("--iteration-time", settings->t_iter, &draw->t_iter_s, err));
    return nereus_draw_parse("--serial-share", settings->serial, &draw->serial, err);
}

static enum nereus_status parse_generate(const char *text, int64_t *jobs, struct nereus_error *err)
{
    static const char model[] = "lublin:";
    if (strncmp(text, model, strlen(model)) != 0) {
        return nereus_fail(err, NEREUS_ERR_PARSE, "--generate must be lublin:JOBS, not '%s'", text);
    }
    NEREUS_TRY(nereus_value_integer("--generate lublin", text + strlen(model), 1, jobs, err));
    return *jobs <= NEREUS_SIM_JOBS_MAX
               ? NEREUS_OK
               : nereus_fail(err, NEREUS_ERR_ARGUMENT, "--generate: at most %d jobs",
                             NEREUS_SIM_JOBS_MAX);
}

/* --- the workload --- */

static void note_troubles(const char *path, const struct nereus_workload *workload)
{
    for (int t = 0; t < NEREUS_SIM_TROUBLE_COUNT; t++) {
        const int64_t count = workload->troubles[t].count;
        for (int64_t i = 0; i < count && i < NEREUS_SIM_LINES_NAMED; i++) {
            nereus_cli_note("%s:%" PRId64 ": %s", path, workload->troubles[t].lines[i],
                            nereus_sim_trouble_texts[t]);
        }
        if (count > NEREUS_SIM_LINES_NAMED) {
            nereus_cli_note("%s: %" PRId64 " more lines: %s", path, count - NEREUS_SIM_LINES_NAMED,
                            nereus_sim_trouble_texts[t]);
        }
    }
}

static enum nereus_status scale(const struct settings *settings,
                                const struct nereus_sim_machine *machine,
                                struct nereus_workload *workload, struct nereus_error *err)
{
    double factor = settings->arrival_scale;
    if (settings->load >= 0) {
        factor = nereus_workload_load(workload, machine) / settings->load;
        if (factor == 0) {
            return nereus_fail(err, NEREUS_ERR_ARGUMENT,
                               "--load needs jobs that are submitted at different times");
        }
    }
    if (factor >= 0) {
        nereus_workload_scale_arrivals(workload, factor);
    }
    return NEREUS_OK;
}

/* --- the simulation --- */

static enum nereus_status simulate(const struct settings *settings,
                                   const struct nereus_sim_machine *machine,
                                   struct nereus_workload *workload,
                                   struct nereus_resize_prices *prices, bool *interrupted,
                                   struct nereus_error *err)
{
    const struct nereus_sim_settings simulation = {.machine = *machine,
                                                   .scheduler =
                                                       nereus_schedulers[settings->scheduler],
                                                   .policy = nereus_policies[settings->policy],
                                                   .prices = prices,
                                                   .interrupted = nereus_interrupted};
    NEREUS_TRY(nereus_simulate(&simulation, workload, interrupted, err));
    if (prices != NULL && prices->without_price > 0) {
        nereus_cli_note("%" PRId64 " resizes were left out, as they have no price: %s",
                        prices->without_price, prices->refusal.text);
    }
    if (!nereus_sim_report(workload, machine->nodes, prices, (enum nereus_format)settings->format,
                           stdout)) {
        return nereus_fail(err, NEREUS_ERR_IO, "the results could not be written");
    }
    return NEREUS_OK;
}

static enum nereus_status simulate_malleable(const struct settings *settings,
                                             const struct nereus_draw_malleable *draw,
                                             const struct nereus_sim_machine *machine,
                                             struct nereus_workload *workload, bool *interrupted,
                                             struct nereus_error *err)
{
    struct nereus_profile profile;
    struct nereus_resize_prices prices;
    NEREUS_TRY(nereus_draw_malleable(draw, machine->nodes, workload, err));
    NEREUS_TRY(nereus_profile_open(&settings->profile, NULL, &profile, err));
    enum nereus_status status =
        nereus_resize_prices_init(&profile, settings->method, machine->cores_per_node,
                                  (double)settings->bytes_per_process, &prices, err);
    if (status == NEREUS_OK) {
        status = simulate(settings, machine, workload, &prices, interrupted, err);
        nereus_resize_prices_fini(&prices);
    }
    nereus_profile_fini(&profile);
    return status;
}

static enum nereus_status make(const struct settings *settings,
                               const struct nereus_draw_malleable *draw, const char *path,
                               int64_t jobs, bool *interrupted, struct nereus_error *err)
{
    const struct nereus_sim_machine machine = {(int32_t)settings->nodes,
                                               (int32_t)settings->cores_per_node};
    struct nereus_workload workload;
    NEREUS_TRY(path != NULL ? nereus_workload_read_swf(path, &workload, err)
                            : nereus_draw_lublin(jobs, settings->nodes * settings->cores_per_node,
                                                 settings->seed, &workload, err));
    enum nereus_status status = nereus_workload_prepare(&workload, &machine, err);
    note_troubles(path != NULL ? path : settings->generate, &workload);
    if (status == NEREUS_OK) {
        status = scale(settings, &machine, &workload, err);
    }
    if (status == NEREUS_OK) {
        status = settings->share > 0
                     ? simulate_malleable(settings, draw, &machine, &workload, interrupted, err)
                     : simulate(settings, &machine, &workload, NULL, interrupted, err);
    }
    nereus_workload_fini(&workload);
    return status;
}

static const char help[] =
    "Simulates a cluster under a workload (Standard Workload Format, also gzipped), event by event. "
    "A share of the jobs can be malleable: they are resized by a policy, and each resize costs what "
    "the profile predicts for it.";

static int run(int argc, char **argv)
{
    struct settings settings = {.cores_per_node = 1,
                                .seed = 1,
                                .method = "best",
                                .t_iter = "lognormal:1:1",
                                .serial = "constant:0",
                                .scheduler = 1,
                                .policy = 3,
                                .arrival_scale = -1,
                                .load = -1,
                                .shrink = 0.25,
                                .grow = 2};
    const struct nereus_option_group groups[] = {
        {"Cluster and workload", machine_table, NEREUS_COUNT_OF(machine_table), &settings},
        {"Prices of resizes", nereus_profile_options, nereus_profile_option_count,
         &settings.profile},
        {"Malleable jobs", malleable_table, NEREUS_COUNT_OF(malleable_table), &settings}};
    const struct nereus_command_line line = {.arguments_help = "[WORKLOAD.swf]",
                                             .help = help,
                                             .groups = groups,
                                             .group_count = NEREUS_COUNT_OF(groups),
                                             .max_arguments = 1};
    struct nereus_arguments files;
    struct nereus_draw_malleable draw;
    struct nereus_error err;
    int exit_status;
    int64_t jobs = 0;
    bool interrupted = false;
    if (!nereus_options_parse(&line, argc, argv, &files, &exit_status)) {
        return exit_status;
    }
    if (check_sources(&settings, files.count, &err) != NEREUS_OK ||
        check_malleable(&settings, &draw, &err) != NEREUS_OK ||
        (settings.generate != NULL &&
         parse_generate(settings.generate, &jobs, &err) != NEREUS_OK)) {
        return nereus_cli_fail_usage("%s", err.text);
    }
    nereus_interrupt_watch();
    const enum nereus_status status =
        make(&settings, &draw, files.count == 1 ? files.items[0] : NULL, jobs, &interrupted, &err);
    const int signal_number = nereus_interrupted();
    nereus_interrupt_end();
    if (status != NEREUS_OK) {
        return nereus_cli_fail("%s", err.text);
    }
    if (interrupted) {
        nereus_cli_note("interrupted: the results are those of the jobs that had ended");
        return 128 + signal_number;
    }
    return NEREUS_EXIT_OK;
}

const struct command nereus_cmd_simulate = {
    "simulate", "simulate a cluster's workload, with malleable jobs", run};
