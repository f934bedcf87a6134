/** @file test_quantity_interval.c  Intervals that follow from those of RT and omega, by hand. */
#include <criterion/criterion.h>
#include <math.h>

#include "model/util/arith.h"
#include "nereus/goal.h"

static const struct nereus_scenario scenario = {.ns = 2,
                                                .nt = 4,
                                                .t_iter_ns_s = 0.2,
                                                .t_iter_nt_s = 0.1,
                                                .iterations_before = 3,
                                                .iterations_after = 97};

static struct nereus_interval t_ex_of(const struct nereus_prediction *p)
{
    const struct nereus_goal_part part = {&scenario, p};
    const struct nereus_goal_figure t_ex = {.quantity = NEREUS_QUANTITY_T_EX};
    return nereus_goal_interval(&part, 1, &t_ex);
}

static void expect_near(double value, double expected, const char *what)
{
    cr_expect(fabs(value - expected) <= 1e-9 * fmax(1, fabs(expected)), "%s: %.12g, expected %.12g",
              what, value, expected);
}

/* T_ex = 3 x 0.2 + RT + 97 x 0.1: as far from its value as RT is. */
Test(quantity_interval, synchronous)
{
    const struct nereus_prediction p = {
        .rt_s = {1, 0.8, 1.5}, .wait_s = 1, .t_ex_expected_s = 11.3, .omega = 1};
    const struct nereus_interval t_ex = t_ex_of(&p);
    expect_near(t_ex.value, 11.3, "T_ex");
    expect_near(t_ex.low, 11.1, "low");
    expect_near(t_ex.high, 11.8, "high");
    expect_near(nereus_iterations_interval(&scenario, &p).high, 0, "It");
    expect_near(nereus_omega_interval(&scenario, &p).high, 1, "omega");
}

/* RT 2 s overlaps 5 iterations of 0.4 s (omega 2), and half a one until its end is noticed. */
static struct nereus_prediction overlapped(struct nereus_interval rt_s, double omega_factor)
{
    return (struct nereus_prediction){.rt_s = rt_s,
                                      .overlapped = true,
                                      .omega = 2,
                                      .omega_factor = omega_factor,
                                      .iterations = 6,
                                      .iterations_expected = 5.5,
                                      .ct_s = 2.4,
                                      .wait_s = 2.2,
                                      .t_ex_expected_s = 0.6 + 2.2 + 91.5 * 0.1};
}

Test(quantity_interval, iterations_follow_rt_and_omega)
{
    const struct {
        struct nereus_interval rt_s;
        double omega_factor, low, high;
    } rows[] = {
        {{2, 2, 2}, 1, 6, 6},    /* certain: as predicted */
        {{2, 1, 4}, 1, 3, 11},   /* 5.5 x 1/2 = 2.75, 5.5 x 2 = 11 */
        {{2, 2, 2}, 2, 3, 11},   /* 5 / 2 + 0.5 = 3; omega 1 at least: 5 x 2 + 0.5 = 10.5 */
        {{2, 1, 100}, 1, 3, 97}, /* no more than are left */
        {{2, 0.01, 2}, 1, 1, 6}, /* no less than one */
    };
    for (size_t i = 0; i < NEREUS_COUNT_OF(rows); i++) {
        const struct nereus_prediction p = overlapped(rows[i].rt_s, rows[i].omega_factor);
        const struct nereus_interval it = nereus_iterations_interval(&scenario, &p);
        cr_expect(it.value == 6 && it.low == rows[i].low && it.high == rows[i].high,
                  "row %zu: %g to %g", i, it.low, it.high);
    }
}

/* RT twice as long: 5.5 iterations more, each 0.4 s instead of 0.1 s. */
Test(quantity_interval, t_ex_of_an_overlap)
{
    const struct nereus_prediction p = overlapped((struct nereus_interval){2, 2, 4}, 1);
    const struct nereus_interval t_ex = t_ex_of(&p);
    expect_near(t_ex.high - t_ex.value, 5.5 * 0.3, "T_ex");
    expect_near(t_ex.low, t_ex.value, "T_ex, low");
}

static const double normal_90 = 1.6448536269514722, repeats = 0.04 * 1.4142135623730951;

/* 1.645 x sqrt(1/12) x (1 - 1/2) / 5.5 beside log 1.1; and two times that repeat to 4 %. */
Test(quantity_interval, omega_of_few_iterations)
{
    const struct nereus_prediction p = overlapped((struct nereus_interval){2, 2, 2}, 1.1);
    const double measured = normal_90 * hypot(repeats, sqrt(1 / 12.0) * 0.5 / 5.5);
    expect_near(nereus_omega_interval(&scenario, &p).high, 2 * exp(hypot(log(1.1), measured)),
                "omega");
}

/* Above the cores slices of 1 ms scatter in 5.5 iterations of 0.4 s and in 3 of 0.2 s before: here
 * iterations are 100 times as short. Omega may then be measured below 1. */
Test(quantity_interval, omega_above_the_cores)
{
    struct nereus_scenario shorter = scenario;
    struct nereus_prediction p = overlapped((struct nereus_interval){2, 2, 2}, 1.1);
    shorter.t_iter_ns_s = 0.002;
    const double partly = hypot(repeats, sqrt(1 / 12.0) * 0.5 / 5.5),
                 sliced = hypot(0.25 / sqrt(5.5), 0.5 / sqrt(3.0));
    const struct nereus_interval within = nereus_omega_interval(&shorter, &p);
    expect_near(within.high, 2 * exp(hypot(log(1.1), normal_90 * partly)), "within");
    p.oversubscribed = true;
    const double factor = exp(hypot(log(1.1), normal_90 * hypot(partly, sliced)));
    expect_near(nereus_omega_interval(&shorter, &p).high, 2 * factor, "high");
    p.omega = 1;
    cr_expect(nereus_omega_interval(&shorter, &p).low < 1, "low");
    p.oversubscribed = false;
    expect_near(nereus_omega_interval(&shorter, &p).low, 1, "low, within the cores");
}
