/** @file test_operation.c  What moves data by operations of its own: rows, profile, prices, stand-ins, alpha below 1. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cost_operation.h"
#include "overlap.h"
#include "price.h"

#define COUNT(list) (sizeof list / sizeof list[0])

static void line(struct nereus_hockney *h, double alpha_s, double beta_s_per_byte)
{
    *h = (struct nereus_hockney){
        .basis = NEREUS_BASIS_FITTED, .pieces = 1, .rows = 30, .spread = 0.1, .max_bytes = 16777216};
    h->alpha_s[0] = alpha_s;
    h->beta_s_per_byte[0] = beta_s_per_byte;
}

/* Every step a constant, data by its ping-pong estimate, messages and operations straight lines that no two share. */
static void made_up(struct nereus_profile *p)
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
    line(&p->operations[NEREUS_OPERATION_ALLTOALLV_INTER], 2e-2, 1.7e-9);
    line(&p->operations[NEREUS_OPERATION_IALLTOALLV], 7e-6, 1.9e-9);
    line(&p->operations[NEREUS_OPERATION_IALLTOALLV_INTER], 1.1e-5, 2.3e-9);
    line(&p->operations[NEREUS_OPERATION_GET], 1.3e-5, 0.7e-9);
    line(&p->operations[NEREUS_OPERATION_GET_APART], 6e-6, 0.57e-9);
    line(&p->operations[NEREUS_OPERATION_WINDOW], 4e-4, 3e-13);
    line(&p->operations[NEREUS_OPERATION_SHARED], 2.9e-6, 0.31e-9);
    line(&p->operations[NEREUS_OPERATION_TOUCH], 9e-6, 0.23e-9);
}

static const struct nereus_machine seven_cores = {.cores_per_node = 7};

/* The price of one redistribution. */
static struct nereus_cost_sum price(const struct nereus_profile *p, const char *text, int64_t ns, int64_t nt,
                                    int64_t bytes, bool beside)
{
    struct nereus_method method;
    struct nereus_cost_context context;
    struct nereus_step_models models;
    struct nereus_cost_sum sum = NEREUS_COST_SUM_INIT;
    cr_assert(nereus_method_parse(text, &method, NULL) == NEREUS_OK);
    nereus_cost_context_init(&seven_cores, p->pairs, ns, nt, &method, &context);
    context.operations = p->operations;
    const struct nereus_step step = {.kind = NEREUS_STEP_REDISTRIBUTE,
                                     .repeat = 1,
                                     .times = 1,
                                     .thread = beside ? NEREUS_AT_POINTS : NEREUS_MAIN_THREAD,
                                     .old_processes = ns,
                                     .new_processes = nt,
                                     .constant_bytes = bytes};
    nereus_step_models_make(p, &context, &step, false, &models);
    cr_assert(nereus_step_models_add(&models, &context, &sum, NULL) == NEREUS_OK);
    return sum;
}

/* By hand: 2 -> 5 of 1e6 bytes. Blocks of 500000 and 200000: source 0 keeps 200000 and sends 200000 to target 1 and 100000 to
 * target 2, source 1 sends 100000, 200000 and 200000 (it keeps nothing); a target gets at most 200000 in at most 2 messages. */
Test(operation, prices_by_hand)
{
    const double touch_s = 9e-6 + 0.23e-9 * 200000;
    const struct {
        const char *method;
        bool beside;
        double expected_s;
    } rows[] = {
        /* two messages of 100000 each, as the busiest target may have; windows of 500000 among 5 processes */
        {"merge/rma", false, 2 * (6e-6 + 0.57e-9 * 100000) + log2(5) * (4e-4 + 3e-13 * 500000) + touch_s},
        {"merge/shared", true, 2 * (2.9e-6 + 0.31e-9 * 100000) + touch_s},
        {"baseline/shared", false, 2 * (2.9e-6 + 0.31e-9 * 100000) + touch_s},
        {"baseline-intra/rma", false,
         2 * (6e-6 + 0.57e-9 * 100000) + log2(7) * (4e-4 + 3e-13 * 500000) + touch_s},
        /* three messages of 500000 in all out of a source, at once; blocking, five rounds one after the other */
        {"baseline/coll", true, 3 * (1.1e-5 + 2.3e-9 * 500000 / 3) + touch_s},
        {"baseline/coll", false, 4 * (2e-2 + 1.7e-9 * 125000) + 2e-2},
        {"merge/coll", false, 4 * (5e-6 + 1.3e-9 * 125000)},
        {"merge/p2p", false, 4 * (9e-6 + 3.3e-9 * 125000)},
    };
    struct nereus_profile p;
    made_up(&p);
    for (size_t i = 0; i < COUNT(rows); i++) {
        const struct nereus_cost_sum sum = price(&p, rows[i].method, 2, 5, 1000000, rows[i].beside);
        cr_expect_float_eq(sum.value_s, rows[i].expected_s, 1e-9 * rows[i].expected_s, "%s: %.9g, not %.9g",
                           rows[i].method, sum.value_s, rows[i].expected_s);
        cr_expect(sum.stand_in == NULL, "%s", rows[i].method);
    }
}

/* 5 -> 2: all pairs are of one world. */
Test(operation, gets_within_a_world)
{
    struct nereus_profile p;
    made_up(&p);
    p.steps[NEREUS_STEP_ALLOCATE].basis = NEREUS_BASIS_FALLBACK;
    /* target 0 keeps 200000 of its 500000 and gets 200000 and 100000; target 1 (of old 200000 to 400000) gets all of its own */
    const double gets_s = 3 * (1.3e-5 + 0.7e-9 * 500000 / 3), windows_s = log2(5) * (4e-4 + 3e-13 * 200000);
    const struct nereus_cost_sum sum = price(&p, "merge/rma", 5, 2, 1000000, false);
    cr_expect_float_eq(sum.value_s, gets_s + windows_s, 1e-12, "%.9g", sum.value_s);
}

/* What a process copies to itself takes its time, too: shared to one process more, nearly all stays. */
Test(operation, own_copies_count)
{
    struct nereus_profile p;
    made_up(&p);
    p.steps[NEREUS_STEP_ALLOCATE].basis = NEREUS_BASIS_FALLBACK; /* which pays for fresh pages */
    const double kept = 33000000;                                /* of source 0, on 2 -> 3 of 99e6 */
    const struct nereus_cost_sum sum = price(&p, "merge/shared", 2, 3, 99000000, false);
    cr_expect(sum.value_s >= 2.9e-6 + 0.31e-9 * kept, "%g", sum.value_s);
}

/* Nothing is silently 0: each thing that was not measured has a stand-in with a name. */
Test(operation, stand_ins_have_names)
{
    static const struct {
        const char *method;
        enum nereus_operation missing;
        const char *name;
    } rows[] = {
        {"merge/rma", NEREUS_OPERATION_GET_APART, "a get at ping-pong speed"},
        {"merge/rma", NEREUS_OPERATION_WINDOW, "a window as a split"},
        {"merge/shared", NEREUS_OPERATION_SHARED, "a copy at ping-pong speed"},
        {"baseline/coll-waitsources", NEREUS_OPERATION_IALLTOALLV_INTER, "ialltoallv-inter at ping-pong"},
        {"merge/shared", NEREUS_OPERATION_TOUCH, "first touch: 0.5 ns a byte assumed"},
    };
    struct nereus_profile p;
    for (size_t i = 0; i < COUNT(rows); i++) {
        made_up(&p);
        const struct nereus_cost_sum measured = price(&p, rows[i].method, 2, 5, 3000000, true);
        p.operations[rows[i].missing].basis = NEREUS_BASIS_NONE;
        const struct nereus_cost_sum sum = price(&p, rows[i].method, 2, 5, 3000000, true);
        cr_assert(sum.stand_in != NULL, "row %zu", i);
        cr_expect(strstr(sum.stand_in->fallback, rows[i].name) != NULL, "row %zu: %s", i,
                  sum.stand_in->fallback);
        cr_expect(sum.value_s > 0 &&
                      sum.spread_s / sum.value_s >= 0.999 * measured.spread_s / measured.value_s,
                  "row %zu: narrower", i);
    }
    /* A profile of whole reconfigurations: neither messages nor operations. */
    made_up(&p);
    memset(p.pairs, 0, sizeof p.pairs);
    memset(p.operations, 0, sizeof p.operations);
    p.steps[NEREUS_STEP_SPLIT].terms = 0;
    snprintf(p.steps[NEREUS_STEP_REDISTRIBUTE].names[0], sizeof p.steps[0].names[0], "const");
    const struct nereus_cost_sum sum = price(&p, "merge/rma", 2, 5, 3000000, false);
    cr_assert(sum.stand_in != NULL);
    cr_expect(strcmp(sum.stand_in->fallback, "redistribute as p2p or coll") == 0, "%s",
              sum.stand_in->fallback);
    cr_expect_float_eq(sum.value_s, 1 + 1e-3, 1e-12, "%g: its constant, and a window's assumed 1 ms",
                       sum.value_s);
}

static struct nereus_prediction predict(const struct nereus_profile *p, const char *text, int64_t ns,
                                        int64_t nt, double bytes, double t_iter_s)
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

/* Over an inter-communicator the blocking alltoallv is serialised and the other one is not: to overlap is faster than to wait
 * (data-redistribution 4.4.2: alpha down to 0.56), unless iterations are long. Elsewhere they are the same. */
Test(operation, alpha_below_1)
{
    struct nereus_profile p;
    made_up(&p);
    cr_expect(predict(&p, "baseline/coll-waitsources", 3, 40, 1e6, 1e-3).alpha < 0.5);
    cr_expect(predict(&p, "baseline/coll-waitsources", 3, 40, 1e6, 3).alpha > 1);
    cr_expect(predict(&p, "baseline/p2p-waitsources", 3, 40, 1e6, 1e-3).alpha > 1);
    cr_expect(predict(&p, "merge/coll-waitsources", 3, 40, 1e6, 1e-3).alpha > 1);
}

/* At points an iteration passes before anybody answers: once for a message, more often for what needs letters. */
Test(operation, points_delay)
{
    struct nereus_profile p;
    struct nereus_overlap_data data;
    struct nereus_method method;
    const struct nereus_cost_sum alone = {.value_s = 0.5};
    const struct {
        const char *method;
        double points;
    } rows[] = {{"merge/p2p-waitsources", 1},
                {"merge/coll-waittargets", 1},
                {"merge/rma-waitsources", 3},
                {"merge/shared-waittargets", 2}};
    made_up(&p);
    for (size_t i = 0; i < COUNT(rows); i++) {
        cr_assert(nereus_method_parse(rows[i].method, &method, NULL) == NEREUS_OK);
        nereus_overlap_data_make(&p, &seven_cores, 2, 5, &method, 0.25, &alone, &data);
        cr_expect_float_eq(data.sum.value_s, 0.5 + rows[i].points * 0.25, 1e-12, "%s", rows[i].method);
        cr_expect_float_eq(data.iteration_s, 0.25 + 0.5 / rows[i].points, 1e-12, "%s", rows[i].method);
    }
}

/* Rows of a calibration become lines in the profile, and the profile is read as it was written. */
Test(operation, from_rows_to_a_profile_and_back)
{
    char directory[] = "/tmp/nereus-operation-XXXXXX", csv[64], json[64];
    struct nereus_samples samples = {NULL, 0};
    struct nereus_profile p, again;
    struct nereus_error err = {.text = ""};
    cr_assert(mkdtemp(directory) != NULL);
    snprintf(csv, sizeof csv, "%s/s.csv", directory);
    snprintf(json, sizeof json, "%s/p.json", directory);
    FILE *file = fopen(csv, "w");
    cr_assert(file != NULL);
    fprintf(file, "%s\n", nereus_samples_header());
    for (int o = 0; o < NEREUS_OPERATION_COUNT; o++)
        for (double bytes = 8; bytes <= 16777216; bytes *= 8) {
            struct nereus_sample row = {.cluster = "made-up",
                                        .kind = NEREUS_SAMPLE_OPERATION,
                                        .operation = (enum nereus_operation)o,
                                        .cores_per_node = 7,
                                        .bytes = bytes,
                                        .time_s = (o + 1) * 3e-6 + bytes * (o + 2) * 1e-10};
            row.t_iter_ns_s = row.t_iter_nt_s = row.rt_s = row.ct_s = row.iterations = NAN;
            cr_assert(nereus_samples_write_row(file, &row, NULL) == NEREUS_OK);
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
            cr_expect_float_eq(nereus_hockney_s(h, bytes) / ((o + 1) * 3e-6 + bytes * (o + 2) * 1e-10), 1,
                               1e-6, "%s", nereus_operation_name((enum nereus_operation)o));
    }
    nereus_samples_fini(&samples);
    nereus_profile_fini(&p);
    nereus_profile_fini(&again);
    unlink(csv);
    unlink(json);
    rmdir(directory);
}
