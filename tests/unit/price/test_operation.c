/** @file test_operation.c  What moves data by operations of its own: rows, profile, prices,
 * priors, alpha below 1. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "model/price/cost_data.h"
#include "model/price/cost_operation.h"
#include "model/price/overlap.h"
#include "model/price/price_parts.h"
#include "model/util/arith.h"
#include "nereus/predict.h"
#include "tests/unit/note_of.h"
#include "tests/unit/price/price_sum.h"

static void line(struct nereus_hockney *h, double alpha_s, double beta_s_per_byte)
{
    *h = (struct nereus_hockney){.basis = NEREUS_BASIS_FITTED,
                                 .pieces = 1,
                                 .rows = 30,
                                 .log_sd = 0.1,
                                 .max_bytes = 16777216};
    h->alpha_s[0] = alpha_s;
    h->beta_s_per_byte[0] = beta_s_per_byte;
}

/* Every step a constant, data by its ping-pong estimate, messages and operations straight lines
 * that no two share. */
static void set_synthetic(struct nereus_profile *p)
{
    memset(p, 0, sizeof *p);
    p->cores_per_node = 7;
    for (int k = 0; k < NEREUS_STEP_KIND_COUNT; k++) {
        p->steps[k].basis = NEREUS_BASIS_FITTED;
        p->steps[k].terms = 1;
        p->steps[k].rows = 30;
        p->steps[k].coefficients[0] = 1e-4;
        snprintf(p->steps[k].names[0], sizeof p->steps[k].names[0], "const");
    }
    struct nereus_linear_model *move = &p->steps[NEREUS_STEP_REDISTRIBUTE];
    move->coefficients[0] = 1;
    snprintf(move->names[0], sizeof move->names[0], "transfer");
    for (int k = 0; k < NEREUS_PAIR_CLASS_COUNT; k++)
        line(&p->pairs[k], 3e-6 * (k + 1), 1.1e-9 * (k + 1));
    line(&p->operations[NEREUS_OPERATION_ALLTOALLV], 5e-6, 1.3e-9);
    line(&p->operations[NEREUS_OPERATION_GET], 1.3e-5, 0.7e-9);
    line(&p->operations[NEREUS_OPERATION_GET_INTER], 6e-6, 0.57e-9);
    line(&p->operations[NEREUS_OPERATION_WINDOW], 4e-4, 3e-13);
    line(&p->operations[NEREUS_OPERATION_SHARED], 2.9e-6, 0.31e-9);
    line(&p->operations[NEREUS_OPERATION_TOUCH], 9e-6, 0.23e-9);
}

static const struct nereus_machine seven_cores = {.cores_per_node = 7};
static struct nereus_node seven = {.cores = 7};
static const struct nereus_machine seven_at_all = {
    .cores_per_node = 7, .node_count = 1, .nodes = &seven};

/* Price of one redistribution. */
static struct nereus_cost_sum price_on(const struct nereus_profile *p, const char *text, int64_t ns,
                                       int64_t nt, int64_t bytes, bool beside, bool oversubscribed)
{
    struct nereus_method method;
    struct nereus_cost_context context;
    struct nereus_step_models models;
    struct nereus_cost_sum sum = NEREUS_COST_SUM_INIT;
    cr_assert(nereus_method_parse(text, &method, NULL) == NEREUS_OK);
    nereus_cost_context_init(p, oversubscribed ? &seven_at_all : &seven_cores, ns, nt, &method,
                             &context);
    context.oversubscribed = oversubscribed;
    const struct nereus_step step = {.kind = NEREUS_STEP_REDISTRIBUTE,
                                     .repeat = 1,
                                     .times = 1,
                                     .thread = beside ? NEREUS_AT_POINTS : NEREUS_MAIN_THREAD,
                                     .old_processes = ns,
                                     .new_processes = nt,
                                     .constant_bytes = bytes};
    nereus_step_models_make(&context, &step, &models);
    cr_assert(nereus_step_models_add(&models, &context, &sum, NULL) == NEREUS_OK);
    return sum;
}

/* Price of so many replicated bytes in it. */
static struct nereus_cost_sum price_replicated(const struct nereus_profile *p, const char *text,
                                               int64_t ns, int64_t nt, int64_t bytes)
{
    struct nereus_method method;
    struct nereus_cost_context context;
    struct nereus_step_models models;
    struct nereus_cost_sum sum = NEREUS_COST_SUM_INIT;
    cr_assert(nereus_method_parse(text, &method, NULL) == NEREUS_OK);
    nereus_cost_context_init(p, &seven_cores, ns, nt, &method, &context);
    const struct nereus_step step = {.kind = NEREUS_STEP_REDISTRIBUTE,
                                     .repeat = 1,
                                     .times = 1,
                                     .old_processes = ns,
                                     .new_processes = nt,
                                     .variable_bytes = 5000000,
                                     .replicated_bytes = bytes};
    nereus_step_models_make(&context, &step, &models);
    cr_assert(nereus_step_models_add(&models, &context, &sum, NULL) == NEREUS_OK);
    sum.value_s -= price_on(p, text, ns, nt, 5000000, false, false).value_s;
    return sum;
}

static struct nereus_cost_sum price(const struct nereus_profile *p, const char *text, int64_t ns,
                                    int64_t nt, int64_t bytes, bool beside)
{
    return price_on(p, text, ns, nt, bytes, beside, false);
}

/* By hand: 2 -> 5 of 1e6 bytes. Blocks of 500000 and 200000: source 0 keeps 200000 and sends 200000
 * to target 1 and 100000 to target 2, source 1 sends 100000, 200000 and 200000 (it keeps nothing);
 * a target gets at most 200000 in at most 2 messages. */
Test(operation, prices_by_hand)
{
    const double touch_s = 9e-6 + 0.23e-9 * 200000;
    const struct {
        const char *method;
        bool beside;
        double expected_s;
    } rows[] = {
        /* two messages of 100000 each, as the busiest target may have; windows of 500000 among 5
           processes */
        {"merge/rma", false,
         2 * (6e-6 + 0.57e-9 * 100000) + log2(5) * (4e-4 + 3e-13 * 500000) + touch_s},
        {"merge/shared", true, 2 * (2.9e-6 + 0.31e-9 * 100000) + touch_s},
        {"baseline/shared", false, 2 * (2.9e-6 + 0.31e-9 * 100000) + touch_s},
        {"baseline-intra/rma", false,
         2 * (6e-6 + 0.57e-9 * 100000) + log2(7) * (4e-4 + 3e-13 * 500000) + touch_s},
        /* between two groups by messages */
        {"baseline/coll", true, 4 * (9e-6 + 3.3e-9 * 125000)},
        {"baseline/coll", false, 4 * (9e-6 + 3.3e-9 * 125000)},
        {"merge/coll", false, 4 * (5e-6 + 1.3e-9 * 125000)},
        {"merge/p2p", false, 4 * (9e-6 + 3.3e-9 * 125000)},
    };
    struct nereus_profile p;
    set_synthetic(&p);
    for (size_t i = 0; i < NEREUS_COUNT_OF(rows); i++) {
        const struct nereus_cost_sum sum = price(&p, rows[i].method, 2, 5, 1000000, rows[i].beside);
        cr_expect_float_eq(sum.value_s, rows[i].expected_s, 1e-9 * rows[i].expected_s,
                           "%s: %.9g, not %.9g", rows[i].method, sum.value_s, rows[i].expected_s);
        cr_expect(sum.prior == NULL, "%s", rows[i].method);
    }
}

/* Parts below 64 KiB are packed and sent without a window. */
/* By hand: 3000000 bytes are two pieces of 2^20 and one of 902848, and each new process touches all
 * of them; broadcasts were measured of 2 and of 4 processes. */
Test(operation, replicated_values_are_broadcast)
{
    struct nereus_collective_time measured[] = {
        {.collective = NEREUS_COLLECTIVE_BCAST, .processes = 2},
        {.collective = NEREUS_COLLECTIVE_REDUCE, .processes = 3},
        {.collective = NEREUS_COLLECTIVE_BCAST, .processes = 4}};
    line(&measured[0].time, 1.7e-5, 4.1e-9);
    line(&measured[1].time, 1, 1);
    line(&measured[2].time, 4.1e-5, 5.3e-9);
    const double two_s = 3 * 1.7e-5 + 4.1e-9 * 3000000, four_s = 3 * 4.1e-5 + 5.3e-9 * 3000000;
    const double messages_s = 3 * 9e-6 + 3.3e-9 * 3000000, touch_s = 9e-6 + 0.23e-9 * 3000000;
    const struct {
        const char *method;
        int64_t ns, nt, collectives, pairs;
        double expected_s;
        const char *prior;
    } rows[] = {
        {"merge/coll", 2, 4, 3, 1, four_s, NULL},
        {"merge/p2p", 1, 2, 3, 1, two_s, NULL},
        {"merge/rma", 1, 4, 3, 1, four_s, NULL},
        {"merge/shared", 3, 4, 3, 1, four_s, NULL},
        {"merge/coll", 2, 3, 3, 1, two_s + (log2(3) - 1) * (four_s - two_s), NULL},
        {"merge/coll", 5, 2, 3, 1, 0, NULL},        /* staying processes have them */
        {"baseline/p2p", 5, 3, 3, 1, four_s, NULL}, /* rank 0 and the three targets */
        {"baseline-intra/p2p", 1, 3, 3, 1, four_s, NULL},
        {"merge/coll", 2, 6, 3, 1, log2(6) / 2 * four_s,
         NULL}, /* on a node, as what was measured */
        {"merge/coll", 3, 9, 3, 1, 2 * log2(9) / 2 * four_s,
         NULL}, /* nodes of 7: a ping-pong takes twice as long between them */
        {"merge/coll", 2, 5, 0, 1, 3 * messages_s,
         "replicated values: a tree of messages at ping-pong speed"},
        {"merge/coll", 2, 5, 0, 0, 3 * (3e-5 + 3e-3),
         "replicated values: a tree of 10 us + 1 ns a byte assumed"},
    };
    for (size_t i = 0; i < NEREUS_COUNT_OF(rows); i++) {
        struct nereus_profile p;
        set_synthetic(&p);
        p.collectives = measured;
        p.collective_count = rows[i].collectives;
        for (int k = 0; k < NEREUS_PAIR_CLASS_COUNT && rows[i].pairs == 0; k++)
            p.pairs[k].basis = NEREUS_BASIS_NONE;
        const struct nereus_cost_sum sum =
            price_replicated(&p, rows[i].method, rows[i].ns, rows[i].nt, 3000000);
        const double expected_s = rows[i].expected_s + (rows[i].expected_s > 0 ? touch_s : 0);
        cr_expect_float_eq(sum.value_s, expected_s, 1e-9, "row %zu: %.9g, not %.9g", i, sum.value_s,
                           expected_s);
        cr_expect(rows[i].prior == NULL
                      ? sum.prior == NULL
                      : sum.prior != NULL && strcmp(sum.prior->source, rows[i].prior) == 0,
                  "row %zu", i);
    }
    /* Lower bound: the time of the bytes of one message. */
    struct nereus_profile p;
    set_synthetic(&p);
    line(&measured[0].time, 1e-9, 0);
    p.collectives = measured;
    p.collective_count = 1;
    cr_expect_float_eq(price_replicated(&p, "merge/coll", 1, 2, 3000000).value_s,
                       3.3e-9 * 3000000 + touch_s, 1e-12);
    /* One copy through the link of a node, where there are several (of 7 cores). */
    line(&p.operations[NEREUS_OPERATION_NODE], 0, 1e-6);
    cr_expect_float_eq(price_replicated(&p, "merge/coll", 1, 2, 3000000).value_s,
                       3.3e-9 * 3000000 + touch_s, 1e-12);
    cr_expect_float_eq(price_replicated(&p, "merge/coll", 3, 9, 3000000).value_s, 3 + touch_s,
                       1e-12);
    p.collective_count = 0; /* a tree of four messages */
    cr_expect_float_eq(price_replicated(&p, "merge/coll", 3, 9, 3000000).value_s, 12 + touch_s,
                       1e-12);
}

/* By hand: nodes of 7 cores, 1 us a byte through the link, 10 processes with 5 bytes each; what was
 * measured is as it was. */
Test(operation, collectives_pass_the_link)
{
    static const struct {
        enum nereus_collective collective;
        int64_t processes;
        double expected_s;
    } rows[] = {{NEREUS_COLLECTIVE_BCAST, 10, 5e-6},      {NEREUS_COLLECTIVE_REDUCE, 10, 5e-6},
                {NEREUS_COLLECTIVE_ALLREDUCE, 10, 5e-6},  {NEREUS_COLLECTIVE_GATHERV, 10, 15e-6},
                {NEREUS_COLLECTIVE_ALLGATHER, 10, 15e-6}, {NEREUS_COLLECTIVE_ALLTOALL, 10, 105e-6},
                {NEREUS_COLLECTIVE_ALLTOALL, 4, 1e-9},    {NEREUS_COLLECTIVE_ALLTOALL, 7, 1.75e-9}};
    for (size_t i = 0; i < NEREUS_COUNT_OF(rows); i++) {
        const struct nereus_collective_call call = {rows[i].collective, rows[i].processes, 5};
        struct nereus_collective_time four = {.collective = rows[i].collective, .processes = 4};
        struct nereus_profile p = {
            .cores_per_node = 7, .collectives = &four, .collective_count = 1};
        double by_profile_s, on_machine_s;
        line(&four.time, 1e-9, 0);
        line(&p.operations[NEREUS_OPERATION_NODE], 0, 1e-6);
        cr_assert_eq(nereus_cost_collective_s(&p, NULL, &call, &by_profile_s), NEREUS_OK);
        cr_assert_eq(nereus_cost_collective_s(&p, &seven_cores, &call, &on_machine_s), NEREUS_OK);
        cr_expect_float_eq(by_profile_s, rows[i].expected_s, 1e-15, "row %zu: %g", i, by_profile_s);
        cr_expect_float_eq(on_machine_s, rows[i].expected_s, 1e-15, "row %zu: %g", i, on_machine_s);
    }
}

Test(operation, small_data_needs_no_window)
{
    struct nereus_profile p;
    set_synthetic(&p);
    cr_expect(price(&p, "merge/rma", 2, 5, 131000, false).value_s < 1e-4);
    cr_expect(price(&p, "merge/rma", 2, 5, 131100, false).value_s > 9e-4);
}

/* 5 -> 2: all pairs are of one world. */
Test(operation, gets_within_a_world)
{
    struct nereus_profile p;
    set_synthetic(&p);
    p.steps[NEREUS_STEP_ALLOCATE].basis = NEREUS_BASIS_PRIOR;
    /* target 0 keeps 200000 of its 500000 and gets 200000 and 100000; target 1 (of old 200000 to
     * 400000) gets all of its own */
    const double gets_s = 3 * (1.3e-5 + 0.7e-9 * 500000 / 3),
                 windows_s = log2(5) * (4e-4 + 3e-13 * 200000);
    const struct nereus_cost_sum sum = price(&p, "merge/rma", 5, 2, 1000000, false);
    cr_expect_float_eq(sum.value_s, gets_s + windows_s, 1e-12, "%.9g", sum.value_s);
}

/* Copies within a process have a price: with one process more nearly all data stays. */
Test(operation, own_copies_count)
{
    struct nereus_profile p;
    set_synthetic(&p);
    p.steps[NEREUS_STEP_ALLOCATE].basis = NEREUS_BASIS_PRIOR; /* includes the first touch of
                                                                  * pages */
    const double kept = 33000000;                             /* of source 0, on 2 -> 3 of 99e6 */
    const struct nereus_cost_sum sum = price(&p, "merge/shared", 2, 3, 99000000, false);
    cr_expect(sum.value_s >= 2.9e-6 + 0.31e-9 * kept, "%g", sum.value_s);
}

/* No price is silently 0: everything without a measurement has a named prior. */
Test(operation, priors_have_names)
{
    static const struct {
        const char *method;
        enum nereus_operation missing;
        const char *name;
    } rows[] = {
        {"merge/rma", NEREUS_OPERATION_GET_INTER, "a get at ping-pong speed"},
        {"merge/rma", NEREUS_OPERATION_WINDOW, "a window as a split"},
        {"merge/shared", NEREUS_OPERATION_SHARED, "a copy at ping-pong speed"},
        {"merge/shared", NEREUS_OPERATION_TOUCH, "first touch: 0.5 ns a byte assumed"},
    };
    struct nereus_profile p;
    for (size_t i = 0; i < NEREUS_COUNT_OF(rows); i++) {
        set_synthetic(&p);
        const struct nereus_cost_sum measured = price(&p, rows[i].method, 2, 5, 3000000, true);
        p.operations[rows[i].missing].basis = NEREUS_BASIS_NONE;
        const struct nereus_cost_sum sum = price(&p, rows[i].method, 2, 5, 3000000, true);
        cr_assert(sum.prior != NULL, "row %zu", i);
        cr_expect(strstr(sum.prior->source, rows[i].name) != NULL, "row %zu: %s", i,
                  sum.prior->source);
        cr_expect(sum.value_s > 0 && sum.common_scatter_s / sum.value_s >=
                                         0.999 * measured.common_scatter_s / measured.value_s,
                  "row %zu: narrower", i);
    }
    /* A profile of whole reconfigurations: neither messages nor operations. */
    set_synthetic(&p);
    memset(p.pairs, 0, sizeof p.pairs);
    memset(p.operations, 0, sizeof p.operations);
    p.steps[NEREUS_STEP_SPLIT].terms = 0;
    snprintf(p.steps[NEREUS_STEP_REDISTRIBUTE].names[0], sizeof p.steps[0].names[0], "const");
    const struct nereus_cost_sum sum = price(&p, "merge/rma", 2, 5, 3000000, false);
    cr_assert(sum.prior != NULL);
    cr_expect(strcmp(sum.prior->source, "redistribute as p2p or coll") == 0, "%s",
              sum.prior->source);
    cr_expect_float_eq(sum.value_s, 1 + 1e-3, 1e-12,
                       "%g: its constant, and a window's assumed 1 ms", sum.value_s);
}

static struct nereus_prediction predict(const struct nereus_profile *p, const char *text,
                                        int64_t ns, int64_t nt, double bytes, double t_iter_s)
{
    const struct nereus_scenario s = {.machine = &seven_cores,
                                      .ns = ns,
                                      .nt = nt,
                                      .constant_bytes = bytes,
                                      .t_iter_ns_s = t_iter_s,
                                      .t_iter_nt_s = t_iter_s,
                                      .iterations_before = 3,
                                      .iterations_after = 1e6};
    struct nereus_method method;
    struct nereus_prediction prediction;
    struct nereus_error err = {.text = ""};
    cr_assert(nereus_method_parse(text, &method, NULL) == NEREUS_OK);
    cr_assert(nereus_predict(p, &s, &method, &prediction, &err) == NEREUS_OK, "%s", err.text);
    return prediction;
}

/* Between two groups coll moves data by messages, overlapped or not, so its price is that of p2p.
 * Martín-Álvarez et al. (2023), section 4.4.2, found alpha down to 0.56 there, as the blocking alltoallv is
 * pairwise. */
Test(operation, coll_between_groups_is_priced_as_messages)
{
    struct nereus_profile p;
    set_synthetic(&p);
    for (int beside = 0; beside < 2; beside++)
        cr_expect_float_eq(price(&p, "baseline/coll", 3, 40, 1000000, beside != 0).value_s,
                           price(&p, "baseline/p2p", 3, 40, 1000000, beside != 0).value_s, 1e-12);
    cr_expect(predict(&p, "baseline/coll-waitsources", 3, 40, 1e6, 1e-3).alpha > 1);
    cr_expect(predict(&p, "merge/coll-waitsources", 3, 40, 1e6, 1e-3).alpha > 1);
}

/* At points iterations pass before peers answer, and until all know the end. The share of the data
 * that moves meanwhile is unknown: omega's interval covers none and all. */
Test(operation, points_delay)
{
    struct nereus_profile p;
    struct nereus_overlap_data data;
    struct nereus_method method;
    const struct nereus_cost_sum alone = {.value_s = 0.5};
    const struct {
        const char *method;
        int64_t ns;
        double points;
    } rows[] = {{"merge/p2p-waitsources", 1, 3},    {"merge/p2p-waitsources", 2, 3},
                {"merge/coll-waittargets", 2, 3},   {"merge/rma-waitsources", 1, 3},
                {"merge/rma-waitsources", 2, 4},    {"merge/shared-waitsources", 1, 2},
                {"merge/shared-waittargets", 2, 4}, {"baseline/shared-waitsources", 2, 2}};
    set_synthetic(&p);
    for (size_t i = 0; i < NEREUS_COUNT_OF(rows); i++) {
        const double passed_s = (rows[i].points - 0.5) * 0.25;
        const double omega = (0.5 + passed_s) / (0.25 + passed_s),
                     max = (0.5 + passed_s) / passed_s;
        cr_assert(nereus_method_parse(rows[i].method, &method, NULL) == NEREUS_OK);
        nereus_overlap_data_make(
            &p,
            &(struct nereus_scenario){
                .machine = &seven_cores, .ns = rows[i].ns, .nt = 5, .t_iter_ns_s = 0.25},
            &method, &alone, &data);
        cr_expect_float_eq(data.sum.value_s, 0.5 + passed_s, 1e-12, "%s", rows[i].method);
        cr_expect_float_eq(data.iteration_s, 0.25 * omega, 1e-12, "%s", rows[i].method);
        cr_expect(omega * exp(data.half_width) >= max * (1 - 1e-12) &&
                      omega * exp(-data.half_width) <= 1 + 1e-12,
                  "%s: %g", rows[i].method, data.half_width);
    }
}

/* Rows of a calibration become linear models of the profile, which is read as it was written. */
Test(operation, from_rows_to_a_profile_and_back)
{
    char directory[] = "/tmp/nereus-operation-XXXXXX", csv[64], json[64];
    struct nereus_samples samples = {.rows = NULL};
    struct nereus_profile p, again;
    struct nereus_error err = {.text = ""};
    cr_assert(mkdtemp(directory) != NULL);
    snprintf(csv, sizeof csv, "%s/s.csv", directory);
    snprintf(json, sizeof json, "%s/p.json", directory);
    FILE *file = fopen(csv, "w");
    cr_assert(file != NULL);
    fprintf(file, "%s\n", nereus_samples_header(false));
    for (int o = 0; o < NEREUS_OPERATION_COUNT; o++)
        for (double bytes = 8; bytes <= 16777216; bytes *= 8) {
            struct nereus_sample row = {.cluster = "synthetic",
                                        .kind = NEREUS_SAMPLE_OPERATION,
                                        .operation = (enum nereus_operation)o,
                                        .cores_per_node = 7,
                                        .bytes = bytes,
                                        .time_s = (o + 1) * 3e-6 + bytes * (o + 2) * 1e-10};
            row.t_iter_ns_s = row.t_iter_nt_s = row.rt_s = row.ct_s = row.iterations = NAN;
            cr_assert(nereus_samples_write_row(file, &row, false, NULL) == NEREUS_OK);
        }
    fclose(file);
    cr_assert(nereus_samples_read(csv, false, &samples, &err) == NEREUS_OK, "%s", err.text);
    cr_assert(samples.count == 8 * NEREUS_OPERATION_COUNT, "%lld", (long long)samples.count);
    cr_assert(nereus_profile_fit(&samples, NULL, &p, &err) == NEREUS_OK, "%s", err.text);
    cr_assert(nereus_profile_write(json, &p, &err) == NEREUS_OK, "%s", err.text);
    cr_assert(nereus_profile_read(json, &again, &err) == NEREUS_OK, "%s", err.text);
    for (int o = 0; o < NEREUS_OPERATION_COUNT; o++) {
        const struct nereus_hockney *h = &again.operations[o];
        cr_expect(h->basis == NEREUS_BASIS_FITTED && h->rows == 8 && h->max_bytes == 16777216);
        for (double bytes = 8; bytes <= 16777216; bytes *= 64)
            cr_expect_float_eq(nereus_hockney_s(h, bytes) /
                                   ((o + 1) * 3e-6 + bytes * (o + 2) * 1e-10),
                               1, 1e-6, "%s", nereus_operation_name((enum nereus_operation)o));
    }
    nereus_samples_fini(&samples);
    nereus_profile_fini(&p);
    nereus_profile_fini(&again);
    unlink(csv);
    unlink(json);
    rmdir(directory);
}

/* ---- what was measured of redistributions themselves ----------------------------------------- */

static struct nereus_sample row_of(const char *text, int64_t ns, int64_t nt, double bytes)
{
    struct nereus_sample row = {.cluster = "synthetic",
                                .cores_per_node = 7,
                                .ns = ns,
                                .nt = nt,
                                .old_processes = ns,
                                .new_processes = nt,
                                .bytes = bytes,
                                .n = 1};
    row.t_iter_ns_s = row.t_iter_nt_s = row.rt_s = row.ct_s = row.iterations = row.time_s = NAN;
    cr_assert(nereus_method_parse(text, &row.method, NULL) == NEREUS_OK);
    return row;
}

/* Operations and ping-pongs as straight lines: redistributions are sums of them. */
static int add_lines(struct nereus_sample *rows, int at, const struct nereus_profile *like)
{
    for (int o = 0; o < NEREUS_OPERATION_COUNT + NEREUS_PAIR_CLASS_COUNT; o++)
        for (double bytes = 8; bytes <= 16777216; bytes *= 8) {
            const bool operation = o < NEREUS_OPERATION_COUNT;
            struct nereus_sample *row = &rows[at++];
            *row = row_of("merge/p2p", 2, 2, bytes);
            row->kind = operation ? NEREUS_SAMPLE_OPERATION : NEREUS_SAMPLE_PINGPONG;
            row->operation = (enum nereus_operation)(operation ? o : 0);
            row->pair = (enum nereus_pair_class)(operation ? 0 : o - NEREUS_OPERATION_COUNT);
            row->time_s = nereus_hockney_s(
                operation ? &like->operations[o] : &like->pairs[o - NEREUS_OPERATION_COUNT], bytes);
        }
    return at;
}

/* Rows whose time is a known multiple of their operations give back that factor, by the data's
 * source and by load. Prices then use it without a prior, with the rows' repeatability as their
 * error. */
Test(operation, redistributions_correct_their_operations)
{
    static const struct {
        const char *method;
        int64_t ns, nt;
        bool oversubscribed;
        enum nereus_moves moves;
        double times;
    } sorts[] = {{"merge/rma", 2, 5, false, NEREUS_MOVES_RMA_INTER, 2.5},
                 {"merge/rma", 5, 2, false, NEREUS_MOVES_RMA, 3.7},
                 {"merge/shared", 2, 5, false, NEREUS_MOVES_SHARED_INTER, 1.9},
                 {"merge/shared", 5, 2, false, NEREUS_MOVES_SHARED, 0.6},
                 {"baseline/shared", 5, 3, true,
                  NEREUS_MOVES_SHARED_INTER + NEREUS_MOVES_OVERSUBSCRIBED, 4.1}};
    static const double sizes[] = {1e5, 1e6, 3e7}, scatter[] = {0.9, 0.97, 1, 1.04, 1.1};
    struct nereus_profile like, p;
    struct nereus_sample rows[300];
    struct nereus_error err = {.text = ""};
    set_synthetic(&like);
    int count = add_lines(rows, 0, &like);
    struct nereus_samples samples = {.rows = rows, .count = count};
    cr_assert(nereus_profile_fit(&samples, NULL, &p, &err) == NEREUS_OK, "%s", err.text);
    for (size_t i = 0; i < NEREUS_COUNT_OF(sorts); i++)
        for (size_t k = 0; k < NEREUS_COUNT_OF(sizes) * NEREUS_COUNT_OF(scatter); k++) {
            const double bytes = sizes[k % NEREUS_COUNT_OF(sizes)];
            struct nereus_sample *row = &rows[count++];
            *row = row_of(sorts[i].method, sorts[i].ns, sorts[i].nt, bytes);
            row->kind = NEREUS_SAMPLE_STEP;
            row->step = NEREUS_STEP_REDISTRIBUTE;
            row->oversubscribed = sorts[i].oversubscribed;
            row->time_s = sorts[i].times * scatter[k / NEREUS_COUNT_OF(sizes)] *
                          price_on(&p, sorts[i].method, sorts[i].ns, sorts[i].nt, (int64_t)bytes,
                                   false, sorts[i].oversubscribed)
                              .value_s;
        }
    nereus_profile_fini(&p);
    samples.count = count;
    cr_assert(nereus_profile_fit(&samples, NULL, &p, &err) == NEREUS_OK, "%s", err.text);
    struct nereus_profile without = p;
    memset(without.moves, 0, sizeof without.moves);
    for (size_t i = 0; i < NEREUS_COUNT_OF(sorts); i++) {
        const struct nereus_linear_model *m = &p.moves[sorts[i].moves];
        cr_assert(m->basis == NEREUS_BASIS_FITTED && m->rows == 15, "%s", sorts[i].method);
        cr_expect_float_eq(m->coefficients[0] / sorts[i].times, 1, 5e-3, "%s: %g", sorts[i].method,
                           m->coefficients[0]);
        cr_expect(m->low_factor > 0.65 && m->low_factor < 0.95 && m->high_factor > 1.05 &&
                      m->high_factor < 1.5,
                  "%s: %g to %g", sorts[i].method, m->low_factor, m->high_factor);
        const struct nereus_cost_sum sum = price_on(&p, sorts[i].method, sorts[i].ns, sorts[i].nt,
                                                    700000, false, sorts[i].oversubscribed);
        const struct nereus_cost_sum bare =
            price_on(&without, sorts[i].method, sorts[i].ns, sorts[i].nt, 700000, false,
                     sorts[i].oversubscribed);
        cr_expect_float_eq(sum.value_s / bare.value_s, m->coefficients[0], 1e-6);
        const struct nereus_interval interval = nereus_cost_interval(&sum);
        cr_expect(interval.high < 1.5 * interval.value && sum.prior == NULL, "%s: %g to %g",
                  sorts[i].method, interval.low, interval.high);
    }
    /* Not measured oversubscribed: the idle cores' factors, with a larger error. */
    const struct nereus_cost_sum over = price_on(&p, "merge/rma", 2, 9, 700000, false, true);
    cr_expect(nereus_cost_interval(&over).high > 3 * over.value_s);
    nereus_profile_fini(&p);
}

/* Rows of overlaps with known speeds: pairs of methods at points, and one by a thread. */
enum { PASSED, MEANWHILE, IN_POINTS };
static const double at_points[] = {0.9, 1.1, 0.6};
enum { MOVE, POINTS, SLICE_S };
static const double by_thread[] = {1.3, 1.6, 0.015};

static double overlap_iterations(const struct nereus_overlap_input *input)
{
    return (at_points[MEANWHILE] * input->move_s + at_points[PASSED] * input->passed_s) /
               input->t_iter_s +
           0.5;
}

static int add_overlaps(struct nereus_sample *rows, int count, const struct nereus_profile *p)
{
    static const char *const methods[] = {"merge/p2p-waitsources", "merge/shared-waittargets",
                                          "merge/coll-thread"};
    static const double sizes[] = {1e5, 1e6, 3e7}, t_iters[] = {1e-3, 3e-2};
    for (size_t i = 0;
         i < NEREUS_COUNT_OF(methods) * NEREUS_COUNT_OF(sizes) * NEREUS_COUNT_OF(t_iters); i++) {
        const bool thread = i % NEREUS_COUNT_OF(methods) == 2;
        const double t = t_iters[i / NEREUS_COUNT_OF(methods) % NEREUS_COUNT_OF(t_iters)];
        struct nereus_sample *row = &rows[count++];
        *row = row_of(methods[i % NEREUS_COUNT_OF(methods)], 2, 3,
                      sizes[i / NEREUS_COUNT_OF(methods) / NEREUS_COUNT_OF(t_iters)]);
        const struct nereus_scenario s = {.machine = &seven_cores,
                                          .ns = 2,
                                          .nt = 3,
                                          .constant_bytes = row->bytes,
                                          .t_iter_ns_s = t};
        struct nereus_price_parts parts;
        struct nereus_overlap_input input;
        cr_assert(nereus_price_data(p, &s, &row->method, &parts, NULL) == NEREUS_OK);
        nereus_overlap_data_input(&s, &row->method, parts.overlapped.value_s, &input);
        row->rt_s = 1;
        row->t_iter_ns_s = t;
        row->iterations = thread ? 8 : overlap_iterations(&input);
        row->ct_s = thread ? by_thread[MOVE] * input.move_s + by_thread[POINTS] * input.points_s +
                                 by_thread[SLICE_S]
                           : (row->iterations - 0.5) * t + at_points[IN_POINTS] * input.move_s;
        row->ct_s *= row->iterations / (row->iterations - 0.5);
    }
    return count;
}

/* A profile that is fitted to rows alone. */
static void fit_rows(struct nereus_sample *rows, int count, struct nereus_profile *p)
{
    const struct nereus_samples samples = {.rows = rows, .count = count};
    struct nereus_error err = {.text = ""};
    cr_assert(nereus_profile_fit(&samples, NULL, p, &err) == NEREUS_OK, "%s", err.text);
}

static void fit_overlaps(struct nereus_profile *p)
{
    struct nereus_profile like;
    struct nereus_sample rows[300];
    set_synthetic(&like);
    int count = add_lines(rows, 0, &like);
    fit_rows(rows, count, p);
    count = add_overlaps(rows, count, p);
    nereus_profile_fini(p);
    fit_rows(rows, count, p);
}

static void expect_coefficients(const struct nereus_linear_model *model, int rows,
                                const double *expected, double near)
{
    cr_assert(model->basis == NEREUS_BASIS_FITTED && model->terms == 3 && model->rows == rows,
              "%d terms, %d rows", model->terms, (int)model->rows);
    for (int i = 0; i < 3; i++)
        cr_expect_float_eq(model->coefficients[i] / expected[i], 1, near, "%s: %g", model->names[i],
                           model->coefficients[i]);
}

/* Iterations and times computed from coefficients give these back, for points and for the thread,
 * also after the profile is written and read. */
Test(operation, overlaps_give_back_their_coefficients)
{
    char path[] = "/tmp/nereus-beside-XXXXXX";
    struct nereus_profile p, again;
    struct nereus_error err = {.text = ""};
    struct nereus_overlap_data data;
    struct nereus_method method;
    const struct nereus_cost_sum alone = {.value_s = 0.5};
    fit_overlaps(&p);
    close(mkstemp(path));
    cr_assert(nereus_profile_write(path, &p, &err) == NEREUS_OK, "%s", err.text);
    cr_assert(nereus_profile_read(path, &again, &err) == NEREUS_OK, "%s", err.text);
    /* The prior still has weight. */
    expect_coefficients(&again.data_at_points, 12, at_points, 0.05);
    expect_coefficients(&again.data_by_thread, 6, by_thread, 0.05);
    cr_assert(nereus_method_parse("merge/rma-waitsources", &method, NULL) == NEREUS_OK);
    nereus_overlap_data_make(
        &again,
        &(struct nereus_scenario){.machine = &seven_cores, .ns = 2, .nt = 3, .t_iter_ns_s = 0.25},
        &method, &alone, &data);
    const double rt_s = 1.7 * 0.5 + 0.9 * 3.5 * 0.25;
    cr_expect_float_eq(data.sum.value_s / rt_s, 1, 0.02);
    cr_expect_float_eq(data.iteration_s / (0.25 * rt_s / (rt_s - 0.6 * 0.5)), 1, 0.02);
    cr_expect(data.sum.prior == NULL);
    nereus_profile_fini(&p);
    nereus_profile_fini(&again);
    unlink(path);
}

/* The share of data that moves at points is known only for measured ways and directions; for others
 * omega's interval covers none and all. */
Test(operation, omega_of_what_was_not_measured_at_points)
{
    static const struct {
        const char *method;
        int64_t ns, nt;
        bool known;
    } rows[] = {{"merge/p2p-waittargets", 2, 3, true},
                {"merge/coll-waitsources", 2, 3, true},
                {"merge/shared-waitsources", 2, 3, true},
                {"merge/rma-waitsources", 2, 3, false},
                {"merge/p2p-waitsources", 3, 2, false}};
    const struct nereus_cost_sum alone = {.value_s = 0.003};
    struct nereus_profile p;
    struct nereus_overlap_data data;
    struct nereus_method method;
    fit_overlaps(&p);
    for (size_t i = 0; i < NEREUS_COUNT_OF(rows); i++) {
        cr_assert(nereus_method_parse(rows[i].method, &method, NULL) == NEREUS_OK);
        nereus_overlap_data_make(
            &p,
            &(struct nereus_scenario){
                .machine = &seven_cores, .ns = rows[i].ns, .nt = rows[i].nt, .t_iter_ns_s = 1e-4},
            &method, &alone, &data);
        const double omega = data.iteration_s / 1e-4;
        cr_expect((exp(data.half_width) > 2 && omega * exp(-data.half_width) <= 1 + 1e-12) !=
                      rows[i].known,
                  "%s: omega %g, a factor of %g", rows[i].method, omega, exp(data.half_width));
    }
    nereus_profile_fini(&p);
}

/* Seven runs of one case, as a calibration on a busy machine has them, and an eighth whose T_iter
 * is not the same. */
static int add_runs(struct nereus_sample *rows, int count)
{
    static const double t_iter_s[] = {2.00e-3, 2.03e-3, 1.98e-3, 2.05e-3,
                                      2.01e-3, 2.04e-3, 1.99e-3, 4e-3};
    static const double iterations[] = {13, 14, 15, 14, 13, 15, 14, 8};
    static const double omega[] = {1.25, 1.22, 1.31, 1.28, 1.2, 1.33, 1.27, 2};
    for (size_t i = 0; i < NEREUS_COUNT_OF(omega); i++) {
        struct nereus_sample *row = &rows[count++];
        *row = row_of("merge/p2p-waitsources", 1, 2, 1.6e7);
        row->t_iter_ns_s = t_iter_s[i];
        row->iterations = iterations[i];
        row->ct_s = iterations[i] * omega[i] * t_iter_s[i];
        row->rt_s = row->ct_s + 0.08 + 1e-3 * (double)i;
    }
    *(rows + count) = row_of("merge", 1, 2, 0);
    rows[count].rt_s = 0.075;
    return count + 1;
}

/* A measurement takes precedence; with other bytes and iterations the model gives nearly the same,
 * and neither counts as exact. */
Test(operation, measured_overlaps_come_first)
{
    struct nereus_profile like, p;
    struct nereus_sample rows[300];
    set_synthetic(&like);
    fit_rows(rows, add_runs(rows, add_lines(rows, 0, &like)), &p);
    const struct nereus_prediction same =
        predict(&p, "merge/p2p-waitsources", 1, 2, 1.6e7, 2.02e-3);
    cr_expect(same.source == NEREUS_MEASURED && same.iterations == 14, "%s, It %g", note_of(same),
              same.iterations);
    cr_expect_float_eq(same.omega, 1.265, 0.01, "%g", same.omega);
    cr_expect_float_eq(same.ct_s, 14 * same.omega * 2.02e-3, 1e-12);
    cr_expect_float_eq(same.rt_s.value, 0.118, 0.003, "%g", same.rt_s.value);
    cr_expect(same.omega_factor > 1.02 && same.omega_factor < 1.5, "%g", same.omega_factor);
    const double others[][2] = {{1.6e7, 2.2e-3}, {1.4e7, 2.02e-3}, {2e7, 1.8e-3}};
    for (size_t i = 0; i < NEREUS_COUNT_OF(others); i++) {
        const struct nereus_prediction near =
            predict(&p, "merge/p2p-waitsources", 1, 2, others[i][0], others[i][1]);
        const double like_it = 14 * others[i][0] / 1.6e7 * 2.02e-3 / others[i][1];
        cr_expect(near.source != NEREUS_MEASURED && fabs(near.iterations / like_it - 1) < 0.25,
                  "%g bytes: It %g, not about %g", others[i][0], near.iterations, like_it);
        cr_expect(near.omega > 1.1 && near.omega < 1.5, "%g bytes: omega %g", others[i][0],
                  near.omega);
        cr_expect(near.omega_factor > 1.05 && near.omega_factor < 3, "%g", near.omega_factor);
    }
    /* Other data with it, another way or more bytes: another reconfiguration. */
    const char *const methods[] = {"merge/p2p-waittargets", "merge/coll-waitsources"};
    for (size_t i = 0; i < NEREUS_COUNT_OF(methods); i++)
        cr_expect(predict(&p, methods[i], 1, 2, 1.6e7, 2.02e-3).source != NEREUS_MEASURED, "%s",
                  methods[i]);
    cr_expect(predict(&p, "merge/p2p-waitsources", 1, 2, 3.2e7, 2.02e-3).source != NEREUS_MEASURED);
    nereus_profile_fini(&p);
}

/* Three rows of one size (a calibration of 30 s): the time of iterations and of a thread's start is
 * not bandwidth, so that a hundred times the bytes take less than a hundred times as long, with a
 * note on the extrapolation. */
Test(operation, a_thread_beside_a_few_rows_of_one_size)
{
    static const double t_iters[] = {0.027, 0.052, 0.042}, ct_s[] = {0.081, 0.140, 0.086};
    static const int iterations[] = {2, 3, 2};
    const struct nereus_cost_sum many = {.value_s = 0.1};
    struct nereus_profile like, p;
    struct nereus_sample rows[300];
    struct nereus_error err = {.text = ""};
    struct nereus_overlap_data data;
    struct nereus_method method;
    set_synthetic(&like);
    int count = add_lines(rows, 0, &like);
    for (size_t i = 0; i < NEREUS_COUNT_OF(t_iters); i++) {
        struct nereus_sample *row = &rows[count++];
        *row = row_of("merge/coll-thread", 2, 3, 1e6);
        row->rt_s = 1;
        row->t_iter_ns_s = t_iters[i];
        row->ct_s = ct_s[i];
        row->iterations = iterations[i];
    }
    const struct nereus_samples samples = {.rows = rows, .count = count};
    cr_assert(nereus_profile_fit(&samples, NULL, &p, &err) == NEREUS_OK, "%s", err.text);
    cr_assert(nereus_method_parse("merge/coll-thread", &method, NULL) == NEREUS_OK);
    const double max_s = p.data_by_thread.max_move_s;
    cr_assert(max_s > 0);
    const struct nereus_cost_sum seen = {.value_s =
                                             max_s}; /* nodes are not full: a thread has a core */
    nereus_overlap_data_make(
        &p,
        &(struct nereus_scenario){.machine = &seven_cores, .ns = 2, .nt = 3, .t_iter_ns_s = 0.02},
        &method, &seen, &data);
    cr_expect(!data.sum.extrapolated && data.sum.prior == NULL);
    const double relative = data.sum.common_scatter_s / data.sum.value_s;
    nereus_overlap_data_make(
        &p,
        &(struct nereus_scenario){.machine = &seven_cores, .ns = 2, .nt = 3, .t_iter_ns_s = 0.02},
        &method, &many, &data);
    cr_expect(data.sum.value_s > 0.1 && data.sum.value_s < 0.4, "%g s", data.sum.value_s);
    cr_expect(data.sum.extrapolated && data.sum.common_scatter_s / data.sum.value_s > relative,
              "%g", data.sum.common_scatter_s / data.sum.value_s);
    nereus_profile_fini(&p);
}

/* Keep is priced by what it moves: from 2 to 4 equal blocks have a source that sends all of its
 * half, keep none that sends more than 23.75 % of all (it may keep 26.25 %, 1.05 of a quarter).
 * What is priced as blocks says so. */
Test(operation, keep_is_priced_by_what_it_moves)
{
    struct nereus_profile p;
    set_synthetic(&p);
    const double block_s = predict(&p, "merge/p2p", 2, 4, 1e9, 1).rt_s.value;
    const struct nereus_prediction keep = predict(&p, "merge/p2p-keep", 2, 4, 1e9, 1);
    cr_expect_float_eq(keep.rt_s.value / block_s, 0.475, 0.005, "%g", keep.rt_s.value / block_s);
    cr_expect_str_empty(note_of(keep));
    const struct {
        const char *method, *words;
        int64_t ns, nt;
    } rows[] = {{"merge/p2p-keep", "keep priced as equal blocks: an upper bound", 60, 65},
                {"merge/rma-weighted", "weighted priced as equal blocks", 2, 4}};
    for (size_t i = 0; i < NEREUS_COUNT_OF(rows); i++) {
        const struct nereus_prediction as_blocks =
            predict(&p, rows[i].method, rows[i].ns, rows[i].nt, 1e9, 1);
        cr_expect(strstr(note_of(as_blocks), rows[i].words) != NULL, "%s: '%s'", rows[i].method,
                  note_of(as_blocks));
    }
    cr_expect_float_eq(predict(&p, "merge/p2p-keep", 60, 65, 1e9, 1).rt_s.value,
                       predict(&p, "merge/p2p", 60, 65, 1e9, 1).rt_s.value, 1e-9);
}

/* Load balance between two processes with powers 1 and 3, from equal blocks: a quarter of all in
 * one message of one world, 3e-6 + 0.25e9 x 1.1e-9 s, and 5 steps of 1e-4 s. From where the data
 * lie already, or with equal powers: an empty message. Without the distribution weighted nothing is
 * done. */
Test(operation, load_balance_is_priced_by_what_it_moves)
{
    static const double uneven[] = {1, 3}, even[] = {2, 2};
    static const struct {
        const char *method;
        const double *powers, *before;
        double rt_s;
    } rows[] = {{"merge/p2p-weighted", uneven, NULL, 0.275503},
                {"merge-multiple-async/p2p-thread-weighted", uneven, NULL, 0.275503},
                {"merge/p2p-weighted", uneven, even, 0.275503},
                {"merge/p2p-weighted", uneven, uneven, 5.03e-4},
                {"merge/p2p-weighted", NULL, NULL, 5.03e-4},
                {"merge/p2p", uneven, NULL, 0}};
    struct nereus_profile p;
    set_synthetic(&p);
    for (size_t i = 0; i < NEREUS_COUNT_OF(rows); i++) {
        const struct nereus_scenario s = {.machine = &seven_cores,
                                          .ns = 2,
                                          .nt = 2,
                                          .constant_bytes = 4e8,
                                          .variable_bytes = 6e8,
                                          .powers = rows[i].powers,
                                          .powers_before = rows[i].before,
                                          .power_count = 2,
                                          .t_iter_ns_s = 1,
                                          .t_iter_nt_s = 1,
                                          .iterations_after = 10};
        struct nereus_method method;
        struct nereus_prediction prediction;
        double rt_s;
        cr_assert(nereus_method_parse(rows[i].method, &method, NULL) == NEREUS_OK);
        cr_assert(nereus_predict(&p, &s, &method, &prediction, NULL) == NEREUS_OK);
        cr_expect_float_eq(prediction.rt_s.value, rows[i].rt_s, 1e-7, "row %zu: %g", i,
                           prediction.rt_s.value);
        cr_assert(price_sum(&p, &s, &method, &rt_s, NULL) == NEREUS_OK);
        cr_expect_float_eq(rt_s, rows[i].rt_s, 1e-7, "row %zu: %g", i, rt_s);
        cr_expect((strstr(note_of(prediction), "weighted priced as equal blocks") != NULL) ==
                  (rows[i].powers == NULL));
    }
}

/* A sum that extrapolates points to a model of the profile, not to a temporary one of a step. */
Test(operation, what_lies_beyond_is_of_the_profile)
{
    static const char *const methods[] = {"merge/rma", "merge/coll"};
    static struct nereus_profile p;
    const struct nereus_scenario s = {
        .machine = &seven_cores, .ns = 30, .nt = 50, .variable_bytes = 5e6};
    for (size_t i = 0; i < NEREUS_COUNT_OF(methods); i++) {
        struct nereus_method method;
        struct nereus_price_parts parts;
        set_synthetic(&p);
        p.moves[NEREUS_MOVES_RMA_INTER] = (struct nereus_linear_model){.basis = NEREUS_BASIS_FITTED,
                                                                       .terms = 1,
                                                                       .rows = 9,
                                                                       .coefficients = {1.5},
                                                                       .low_factor = 0.5,
                                                                       .high_factor = 2,
                                                                       .min_ns = 1,
                                                                       .max_ns = 4,
                                                                       .min_nt = 1,
                                                                       .max_nt = 4};
        struct nereus_linear_model *commit = &p.steps[NEREUS_STEP_COMMIT];
        snprintf(commit->names[0], sizeof commit->names[0], "freed_bytes");
        commit->min_ns = commit->min_nt = 1;
        commit->max_ns = commit->max_nt = 4;
        cr_assert(nereus_method_parse(methods[i], &method, NULL) == NEREUS_OK);
        cr_assert(nereus_price_data(&p, &s, &method, &parts, NULL) == NEREUS_OK);
        cr_expect_eq(parts.data.extrapolated_model,
                     i == 0 ? &p.moves[NEREUS_MOVES_RMA_INTER] : commit, "%s", methods[i]);
    }
}
