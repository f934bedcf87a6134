/** @file test_between.c  Redistributions between nodes, by those that were measured alone. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>

#include "model/price/cost_operation.h"
#include "model/util/arith.h"
#include "nereus/profile.h"
#include "nereus/samples.h"

enum { CORES = 7, ROWS = 8 };

/* What cost_between.c says, counted by hand: nodes of 7 cores, compact. */
static const struct row {
    const char *method;
    int64_t ns, nt;
    double bytes;                    /* of all */
    double node, both, crowd_square; /* shares of them */
} rows[] = {
    {"merge/coll", 7, 14, 3e9, 0.5, 0.5, 0}, /* node 0 sends half */
    {"merge/coll", 7, 21, 5e9, 2.0 / 3, 1.0 / 3, 0},
    {"merge/coll", 14, 21, 7e9, 1.0 / 3, 2.0 / 3, 0}, /* node 1 has [1/2, 1], keeps [1/2, 2/3] */
    {"merge/coll", 14, 7, 3e9, 0.5, 0.5, 0},
    {"merge/coll", 21, 7, 5e9, 2.0 / 3, 1.0 / 3, 0},
    {"baseline/coll", 7, 14, 3e9, 0.5, 0.5, 0.25},
    {"baseline/coll", 21, 7, 5e9, 2.0 / 3, 1.0 / 3, 1.0 / 9},
    {"baseline/coll", 14, 21, 7e9, 1.0 / 3, 2.0 / 3, 4.0 / 9},
};

static struct nereus_sample sample(const struct row *row)
{
    struct nereus_sample s = {.cluster = "x",
                              .kind = NEREUS_SAMPLE_REDISTRIBUTION,
                              .cores_per_node = CORES,
                              .ns = row->ns,
                              .nt = row->nt,
                              .bytes = row->bytes,
                              .rt_s = NAN,
                              .ct_s = NAN,
                              .iterations = NAN,
                              .t_iter_ns_s = NAN,
                              .t_iter_nt_s = NAN,
                              .n = 1};
    cr_assert(nereus_method_parse(row->method, &s.method, NULL) == NEREUS_OK);
    /* one group: the link at 2 GB/s; two: rounds at 0.5 GB/s, gathered 4 GB/s, crowded 0.25 GB/s */
    s.time_s = s.method.process == NEREUS_MERGE
                   ? row->node * row->bytes / 2e9
                   : row->bytes / 0.5e9 + row->crowd_square * row->bytes / 0.25e9 +
                         (row->nt < row->ns ? row->node * row->bytes / 4e9 : 0);
    return s;
}

static void fit(size_t first, size_t count, struct nereus_profile *profile)
{
    struct nereus_sample list[ROWS];
    struct nereus_samples samples = {.rows = list, .count = (int64_t)count};
    struct nereus_error err = {.text = ""};
    for (size_t i = 0; i < count; i++)
        list[i] = sample(&rows[first + i]);
    cr_assert(nereus_profile_fit(&samples, NULL, profile, &err) == NEREUS_OK, "%s", err.text);
}

/* The price of a redistribution; low and high by its sum. */
static struct nereus_interval price(const struct nereus_profile *profile, const char *method_text,
                                    int64_t ns, int64_t nt, double bytes)
{
    struct nereus_method method;
    struct nereus_machine machine;
    struct nereus_cost_context context;
    struct nereus_step_models models;
    struct nereus_cost_sum sum = NEREUS_COST_SUM_INIT;
    const struct nereus_step step = {.kind = NEREUS_STEP_REDISTRIBUTE,
                                     .repeat = 1,
                                     .times = 1,
                                     .old_processes = ns,
                                     .new_processes = nt,
                                     .constant_bytes = (int64_t)bytes};
    cr_assert(nereus_method_parse(method_text, &method, NULL) == NEREUS_OK);
    cr_assert(nereus_machine_equal_nodes(3, CORES, &machine, NULL) == NEREUS_OK);
    nereus_cost_context_init(profile, &machine, ns, nt, &method, &context);
    nereus_step_models_make(&context, &step, &models);
    cr_assert(nereus_step_models_add(&models, &context, &sum, NULL) == NEREUS_OK);
    nereus_machine_fini(&machine);
    return nereus_cost_interval(&sum);
}

/* Rows made by the formula come back within the pull of the priors. */
Test(between, rows_are_reproduced)
{
    struct nereus_profile profile;
    fit(0, NEREUS_COUNT_OF(rows), &profile);
    for (size_t i = 0; i < NEREUS_COUNT_OF(rows); i++) {
        const struct nereus_sample s = sample(&rows[i]);
        const struct nereus_interval got = price(&profile, rows[i].method, s.ns, s.nt, s.bytes);
        cr_expect(fabs(got.value / s.time_s - 1) < 0.06, "%s %lld -> %lld: %g s, not %g s",
                  rows[i].method, (long long)s.ns, (long long)s.nt, got.value, s.time_s);
        cr_expect(got.low < s.time_s && s.time_s < got.high, "row %zu: %g to %g", i, got.low,
                  got.high);
    }
    /* the fastest rows of merge are bound by the link */
    cr_expect_float_eq(profile.operations[NEREUS_OPERATION_NODE].beta_s_per_byte[0], 0.5e-9, 1e-12);
    nereus_profile_fini(&profile);
}

/* Ways without a row: by another one, or by the link, times the processes per core. */
Test(between, ways_that_were_not_measured)
{
    static const struct {
        size_t first, count; /* rows of the fit */
        const char *method;
        int64_t ns, nt;
        double bytes, value_s, tolerance, factor; /* at 90 % */
    } asked[] = {
        {0, 5, "merge/p2p", 7, 14, 6e9, 1.5, 0.06, 2},           /* as merge/coll: 3 GB at 2 GB/s */
        {0, 5, "merge/rma", 21, 7, 6e9, 2, 0.06, 2},             /* 4 GB */
        {0, 5, "baseline/p2p", 14, 21, 6e9, 5.0 / 3, 0.06, 2},   /* 2 GB; 35 processes, 21 cores */
        {0, 5, "baseline-intra/rma", 7, 14, 6e9, 2.25, 0.06, 2}, /* 3 GB; 21 on 14 */
        {0, 5, "baseline/coll", 14, 21, 6e9, 13.0 / 3, 1e-6, 3}, /* 6 GB at the link, 1 + (2/3)^2 */
        {0, 3, "merge/p2p", 14, 7, 6e9, 1.5, 1e-6, 2},           /* no such shrink: the link */
    };
    for (size_t i = 0; i < NEREUS_COUNT_OF(asked); i++) {
        struct nereus_profile profile;
        fit(asked[i].first, asked[i].count, &profile);
        const struct nereus_interval got =
            price(&profile, asked[i].method, asked[i].ns, asked[i].nt, asked[i].bytes);
        cr_expect(fabs(got.value / asked[i].value_s - 1) < asked[i].tolerance, "row %zu: %g s", i,
                  got.value);
        cr_expect(fabs(got.high / got.value / asked[i].factor - 1) < 0.05 &&
                      fabs(got.value / got.low / asked[i].factor - 1) < 0.05,
                  "row %zu: %g to %g", i, got.low, got.high);
        nereus_profile_fini(&profile);
    }
}

/* Far from the measured bytes an interval is wider, also of a way without rows: by 5 % d
 * for d doublings (cost_sum.c), and the error of one row (Student's t). */
Test(between, intervals_widen_with_the_distance_of_the_bytes)
{
    static const struct {
        const char *method;
        double bytes, min; /* factor at 90 %, at least */
    } asked[] = {
        {"merge/coll", 3e9, 1},   {"merge/coll", 7e9, 1},    {"merge/coll", 48e6, 1.8},
        {"merge/coll", 3e6, 2.7}, {"merge/coll", 7e12, 2.7}, {"merge/p2p", 3e6, 3},
        {"baseline/p2p", 3e6, 3}, {"baseline/coll", 3e6, 3},
    };
    struct nereus_profile profile;
    fit(0, 5, &profile);
    for (size_t i = 0; i < NEREUS_COUNT_OF(asked); i++) {
        const struct nereus_interval got = price(&profile, asked[i].method, 7, 14, asked[i].bytes);
        const double factor = got.high / got.value;
        cr_expect(factor > asked[i].min && (asked[i].min > 1 || factor < 1.3), "row %zu: %g", i,
                  factor);
    }
    nereus_profile_fini(&profile);
}
