/** @file test_price_restart.c  The price of a restart, worked out by hand: from rows, and without
 * them. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "model/price/cost.h"
#include "model/price/cost_sum.h"
#include "model/util/arith.h"
#include "nereus/goal.h"
#include "nereus/price.h"
#include "nereus/samples.h"
#include "tests/unit/price/price_sum.h"

static struct nereus_node two_nodes[2] = {{.cores = 4}, {.cores = 4}};
static const struct nereus_machine machine = {
    .cores_per_node = 4, .node_count = 2, .nodes = two_nodes};
static const struct nereus_method restart = {
    .process = NEREUS_RESTART, .has_data = true, .data = NEREUS_FILE};

static void add_term(struct nereus_linear_model *m, const char *name, double coefficient)
{
    m->basis = NEREUS_BASIS_FITTED;
    m->rows = 30;
    m->coefficients[m->terms] = coefficient;
    snprintf(m->names[m->terms++], sizeof m->names[0], "%s", name);
}

/* All steps but those of a restart: a constant each. */
static void other_steps(struct nereus_profile *p)
{
    memset(p, 0, sizeof *p);
    for (int k = 0; k < NEREUS_STEP_WRITE; k++)
        add_term(&p->steps[k], "const", 0.001);
}

static double price_s(const struct nereus_profile *profile, const struct nereus_method *method,
                      int64_t ns, int64_t nt)
{
    const struct nereus_scenario scenario = {.machine = &machine,
                                             .ns = ns,
                                             .nt = nt,
                                             .constant_bytes = 6e6,
                                             .variable_bytes = 2e6,
                                             .replicated_bytes = 1e6};
    struct nereus_error err = {.text = ""};
    double seconds = NAN;
    cr_assert(price_sum(profile, &scenario, method, &seconds, &err) == NEREUS_OK, "%s", err.text);
    return seconds;
}

/* 8 MB in blocks and 1 MB replicated, from 4 to 8 processes: rank 0 writes 2 + 1 MB, all write 9;
 * each reads 1 + 1 MB, all read 8 + 8. 8 on 2 nodes of 4 cores: k/C = 1, l = 1, 2 nodes. */
Test(price_restart, the_terms_by_hand)
{
    static struct nereus_profile profile;
    other_steps(&profile);
    add_term(&profile.steps[NEREUS_STEP_WRITE], "const", 0.5);
    add_term(&profile.steps[NEREUS_STEP_WRITE], "freed_bytes", 2e-8);
    add_term(&profile.steps[NEREUS_STEP_WRITE], "all_bytes", 3e-8);
    add_term(&profile.steps[NEREUS_STEP_END], "log2_processes", 0.25);
    add_term(&profile.steps[NEREUS_STEP_START], "const", 1.5);
    add_term(&profile.steps[NEREUS_STEP_START], "full", 4);
    add_term(&profile.steps[NEREUS_STEP_START], "log2_new_nodes", 8);
    add_term(&profile.steps[NEREUS_STEP_READ], "touched_bytes", 5e-8);
    add_term(&profile.steps[NEREUS_STEP_READ], "all_bytes", 7e-9);
    const double write = 0.5 + 3e6 * 2e-8 + 9e6 * 3e-8, end = 0.25 * 2, start = 1.5 + 4 + 8,
                 read = 2e6 * 5e-8 + 16e6 * 7e-9, others = 4 * 0.001;
    cr_expect_float_eq(price_s(&profile, &restart, 4, 8), write + end + start + read + others,
                       1e-9);
}

/* Start is priced as launch, else as spawn; the others are assumed. */
Test(price_restart, without_rows_the_steps_have_priors)
{
    static struct nereus_profile profile;
    const double write = 0.01 + 3e6 * 1e-9 + 9e6 * 1e-9, end = 0.05,
                 read = 0.005 + 2e6 * 3e-10 + 16e6 * 3e-10, others = 4 * 0.001;
    other_steps(&profile);
    profile.steps[NEREUS_STEP_LAUNCH].coefficients[0] = 0.75;
    profile.steps[NEREUS_STEP_SPAWN].coefficients[0] = 0.375;
    cr_expect_float_eq(price_s(&profile, &restart, 4, 8), write + end + 0.75 + read + others, 1e-9);
    profile.steps[NEREUS_STEP_LAUNCH].basis = NEREUS_BASIS_NONE;
    cr_expect_float_eq(price_s(&profile, &restart, 4, 8), write + end + 0.375 + read + others,
                       1e-9);
    const struct nereus_scenario scenario = {.machine = &machine, .ns = 4, .nt = 8};
    struct nereus_error err = {.text = ""};
    double seconds;
    profile.steps[NEREUS_STEP_SPAWN].basis = NEREUS_BASIS_NONE;
    cr_expect(price_sum(&profile, &scenario, &restart, &seconds, &err) == NEREUS_ERR_NO_BASIS &&
              strstr(err.text, "'start'") != NULL);
}

/* Old processes have ended: 4 and 8 fit 8 cores in turn, but not together. */
Test(price_restart, old_and_new_processes_share_no_core)
{
    const struct nereus_method baseline = {.process = NEREUS_BASELINE};
    cr_expect(!nereus_cost_is_oversubscribed(&machine, 4, 8, &restart));
    cr_expect(!nereus_cost_is_oversubscribed(&machine, 8, 4, &restart));
    cr_expect(nereus_cost_is_oversubscribed(&machine, 4, 9, &restart));
    cr_expect(nereus_cost_is_oversubscribed(&machine, 4, 8, &baseline));
}

static struct nereus_sample step_row(enum nereus_step_kind kind, int64_t ns, int64_t nt,
                                     double bytes, double time_s)
{
    const bool old = kind == NEREUS_STEP_WRITE || kind == NEREUS_STEP_END;
    struct nereus_sample row = {.kind = NEREUS_SAMPLE_STEP,
                                .cluster = "synthetic",
                                .cores_per_node = 4,
                                .cores_per_process = 1,
                                .ns = ns,
                                .nt = nt,
                                .method = restart,
                                .step = kind,
                                .old_processes = old ? ns : 0,
                                .new_processes = old ? 0 : nt,
                                .bytes = bytes,
                                .time_s = time_s,
                                .n = 1};
    row.t_iter_ns_s = row.t_iter_nt_s = row.ct_s = row.iterations = row.rt_s = NAN;
    return row;
}

/* Write at 0.02 s + 2 ns a byte of a process + 4 ns a byte of all, and the other steps, are found
 * within the pull of the priors. A whole row of a restart makes it no candidate. */
Test(price_restart, rows_of_its_steps_are_fitted)
{
    enum { SIZES = 4, BYTES = 3, ROWS = SIZES * BYTES * 4 + 2 };
    static struct nereus_sample rows[ROWS];
    struct nereus_samples samples = {.rows = rows};
    struct nereus_profile profile;
    struct nereus_error err = {.text = ""};
    for (int i = 0; i < SIZES * BYTES; i++) {
        const int64_t n = 1 << (i % SIZES);
        const double bytes = 1e6 * pow(30, i / SIZES);
        rows[samples.count++] = step_row(NEREUS_STEP_WRITE, n, 4, bytes,
                                         0.02 + bytes / (double)n * 2e-9 + bytes * 4e-9);
        rows[samples.count++] = step_row(NEREUS_STEP_END, n, 4, 0, 0.06);
        rows[samples.count++] = step_row(NEREUS_STEP_START, 4, n, 0, 0.3);
        rows[samples.count++] = step_row(NEREUS_STEP_READ, 4, n, bytes,
                                         0.004 + bytes / (double)n * 1e-9 + bytes * 2e-9);
    }
    for (int i = 0; i < 2; i++) {
        struct nereus_sample *whole = &rows[samples.count++];
        *whole = step_row(NEREUS_STEP_WRITE, 2, 4, 0, NAN);
        whole->kind = NEREUS_SAMPLE_RECONFIGURATION;
        whole->rt_s = 0.5;
        whole->method.process = i == 0 ? NEREUS_RESTART : NEREUS_MERGE;
        whole->method.data = i == 0 ? NEREUS_FILE : NEREUS_COLL;
    }
    cr_assert(nereus_profile_fit(&samples, NULL, &profile, &err) == NEREUS_OK, "%s", err.text);
    cr_expect(profile.method_count == 1 && profile.methods[0].process == NEREUS_MERGE);
    const struct {
        enum nereus_step_kind kind;
        double one_s, much_s; /* of 4 processes on 4 cores: 1 MB, 900 MB */
    } known[] = {{NEREUS_STEP_WRITE, 0.0245, 4.07},
                 {NEREUS_STEP_END, 0.06, 0.06},
                 {NEREUS_STEP_START, 0.3, 0.3},
                 {NEREUS_STEP_READ, 0.00625, 2.029}};
    for (size_t i = 0; i < NEREUS_COUNT_OF(known); i++) {
        const struct nereus_linear_model *m = &profile.steps[known[i].kind];
        struct nereus_cost_input input = {.load = {.core_load = 1, .fill = 1, .new_nodes = 1},
                                          .old_processes = 4,
                                          .freed_bytes = 2.5e5,
                                          .touched_bytes = 2.5e5};
        input.between_bytes.all_bytes = 1e6;
        cr_expect(m->basis == NEREUS_BASIS_FITTED);
        cr_expect_float_eq(nereus_cost_value(m, &input, NULL), known[i].one_s,
                           0.05 * known[i].one_s, "%s: %g", nereus_step_name(known[i].kind),
                           nereus_cost_value(m, &input, NULL));
        input.freed_bytes = input.touched_bytes = 2.25e8;
        input.between_bytes.all_bytes = 9e8;
        cr_expect_float_eq(nereus_cost_value(m, &input, NULL), known[i].much_s,
                           0.05 * known[i].much_s, "%s: %g", nereus_step_name(known[i].kind),
                           nereus_cost_value(m, &input, NULL));
    }
    nereus_profile_fini(&profile);
}

/* A trace's start begins with the end of the sources, whose step takes no time there: no 50 ms are
 * assumed for it. Agreements of a restart do not change those of other methods. */
Test(price_restart, start_contains_the_end)
{
    enum { RESTART = 5, ROWS = 10 };
    struct nereus_sample rows[ROWS] = {
        step_row(NEREUS_STEP_WRITE, 2, 4, 1e6, 0.02), step_row(NEREUS_STEP_END, 2, 4, 0, 0),
        step_row(NEREUS_STEP_START, 2, 4, 0, 0.3),    step_row(NEREUS_STEP_READ, 2, 4, 1e6, 0.01),
        step_row(NEREUS_STEP_COMMIT, 2, 4, 0, 7),     step_row(NEREUS_STEP_SPAWN, 2, 4, 0, 0.2),
        step_row(NEREUS_STEP_DECIDE, 2, 4, 0, 1e-4),  step_row(NEREUS_STEP_AGREE, 2, 4, 0, 1e-4),
        step_row(NEREUS_STEP_COMMIT, 2, 4, 0, 1e-4),  step_row(NEREUS_STEP_WRITE, 2, 4, 0, NAN)};
    struct nereus_samples samples = {.rows = rows, .count = ROWS};
    struct nereus_profile profile;
    struct nereus_error err = {.text = ""};
    for (int i = RESTART; i < ROWS - 1; i++) {
        rows[i].method =
            (struct nereus_method){.process = NEREUS_MERGE, .has_data = true, .data = NEREUS_COLL};
        rows[i].old_processes = 2;
    }
    rows[ROWS - 1].kind = NEREUS_SAMPLE_RECONFIGURATION;
    rows[ROWS - 1].rt_s = 0.33;
    cr_assert(nereus_profile_fit(&samples, NULL, &profile, &err) == NEREUS_OK, "%s", err.text);
    cr_expect_eq(profile.steps[NEREUS_STEP_END].basis, NEREUS_BASIS_CONTAINED);
    cr_expect_str_eq(profile.steps[NEREUS_STEP_END].source, "start");
    cr_expect_eq(profile.steps[NEREUS_STEP_START].basis, NEREUS_BASIS_FITTED);
    cr_expect_eq(profile.steps[NEREUS_STEP_COMMIT].rows, 1, "that of the merge");
    nereus_profile_fini(&profile);
}

/* Of one process: 1 / (2 + 4) ns a byte; of four on the node's cores: 1 / (2/4 + 4). */
Test(price_restart, costs_for_people)
{
    struct nereus_profile profile = {.cores_per_node = 4};
    struct nereus_restart_costs costs;
    char text[NEREUS_RESTART_COSTS_TEXT];
    cr_expect(!nereus_restart_costs_find(&profile, &costs));
    profile.steps[NEREUS_STEP_WRITE] =
        (struct nereus_linear_model){.basis = NEREUS_BASIS_FITTED,
                                     .terms = 3,
                                     .names = {"const", "freed_bytes", "all_bytes"},
                                     .coefficients = {0.02, 2e-9, 4e-9},
                                     .covariance = {{4e-6}, {0, 4e-20}, {0, 0, 4e-20}}};
    profile.steps[NEREUS_STEP_READ] = profile.steps[NEREUS_STEP_WRITE];
    memcpy(profile.steps[NEREUS_STEP_READ].names[1], "touched_bytes", sizeof "touched_bytes");
    cr_expect(!nereus_restart_costs_find(&profile, &costs), "no start");
    profile.steps[NEREUS_STEP_START] = (struct nereus_linear_model){.basis = NEREUS_BASIS_FITTED,
                                                                    .terms = 2,
                                                                    .names = {"const", "full"},
                                                                    .coefficients = {0.1, 0.05}};
    cr_assert(nereus_restart_costs_find(&profile, &costs));
    cr_expect_float_eq(costs.write[0].value * 6e-9, 1, 1e-9);
    cr_expect_float_eq(costs.write[1].value * 4.5e-9, 1, 1e-9);
    cr_expect_float_eq(costs.read[1].value * 4.5e-9, 1, 1e-9);
    /* a relative standard error of sqrt(2) 0.2 / 6, of 0.1 */
    cr_expect_float_eq(log(costs.write[0].high / costs.write[0].value), 1.645 * sqrt(2) * 0.2 / 6,
                       1e-9);
    cr_expect_float_eq(log(costs.sync_s.value / costs.sync_s.low), 1.645 * 0.1, 1e-9);
    cr_expect_float_eq(costs.start_s[0].value, 0.1, 1e-12);
    cr_expect_float_eq(costs.start_s[1].value, 0.15, 1e-12);
    cr_expect_str_eq(nereus_restart_costs_text(&costs, text),
                     "a process writes 0.167 GB/s (0.154 to 0.18) and reads 0.167 GB/s (0.154 to "
                     "0.18); 4 of a node write 0.222 GB/s (0.206 to 0.24) and read 0.222 GB/s "
                     "(0.206 to 0.24); fsync 20 ms (17 to 23.6); start of one 100 ms (100 to 100), "
                     "of 4 150 ms (150 to 150)");
}
