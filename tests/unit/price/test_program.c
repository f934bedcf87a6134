/** @file test_program.c  Start-up of a user's program: from rows to a profile, and in prices and
 * predictions. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "model/price/price_parts.h"
#include "model/util/arith.h"
#include "nereus/predict.h"
#include "nereus/profile.h"
#include "nereus/samples.h"

/* 4 cores per node; a1 and a2 of the joins are 0. */
static const double a0_s = 0.37, a1_s = 0.23, a2_s = 0.011, join_s = 0.19;
static const char command[] = "solver \"a, b\" -x";
static const struct nereus_machine four = {.cores_per_node = 4};

static struct nereus_sample blank(enum nereus_sample_kind kind, const char *program,
                                  int64_t new_processes, bool one_node)
{
    struct nereus_sample row = {.cluster = "synthetic",
                                .kind = kind,
                                .cores_per_node = 4,
                                .ns = 1,
                                .nt = new_processes,
                                .old_processes = 1,
                                .new_processes = new_processes,
                                .oversubscribed = one_node && new_processes > 3,
                                .t_iter_ns_s = NAN,
                                .t_iter_nt_s = NAN,
                                .bytes = NAN,
                                .rt_s = NAN,
                                .ct_s = NAN,
                                .iterations = NAN};
    snprintf(row.program, sizeof row.program, "%s", program);
    return row;
}

static void write_row(FILE *file, const struct nereus_sample *row)
{
    struct nereus_error err = {.text = ""};
    cr_assert(nereus_samples_write_row(file, row, false, &err) == NEREUS_OK, "%s", err.text);
}

/* own: seconds of the calibration's own program, which differ from run to run */
static void write_program(FILE *file, const char *program, int64_t new_processes, bool one_node,
                          double own_s, double start_s)
{
    struct nereus_sample row = blank(NEREUS_SAMPLE_PROGRAM_JOIN, program, new_processes, one_node);
    row.t_iter_ns_s = 0.003 * own_s;
    row.time_s = row.t_iter_ns_s + join_s;
    write_row(file, &row);
    row = blank(NEREUS_SAMPLE_PROGRAM_START, program, new_processes, one_node);
    row.t_iter_ns_s = own_s;
    row.time_s = own_s + start_s;
    write_row(file, &row);
}

/* More processes than cores where all are on one node. */
static double start_s(int64_t new_processes, bool one_node)
{
    const double excess = one_node ? fmax(0, (double)(1 + new_processes) / 4 - 1) : 0;
    return a0_s + a1_s * excess + a2_s * (double)(new_processes - 1);
}

/* Whole reconfigurations by the calibration's own program: one of each method. */
static void write_whole(FILE *file, const char *method, int64_t ns, int64_t nt, double rt_s)
{
    struct nereus_sample row = blank(NEREUS_SAMPLE_RECONFIGURATION, "", 0, false);
    cr_assert(nereus_method_parse(method, &row.method, NULL) == NEREUS_OK);
    row.ns = ns;
    row.nt = nt;
    row.old_processes = row.new_processes = 0;
    row.oversubscribed = false;
    row.rt_s = rt_s;
    row.time_s = NAN;
    if (row.method.async) {
        row.t_iter_ns_s = 0.05;
        row.iterations = 7;
        row.ct_s = 0.42;
    }
    write_row(file, &row);
}

static void write_rows(FILE *file)
{
    static const double own_s[] = {0.11, 0.17, 0.13};
    static const struct {
        int64_t n;
        bool one_node;
    } starts[] = {{1, true}, {2, true}, {4, true}, {8, true}, {7, false}, {15, false}};
    fprintf(file, "%s\n", nereus_samples_header(false));
    write_whole(file, "merge", 4, 8, 0.31);
    write_whole(file, "merge-async", 4, 8, 0.35);
    write_whole(file, "merge", 8, 4, 0.017);
    write_whole(file, "baseline", 4, 8, 0.47);
    write_program(file, "another one", 3, true, 0.1, 40); /* measured before: says nothing */
    for (size_t k = 0; k < NEREUS_COUNT_OF(starts); k++)
        for (size_t i = 0; i < NEREUS_COUNT_OF(own_s); i++)
            write_program(file, command, starts[k].n, starts[k].one_node, own_s[i],
                          start_s(starts[k].n, starts[k].one_node));
}

/* Samples written, read, fitted; the profile written and read. */
static void profile_of_rows(struct nereus_profile *again)
{
    char folder[] = "/tmp/nereus-program-XXXXXX", csv[64], json[64];
    struct nereus_samples samples = {.rows = NULL};
    struct nereus_profile p;
    struct nereus_error err = {.text = ""};
    cr_assert(mkdtemp(folder) != NULL);
    snprintf(csv, sizeof csv, "%s/s.csv", folder);
    snprintf(json, sizeof json, "%s/p.json", folder);
    FILE *file = fopen(csv, "w");
    cr_assert(file != NULL);
    write_rows(file);
    fclose(file);
    cr_assert(nereus_samples_read(csv, false, &samples, &err) == NEREUS_OK, "%s", err.text);
    cr_assert(nereus_profile_fit(&samples, NULL, &p, &err) == NEREUS_OK, "%s", err.text);
    cr_assert(nereus_profile_write(json, &p, &err) == NEREUS_OK, "%s", err.text);
    cr_assert(nereus_profile_read(json, again, &err) == NEREUS_OK, "%s", err.text);
    nereus_samples_fini(&samples);
    nereus_profile_fini(&p);
    unlink(csv);
    unlink(json);
    rmdir(folder);
}

/* The source of all values is the truth above; the priors pull the rows of few by some per cent. */
Test(program, coefficients_are_found_again)
{
    static const struct {
        const char *term;
        double start, join, tolerance;
    } rows[] = {
        {"const", a0_s, join_s, 0.03}, {"excess", a1_s, 0, 0.1}, {"other_new", a2_s, 0, 0.1}};
    struct nereus_profile p;
    profile_of_rows(&p);
    cr_expect_str_eq(p.program.command, command);
    cr_assert_eq(p.program.start.terms, 3);
    cr_assert_eq(p.program.join.terms, 3);
    cr_expect_eq(p.program.start.rows, 18);
    for (int i = 0; i < 3; i++) {
        cr_expect_str_eq(p.program.start.names[i], rows[i].term);
        cr_expect_float_eq(p.program.start.coefficients[i], rows[i].start,
                           rows[i].tolerance * rows[i].start, "%s %g", rows[i].term,
                           p.program.start.coefficients[i]);
        cr_expect(rows[i].join > 0 ? fabs(p.program.join.coefficients[i] / join_s - 1) < 0.03
                                   : p.program.join.coefficients[i] < 0.08 * join_s,
                  "join: %s %g", rows[i].term, p.program.join.coefficients[i]);
    }
    cr_expect(p.program.start.log_sd > 0 && p.program.start.log_sd < 0.5, "%g",
              p.program.start.log_sd);
    nereus_profile_fini(&p);
}

/* A profile of synthetic coefficients: 0.37 s + 0.23 s (l-1)+ + 0.011 s (new-1), join 0.19 s. */
static void set_program(struct nereus_profile *p)
{
    static const char *const names[] = {"const", "excess", "other_new"};
    const double values[] = {a0_s, a1_s, a2_s};
    struct nereus_program *program = &p->program;
    memset(program, 0, sizeof *program);
    snprintf(program->command, sizeof program->command, "%s", command);
    program->start = (struct nereus_linear_model){
        .basis = NEREUS_BASIS_FITTED, .terms = 3, .log_sd = 0.1, .rows = 9};
    program->join = (struct nereus_linear_model){
        .basis = NEREUS_BASIS_FITTED, .terms = 1, .log_sd = 0.1, .rows = 9};
    for (int i = 0; i < 3; i++) {
        snprintf(program->start.names[i], sizeof program->start.names[i], "%s", names[i]);
        program->start.coefficients[i] = values[i];
    }
    snprintf(program->join.names[0], sizeof program->join.names[0], "const");
    program->join.coefficients[0] = join_s;
}

struct priced {
    const char *method;
    int64_t ns, nt;
    double start_up_s;
};

/*
 * By hand, on nodes of 4 cores:
 * merge 4 -> 8: 4 new on an empty node: 0.37 + 3 x 0.011 + 0.19
 * baseline 4 -> 8: 8 new, beside 4 sources on the first node (l = 2): 0.37 + 0.23 + 7 x 0.011 +
 * 0.19 merge 8 -> 4, 8 -> 8: nothing starts
 * baseline 2 -> 2: 2 new beside 2 (l = 1): 0.37 + 0.011 + 0.19
 * multiple 4 -> 12: 8 groups of one process, one after the other: 8 x 0.37 + 0.19
 * launch 4 -> 12: both at the same time: 0.37 + 7 x 0.011 + 0.19
 * hypercube 4 -> 12: the same in one round; 4 -> 28 needs 6 groups: 4, then 2 by new processes,
 * 0.37 + 15 x 0.011 + 0.19 and 0.37 + 7 x 0.011 + 0.19
 */
static const struct priced priced[] = {{"merge/coll", 4, 8, 0.593},
                                       {"merge-single/coll", 4, 8, 0.593},
                                       {"merge-async/coll", 4, 8, 0.593},
                                       {"baseline/coll", 4, 8, 0.867},
                                       {"merge/coll", 8, 4, 0},
                                       {"merge/coll", 8, 8, 0},
                                       {"baseline/coll", 2, 2, 0.571},
                                       {"merge-multiple/coll", 4, 12, 3.15},
                                       {"merge-launch/coll", 4, 12, 0.637},
                                       {"merge-hypercube/coll", 4, 12, 0.637},
                                       {"merge-hypercube/coll", 4, 28, 1.362}};

Test(program, price_by_hand)
{
    struct nereus_profile *p = calloc(1, sizeof *p);
    cr_assert(p != NULL);
    set_program(p);
    for (size_t i = 0; i < NEREUS_COUNT_OF(priced); i++) {
        const struct nereus_scenario s = {
            .machine = &four, .ns = priced[i].ns, .nt = priced[i].nt, .variable_bytes = 1e6};
        struct nereus_method method;
        struct nereus_cost_sum sum;
        struct nereus_error err = {.text = ""};
        cr_assert(nereus_method_parse(priced[i].method, &method, &err) == NEREUS_OK);
        cr_assert(nereus_price_program(p, &s, &method, &sum, &err) == NEREUS_OK, "%s", err.text);
        cr_expect_float_eq(sum.value_s, priced[i].start_up_s, 1e-9, "%s %d -> %d: %.9g",
                           priced[i].method, (int)s.ns, (int)s.nt, sum.value_s);
        cr_expect(!sum.extrapolated);
    }
    free(p);
}

static struct nereus_prediction predict(const struct nereus_profile *p, const char *text,
                                        int64_t ns, int64_t nt)
{
    const struct nereus_scenario s = {.machine = &four,
                                      .ns = ns,
                                      .nt = nt,
                                      .t_iter_ns_s = 0.05,
                                      .t_iter_nt_s = 0.03,
                                      .iterations_after = 1000};
    struct nereus_method method;
    struct nereus_prediction prediction;
    struct nereus_error err = {.text = ""};
    cr_assert(nereus_method_parse(text, &method, &err) == NEREUS_OK);
    cr_assert(nereus_predict(p, &s, &method, &prediction, &err) == NEREUS_OK, "%s: %s", text,
              err.text);
    return prediction;
}

/* Measured (0.31 s, 0.47 s, asynchronous 0.35 s) or not, RT holds it once; a shrink does not. */
Test(program, predictions_hold_it_once)
{
    static const struct {
        const char *method;
        int64_t ns, nt;
        double rt_s; /* NAN: modelled */
        enum nereus_source source;
        double start_up_s;
    } rows[] = {{"merge", 4, 8, 0.31 + 0.593, NEREUS_MODELLED, 0.593},
                {"baseline", 4, 8, 0.47 + 0.867, NEREUS_MODELLED, 0.867},
                {"merge-async", 4, 8, 0.35 + 0.593, NEREUS_MODELLED, 0.593},
                {"merge", 8, 4, 0.017, NEREUS_MEASURED, 0},
                {"merge", 4, 12, NAN, NEREUS_EXTRAPOLATED, 0.37 + 7 * 0.011 + 0.19}};
    struct nereus_profile p;
    profile_of_rows(&p);
    for (size_t i = 0; i < NEREUS_COUNT_OF(rows); i++) {
        struct nereus_program kept;
        set_program(&p);
        const struct nereus_prediction with = predict(&p, rows[i].method, rows[i].ns, rows[i].nt);
        kept = p.program;
        memset(&p.program, 0, sizeof p.program);
        const struct nereus_prediction without =
            predict(&p, rows[i].method, rows[i].ns, rows[i].nt);
        p.program = kept;
        cr_expect_float_eq(with.start_up_s, rows[i].start_up_s, 1e-9);
        cr_expect_eq(without.start_up_s, 0);
        cr_expect_float_eq(with.rt_s.value - without.rt_s.value, rows[i].start_up_s, 1e-6,
                           "%s %d -> %d: %g and %g s", rows[i].method, (int)rows[i].ns,
                           (int)rows[i].nt, with.rt_s.value, without.rt_s.value);
        if (!isnan(rows[i].rt_s))
            cr_expect_float_eq(with.rt_s.value, rows[i].rt_s, 1e-6);
        cr_expect_eq(with.source, rows[i].source, "%s: %s", rows[i].method,
                     nereus_source_name(with.source));
        cr_expect(with.rt_s.high - with.rt_s.low >= without.rt_s.high - without.rt_s.low);
        cr_expect(with.iterations >= without.iterations);
    }
    /* 0.06 s an iteration: 7 and, of the start-up, 9.88 more */
    cr_expect_float_eq(predict(&p, "merge-async", 4, 8).iterations_expected, 16, 2);
    nereus_profile_fini(&p);
}
