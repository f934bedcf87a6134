/**
 * @file regression.c
 * Finds the maximum a posteriori of a regression by Gauss-Newton steps in the logarithms of the
 * coefficients.
 *
 * log(measured / fitted) of a row has the scatter s of its group, log(coefficient / expected) that
 * of its prior: both are residuals of one least-squares problem. So a coefficient stays above 0
 * without a constraint, a term that the rows do not determine keeps its prior, and a term that they
 * contradict becomes negligible. Rows are weighted by Huber's weights, priors are not. s is Huber's
 * proposal 2, to which the prior scatter contributes its degrees of freedom. Priors make the normal
 * equations positive definite: GSL's Cholesky decomposition solves them, and its inverse is the
 * covariance.
 */
#include "regression.h"

#include <gsl/gsl_blas.h>
#include <gsl/gsl_errno.h>
#include <gsl/gsl_linalg.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "model/util/arith.h"
#include "model/util/text.h"
#include "scatter.h"

enum { TURNS_MAX = 30, PASSES_MAX = 100 };
static const double step_max = 1.5;  /* largest change of a logarithm in one pass */
static const double part_min = 2e-4; /* least share of a step that is tried */
static const double converged = 1e-7;
static const double still = 1e-3; /* relative change below which a scatter has converged */

enum nereus_status nereus_regression_init(size_t rows, size_t columns, struct nereus_regression *p,
                                          struct nereus_error *err)
{
    double **const by_row[] = {&p->time_s, &p->base_s, &p->sigma, &p->weight, &p->residuals},
                   **const by_column[] = {&p->coefficients, &p->logs,     &p->before,
                                          &p->shares,       &p->gradient, &p->step};
    memset(p, 0, sizeof *p);
    p->rows = rows;
    p->columns = columns;
    double *next = p->all = calloc((rows + columns) * (columns + 6) + 1, sizeof *p->all);
    p->group = calloc(rows + 1, sizeof *p->group);
    p->priors = calloc(columns + 1, sizeof *p->priors);
    if (p->all == NULL || p->group == NULL || p->priors == NULL)
        return nereus_fail(err, NEREUS_ERR_MEMORY, "no memory for a fit of %zu rows", rows);
    p->covariance = next;
    p->x = next += columns * columns;
    next += rows * columns;
    for (size_t i = 0; i < NEREUS_COUNT_OF(by_row); i++, next += rows)
        *by_row[i] = next;
    for (size_t i = 0; i < NEREUS_COUNT_OF(by_column); i++, next += columns)
        *by_column[i] = next;
    for (size_t r = 0; r < rows; r++)
        p->sigma[r] = p->weight[r] = 1;
    for (int g = 0; g < NEREUS_REGRESSION_GROUPS_MAX; g++)
        p->prior_scatter[g] = (struct nereus_prior_scatter){0.04, 1, false};
    return NEREUS_OK;
}

void nereus_regression_fini(struct nereus_regression *p)
{
    free(p->all);
    free(p->group);
    free(p->priors);
    memset(p, 0, sizeof *p);
}

double nereus_regression_value_s(const struct nereus_regression *p, size_t row)
{
    double sum_s = p->base_s[row];
    for (size_t c = 0; c < p->columns; c++)
        sum_s += p->x[row * p->columns + c] * p->coefficients[c];
    return sum_s;
}

/* Logarithm of the median of a prior, given the other coefficients. */
static double expected_log(const struct nereus_regression *p, size_t column)
{
    const struct nereus_prior *prior = &p->priors[column];
    return log(prior->value) + (prior->ratio_to > 0 ? p->logs[prior->ratio_to - 1] : 0);
}

static void residuals_of(struct nereus_regression *p)
{
    for (size_t c = 0; c < p->columns; c++)
        p->coefficients[c] = exp(p->logs[c]);
    for (size_t r = 0; r < p->rows; r++)
        p->residuals[r] = log(p->time_s[r] / nereus_regression_value_s(p, r));
}

/* Standard error of a row. */
static double scatter_of(const struct nereus_regression *p, size_t row)
{
    return p->sigma[row] * p->log_sd[p->group[row]];
}

/* Huber's loss of the rows plus half the square of each prior's residual. */
static double total_loss(const struct nereus_regression *p)
{
    double sum = 0;
    for (size_t r = 0; r < p->rows; r++) {
        const double z = fabs(p->residuals[r]) / scatter_of(p, r);
        sum += p->weight[r] *
               (z < NEREUS_HUBER_K ? 0.5 * z * z : NEREUS_HUBER_K * (z - 0.5 * NEREUS_HUBER_K));
    }
    for (size_t c = 0; c < p->columns; c++)
        sum += 0.5 * pow((p->logs[c] - expected_log(p, c)) / p->priors[c].log_sd, 2);
    return sum;
}

static gsl_vector_view by_column(double *values, const struct nereus_regression *p)
{
    return gsl_vector_view_array(values, p->columns);
}

/* The precision of the logarithms while a pass continues, their covariance after it. */
static gsl_matrix_view covariance_of(const struct nereus_regression *p)
{
    return gsl_matrix_view_array(p->covariance, p->columns, p->columns);
}

/* Precision += weight shares shares^T, gradient += weight residual shares; most shares are 0. */
static void add_equation(struct nereus_regression *p, double residual, double weight)
{
    gsl_matrix_view precision = covariance_of(p);
    gsl_vector_view shares = by_column(p->shares, p), gradient = by_column(p->gradient, p);
    gsl_blas_daxpy(weight * residual, &shares.vector, &gradient.vector);
    for (size_t c = 0; c < p->columns; c++)
        if (fabs(p->shares[c]) > 0) {
            gsl_vector_view line = gsl_matrix_row(&precision.matrix, c);
            gsl_blas_daxpy(weight * p->shares[c], &shares.vector, &line.vector);
        }
}

/* Compute the shares of the terms in a row, which are the derivatives of its logarithm by those of
 * the coefficients. @return its weight in the normal equations */
static double take_row(struct nereus_regression *p, size_t row)
{
    const double value_s = nereus_regression_value_s(p, row), scatter = scatter_of(p, row),
                 z = fabs(p->residuals[row]) / scatter;
    for (size_t c = 0; c < p->columns; c++)
        p->shares[c] = p->x[row * p->columns + c] * p->coefficients[c] / value_s;
    return p->weight[row] * (z > NEREUS_HUBER_K ? NEREUS_HUBER_K / z : 1) / (scatter * scatter);
}

/* Fill the normal equations of one pass with rows and priors; the unknowns are the changes of the
 * logarithms. */
static void fill_pass(struct nereus_regression *p)
{
    memset(p->covariance, 0, p->columns * p->columns * sizeof *p->covariance);
    memset(p->gradient, 0, p->columns * sizeof *p->gradient);
    for (size_t r = 0; r < p->rows; r++) {
        const double weight = take_row(p, r);
        add_equation(p, p->residuals[r], weight);
    }
    for (size_t c = 0; c < p->columns; c++) {
        const struct nereus_prior *prior = &p->priors[c];
        memset(p->shares, 0, p->columns * sizeof *p->shares);
        p->shares[c] = 1;
        if (prior->ratio_to > 0)
            p->shares[prior->ratio_to - 1] = -1;
        add_equation(p, expected_log(p, c) - p->logs[c], 1 / (prior->log_sd * prior->log_sd));
    }
}

/* Leverage of a row: the degrees of freedom that it uses up. */
static double leverage_of(struct nereus_regression *p, size_t row)
{
    const double weight = take_row(p, row);
    const gsl_matrix_view covariance = covariance_of(p);
    gsl_vector_view shares = by_column(p->shares, p), product = by_column(p->step, p);
    double square = 0;
    gsl_blas_dsymv(CblasLower, 1, &covariance.matrix, &shares.vector, 0, &product.vector);
    gsl_blas_ddot(&shares.vector, &product.vector, &square);
    return weight * square;
}

/* Update the scatter of each group. @return the largest relative change */
static double update_scatter(struct nereus_regression *p)
{
    double squares[NEREUS_REGRESSION_GROUPS_MAX] = {0}, max = 0;
    for (int g = 0; g < NEREUS_REGRESSION_GROUPS_MAX; g++)
        p->degrees_of_freedom[g] = p->prior_scatter[g].degrees_of_freedom;
    for (size_t r = 0; r < p->rows; r++) {
        const int g = p->group[r];
        const double z = fabs(p->residuals[r]) / p->sigma[r], edge = NEREUS_HUBER_K * p->log_sd[g];
        squares[g] +=
            p->weight[r] *
            (p->prior_scatter[g].outliers ? z * z : pow(fmin(z, edge), 2) / NEREUS_HUBER_SHARE);
        p->degrees_of_freedom[g] += fmax(0, p->weight[r] - leverage_of(p, r));
    }
    for (int g = 0; g < NEREUS_REGRESSION_GROUPS_MAX; g++) {
        const double prior2 =
            pow(p->prior_scatter[g].log_sd, 2) * p->prior_scatter[g].degrees_of_freedom;
        const double log_sd = sqrt((squares[g] + prior2) / p->degrees_of_freedom[g]);
        max = fmax(max, fabs(log_sd / p->log_sd[g] - 1));
        p->log_sd[g] = log_sd;
    }
    return max;
}

/* Take the step, or the share of it that makes the loss smaller.
 * @return the largest change of a logarithm */
static double take_step(struct nereus_regression *p)
{
    const double before = total_loss(p),
                 max = fabs(p->step[cblas_idamax((int)p->columns, p->step, 1)]);
    memcpy(p->before, p->logs, p->columns * sizeof *p->logs);
    for (double part = fmin(1, step_max / max);; part = part > part_min ? part / 2 : 0) {
        for (size_t c = 0; c < p->columns; c++)
            p->logs[c] = p->before[c] + part * p->step[c];
        residuals_of(p);
        if (!(total_loss(p) > before))
            return part * max;
    }
}

/* Run Gauss-Newton passes at the present scatter. @return a GSL status */
static int minimise_loss(struct nereus_regression *p)
{
    gsl_matrix_view precision = covariance_of(p);
    gsl_vector_view gradient = by_column(p->gradient, p), step = by_column(p->step, p);
    double change = 1;
    for (int pass = 0; pass < PASSES_MAX && change > converged; pass++) {
        fill_pass(p);
        const int status = gsl_linalg_cholesky_decomp1(&precision.matrix);
        if (status != GSL_SUCCESS)
            return status;
        gsl_linalg_cholesky_solve(&precision.matrix, &gradient.vector, &step.vector);
        change = take_step(p);
    }
    return gsl_linalg_cholesky_invert(&precision.matrix);
}

enum nereus_status nereus_regression_fit(struct nereus_regression *p, struct nereus_error *err)
{
    int status = GSL_SUCCESS;
    double change = 1;
    for (int g = 0; g < NEREUS_REGRESSION_GROUPS_MAX; g++)
        p->log_sd[g] = p->prior_scatter[g].log_sd;
    for (size_t c = 0; c < p->columns; c++)
        p->logs[c] = expected_log(p, c);
    residuals_of(p);
    /* GSL's default handler would end the program, which a library must not. */
    gsl_error_handler_t *handler = gsl_set_error_handler_off();
    /* Coefficients and scatter are updated in turns, so that a row far from its prior shows a wrong
     * prior before it shows a large scatter. */
    for (int turn = 0; p->columns > 0 && turn < TURNS_MAX && change > still && status == 0;
         turn++) {
        status = minimise_loss(p);
        change = status == GSL_SUCCESS ? update_scatter(p) : 0;
    }
    gsl_set_error_handler(handler);
    if (status == GSL_SUCCESS)
        return NEREUS_OK;
    return nereus_fail(err, NEREUS_ERR_NO_BASIS, "a fit to %zu row%s failed: %s", p->rows,
                       nereus_plural_s((int64_t)p->rows), gsl_strerror(status));
}
