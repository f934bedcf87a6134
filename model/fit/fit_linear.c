/*
 * Robust non-negative least squares: iteratively reweighted, Huber's weights (k = 1.345: 95 %
 * efficiency on normal residuals, Holland and Welsch 1977), on GSL's weighted linear solver.
 *
 * GSL's own gsl_multifit_robust is not used: rows are scaled by 1 / time, so that every target is
 * 1, and it takes the standard deviation of the targets (then 0) as the lower bound of the
 * residuals' scale and never downweights anything. Coefficients >= 0 by dropping the most negative
 * one and fitting again: GSL has no non-negative solver.
 */
#include "fit_linear.h"

#include <gsl/gsl_errno.h>
#include <gsl/gsl_multifit.h>
#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { ITERATIONS_MAX = 60 };
static const double huber_k = 1.345;
/* mean of min(z, k)^2 of normal z: what is left of the variance */
static const double huber_share = 0.7102;
/* of a column's length that earlier columns must leave unexplained */
static const double degenerate = 0.02;
static const double scale_least = 1e-6; /* residuals below this are rounding, not noise */
static const double converged = 1e-9;
/* repeatability of the papers' tables: a perfect fit to few rows is no better */
static const double repeatability = 0.04;
static const double repeats_best = 0.005; /* many rows that agree to the last digit were rounded */

enum nereus_status nereus_fit_problem_init(size_t rows, size_t columns,
                                           struct nereus_fit_problem *p, struct nereus_error *err)
{
    p->rows = rows;
    p->columns = columns;
    p->x = calloc(rows * columns + 1, sizeof *p->x);
    p->y = calloc(rows + 1, sizeof *p->y);
    p->scale = calloc(rows + 1, sizeof *p->scale);
    p->log_of = calloc(rows + 1, sizeof *p->log_of);
    p->sigma = malloc((rows + 1) * sizeof *p->sigma);
    p->family = calloc(columns + 1, sizeof *p->family);
    p->limit = malloc((columns + 1) * sizeof *p->limit);
    p->needed = calloc(columns + 1, sizeof *p->needed);
    if (p->x == NULL || p->y == NULL || p->scale == NULL || p->log_of == NULL || p->sigma == NULL ||
        p->family == NULL || p->limit == NULL || p->needed == NULL) {
        nereus_fit_problem_fini(p);
        return nereus_fail(err, NEREUS_ERR_MEMORY, "no memory for a fit of %zu rows", rows);
    }
    for (size_t r = 0; r < rows; r++)
        p->sigma[r] = 1;
    for (size_t c = 0; c < columns; c++)
        p->limit[c] = SIZE_MAX;
    return NEREUS_OK;
}

void nereus_fit_problem_fini(struct nereus_fit_problem *problem)
{
    free(problem->x);
    free(problem->y);
    free(problem->scale);
    free(problem->log_of);
    free(problem->sigma);
    free(problem->family);
    free(problem->limit);
    free(problem->needed);
    memset(problem, 0, sizeof *problem);
}

void nereus_fit_result_fini(struct nereus_fit_result *result)
{
    free(result->kept);
    free(result->coefficients);
    free(result->covariance);
    free(result->residuals);
    memset(result, 0, sizeof *result);
}

double nereus_median(double *values, size_t n)
{
    if (n == 0)
        return NAN;
    gsl_sort(values, 1, n);
    return gsl_stats_median_from_sorted_data(values, 1, n);
}

/* What a row's features and target are divided by. */
static double divisor(const struct nereus_fit_problem *p, size_t row)
{
    return (p->scale[row] > 0 ? p->scale[row] : p->y[row]) * p->sigma[row];
}

/* Robust standard deviation of sizes around 0, with the degrees of freedom used up. */
static double scatter(double *sizes, size_t n, size_t terms)
{
    const double degrees_of_freedom = n > terms ? (double)(n - terms) : 1;
    return 1.4826 * nereus_median(sizes, n) * sqrt((double)n / degrees_of_freedom);
}

/*
 * Huber's proposal 2 in one step: root mean square of residuals clipped at k times the median's
 * scale. For few residuals it is more efficient than their median.
 */
static double huber_rms(double *sizes, size_t n, size_t terms)
{
    const double degrees_of_freedom = n > terms ? (double)(n - terms) : 1;
    const double edge = huber_k * 1.4826 * nereus_median(sizes, n);
    double sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += pow(fmin(sizes[i], edge), 2);
    return sqrt(sum / (huber_share * degrees_of_freedom));
}

static double believed(double log_sd, size_t n, size_t terms)
{
    const double least = n <= terms + 2 ? repeatability : repeats_best;
    return log_sd < least ? least : log_sd; /* NAN stays NAN */
}

double nereus_fit_spread(double *residuals, size_t n, size_t terms)
{
    for (size_t i = 0; i < n; i++)
        residuals[i] = fabs(residuals[i]);
    return believed(n > 0 ? huber_rms(residuals, n, terms) : 0, n, terms);
}

double nereus_fit_spread_all(const double *residuals, size_t n, size_t terms)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += residuals[i] * residuals[i];
    const double log_sd = n > 0 ? sqrt(sum / (double)(n > terms ? n - terms : 1)) : 0;
    return believed(log_sd, n, terms);
}

static double dot(const double *a, const double *b, size_t n)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += a[i] * b[i];
    return sum;
}

static size_t kept_of_family(const struct nereus_fit_problem *p, const bool *kept, size_t before)
{
    size_t n = 0;
    for (size_t c = 0; c < before; c++)
        n += kept[c] && p->family[c] == p->family[before];
    return n;
}

/* Gram-Schmidt over the scaled columns in their order: who adds nothing new, or comes when there
 * are as many columns as rows, is left out. basis: room for rows x columns. */
static void admit_columns(const struct nereus_fit_problem *p, double *basis, bool *kept)
{
    size_t admitted = 0;
    /* one degree of freedom is left for the spread */
    const size_t most = p->rows > 1 ? p->rows - 1 : 1;
    for (size_t c = 0; c < p->columns; c++) {
        double *v = basis + admitted * p->rows;
        for (size_t r = 0; r < p->rows; r++)
            v[r] = p->x[r * p->columns + c] / divisor(p, r);
        const double before = sqrt(dot(v, v, p->rows));
        for (size_t b = 0; b < admitted; b++) {
            const double *q = basis + b * p->rows;
            const double share = dot(v, q, p->rows);
            for (size_t r = 0; r < p->rows; r++)
                v[r] -= share * q[r];
        }
        const double after = sqrt(dot(v, v, p->rows));
        kept[c] = admitted < most && before > 0 && after > degenerate * before &&
                  kept_of_family(p, kept, c) < p->limit[c];
        if (kept[c]) {
            for (size_t r = 0; r < p->rows; r++)
                v[r] /= after;
            admitted++;
        }
    }
}

struct work {
    gsl_matrix *x, *covariance;
    gsl_vector *y, *weights, *c;
    gsl_multifit_linear_workspace *space;
    double *scratch;
};

static void work_free(struct work *w)
{
    gsl_matrix_free(w->x);
    gsl_matrix_free(w->covariance);
    gsl_vector_free(w->y);
    gsl_vector_free(w->weights);
    gsl_vector_free(w->c);
    gsl_multifit_linear_free(w->space);
    free(w->scratch);
}

static bool work_make(size_t rows, size_t columns, struct work *w)
{
    w->x = gsl_matrix_alloc(rows, columns);
    w->covariance = gsl_matrix_alloc(columns, columns);
    w->y = gsl_vector_alloc(rows);
    w->weights = gsl_vector_alloc(rows);
    w->c = gsl_vector_alloc(columns);
    w->space = gsl_multifit_linear_alloc(rows, columns);
    w->scratch = malloc(rows * sizeof *w->scratch);
    return w->x != NULL && w->covariance != NULL && w->y != NULL && w->weights != NULL &&
           w->c != NULL && w->space != NULL && w->scratch != NULL;
}

/* Relative residuals of the coefficients in w->c, and their robust scale. */
static double residual_scale(const struct nereus_fit_problem *p, struct work *w, size_t columns,
                             double *residuals)
{
    for (size_t r = 0; r < p->rows; r++) {
        double fitted = 0;
        for (size_t c = 0; c < columns; c++)
            fitted += gsl_matrix_get(w->x, r, c) * gsl_vector_get(w->c, c);
        const double residual = gsl_vector_get(w->y, r) - fitted;
        residuals[r] = residual * p->sigma[r];
        w->scratch[r] = fabs(residual);
    }
    return scatter(w->scratch, p->rows, columns);
}

/* Huber's fit of the columns in w->x. @return a GSL status */
static int huber(const struct nereus_fit_problem *p, struct work *w, size_t columns,
                 double *residuals, double *log_sd)
{
    double chisq, before = INFINITY;
    gsl_vector_set_all(w->weights, 1);
    for (size_t r = 0; r < p->rows; r++)
        gsl_vector_set(w->y, r, p->y[r] / divisor(p, r));
    for (int i = 0; i < ITERATIONS_MAX; i++) {
        const int status =
            gsl_multifit_wlinear(w->x, w->weights, w->y, w->c, w->covariance, &chisq, w->space);
        if (status != GSL_SUCCESS)
            return status;
        *log_sd = residual_scale(p, w, columns, residuals);
        const double edge = huber_k * fmax(*log_sd, scale_least);
        double sum = 0;
        for (size_t r = 0; r < p->rows; r++) {
            const double size = fabs(residuals[r]) / p->sigma[r];
            gsl_vector_set(w->weights, r, size > edge ? edge / size : 1);
            sum += size;
        }
        if (fabs(before - sum) <= converged * (sum + scale_least))
            break;
        before = sum;
    }
    return GSL_SUCCESS;
}

/*
 * The kept column to drop next; columns if none: the one whose negative coefficient takes away
 * most, else the one whose coefficient is smallest beside its own standard error, if it is below it
 * (it costs more in scatter than it explains). The first kept column stays: something must be left.
 */
static size_t next_to_drop(const struct nereus_fit_problem *p, const struct work *w,
                           const bool *kept, double log_sd)
{
    size_t negative = p->columns, weakest = p->columns, k = 0;
    double least = 0, weakness = 1;
    for (size_t c = 0; c < p->columns; c++) {
        if (!kept[c])
            continue;
        double size = 0;
        for (size_t r = 0; r < p->rows; r++)
            size += fabs(gsl_matrix_get(w->x, r, k));
        const double value = gsl_vector_get(w->c, k);
        const double error = log_sd * sqrt(gsl_matrix_get(w->covariance, k, k));
        if (value * size < least) {
            least = value * size;
            negative = c;
        }
        if (k > 0 && !p->needed[c] && value < weakness * error) {
            weakness = value / error;
            weakest = c;
        }
        k++;
    }
    return negative < p->columns ? negative : weakest;
}

static void store(const struct nereus_fit_problem *p, const struct work *w, double log_sd,
                  struct nereus_fit_result *result)
{
    size_t i = 0;
    for (size_t c = 0; c < p->columns; c++) {
        if (!result->kept[c])
            continue;
        size_t j = 0;
        result->coefficients[c] = gsl_vector_get(w->c, i);
        for (size_t d = 0; d < p->columns; d++)
            if (result->kept[d])
                /* The solver's covariance is for residuals of variance 1. */
                result->covariance[c * p->columns + d] =
                    gsl_matrix_get(w->covariance, i, j++) * log_sd * log_sd;
        i++;
    }
    result->kept_count = i;
    result->log_sd = log_sd;
}

/* One round: fit the kept columns; drop one if need be. @return GSL status; *again: another round
 * is due */
static int fit_round(const struct nereus_fit_problem *p, struct nereus_fit_result *result,
                     bool *again)
{
    size_t columns = 0;
    *again = false;
    for (size_t c = 0; c < p->columns; c++)
        columns += result->kept[c];
    if (columns == 0)
        return GSL_SUCCESS;
    struct work w = {0};
    int status = work_make(p->rows, columns, &w) ? GSL_SUCCESS : GSL_ENOMEM;
    if (status == GSL_SUCCESS) {
        double log_sd = 0;
        for (size_t r = 0; r < p->rows; r++)
            for (size_t c = 0, k = 0; c < p->columns; c++)
                if (result->kept[c])
                    gsl_matrix_set(w.x, r, k++, p->x[r * p->columns + c] / divisor(p, r));
        status = huber(p, &w, columns, result->residuals, &log_sd);
        const size_t worst =
            status == GSL_SUCCESS ? next_to_drop(p, &w, result->kept, log_sd) : p->columns;
        *again = worst < p->columns;
        if (*again)
            result->kept[worst] = false;
        else if (status == GSL_SUCCESS)
            store(p, &w, log_sd, result);
    }
    work_free(&w);
    return status;
}

enum nereus_status nereus_fit_linear(const struct nereus_fit_problem *p,
                                     struct nereus_fit_result *result, struct nereus_error *err)
{
    struct nereus_fit_result fit = {.columns = p->columns};
    double *basis = malloc((p->rows * p->columns + 1) * sizeof *basis);
    fit.kept = calloc(p->columns + 1, sizeof *fit.kept);
    fit.coefficients = calloc(p->columns + 1, sizeof *fit.coefficients);
    fit.covariance = calloc(p->columns * p->columns + 1, sizeof *fit.covariance);
    fit.residuals = calloc(p->rows + 1, sizeof *fit.residuals);
    int status = GSL_ENOMEM;
    if (basis != NULL && fit.kept != NULL && fit.coefficients != NULL && fit.covariance != NULL &&
        fit.residuals != NULL) {
        bool again = p->rows > 0;
        status = GSL_SUCCESS;
        if (p->rows > 0)
            admit_columns(p, basis, fit.kept);
        /* GSL's default handler ends the program; a library has no right to that, nor to leave it
         * off. */
        gsl_error_handler_t *handler = gsl_set_error_handler_off();
        while (again && status == GSL_SUCCESS)
            status = fit_round(p, &fit, &again);
        gsl_set_error_handler(handler);
    }
    free(basis);
    if (status == GSL_SUCCESS) {
        *result = fit;
        return NEREUS_OK;
    }
    nereus_fit_result_fini(&fit);
    return nereus_fail(err, status == GSL_ENOMEM ? NEREUS_ERR_MEMORY : NEREUS_ERR_NO_BASIS,
                       "a fit to %zu rows failed: %s", p->rows, gsl_strerror(status));
}

double nereus_fit_value_s(const struct nereus_fit_problem *p,
                          const struct nereus_fit_result *result, size_t row)
{
    double sum_s = 0;
    for (size_t c = 0; c < p->columns; c++)
        sum_s += p->x[row * p->columns + c] * result->coefficients[c];
    return sum_s;
}

/* Scale and target of each row with log_of, from the last fit. Steps are limited, as that may be
 * far off at first. @return the largest change of a fitted value's logarithm */
static double retarget(struct nereus_fit_problem *p, const struct nereus_fit_result *result)
{
    double most = 0;
    for (size_t r = 0; r < p->rows; r++) {
        const double measured_s = p->log_of[r], last_s = p->scale[r];
        if (!(measured_s > 0))
            continue;
        double value_s = nereus_fit_value_s(p, result, r);
        if (!(value_s > 0))
            value_s = last_s > 0 ? 0.5 * last_s : measured_s;
        p->scale[r] = value_s;
        p->y[r] = value_s * (1 + fmin(fmax(log(measured_s / value_s), -0.5), 1));
        most = fmax(most, last_s > 0 ? fabs(log(value_s / last_s)) : 1);
    }
    return most;
}

enum nereus_status nereus_fit_log(struct nereus_fit_problem *p, double still,
                                  struct nereus_fit_result *result, struct nereus_error *err)
{
    enum { PASSES_MAX = 30 };
    enum nereus_status status = nereus_fit_linear(p, result, err);
    for (int pass = 0; pass < PASSES_MAX && status == NEREUS_OK && !(retarget(p, result) < still);
         pass++) {
        nereus_fit_result_fini(result);
        status = nereus_fit_linear(p, result, err);
    }
    return status;
}
