/** @file test_equations.c  Equations 1 to 3 and 6 to 8 of spawning-methods, with numbers from its tables. */
#include <criterion/criterion.h>
#include <math.h>

#include "nereus/predict.h"

#define COUNT(list) (sizeof list / sizeof list[0])

static void expect_near(const char *what, double value, double expected, double tolerance)
{
    cr_expect(fabs(value - expected) <= tolerance, "%s: %.9g, not %.9g", what, value, expected);
}

struct row {
    const char *source;
    double a, b, expected;
};

Test(equations, one_to_three_add_their_steps)
{
    static const struct row two[] = {{"made up, equation 2", 0.737, 0.219, 0.956},
                                     {"made up, equation 2", 8.25, 3.31, 11.56}};
    static const struct row three[] = {{"made up, equation 3", 0.0371, 0.0146, 0.0517}};
    expect_near("equation 1", nereus_equation_1_s(1.427), 1.427, 0);
    for (size_t i = 0; i < COUNT(two); i++)
        expect_near(two[i].source, nereus_equation_2_s(two[i].a, two[i].b), two[i].expected, 1e-12);
    for (size_t i = 0; i < COUNT(three); i++)
        expect_near(three[i].source, nereus_equation_3_s(three[i].a, three[i].b), three[i].expected, 1e-12);
}

Test(equations, six_rounds_up_and_never_clamps)
{
    static const struct {
        const char *source;
        double rt_s, alpha, t_iter_s, omega, iterations, ct_s;
    } rows[] = {
        /* alpha = RT_A / RT_S of Tables 1 to 4, omega = CT / (It T_iter) of Tables 3 and 4 */
        {"Tables 1, 3: 40 -> 80 baseline", 1.429, 1.621 / 1.429, 0.1, 3.722, 5, 1.861},
        {"Tables 2, 4: 120 -> 80 baseline", 1.529, 1.696 / 1.529, 4.0 / 120, 5.0945, 10, 1.69817},
        {"data-redistribution 4.4.2: alpha down to 0.56", 2.3, 0.56, 0.7, 1.1, 2, 1.54},
        {"exactly three iterations", 1.5, 0.75, 0.25, 1.5, 3, 1.125},
    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        const double it =
            nereus_equation_6_iterations(rows[i].rt_s, rows[i].alpha, rows[i].t_iter_s, rows[i].omega);
        expect_near(rows[i].source, it, rows[i].iterations, 0);
        expect_near(rows[i].source, nereus_equation_6_ct_s(it, rows[i].t_iter_s, rows[i].omega), rows[i].ct_s,
                    1e-4);
    }
}

Test(equations, seven)
{
    static const struct {
        const char *source;
        double before, t_ns_s, time_s, blocking_s, after, iterations, t_nt_s, expected;
    } rows[] = {
        {"Figure 8, text: baseline-async, 120 -> 80", 3, 4.0 / 120, 1.868, 0, 97, 11, 0.05, 6.268},
        {"Figure 8, text: baseline-single-async, 120 -> 80", 3, 4.0 / 120, 3.473, 0, 97, 38, 0.05, 6.523},
        {"ERRATA: merge, 120 -> 80, sync", 3, 4.0 / 120, 0.156, 0, 97, 0, 0.05, 5.106},
        {"ERRATA: merge-async, 120 -> 80", 3, 4.0 / 120, 0.407, 0, 97, 4, 0.05, 5.157},
        {"ERRATA: with data that stops the application", 3, 0.2, 1.3, 0.45, 27, 4, 0.3, 9.25},
        {"never negative iterations", 2, 0.3, 5.5, 0.25, 7, 11, 0.6, 6.35},
    };
    for (size_t i = 0; i < COUNT(rows); i++)
        expect_near(rows[i].source,
                    nereus_equation_7_s(rows[i].before, rows[i].t_ns_s, rows[i].time_s, rows[i].blocking_s,
                                        rows[i].after, rows[i].iterations, rows[i].t_nt_s),
                    rows[i].expected, 5e-4);
}

Test(equations, eight)
{
    expect_near("4.2: 4 s on 120", nereus_equation_8_s(4, 120), 0.0333333, 1e-6);
    expect_near("made up", nereus_equation_8_s(7.3, 23), 0.317391304, 1e-8);
}
