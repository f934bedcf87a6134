/** @file sim_run.c  Runs one simulation, from its options to its results. */
#include "sim_run.h"

#include "model/util/suggest.h"
#include "predictor/cli/command.h"
#include "predictor/run/interrupt.h"

/* Note that checkpoints have no price that was measured or stated.
 * @return there was something to note */
static bool note_checkpoints(const struct nereus_sim_failures *failures)
{
    const bool assumed = failures->interval_s > 0 &&
                         failures->profile->steps[NEREUS_STEP_WRITE].basis == NEREUS_BASIS_NONE;
    if (assumed) {
        nereus_cli_note("the price of a checkpoint is assumed: the profile has no measured step "
                        "write, and --synthetic no file-write");
    }
    return assumed;
}

bool nereus_sim_note_prices(const struct nereus_sim_outcome *outcome)
{
    const bool any = outcome->prices != NULL && outcome->prices->without_price > 0;
    if (any) {
        nereus_cli_note("%lld resize%s %s left out, as they have no price: %s",
                        (long long)outcome->prices->without_price,
                        nereus_plural_s(outcome->prices->without_price),
                        nereus_choose_plural(outcome->prices->without_price, "was", "were"),
                        outcome->prices->refusal.text);
    }
    return (outcome->failures != NULL && note_checkpoints(outcome->failures)) || any;
}

/* State of one run. */
struct run {
    const struct nereus_sim_options *options;
    const struct nereus_sim_drawn *drawn;
    struct nereus_sim_source *source;
    struct nereus_sim_machine machine;
    struct nereus_workload workload;
};

static enum nereus_status scale_load(struct run *run, struct nereus_error *err)
{
    const struct nereus_sim_options *options = run->options;
    double factor = options->arrival_scale;
    if (options->offered_load >= 0) {
        factor =
            nereus_workload_offered_load(&run->workload, &run->machine) / options->offered_load;
        if (factor == 0) {
            return nereus_fail(err, NEREUS_ERR_ARGUMENT,
                               "--load needs jobs that are submitted at different times");
        }
    }
    if (factor >= 0)
        nereus_workload_scale_arrivals(&run->workload, factor);
    return NEREUS_OK;
}

static enum nereus_status open_profile(const struct nereus_sim_options *options,
                                       struct nereus_sim_source *source, struct nereus_error *err)
{
    if (!source->has_profile) {
        NEREUS_TRY(nereus_profile_open(&options->profile, NULL, &source->profile, err));
        source->has_profile = true;
    }
    return NEREUS_OK;
}

enum nereus_status nereus_sim_set_machine(struct nereus_sim_options *options, bool given,
                                          struct nereus_sim_source *source,
                                          struct nereus_error *err)
{
    const struct nereus_profile *profile = &source->profile;
    if (!given || options->profile.profile != NULL) /* a misspelt name is said in any case */
        NEREUS_TRY(open_profile(options, source, err));
    if (!given)
        options->nodes = profile->nodes;
    if (options->cores_per_node == 0)
        options->cores_per_node = given ? 1 : nereus_max(1, profile->cores_per_node);
    if (given)
        return NEREUS_OK;
    if (options->nodes == 0)
        return nereus_fail(err, NEREUS_ERR_ARGUMENT,
                           "the profile does not say how many nodes there are: give --nodes");
    if (options->profile.synthetic == NULL)
        nereus_cli_note("the cluster is the profile's: %lld node%s with %lld core%s",
                        (long long)options->nodes, nereus_plural_s(options->nodes),
                        (long long)options->cores_per_node,
                        nereus_plural_s(options->cores_per_node));
    return NEREUS_OK;
}

static enum nereus_status simulate_with(struct run *run, struct nereus_resize_prices *prices,
                                        const struct nereus_sim_failures *failures,
                                        struct nereus_error *err)
{
    const struct nereus_sim_options *options = run->options;
    const struct nereus_sim_settings settings = {.machine = run->machine,
                                                 .latency = run->drawn->latency,
                                                 .scheduler =
                                                     nereus_sim_schedulers[options->scheduler],
                                                 .policy = nereus_sim_policy_of(options),
                                                 .prices = prices,
                                                 .failures = failures,
                                                 .interrupted = nereus_interrupted,
                                                 .on_change = run->source->on_change,
                                                 .user = run->source->user};
    struct nereus_node_power power = options->power;
    if (power.resize_w < 0)
        power.resize_w = power.busy_w;
    struct nereus_sim_outcome outcome = {.workload = &run->workload,
                                         .prices = prices,
                                         .power = power.busy_w >= 0 ? &power : NULL,
                                         .failures = failures,
                                         .nodes = run->machine.nodes};
    NEREUS_TRY(nereus_simulate(&settings, &run->workload, &outcome.interrupted, err));
    return run->source->take(run->source->user, &outcome, err);
}

/* Make the settings of failing nodes.
 * @param[out] failures  its list is to be freed */
static enum nereus_status make_failures(const struct nereus_sim_options *options, double interval_s,
                                        const struct nereus_profile *profile,
                                        struct nereus_sim_failures *failures,
                                        struct nereus_error *err)
{
    struct nereus_sim_failure *list = NULL;
    *failures =
        (struct nereus_sim_failures){.mtbf_s = options->node_mtbf_s,
                                     .repair_s = options->node_repair_s,
                                     .seed = options->seed,
                                     .on_failure = (enum nereus_sim_on_failure)options->on_failure,
                                     .restarts = options->restarts,
                                     .interval_s = interval_s,
                                     .profile = profile};
    if (options->node_failures != NULL) {
        NEREUS_TRY(nereus_sim_failures_read(options->node_failures, (int32_t)options->nodes,
                                            options->node_repair_s, &list, &failures->count, err));
        failures->list = list;
    }
    return NEREUS_OK;
}

/* Simulate, with failures of nodes where they are requested. */
static enum nereus_status simulate_jobs(struct run *run, struct nereus_resize_prices *prices,
                                        struct nereus_error *err)
{
    struct nereus_sim_failures failures;
    if (!nereus_sim_has_failures(run->options))
        return simulate_with(run, prices, NULL, err);
    if (run->drawn->interval_s > 0)
        NEREUS_TRY(open_profile(run->options, run->source, err));
    NEREUS_TRY(
        make_failures(run->options, run->drawn->interval_s, &run->source->profile, &failures, err));
    const enum nereus_status status = simulate_with(run, prices, &failures, err);
    free((void *)failures.list);
    return status;
}

/* Find the number of the first job of a class of the log. */
static int64_t find_class_line(const struct nereus_workload *workload, int32_t number)
{
    int64_t job = 0;
    while (job < workload->count && workload->jobs[job].app_class != number)
        job++;
    return job < workload->count ? workload->jobs[job].line : 0;
}

/* Refuse classes that the log names and the file of classes lacks. */
static enum nereus_status check_names(const struct run *run,
                                      const struct nereus_sim_classes *classes,
                                      struct nereus_error *err)
{
    const char *names[NEREUS_SIM_CLASSES_MAX];
    char meant[NEREUS_SUGGEST_TEXT];
    for (int32_t c = 0; c < classes->count; c++)
        names[c] = classes->items[c].name;
    const size_t count = (size_t)classes->count;
    for (int32_t number = 0; number < run->workload.class_count; number++) {
        const char *name = run->workload.classes[number];
        const int64_t line = find_class_line(&run->workload, number);
        if (line > 0 && nereus_word_index(name, names, count) == count) {
            return nereus_fail(err, NEREUS_ERR_PARSE, "%s:%lld: class: '%s' is no class of '%s'%s",
                               run->source->path, (long long)line, name, run->options->classes,
                               nereus_suggest_text(name, names, count, meant));
        }
    }
    return NEREUS_OK;
}

/* Draw random values that the log lacks.
 * @param[out] any  some job may be resized */
static enum nereus_status draw_jobs(struct run *run, bool *any, struct nereus_error *err)
{
    struct nereus_draw_malleable draw = run->drawn->malleable;
    struct nereus_sim_classes classes = {.count = 0};
    *any = draw.jobs.share > 0 || nereus_workload_has_malleable_jobs(&run->workload);
    if (run->options->classes != NULL) {
        NEREUS_TRY(nereus_sim_classes_read(run->options->classes, &draw.jobs, &classes, err));
        NEREUS_TRY(check_names(run, &classes, err));
        draw.classes = classes.items;
        draw.class_count = classes.count;
    }
    for (int32_t c = 0; c < classes.count; c++)
        *any = *any || classes.items[c].jobs.share > 0;
    const bool drawn = *any || classes.count > 0 || run->drawn->interval_s > 0;
    *any = *any && nereus_sim_policy_of(run->options)->pass != NULL;
    return drawn ? nereus_draw_malleable_jobs(&draw, run->machine.nodes, &run->workload, err)
                 : NEREUS_OK;
}

static enum nereus_status simulate_malleable(struct run *run, struct nereus_error *err)
{
    const struct nereus_sim_options *options = run->options;
    struct nereus_resize_prices prices;
    NEREUS_TRY(open_profile(options, run->source, err));
    NEREUS_TRY(nereus_resize_prices_init(&run->source->profile, options->method,
                                         run->machine.cores_per_node, &prices, err));
    prices.scale = options->price_scale;
    const enum nereus_status status = simulate_jobs(run, &prices, err);
    nereus_resize_prices_fini(&prices);
    return status;
}

enum nereus_status nereus_sim_run(const struct nereus_sim_options *options,
                                  const struct nereus_sim_drawn *drawn,
                                  struct nereus_sim_source *source, struct nereus_error *err)
{
    bool malleable = false;
    struct run run = {.options = options,
                      .drawn = drawn,
                      .source = source,
                      .machine = {(int32_t)options->nodes, (int32_t)options->cores_per_node}};
    NEREUS_TRY(source->path != NULL
                   ? nereus_workload_read(source->path, &run.workload, err)
                   : nereus_draw_lublin(drawn->jobs, options->nodes * options->cores_per_node,
                                        options->seed, &run.workload, err));
    enum nereus_status status = nereus_workload_prepare(&run.workload, &run.machine, err);
    if (status == NEREUS_OK)
        status = scale_load(&run, err);
    else if (source->path != NULL) /* explains that no job is left */
        nereus_workload_print_warnings(source->path, &run.workload);
    if (status == NEREUS_OK)
        status = draw_jobs(&run, &malleable, err);
    if (status == NEREUS_OK)
        status = malleable ? simulate_malleable(&run, err) : simulate_jobs(&run, NULL, err);
    nereus_workload_fini(&run.workload);
    return status;
}

void nereus_workload_print_warnings(const char *name, const struct nereus_workload *workload)
{
    const int64_t steps = workload->warnings[NEREUS_SIM_STEP].count,
                  not_started = workload->warnings[NEREUS_SIM_NOT_STARTED].count,
                  not_ended = workload->warnings[NEREUS_SIM_NOT_ENDED].count,
                  components = workload->warnings[NEREUS_SIM_COMPONENT].count;
    if (steps + not_started + not_ended > 0) {
        nereus_cli_note("%s: left out: %lld step%s of jobs, %lld job%s that had not run, %lld that "
                        "had not ended",
                        name, (long long)steps, nereus_plural_s(steps), (long long)not_started,
                        nereus_plural_s(not_started), (long long)not_ended);
    }
    if (components > 0) {
        nereus_cli_note(
            "%s: %lld component%s of heterogeneous jobs (JobID 201+0): taken as jobs of "
            "their own, which need not start together",
            name, (long long)components, nereus_plural_s(components));
    }
    for (int t = 0; t < NEREUS_SIM_STEP; t++) {
        const int64_t count = workload->warnings[t].count;
        for (int64_t i = 0; i < count && i < NEREUS_SIM_LINES_NAMED; i++) {
            nereus_cli_note("%s:%lld: %s", name, (long long)workload->warnings[t].lines[i],
                            nereus_sim_warning_texts[t]);
        }
        if (count > NEREUS_SIM_LINES_NAMED) {
            nereus_cli_note(
                "%s: %lld more line%s: %s", name, (long long)(count - NEREUS_SIM_LINES_NAMED),
                nereus_plural_s(count - NEREUS_SIM_LINES_NAMED), nereus_sim_warning_texts[t]);
        }
    }
}
