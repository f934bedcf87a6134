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

#include "scatter.h"

enum { TURNS_MAX = 30, PASSES_MAX = 100 };
static const double step_max = 1.5;  /* largest change of a logarithm in one pass */
static const double part_min = 2e-4; /* least share of a step that is tried */
static const double converged = 1e-7;
static const double change_min = 1e-3; /* relative change below which a scatter has converged */

enum nereus_status nereus_regression_init(size_t rows, size_t columns,
                                          struct nereus_regression *regression,
                                          struct nereus_error *err)
{
    double **const by_row[] = {&regression->time_s, &regression->base_s, &regression->sigma,
                               &regression->weight, &regression->residuals},
                   **const by_column[] = {&regression->coefficients, &regression->logs,
                                          &regression->previous,     &regression->shares,
                                          &regression->gradient,     &regression->step};
    memset(regression, 0, sizeof *regression);
    regression->rows = rows;
    regression->columns = columns;
    double *next = regression->storage =
        calloc((rows + columns) * (columns + 6) + 1, sizeof *regression->storage);
    regression->group = calloc(rows + 1, sizeof *regression->group);
    regression->priors = calloc(columns + 1, sizeof *regression->priors);
    if (regression->storage == NULL || regression->group == NULL || regression->priors == NULL)
        return nereus_fail(err, NEREUS_ERR_MEMORY, "no memory for a fit of %zu rows", rows);
    regression->covariance = next;
    regression->x = next += columns * columns;
    next += rows * columns;
    for (size_t i = 0; i < NEREUS_COUNT_OF(by_row); i++, next += rows)
        *by_row[i] = next;
    for (size_t i = 0; i < NEREUS_COUNT_OF(by_column); i++, next += columns)
        *by_column[i] = next;
    for (size_t r = 0; r < rows; r++)
        regression->sigma[r] = regression->weight[r] = 1;
    for (int g = 0; g < NEREUS_REGRESSION_GROUPS_MAX; g++)
        regression->prior_scatter[g] = (struct nereus_prior_scatter){0.04, 1, false};
    return NEREUS_OK;
}

void nereus_regression_fini(struct nereus_regression *regression)
{
    free(regression->storage);
    free(regression->group);
    free(regression->priors);
    memset(regression, 0, sizeof *regression);
}

double nereus_regression_value_s(const struct nereus_regression *regression, size_t row)
{
    double sum_s = regression->base_s[row];
    for (size_t c = 0; c < regression->columns; c++)
        sum_s += regression->x[row * regression->columns + c] * regression->coefficients[c];
    return sum_s;
}

/* Logarithm of the median of a prior, given the other coefficients. */
static double compute_expected_log(const struct nereus_regression *problem, size_t column)
{
    const struct nereus_prior *prior = &problem->priors[column];
    return log(prior->value) + (prior->ratio_to > 0 ? problem->logs[prior->ratio_to - 1] : 0);
}

static void compute_residuals(struct nereus_regression *problem)
{
    for (size_t c = 0; c < problem->columns; c++)
        problem->coefficients[c] = exp(problem->logs[c]);
    for (size_t r = 0; r < problem->rows; r++)
        problem->residuals[r] = log(problem->time_s[r] / nereus_regression_value_s(problem, r));
}

/* Standard error of a row. */
static double get_scatter(const struct nereus_regression *problem, size_t row)
{
    return problem->sigma[row] * problem->log_sd[problem->group[row]];
}

/* Huber's loss of the rows plus half the square of each prior's residual. */
static double compute_loss(const struct nereus_regression *problem)
{
    double sum = 0;
    for (size_t r = 0; r < problem->rows; r++) {
        const double z = fabs(problem->residuals[r]) / get_scatter(problem, r);
        sum += problem->weight[r] *
               (z < NEREUS_HUBER_K ? 0.5 * z * z : NEREUS_HUBER_K * (z - 0.5 * NEREUS_HUBER_K));
    }
    for (size_t c = 0; c < problem->columns; c++)
        sum += 0.5 * pow((problem->logs[c] - compute_expected_log(problem, c)) /
                             problem->priors[c].log_sd,
                         2);
    return sum;
}

static gsl_vector_view view_columns(double *values, const struct nereus_regression *problem)
{
    return gsl_vector_view_array(values, problem->columns);
}

/* The precision of the logarithms while a pass continues, their covariance after it. */
static gsl_matrix_view view_covariance(const struct nereus_regression *problem)
{
    return gsl_matrix_view_array(problem->covariance, problem->columns, problem->columns);
}

/* Precision += weight shares shares^T, gradient += weight residual shares; most shares are 0. */
static void add_equation(struct nereus_regression *problem, double residual, double weight)
{
    gsl_matrix_view precision = view_covariance(problem);
    gsl_vector_view shares = view_columns(problem->shares, problem),
                    gradient = view_columns(problem->gradient, problem);
    gsl_blas_daxpy(weight * residual, &shares.vector, &gradient.vector);
    for (size_t c = 0; c < problem->columns; c++)
        if (fabs(problem->shares[c]) > 0) {
            gsl_vector_view line = gsl_matrix_row(&precision.matrix, c);
            gsl_blas_daxpy(weight * problem->shares[c], &shares.vector, &line.vector);
        }
}

/* Compute the shares of the terms in a row, which are the derivatives of its logarithm by those of
 * the coefficients.
 * @return its weight in the normal equations */
static double compute_shares(struct nereus_regression *problem, size_t row)
{
    const double value_s = nereus_regression_value_s(problem, row),
                 scatter = get_scatter(problem, row), z = fabs(problem->residuals[row]) / scatter;
    for (size_t c = 0; c < problem->columns; c++)
        problem->shares[c] =
            problem->x[row * problem->columns + c] * problem->coefficients[c] / value_s;
    return problem->weight[row] * (z > NEREUS_HUBER_K ? NEREUS_HUBER_K / z : 1) /
           (scatter * scatter);
}

/* Fill the normal equations of one pass with rows and priors; the unknowns are the changes of the
 * logarithms. */
static void fill_pass(struct nereus_regression *problem)
{
    memset(problem->covariance, 0,
           problem->columns * problem->columns * sizeof *problem->covariance);
    memset(problem->gradient, 0, problem->columns * sizeof *problem->gradient);
    for (size_t r = 0; r < problem->rows; r++) {
        const double weight = compute_shares(problem, r);
        add_equation(problem, problem->residuals[r], weight);
    }
    for (size_t c = 0; c < problem->columns; c++) {
        const struct nereus_prior *prior = &problem->priors[c];
        memset(problem->shares, 0, problem->columns * sizeof *problem->shares);
        problem->shares[c] = 1;
        if (prior->ratio_to > 0)
            problem->shares[prior->ratio_to - 1] = -1;
        add_equation(problem, compute_expected_log(problem, c) - problem->logs[c],
                     1 / (prior->log_sd * prior->log_sd));
    }
}

/* Leverage of a row: the degrees of freedom that it uses up. */
static double compute_leverage(struct nereus_regression *problem, size_t row)
{
    const double weight = compute_shares(problem, row);
    const gsl_matrix_view covariance = view_covariance(problem);
    gsl_vector_view shares = view_columns(problem->shares, problem),
                    product = view_columns(problem->step, problem);
    double square = 0;
    gsl_blas_dsymv(CblasLower, 1, &covariance.matrix, &shares.vector, 0, &product.vector);
    gsl_blas_ddot(&shares.vector, &product.vector, &square);
    return weight * square;
}

/* Update the scatter of each group.
 * @return the largest relative change */
static double update_scatter(struct nereus_regression *problem)
{
    double squares[NEREUS_REGRESSION_GROUPS_MAX] = {0}, max = 0;
    for (int g = 0; g < NEREUS_REGRESSION_GROUPS_MAX; g++)
        problem->degrees_of_freedom[g] = problem->prior_scatter[g].degrees_of_freedom;
    for (size_t r = 0; r < problem->rows; r++) {
        const int g = problem->group[r];
        const double z = fabs(problem->residuals[r]) / problem->sigma[r],
                     edge = NEREUS_HUBER_K * problem->log_sd[g];
        squares[g] += problem->weight[r] * (problem->prior_scatter[g].outliers
                                                ? z * z
                                                : pow(fmin(z, edge), 2) / NEREUS_HUBER_SHARE);
        problem->degrees_of_freedom[g] +=
            fmax(0, problem->weight[r] - compute_leverage(problem, r));
    }
    for (int g = 0; g < NEREUS_REGRESSION_GROUPS_MAX; g++) {
        const double prior2 =
            pow(problem->prior_scatter[g].log_sd, 2) * problem->prior_scatter[g].degrees_of_freedom;
        const double log_sd = sqrt((squares[g] + prior2) / problem->degrees_of_freedom[g]);
        max = fmax(max, fabs(log_sd / problem->log_sd[g] - 1));
        problem->log_sd[g] = log_sd;
    }
    return max;
}

/* Take the step, or the share of the step that makes the loss smaller.
 * @return the largest change of a logarithm */
static double take_step(struct nereus_regression *problem)
{
    const double old_loss = compute_loss(problem),
                 max = fabs(problem->step[cblas_idamax((int)problem->columns, problem->step, 1)]);
    memcpy(problem->previous, problem->logs, problem->columns * sizeof *problem->logs);
    for (double part = fmin(1, step_max / max);; part = part > part_min ? part / 2 : 0) {
        for (size_t c = 0; c < problem->columns; c++)
            problem->logs[c] = problem->previous[c] + part * problem->step[c];
        compute_residuals(problem);
        if (!(compute_loss(problem) > old_loss))
            return part * max;
    }
}

/* Run Gauss-Newton passes at the present scatter.
 * @return a GSL status */
static int minimise_loss(struct nereus_regression *problem)
{
    gsl_matrix_view precision = view_covariance(problem);
    gsl_vector_view gradient = view_columns(problem->gradient, problem),
                    step = view_columns(problem->step, problem);
    double change = 1;
    for (int pass = 0; pass < PASSES_MAX && change > converged; pass++) {
        fill_pass(problem);
        const int status = gsl_linalg_cholesky_decomp1(&precision.matrix);
        if (status != GSL_SUCCESS)
            return status;
        gsl_linalg_cholesky_solve(&precision.matrix, &gradient.vector, &step.vector);
        change = take_step(problem);
    }
    return gsl_linalg_cholesky_invert(&precision.matrix);
}

enum nereus_status nereus_regression_fit(struct nereus_regression *regression,
                                         struct nereus_error *err)
{
    int status = GSL_SUCCESS;
    double change = 1;
    for (int g = 0; g < NEREUS_REGRESSION_GROUPS_MAX; g++)
        regression->log_sd[g] = regression->prior_scatter[g].log_sd;
    for (size_t c = 0; c < regression->columns; c++)
        regression->logs[c] = compute_expected_log(regression, c);
    compute_residuals(regression);
    /* GSL's default handler would end the program. */
    gsl_error_handler_t *handler = gsl_set_error_handler_off();
    /* Coefficients and scatter are updated in turns, so that a row far from its prior shows a wrong
     * prior before it shows a large scatter. */
    for (int turn = 0;
         regression->columns > 0 && turn < TURNS_MAX && change > change_min && status == 0;
         turn++) {
        status = minimise_loss(regression);
        change = status == GSL_SUCCESS ? update_scatter(regression) : 0;
    }
    gsl_set_error_handler(handler);
    if (status == GSL_SUCCESS)
        return NEREUS_OK;
    return nereus_fail(err, NEREUS_ERR_NO_BASIS, "a fit to %zu row%s failed: %s", regression->rows,
                       nereus_plural_s((int64_t)regression->rows), gsl_strerror(status));
}
