/** @file sim_run.c  One simulation, from its options to its results. */
#include "sim_run.h"

#include <inttypes.h>

#include "model/util/try.h"
#include "predictor/cli/command.h"
#include "predictor/run/interrupt.h"
#include "simulation.h"

void nereus_sim_note_troubles(const char *name, const struct nereus_sim_outcome *outcome)
{
    const struct nereus_workload *workload = outcome->workload;
    for (int t = 0; t < NEREUS_SIM_TROUBLE_COUNT; t++) {
        const int64_t count = workload->troubles[t].count;
        for (int64_t i = 0; i < count && i < NEREUS_SIM_LINES_NAMED; i++) {
            nereus_cli_note("%s:%" PRId64 ": %s", name, workload->troubles[t].lines[i],
                            nereus_sim_trouble_texts[t]);
        }
        if (count > NEREUS_SIM_LINES_NAMED) {
            nereus_cli_note("%s: %" PRId64 " more lines: %s", name, count - NEREUS_SIM_LINES_NAMED,
                            nereus_sim_trouble_texts[t]);
        }
    }
}

bool nereus_sim_note_prices(const struct nereus_sim_outcome *outcome)
{
    const bool any = outcome->prices != NULL && outcome->prices->without_price > 0;
    if (any) {
        nereus_cli_note("%" PRId64 " resizes were left out, as they have no price: %s",
                        outcome->prices->without_price, outcome->prices->refusal.text);
    }
    return any;
}

/* What a run works on. */
struct run {
    const struct nereus_sim_options *options;
    const struct nereus_sim_drawn *drawn;
    const struct nereus_profile *profile;
    struct nereus_sim_machine machine;
    struct nereus_workload workload;
    nereus_sim_taker *take;
    void *user;
};

static enum nereus_status scale(struct run *run, struct nereus_error *err)
{
    const struct nereus_sim_options *options = run->options;
    double factor = options->arrival_scale;
    if (options->load >= 0) {
        factor = nereus_workload_load(&run->workload, &run->machine) / options->load;
        if (factor == 0) {
            return nereus_fail(err, NEREUS_ERR_ARGUMENT,
                               "--load needs jobs that are submitted at different times");
        }
    }
    if (factor >= 0) {
        nereus_workload_scale_arrivals(&run->workload, factor);
    }
    return NEREUS_OK;
}

static enum nereus_status simulate(struct run *run, struct nereus_resize_prices *prices,
                                   struct nereus_error *err)
{
    const struct nereus_sim_options *options = run->options;
    const struct nereus_sim_settings settings = {.machine = run->machine,
                                                 .scheduler = nereus_schedulers[options->scheduler],
                                                 .policy = nereus_policies[options->policy],
                                                 .prices = prices,
                                                 .interrupted = nereus_interrupted};
    struct nereus_sim_outcome outcome = {
        .workload = &run->workload, .prices = prices, .nodes = run->machine.nodes};
    NEREUS_TRY(nereus_simulate(&settings, &run->workload, &outcome.interrupted, err));
    return run->take(run->user, &outcome, err);
}

static enum nereus_status simulate_malleable(struct run *run, struct nereus_error *err)
{
    const struct nereus_sim_options *options = run->options;
    struct nereus_resize_prices prices;
    NEREUS_TRY(
        nereus_draw_malleable(&run->drawn->malleable, run->machine.nodes, &run->workload, err));
    NEREUS_TRY(nereus_resize_prices_init(run->profile, options->method, run->machine.cores_per_node,
                                         (double)options->bytes_per_process, &prices, err));
    prices.scale = options->price_scale;
    const enum nereus_status status = simulate(run, &prices, err);
    nereus_resize_prices_fini(&prices);
    return status;
}

enum nereus_status nereus_sim_run(const struct nereus_sim_options *options,
                                  const struct nereus_sim_drawn *drawn,
                                  const struct nereus_profile *profile, const char *path,
                                  nereus_sim_taker *take, void *user, struct nereus_error *err)
{
    struct run run = {.options = options,
                      .drawn = drawn,
                      .profile = profile,
                      .machine = {(int32_t)options->nodes, (int32_t)options->cores_per_node},
                      .take = take,
                      .user = user};
    NEREUS_TRY(path != NULL
                   ? nereus_workload_read_swf(path, &run.workload, err)
                   : nereus_draw_lublin(drawn->jobs, options->nodes * options->cores_per_node,
                                        options->seed, &run.workload, err));
    enum nereus_status status = nereus_workload_prepare(&run.workload, &run.machine, err);
    if (status == NEREUS_OK) {
        status = scale(&run, err);
    }
    if (status == NEREUS_OK) {
        status = options->share > 0 ? simulate_malleable(&run, err) : simulate(&run, NULL, err);
    }
    nereus_workload_fini(&run.workload);
    return status;
}
