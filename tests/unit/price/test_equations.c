/** @file test_equations.c  Equations 6 and 7 of Martín-Álvarez et al. (2024a), with numbers from
 * its tables; the load of the cores of an iteration. */
#include <criterion/criterion.h>
#include <math.h>

#include "model/price/overlap.h"
#include "model/util/arith.h"
#include "nereus/predict.h"

static void expect_near(const char *what, double value, double expected, double tolerance)
{
    cr_expect(fabs(value - expected) <= tolerance, "%s: %.9g, not %.9g", what, value, expected);
}

Test(equations, six)
{
    static const struct {
        const char *source;
        double iterations, t_iter_s, omega, ct_s;
    } rows[] = {
        /* omega = CT / (It T_iter) of Tables 3 and 4 */
        {"Tables 1, 3: 40 -> 80 baseline", 5, 0.1, 3.722, 1.861},
        {"Tables 2, 4: 120 -> 80 baseline", 10, 4.0 / 120, 5.0945, 1.69817},
        {"constructed", 3, 0.25, 1.5, 1.125},
    };
    for (size_t i = 0; i < NEREUS_COUNT_OF(rows); i++)
        expect_near(rows[i].source,
                    nereus_equation_6_ct_s(rows[i].iterations, rows[i].t_iter_s, rows[i].omega),
                    rows[i].ct_s, 1e-4);
}

Test(equations, seven)
{
    static const struct {
        const char *source;
        double before, t_ns_s, time_s, blocking_s, after, iterations, t_nt_s, expected;
    } rows[] = {
        {"Figure 8, text: baseline-async, 120 -> 80", 3, 4.0 / 120, 1.868, 0, 97, 11, 0.05, 6.268},
        {"Figure 8, text: baseline-single-async, 120 -> 80", 3, 4.0 / 120, 3.473, 0, 97, 38, 0.05,
         6.523},
        {"errata: merge, 120 -> 80, sync", 3, 4.0 / 120, 0.156, 0, 97, 0, 0.05, 5.106},
        {"errata: merge-async, 120 -> 80", 3, 4.0 / 120, 0.407, 0, 97, 4, 0.05, 5.157},
        {"errata: with data that stops the application", 3, 0.2, 1.3, 0.45, 27, 4, 0.3, 9.25},
        {"never negative iterations", 2, 0.3, 5.5, 0.25, 7, 11, 0.6, 6.35},
    };
    for (size_t i = 0; i < NEREUS_COUNT_OF(rows); i++)
        expect_near(rows[i].source,
                    nereus_equation_7_s(rows[i].before, rows[i].t_ns_s, rows[i].time_s,
                                        rows[i].blocking_s, rows[i].after, rows[i].iterations,
                                        rows[i].t_nt_s),
                    rows[i].expected, 5e-4);
}

/* Iterations share their cores with an auxiliary thread on every source; of the single strategy
 * with the root's alone at first. Nodes of 20 cores. */
Test(equations, shared_cores_of_an_iteration)
{
    static const struct nereus_machine machine = {.cores_per_node = 20};
    static const double t_iter_s = 0.35;
    static const struct {
        enum nereus_process process;
        enum nereus_strategy strategy;
        int64_t ns, nt;
        double load;
    } rows[] = {
        {NEREUS_MERGE, NEREUS_PLAIN, 10, 20, 1.5},                        /* 10 + 10 + 10 */
        {NEREUS_MERGE, NEREUS_SINGLE, 10, 20, 0.25 * 1.05 + 0.75 * 1.5},  /* 21, then 30 */
        {NEREUS_BASELINE, NEREUS_SINGLE, 20, 40, 0.25 * 2.05 + 0.75 * 3}, /* 41, then 60 */
        {NEREUS_MERGE, NEREUS_SINGLE, 1, 10, 1},                          /* 11 */
        {NEREUS_MERGE, NEREUS_PLAIN, 40, 20, 1},                          /* has its own term */
    };
    for (size_t i = 0; i < NEREUS_COUNT_OF(rows); i++) {
        const struct nereus_method method = {
            .process = rows[i].process, .strategy = rows[i].strategy, .async = true};
        struct nereus_overlap_input input;
        nereus_overlap_input_make(&machine, rows[i].ns, rows[i].nt, &method, t_iter_s, &input);
        expect_near("T_iter ((L-1)+)^1.25",
                    nereus_overlap_feature(NEREUS_OVERLAP_ITER_SHARED, &input),
                    t_iter_s * pow(rows[i].load - 1, 1.25), 1e-12);
    }
}
