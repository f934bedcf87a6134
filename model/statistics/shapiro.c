/**
 * @file shapiro.c
 * Computes W = (sum of a_i x_(i))^2 / sum of (x_i - mean)^2 (Shapiro and Wilk (1965)), with the
 * coefficients a and the distribution of W as approximated by Royston (1995), algorithm AS R94.
 */
#include <gsl/gsl_cdf.h>
#include <gsl/gsl_poly.h>
#include <gsl/gsl_statistics_double.h>

#include "statistics.h"

/* The approximations of AS R94: polynomials, lowest power first, in 1 / sqrt(n), n or log(n). */
static const double outermost[] = {0, 0.221157, -0.147981, -2.07119, 4.434685, -2.706056};
static const double second[] = {0, 0.042981, -0.293762, -1.752461, 5.682633, -3.582633};
static const double few_mean[] = {0.544, -0.39978, 0.025054, -6.714e-4};
static const double few_log_sd[] = {1.3822, -0.77857, 0.062767, -0.0020322};
static const double few_bound[] = {-2.273, 0.459};
static const double many_mean[] = {-1.5861, -0.31082, -0.083751, 0.0038915};
static const double many_log_sd[] = {-0.4803, -0.082676, 0.0030302};

#define POLYNOMIAL(coefficients, x)                                                                \
    gsl_poly_eval(coefficients, (int)NEREUS_COUNT_OF(coefficients), x)

/* Expected normal order statistic i of n, from 0, by Blom's approximation. */
static double compute_blom_score(int i, int n)
{
    return gsl_cdf_ugaussian_Pinv((i + 1 - 0.375) / (n + 0.25));
}

/* The one or two outermost coefficients, and the scale of the others, Blom's scores. */
struct coefficients {
    int n, own; /* own: number of outermost coefficients on either side */
    double a[2];
    double scale;
};

static struct coefficients compute_coefficients(int n)
{
    struct coefficients c = {.n = n, .own = n > 5 ? 2 : 1};
    if (n == 3) {
        c.a[0] = -sqrt(0.5);
        c.scale = 1;
        return c;
    }
    double squares = 0;
    for (int i = 0; i < n; i++)
        squares += compute_blom_score(i, n) * compute_blom_score(i, n);
    c.a[0] = compute_blom_score(0, n) / sqrt(squares) - POLYNOMIAL(outermost, 1 / sqrt(n));
    c.a[1] =
        c.own == 2 ? compute_blom_score(1, n) / sqrt(squares) - POLYNOMIAL(second, 1 / sqrt(n)) : 0;
    double rest = squares, left = 1;
    for (int i = 0; i < c.own; i++) {
        rest -= 2 * compute_blom_score(i, n) * compute_blom_score(i, n);
        left -= 2 * c.a[i] * c.a[i];
    }
    c.scale = sqrt(rest / left);
    return c;
}

/* Coefficient a_i; the coefficients are antisymmetric. */
static double get_coefficient(const struct coefficients *c, int i)
{
    const int mirrored = c->n - 1 - i;
    if (i > mirrored)
        return -get_coefficient(c, mirrored);
    if (i == mirrored)
        return 0;
    return i < c->own ? c->a[i] : compute_blom_score(i, c->n) / c->scale;
}

/* Probability of a statistic of at most W = 1 - rest. */
static double compute_p_value(int n, double rest)
{
    if (n == 3) /* exact */
        return fmin(1, fmax(0, 6 / M_PI * (asin(sqrt(1 - rest)) - asin(sqrt(0.75)))));
    double y = log(rest), mean, sd;
    if (n <= 11) {
        const double bound = POLYNOMIAL(few_bound, n);
        if (y >= bound)
            return 0;
        y = -log(bound - y);
        mean = POLYNOMIAL(few_mean, n);
        sd = exp(POLYNOMIAL(few_log_sd, n));
    } else {
        mean = POLYNOMIAL(many_mean, log(n));
        sd = exp(POLYNOMIAL(many_log_sd, log(n)));
    }
    return gsl_cdf_ugaussian_Q((y - mean) / sd);
}

double nereus_shapiro_wilk(const double *sorted, int count, double *p)
{
    *p = NAN;
    if (count < NEREUS_SHAPIRO_VALUES_MIN || count > NEREUS_SHAPIRO_VALUES_MAX ||
        !(sorted[count - 1] > sorted[0]))
        return NAN;
    /* relative to mean and range: sums of squares neither vanish nor overflow */
    const double range = sorted[count - 1] - sorted[0];
    const double mean = gsl_stats_mean(sorted, 1, (size_t)count);
    const struct coefficients c = compute_coefficients(count);
    double product = 0, values = 0, weights = 0;
    for (int i = 0; i < count; i++) {
        const double x = (sorted[i] - mean) / range, a = get_coefficient(&c, i);
        product += a * x;
        values += x * x;
        weights += a * a;
    }
    /* 1 - W by factors: no cancellation if W is nearly 1 */
    const double length = sqrt(values * weights);
    const double rest = (length - product) * (length + product) / (values * weights);
    *p = compute_p_value(count, fmax(rest, 1e-19));
    return 1 - rest;
}
