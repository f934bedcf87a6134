/*
 * Maximum a posteriori by Gauss-Newton steps in the logarithms of the coefficients.
 *
 * log(measured / fitted) of a row has a scatter s of its group, log(coefficient / expected) the one
 * of its prior: both are residuals of one least-squares problem. So a coefficient stays above 0
 * without being constrained, a term that the rows do not determine keeps its prior, and one that
 * they contradict becomes negligible. Rows are weighted by Huber's weights (k = 1.345: 95 %
 * efficiency on normal residuals, Holland and Welsch 1977), priors are not. s is Huber's proposal
 * 2, to which the usual scatter contributes its degrees of freedom. Solver: GSL's weighted linear
 * least squares.
 */
#include "regression.h"

#include <gsl/gsl_errno.h>
#include <gsl/gsl_multifit.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { TURNS_MAX = 30, PASSES_MAX = 100, HALVINGS_MAX = 12 };
static const double huber_k = 1.345;
/* mean of min(z, k)^2 of normal z: what clipping leaves of the variance */
static const double huber_share = 0.7102;
static const double step_most = 1.5; /* of a logarithm in one pass */
static const double converged = 1e-7;
static const double still = 1e-3; /* relative change of a scatter */

enum nereus_status nereus_regression_init(size_t rows, size_t columns, struct nereus_regression *p,
                                          struct nereus_error *err)
{
    double **const parts[] = {&p->x,      &p->time_s,    &p->base_s,       &p->sigma,
                              &p->weight, &p->residuals, &p->coefficients, &p->covariance};
    const size_t lengths[] = {rows * columns, rows, rows,    rows,
                              rows,           rows, columns, columns * columns};
    memset(p, 0, sizeof *p);
    p->rows = rows;
    p->columns = columns;
    double *next = p->all = calloc((rows + columns) * (columns + 5) + 1, sizeof *p->all);
    p->group = calloc(rows + 1, sizeof *p->group);
    p->priors = calloc(columns + 1, sizeof *p->priors);
    if (p->all == NULL || p->group == NULL || p->priors == NULL)
        return nereus_fail(err, NEREUS_ERR_MEMORY, "no memory for a fit of %zu rows", rows);
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
        *parts[i] = next;
        next += lengths[i];
    }
    for (size_t r = 0; r < rows; r++)
        p->sigma[r] = p->weight[r] = 1;
    for (int g = 0; g < NEREUS_REGRESSION_GROUPS_MAX; g++)
        p->usual[g] = (struct nereus_usual_scatter){0.04, 1, false};
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

/* Linear equations of one pass: rows, then priors; unknown are the changes of the logarithms. */
struct pass {
    gsl_matrix *shares, *covariance;
    gsl_vector *residuals, *weights, *step;
    gsl_multifit_linear_workspace *space;
    double *logs;   /* of the coefficients */
    double *before; /* the same before the pass */
};

static void pass_free(struct pass *w)
{
    gsl_matrix_free(w->shares);
    gsl_matrix_free(w->covariance);
    gsl_vector_free(w->residuals);
    gsl_vector_free(w->weights);
    gsl_vector_free(w->step);
    gsl_multifit_linear_free(w->space);
    free(w->logs);
    free(w->before);
}

static bool pass_alloc(const struct nereus_regression *p, struct pass *w)
{
    const size_t equations = p->rows + p->columns;
    w->shares = gsl_matrix_calloc(equations, p->columns);
    w->covariance = gsl_matrix_alloc(p->columns, p->columns);
    w->residuals = gsl_vector_alloc(equations);
    w->weights = gsl_vector_alloc(equations);
    w->step = gsl_vector_alloc(p->columns);
    w->space = gsl_multifit_linear_alloc(equations, p->columns);
    w->logs = calloc(p->columns, sizeof *w->logs);
    w->before = calloc(p->columns, sizeof *w->before);
    return w->shares != NULL && w->covariance != NULL && w->residuals != NULL &&
           w->weights != NULL && w->step != NULL && w->space != NULL && w->logs != NULL &&
           w->before != NULL;
}

/* Logarithm of the median of a prior, given the other coefficients. */
static double expected_log(const struct nereus_regression *p, const double *logs, size_t column)
{
    const struct nereus_prior *prior = &p->priors[column];
    return log(prior->value) + (prior->of > 0 ? logs[prior->of - 1] : 0);
}

static void residuals_of(struct nereus_regression *p, const double *logs)
{
    for (size_t c = 0; c < p->columns; c++)
        p->coefficients[c] = exp(logs[c]);
    for (size_t r = 0; r < p->rows; r++)
        p->residuals[r] = log(p->time_s[r] / nereus_regression_value_s(p, r));
}

/* A row's residual in units of its scatter. */
static double normalised(const struct nereus_regression *p, size_t row)
{
    return p->residuals[row] / (p->sigma[row] * p->log_sd[p->group[row]]);
}

/* Huber's loss of the rows and half a square of each prior. */
static double loss(const struct nereus_regression *p, const double *logs)
{
    double sum = 0;
    for (size_t r = 0; r < p->rows; r++) {
        const double z = fabs(normalised(p, r));
        sum += p->weight[r] * (z < huber_k ? 0.5 * z * z : huber_k * (z - 0.5 * huber_k));
    }
    for (size_t c = 0; c < p->columns; c++)
        sum += 0.5 * pow((logs[c] - expected_log(p, logs, c)) / p->priors[c].log_sd, 2);
    return sum;
}

static void fill_pass(const struct nereus_regression *p, struct pass *w)
{
    for (size_t r = 0; r < p->rows; r++) {
        const double value_s = nereus_regression_value_s(p, r), z = fabs(normalised(p, r));
        const double scatter = p->sigma[r] * p->log_sd[p->group[r]];
        for (size_t c = 0; c < p->columns; c++)
            gsl_matrix_set(w->shares, r, c,
                           p->x[r * p->columns + c] * p->coefficients[c] / value_s);
        gsl_vector_set(w->residuals, r, p->residuals[r]);
        gsl_vector_set(w->weights, r,
                       p->weight[r] * (z > huber_k ? huber_k / z : 1) / (scatter * scatter));
    }
    for (size_t c = 0; c < p->columns; c++) {
        const struct nereus_prior *prior = &p->priors[c];
        gsl_matrix_set(w->shares, p->rows + c, c, 1);
        if (prior->of > 0)
            gsl_matrix_set(w->shares, p->rows + c, (size_t)prior->of - 1, -1);
        gsl_vector_set(w->residuals, p->rows + c, expected_log(p, w->logs, c) - w->logs[c]);
        gsl_vector_set(w->weights, p->rows + c, 1 / (prior->log_sd * prior->log_sd));
    }
}

/* Share of a row that the fit follows: degrees of freedom that it uses up. */
static double leverage(const struct nereus_regression *p, const struct pass *w, size_t row)
{
    double sum = 0;
    for (size_t a = 0; a < p->columns; a++)
        for (size_t b = 0; b < p->columns; b++)
            sum += gsl_matrix_get(w->shares, row, a) * gsl_matrix_get(w->covariance, a, b) *
                   gsl_matrix_get(w->shares, row, b);
    return sum * gsl_vector_get(w->weights, row);
}

/* Scatter of each group. @return the largest change of one, relative */
static double update_scatter(struct nereus_regression *p, const struct pass *w)
{
    double squares[NEREUS_REGRESSION_GROUPS_MAX] = {0}, most = 0;
    for (int g = 0; g < NEREUS_REGRESSION_GROUPS_MAX; g++)
        p->degrees_of_freedom[g] = p->usual[g].degrees_of_freedom;
    for (size_t r = 0; r < p->rows; r++) {
        const int g = p->group[r];
        const double z = fabs(normalised(p, r)) * p->log_sd[g], edge = huber_k * p->log_sd[g];
        squares[g] +=
            p->weight[r] * (p->usual[g].outliers ? z * z : pow(fmin(z, edge), 2) / huber_share);
        p->degrees_of_freedom[g] += fmax(0, p->weight[r] - leverage(p, w, r));
    }
    for (int g = 0; g < NEREUS_REGRESSION_GROUPS_MAX; g++) {
        const double usual2 = pow(p->usual[g].log_sd, 2) * p->usual[g].degrees_of_freedom;
        const double log_sd = sqrt((squares[g] + usual2) / p->degrees_of_freedom[g]);
        most = fmax(most, fabs(log_sd / p->log_sd[g] - 1));
        p->log_sd[g] = log_sd;
    }
    return most;
}

/* Take the step, or as much of it as makes the loss smaller. @return the largest change of a
 * logarithm */
static double take_step(struct nereus_regression *p, struct pass *w)
{
    const double before = loss(p, w->logs);
    double most = 0, part = 1;
    for (size_t c = 0; c < p->columns; c++)
        most = fmax(most, fabs(gsl_vector_get(w->step, c)));
    part = most > step_most ? step_most / most : 1;
    memcpy(w->before, w->logs, p->columns * sizeof *w->logs);
    for (int halving = 0; halving < HALVINGS_MAX; halving++, part /= 2) {
        for (size_t c = 0; c < p->columns; c++)
            w->logs[c] = w->before[c] + part * gsl_vector_get(w->step, c);
        residuals_of(p, w->logs);
        if (loss(p, w->logs) <= before)
            return part * most;
    }
    memcpy(w->logs, w->before, p->columns * sizeof *w->logs);
    residuals_of(p, w->logs);
    return 0;
}

/* Gauss-Newton passes at the present scatter. @return a GSL status */
static int minimise(struct nereus_regression *p, struct pass *w)
{
    double chisq, change = 1;
    for (int pass = 0; pass < PASSES_MAX && change > converged; pass++) {
        fill_pass(p, w);
        const int status = gsl_multifit_wlinear(w->shares, w->weights, w->residuals, w->step,
                                                w->covariance, &chisq, w->space);
        if (status != GSL_SUCCESS)
            return status;
        change = take_step(p, w);
    }
    return GSL_SUCCESS;
}

/* Coefficients and scatter in turns: a row far from its prior shows a wrong prior before it shows a
 * large scatter. */
static int fit(struct nereus_regression *p, struct pass *w)
{
    int status = GSL_SUCCESS;
    double change = 1;
    for (size_t c = 0; c < p->columns; c++)
        w->logs[c] = expected_log(p, w->logs, c);
    residuals_of(p, w->logs);
    for (int turn = 0; turn < TURNS_MAX && change > still && status == GSL_SUCCESS; turn++) {
        status = minimise(p, w);
        change = status == GSL_SUCCESS ? update_scatter(p, w) : 0;
    }
    for (size_t a = 0; a < p->columns; a++)
        for (size_t b = 0; b < p->columns; b++)
            p->covariance[a * p->columns + b] = gsl_matrix_get(w->covariance, a, b);
    return status;
}

enum nereus_status nereus_regression_fit(struct nereus_regression *p, struct nereus_error *err)
{
    struct pass w = {0};
    int status = GSL_ENOMEM;
    for (int g = 0; g < NEREUS_REGRESSION_GROUPS_MAX; g++)
        p->log_sd[g] = p->usual[g].log_sd;
    /* GSL's default handler ends the program; a library has no right to that. */
    gsl_error_handler_t *handler = gsl_set_error_handler_off();
    if (p->columns == 0)
        status = GSL_SUCCESS;
    else if (pass_alloc(p, &w))
        status = fit(p, &w);
    gsl_set_error_handler(handler);
    pass_free(&w);
    if (status == GSL_SUCCESS)
        return NEREUS_OK;
    return nereus_fail(err, status == GSL_ENOMEM ? NEREUS_ERR_MEMORY : NEREUS_ERR_NO_BASIS,
                       "a fit to %zu rows failed: %s", p->rows, gsl_strerror(status));
}
