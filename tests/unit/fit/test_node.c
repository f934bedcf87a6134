/** @file test_node.c  The rates of a process and of a node, from pairs of processes at once. */
#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

#include "model/fit/fit_node.h"
#include "model/price/cost.h"
#include "model/price/cost_data.h"
#include "model/util/arith.h"
#include "nereus/profile.h"

enum { ROWS_MAX = 64 };
static const double alpha_s = 5e-5;

/* Rows by the equation of Gropp, Olson and Samfass, disturbed by 2 % up and down. */
static struct nereus_samples rows_of(const int64_t *pairs, int count, double process, double node,
                                     enum nereus_operation operation)
{
    static struct nereus_sample rows[ROWS_MAX];
    struct nereus_samples samples = {.rows = rows};
    for (int i = 0; i < count; i++)
        for (double bytes = 65536; bytes < 5e6; bytes *= 4) {
            struct nereus_sample *row = &rows[samples.count];
            const double k = (double)pairs[i];
            *row = (struct nereus_sample){.kind = NEREUS_SAMPLE_OPERATION,
                                          .operation = operation,
                                          .cores_per_node = 64,
                                          .old_processes = pairs[i],
                                          .new_processes = pairs[i],
                                          .bytes = k * bytes,
                                          .n = 1};
            row->time_s = (alpha_s + k * bytes / fmin(node, k * process)) *
                          (samples.count++ % 2 == 0 ? 1.02 : 0.98);
            strcpy(row->cluster, "here");
        }
    return samples;
}

Test(fit_node, finds_the_rates_of_a_process_and_of_a_node)
{
    static const int64_t pairs[] = {1, 2, 4, 8, 16, 20};
    static const struct {
        int count;
        double process, node, found_node;
    } rows[] = {
        {6, 2e9, 12e9, 12e9},     /* six processes fill the link */
        {6, 1e9, 1.17e9, 1.17e9}, /* nearly one does */
        {6, 1.17e9, 1.17e9, 1.17e9},
        {3, 1e9, 12e9, 4e9}, /* all four cores together do not: what they reach */
        {1, 1e9, 12e9, 1e9}, /* nodes of one core */
    };
    for (size_t i = 0; i < NEREUS_COUNT_OF(rows); i++) {
        struct nereus_node_rates rates;
        const struct nereus_samples samples =
            rows_of(pairs, rows[i].count, rows[i].process, rows[i].node, NEREUS_OPERATION_NODE);
        cr_assert_eq(nereus_fit_node_samples(&samples, NEREUS_OPERATION_NODE, &rates, NULL),
                     NEREUS_OK);
        cr_expect_float_eq(rates.process.value / fmin(rows[i].process, rows[i].node), 1, 0.03,
                           "row %zu: a process %g", i, rates.process.value);
        cr_expect_float_eq(rates.node.value / rows[i].found_node, 1, 0.03, "row %zu: a node %g", i,
                           rates.node.value);
        cr_expect(rates.node.low < rows[i].found_node && rates.node.high > rows[i].found_node,
                  "row %zu: a node %g to %g", i, rates.node.low, rates.node.high);
        cr_expect_float_eq(rates.alpha.value / alpha_s, 1, 0.5, "row %zu: alpha %g", i,
                           rates.alpha.value);
    }
}

/* The price reads them as the operation `node`; one of a node's memory is no link. */
Test(fit_node, writes_the_operation)
{
    static const int64_t pairs[] = {1, 2, 4};
    struct nereus_profile profile;
    struct nereus_samples samples = rows_of(pairs, 3, 1e9, 2e9, NEREUS_OPERATION_NODE);
    cr_assert_eq(nereus_profile_fit(&samples, NULL, &profile, NULL), NEREUS_OK);
    const struct nereus_hockney *link = &profile.operations[NEREUS_OPERATION_NODE];
    cr_expect_eq(link->basis, NEREUS_BASIS_FITTED);
    cr_expect_eq(link->pieces, 1);
    cr_expect_float_eq(link->beta_s_per_byte[0] * 2e9, 1, 0.03);
    nereus_profile_fini(&profile);
    samples = rows_of(pairs, 3, 5e9, 8e9, NEREUS_OPERATION_NODE_MEMORY);
    cr_assert_eq(nereus_profile_fit(&samples, NULL, &profile, NULL), NEREUS_OK);
    cr_expect_eq(profile.operations[NEREUS_OPERATION_NODE].basis, NEREUS_BASIS_NONE);
    cr_expect_float_eq(profile.operations[NEREUS_OPERATION_NODE_MEMORY].beta_s_per_byte[0] * 8e9, 1,
                       0.03);
    nereus_profile_fini(&profile);
}

/* A calibration writes redistributions between two groups as messages: coll sends them, too. The
 * link that was measured by itself is the prior of their rate. */
Test(fit_node, redistributions_between_two_groups_of_nodes)
{
    static const int64_t pairs[] = {1, 2};
    struct nereus_profile profile;
    struct nereus_machine machine;
    struct nereus_cost_context context;
    struct nereus_linear_model own_model;
    const struct nereus_linear_model *prior, *model;
    struct nereus_samples samples = rows_of(pairs, 2, 1e9, 1e9, NEREUS_OPERATION_NODE);
    struct nereus_sample *row = &samples.rows[samples.count++];
    *row = samples.rows[0];
    row->kind = NEREUS_SAMPLE_REDISTRIBUTION;
    row->cores_per_node = row->ns = 2;
    row->nt = 4;
    row->bytes = 64e6;
    row->time_s = 0.032; /* half of it leaves the first node */
    cr_assert_eq(nereus_method_parse("baseline/p2p", &row->method, NULL), NEREUS_OK);
    cr_assert_eq(nereus_profile_fit(&samples, NULL, &profile, NULL), NEREUS_OK);
    cr_assert_eq(nereus_method_parse("baseline/coll", &row->method, NULL), NEREUS_OK);
    cr_assert_eq(nereus_machine_equal_nodes(4, 2, &machine, NULL), NEREUS_OK);
    nereus_cost_context_init(&profile, &machine, 2, 4, &row->method, &context);
    model = nereus_between_model(&context, &own_model, &prior);
    cr_expect_eq((const void *)model,
                 (const void *)&profile.between_models[NEREUS_P2P * NEREUS_BETWEEN_ORIGINS +
                                                       NEREUS_BETWEEN_TWO_GROUPS]);
    cr_expect_null(prior);
    cr_expect_float_eq(model->coefficients[0] * 1e9, 1, 0.1);
    nereus_machine_fini(&machine);
    nereus_profile_fini(&profile);
}
