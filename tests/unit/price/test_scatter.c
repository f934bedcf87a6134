/** @file test_scatter.c  Quantiles of sums of skewed parts, against sums that are drawn. */
#include <criterion/criterion.h>
#include <gsl/gsl_cdf.h>
#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>
#include <gsl/gsl_sort.h>
#include <math.h>

#include "model/price/cost_scatter.h"
#include "model/price/cost_sum.h"
#include "model/util/arith.h"

enum { PARTS_MAX = 12, DRAWS = 20000, SUMS = 60 };

static struct nereus_cost_part part_of(double value_s, double low, double high)
{
    const struct nereus_factor_moments moments = nereus_scatter_moments(low, high);
    return nereus_scatter_part(value_s, low, high, &moments, 0);
}

/* A part that dominates or not, factors up to 1.2 or up to 20. */
static int draw_parts(gsl_rng *rng, struct nereus_cost_part *parts)
{
    const int count = 2 + (int)gsl_rng_uniform_int(rng, PARTS_MAX - 1);
    const double uneven = gsl_ran_flat(rng, 0, 2.5), tail = gsl_ran_flat(rng, 0.2, 3);
    for (int i = 0; i < count; i++)
        parts[i] = part_of(exp(uneven * gsl_ran_ugaussian(rng)), exp(-gsl_ran_flat(rng, 0.05, 0.9)),
                           exp(gsl_ran_flat(rng, 0.05, tail)));
    return count;
}

static void drawn_quantiles(gsl_rng *rng, const struct nereus_cost_part *parts, int count,
                            double *q)
{
    static double sums[DRAWS];
    const double unit = gsl_cdf_ugaussian_Pinv(0.95);
    for (int d = 0; d < DRAWS; d++) {
        sums[d] = 0;
        for (int i = 0; i < count; i++) {
            const double z = gsl_ran_ugaussian(rng) / unit;
            sums[d] +=
                parts[i].value_s * pow(z < 0 ? 1 / parts[i].low_factor : parts[i].high_factor, z);
        }
    }
    gsl_sort(sums, 1, DRAWS);
    for (int k = 0; k < 3; k++)
        q[k] = sums[(size_t)((k == 0 ? 0.05 : k == 1 ? 0.5 : 0.95) * DRAWS)];
}

static struct nereus_scatter sum_of(const struct nereus_cost_part *parts, int count)
{
    struct nereus_scatter sum = {0};
    for (int i = 0; i < count; i++)
        nereus_scatter_add(&sum, &parts[i]);
    return sum;
}

/* Errors of the median and of both ends, in units of the true distances from the median to the
 * ends. */
Test(scatter, quantiles_of_random_sums)
{
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    double off[3][SUMS];
    for (int s = 0; s < SUMS; s++) {
        struct nereus_cost_part parts[PARTS_MAX];
        double drawn[3], q[3];
        const int count = draw_parts(rng, parts);
        const struct nereus_scatter sum = sum_of(parts, count);
        drawn_quantiles(rng, parts, count, drawn);
        nereus_scatter_find_quantiles(&sum, q);
        off[0][s] = fabs(log(q[1] / q[0]) / log(drawn[1] / drawn[0]) - 1);
        off[1][s] = fabs(log(q[1] / drawn[1]) / log(drawn[2] / drawn[0]));
        off[2][s] = fabs(log(q[2] / q[1]) / log(drawn[2] / drawn[1]) - 1);
        cr_assert(q[0] > 0 && q[0] < q[1] && q[1] < q[2]);
    }
    for (int k = 0; k < 3; k++) {
        gsl_sort(off[k], 1, SUMS);
        cr_expect(off[k][SUMS / 2] < 0.05, "%d: %g off in the median", k, off[k][SUMS / 2]);
        cr_expect(off[k][SUMS * 9 / 10] < 0.2, "%d: %g off at the 90th percentile", k,
                  off[k][SUMS * 9 / 10]);
    }
    gsl_rng_free(rng);
}

/* Factors of 20 to 2000 either way: far extrapolations. */
Test(scatter, quantiles_of_wide_sums)
{
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    for (int s = 0; s < SUMS / 2; s++) {
        struct nereus_cost_part parts[PARTS_MAX];
        double drawn[3], q[3];
        const int count = 2 + (int)gsl_rng_uniform_int(rng, PARTS_MAX - 1);
        const double uneven = gsl_ran_flat(rng, 0, 1.5), factor = exp(gsl_ran_flat(rng, 3.1, 7.6));
        for (int i = 0; i < count; i++)
            parts[i] = part_of(exp(uneven * gsl_ran_ugaussian(rng)), 1 / factor, factor);
        const struct nereus_scatter sum = sum_of(parts, count);
        drawn_quantiles(rng, parts, count, drawn);
        nereus_scatter_find_quantiles(&sum, q);
        for (int k = 0; k < 3; k++)
            cr_expect(fabs(log(q[k] / drawn[k])) < log(k == 0 ? 5 : 2.5),
                      "%d parts of %g, %d: %g, drawn %g", count, factor, k, q[k], drawn[k]);
    }
    gsl_rng_free(rng);
}

Test(scatter, of_one_part_is_exact)
{
    const struct nereus_cost_part one = part_of(2.5, 0.4, 7);
    const struct nereus_scatter sum = sum_of(&one, 1);
    double q[3];
    nereus_scatter_find_quantiles(&sum, q);
    cr_expect_float_eq(q[0], 1, 1e-12);
    cr_expect_float_eq(q[1], 2.5, 1e-12);
    cr_expect_float_eq(q[2], 17.5, 1e-12);
}

/* Independent of order and grouping; scales with a factor. */
Test(scatter, sums_add_up)
{
    const struct nereus_cost_part parts[] = {part_of(1.3, 0.7, 2.1), part_of(0.4, 0.5, 9),
                                             part_of(2.2, 0.9, 1.1), part_of(0.05, 0.2, 30)};
    struct nereus_scatter one = sum_of(parts, 4), left = sum_of(parts + 2, 2),
                          right = sum_of(parts, 2);
    double a[3], b[3];
    nereus_scatter_add_sum(&left, &right);
    nereus_scatter_scale(&left, 3.7);
    nereus_scatter_find_quantiles(&one, a);
    nereus_scatter_find_quantiles(&left, b);
    for (int k = 0; k < 3; k++)
        cr_expect_float_eq(b[k], 3.7 * a[k], 1e-9 * b[k]);
    cr_expect_float_eq(left.error_s2, 3.7 * 3.7 * one.error_s2, 1e-9);
    cr_expect(left.parts == 4);
}

/* A part widened by extrapolation has nearly the moments of the wider factor. */
Test(scatter, wider_parts)
{
    const struct nereus_factor_moments moments = nereus_scatter_moments(0.6, 1.9);
    const double wider = 0.3;
    const struct nereus_cost_part part = nereus_scatter_part(1, 0.6, 1.9, &moments, wider);
    const struct nereus_factor_moments exact =
        nereus_scatter_moments(part.low_factor, part.high_factor);
    cr_expect_float_eq(part.high_factor, 1.9 * exp(wider), 1e-12);
    cr_expect_float_eq(part.moments.width, exact.width, 1e-12);
    cr_expect_float_eq(part.moments.mean, exact.mean, 0.05 * exact.mean);
    cr_expect_float_eq(part.moments.variance, exact.variance, 0.25 * exact.variance);
    cr_expect_float_eq(part.moments.third, exact.third, 0.5 * exact.third);
}

Test(scatter, student)
{
    for (int64_t degrees_of_freedom = 1; degrees_of_freedom <= 1000; degrees_of_freedom++)
        cr_expect_float_eq(nereus_student_95(degrees_of_freedom),
                           gsl_cdf_tdist_Pinv(0.95, (double)degrees_of_freedom), 1e-5, "%lld",
                           (long long)degrees_of_freedom);
}

/* The interval of a factor is exp of its error; a value near 0 with a large error still has a
 * finite end. */
Test(scatter, factors_of_errors_are_numbers)
{
    cr_expect(nereus_error_factor(1.2) == exp(1.2) && nereus_error_factor(6.9) == exp(6.9));
    double before = nereus_error_factor(6.9);
    for (double half_width = 7; half_width < 1e9; half_width *= 1.5) {
        const double factor = nereus_error_factor(half_width);
        cr_expect(factor > before && isfinite(factor), "%g: %g after %g", half_width, factor,
                  before);
        before = factor;
    }
    const struct nereus_cost_sum sum = {
        .value_s = 1e-6, .variance_s2 = 0.02 * 0.02, .degrees_of_freedom = 1};
    const struct nereus_interval interval = nereus_cost_interval(&sum);
    cr_expect(interval.low > 0 && isfinite(interval.high), "%g to %g", interval.low, interval.high);
}

/* Source: Satterthwaite (1946), worked out by hand. */
Test(scatter, a_small_part_of_few_rows_hardly_widens_a_sum)
{
    static const struct {
        struct nereus_cost_sum a, b;
        double expected;
    } rows[] = {
        {{.variance_s2 = 3, .degrees_of_freedom = 7},
         {.variance_s2 = 2, .degrees_of_freedom = 5},
         25 / (9.0 / 7 + 4.0 / 5)},
        {{.common_scatter_s = 9, .degrees_of_freedom = 40},
         {.common_scatter_s = 0.5, .degrees_of_freedom = 1},
         9.5 * 9.5 / (81.0 / 40 + 0.25)},
        {{.variance_s2 = 6, .common_scatter_s = 2, .degrees_of_freedom = 11},
         {.common_scatter_s = 1, .degrees_of_freedom = 4},
         15 * 15 / (144.0 / 11 + 9.0 / 4)},
        {{.variance_s2 = 3, .degrees_of_freedom = INFINITY},
         {.variance_s2 = 2, .degrees_of_freedom = 2},
         25 / 2.0},
        {{.value_s = 3, .degrees_of_freedom = 3},
         {.value_s = 1, .degrees_of_freedom = 2},
         INFINITY},
    };
    for (size_t i = 0; i < NEREUS_COUNT_OF(rows); i++) {
        struct nereus_cost_sum ab = rows[i].a, ba = rows[i].b;
        nereus_cost_add_sum(&ab, &rows[i].b);
        nereus_cost_add_sum(&ba, &rows[i].a);
        cr_expect(ab.degrees_of_freedom == rows[i].expected ||
                      fabs(ab.degrees_of_freedom / rows[i].expected - 1) < 1e-12,
                  "row %zu: %g", i, ab.degrees_of_freedom);
        cr_expect_eq(ab.degrees_of_freedom, ba.degrees_of_freedom);
    }
}
