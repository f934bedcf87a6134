/** @file scatter.c  Computes the robust scatter of residuals. */
#include "scatter.h"

#include "model/statistics/statistics.h"

/* Repeatability of the papers' tables: lower bound of the scatter of a fit to few rows. */
static const double repeatability = 0.04;
/* lower bound of any scatter: rows that agree to the last digit were rounded */
static const double rounded_log_sd = 0.005;

/* Huber's proposal 2 in one step: root mean square of residuals clipped at k times the median's
 * scale. For few residuals this is more efficient than their median. */
double nereus_fit_log_sd(double *residuals, size_t n, size_t terms)
{
    const double min = n <= terms + 2 ? repeatability : rounded_log_sd,
                 degrees_of_freedom = n > terms ? (double)(n - terms) : 1;
    double sum = 0;
    for (size_t i = 0; i < n; i++)
        residuals[i] = fabs(residuals[i]);
    const double edge = NEREUS_HUBER_K * 1.4826 * nereus_median(residuals, (int)n);
    for (size_t i = 0; i < n; i++)
        sum += pow(fmin(residuals[i], edge), 2);
    const double log_sd = sqrt(sum / (NEREUS_HUBER_SHARE * degrees_of_freedom));
    return log_sd < min ? min : log_sd; /* NAN stays NAN */
}
