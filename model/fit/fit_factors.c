/** @file fit_factors.c  Computes 90 % intervals of single measurements from their residuals. */
#include "fit_factors.h"

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics.h>

static const double slice_s = 0.01; /* time slice of a scheduler */
/* typical half-widths (logarithms) below and above slice_s, and typical delay of a short step */
static const double short_half_width = 1.8, long_half_width = 0.35, delay_s = 0.004;

/* Quantile by Weibull's plotting position: the kth of n values is the quantile k / (n + 1). GSL's
 * position, (k - 1) / (n - 1), is too narrow for few values. */
static double compute_quantile(const double *ascending, size_t n, double probability)
{
    const double place = fmax(0, probability * (double)(n + 1) - 1) / fmax(1, (double)n - 1);
    return gsl_stats_quantile_from_sorted_data(ascending, 1, n, fmin(1, place));
}

/* Half-width of the interval. Few rows do not determine their 5 % quantile, and Student's quantile
 * alone is too wide: with one degree of freedom it is 3.8 times that of a normal distribution, and
 * makes a factor of 14 of a factor of 2. So a typical half-width (prior) counts as further rows.
 * The prior depends on the time: a preempted process loses some milliseconds, a factor of 100 for a
 * step of microseconds, nothing for a step of a second. */
static double compute_half_width(double own, double degrees_of_freedom, double typical)
{
    /* weight of the typical half-width in rows; degrees of freedom that it adds */
    static const double prior_rows = 2, prior_degrees = 4;
    const double pooled =
        (degrees_of_freedom * fabs(own) + prior_rows * typical) / (degrees_of_freedom + prior_rows);
    return pooled * gsl_cdf_tdist_Pinv(0.95, degrees_of_freedom + prior_degrees) /
           gsl_cdf_ugaussian_Pinv(0.95);
}

/* Half-widths of n deviations below and above 0. This sorts them. */
static void compute_half_widths(double *deviations, size_t n, size_t terms, double typical,
                                double half_widths[2])
{
    const double degrees_of_freedom = n > terms + 1 ? (double)(n - terms) : (double)(n > 0);
    double low = 0, high = 0;
    if (n > 0) {
        gsl_sort(deviations, 1, n);
        low = fmin(0, compute_quantile(deviations, n, 0.05));
        high = fmax(0, compute_quantile(deviations, n, 0.95));
    }
    half_widths[0] = compute_half_width(low, degrees_of_freedom, typical);
    half_widths[1] = compute_half_width(high, degrees_of_freedom, typical);
}

void nereus_fit_factors(double *logs, size_t n, size_t terms, double time_s,
                        struct nereus_linear_model *model)
{
    double half_widths[2];
    if (n == 0)
        return;
    compute_half_widths(logs, n, terms, time_s < slice_s ? short_half_width : long_half_width,
                        half_widths);
    model->low_factor = exp(-half_widths[0]);
    model->high_factor = exp(half_widths[1]);
}

/* Set the factors of steps of at least slice_s. */
static void set_long_factors(const struct nereus_fit_single *singles, size_t n, size_t terms,
                             double *scratch, struct nereus_linear_model *model)
{
    double half_widths[2];
    size_t count = 0;
    for (size_t i = 0; i < n; i++)
        if (singles[i].value_s >= slice_s)
            scratch[count++] = log(singles[i].time_s / singles[i].value_s);
    compute_half_widths(scratch, count, terms, long_half_width, half_widths);
    model->long_low_factor = exp(-half_widths[0]);
    model->long_high_factor = exp(half_widths[1]);
}

static void set_short_delays(const struct nereus_fit_single *singles, size_t n, size_t terms,
                             double *scratch, struct nereus_linear_model *model)
{
    double half_widths[2];
    size_t count = 0;
    for (size_t i = 0; i < n; i++)
        if (singles[i].value_s < slice_s)
            scratch[count++] = singles[i].time_s - singles[i].value_s;
    compute_half_widths(scratch, count, terms, delay_s, half_widths);
    model->early_s = half_widths[0];
    model->late_s = half_widths[1];
}

void nereus_fit_set_long_and_short(const struct nereus_fit_single *singles, size_t n, size_t terms,
                                   double *scratch, struct nereus_linear_model *model)
{
    bool any_short = false;
    for (size_t i = 0; i < n; i++)
        any_short = any_short || singles[i].value_s < slice_s;
    if (!any_short)
        return; /* nereus_fit_factors has set the factors of long steps */
    set_long_factors(singles, n, terms, scratch, model);
    set_short_delays(singles, n, terms, scratch, model);
}
