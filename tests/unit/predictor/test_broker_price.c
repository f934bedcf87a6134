/**
 * @file test_broker_price.c
 * The broker's prices are those of the predictor: of a growth, by the one method that can start
 * processes in another allocation; of a shrink, by the best one.
 */
#include <criterion/criterion.h>
#include <math.h>

#include "model/util/arith.h"
#include "nereus/jobstate.h"
#include "nereus/predict.h"
#include "nereus/synthetic.h"
#include "predictor/slurm/broker_view.h"
#include "predictor/slurm/slurm_resize.h"

enum { CORES = 4, KEPT = 2 };

static const double bytes_per_process = 3e8;

static void make_profile(struct nereus_profile *profile)
{
    struct nereus_synthetic cluster;
    struct nereus_error err;
    cr_assert_eq(nereus_synthetic_parse("nodes:8 cores:4 latency:3us bandwidth:2GB/s spawn:0.25s",
                                        &cluster, &err),
                 NEREUS_OK, "%s", err.text);
    cr_assert_eq(nereus_synthetic_profile(&cluster, profile, &err), NEREUS_OK, "%s", err.text);
}

/* RT of a job with a world on each node; INFINITY: the method is not for this direction. */
static double predicted(const struct nereus_profile *profile, const struct nereus_method *method,
                        int64_t ns, int64_t nt)
{
    struct nereus_machine machine;
    struct nereus_jobstate state;
    struct nereus_prediction prediction;
    cr_assert_eq(nereus_machine_uniform(CORES, &machine, NULL), NEREUS_OK);
    cr_assert_eq(nereus_jobstate_per_node(&machine, ns, &state, NULL), NEREUS_OK);
    const struct nereus_scenario scenario = {.machine = &machine,
                                             .state = &state,
                                             .ns = ns,
                                             .nt = nt,
                                             .variable_bytes = bytes_per_process * KEPT * CORES,
                                             .t_iter_ns_s = 0.5 * 12 / (double)ns,
                                             .t_iter_nt_s = 0.5 * 12 / (double)nt,
                                             .iterations_before = 1,
                                             .iterations_after = 1,
                                             .values_only = true};
    const bool made = nereus_method_check_direction(method, ns, nt, NULL) == NEREUS_OK &&
                      nereus_predict(profile, &scenario, method, &prediction, NULL) == NEREUS_OK;
    nereus_jobstate_fini(&state);
    return made ? prediction.rt_s.value : INFINITY;
}

static double best(const struct nereus_profile *profile, int64_t ns, int64_t nt)
{
    double min = INFINITY;
    for (int64_t i = 0; i < profile->method_count; i++)
        if (!nereus_method_is_overlapped(&profile->methods[i]))
            min = fmin(min, predicted(profile, &profile->methods[i], ns, nt));
    return min;
}

Test(broker_price, is_that_of_the_predictor)
{
    static const struct {
        int64_t ns, nt;
    } rows[] = {{8, 12}, {8, 28}, {12, 16}, {12, 8}, {28, 12}};
    struct nereus_broker_job job = {
        .processes = 12, .nodes = 3, .kept_nodes = KEPT, .cores_per_node = CORES, .left_s = -1};
    struct nereus_broker_peer peer = {.t_iter_s = 0.5};
    const struct nereus_broker_view view = {.jobs = &job, .peers = &peer, .job_count = 1};
    struct nereus_profile profile;
    struct nereus_broker_prices prices;
    struct nereus_method growth;
    struct nereus_error err;
    make_profile(&profile);
    cr_assert_eq(nereus_method_parse(NEREUS_SLURM_GROWTH, &growth, &err), NEREUS_OK);
    cr_assert_eq(nereus_broker_prices_init(&profile, &prices, &err), NEREUS_OK, "%s", err.text);
    prices.bytes_per_process = bytes_per_process;
    prices.view = &view;
    for (size_t i = 0; i < NEREUS_COUNT_OF(rows); i++) {
        const int64_t ns = rows[i].ns, nt = rows[i].nt;
        const double expected =
            nt > ns ? predicted(&profile, &growth, ns, nt) : best(&profile, ns, nt);
        cr_expect(isfinite(expected) && expected > 0, "row %zu", i);
        cr_expect_float_eq(nereus_broker_price_by_profile(&prices, 0, ns, nt), expected,
                           1e-12 * expected, "row %zu", i);
        cr_expect(nt < ns || expected > best(&profile, ns, nt),
                  "row %zu: launch would be the best method anyway, which shows nothing", i);
    }
    cr_expect_eq(prices.growing.without_price + prices.shrinking.without_price, 0);
    nereus_broker_prices_fini(&prices);
    nereus_profile_fini(&profile);
}
