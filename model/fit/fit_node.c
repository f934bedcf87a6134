/**
 * @file fit_node.c
 * Fits the rate of a process and of a node, from k pairs of processes that send at once:
 *
 *   time = alpha + bytes / min(R_N, k R_C)
 *
 * Source: Gropp, Olson and Samfass (2016). From some k on the node is the limit: each k is tried,
 * and the least residuals decide. The largest k counts as limited by the node, so that R_N is what
 * all cores of a node reach, even if the link could carry more.
 */
#include "fit_node.h"

#include "fit.h"
#include "regression.h"

enum { ALPHA, PROCESS, NODE, COLUMNS };
/* Priors: a short message, and 10 Gbit/s, within a factor of 100 and more. */
static const struct nereus_prior priors[COLUMNS] = {{1e-4, 3, 0}, {1e-9, 3, 0}, {1e-9, 3, 0}};
/* 95 % quantile of the normal distribution; residual (log) beyond which a row is an outlier */
static const double normal_95 = 1.645, outlier_log = 0.5;

static bool is_row_of(const struct nereus_sample *row, enum nereus_operation operation)
{
    return row->kind == NEREUS_SAMPLE_OPERATION && row->operation == operation &&
           row->old_processes > 0 && row->bytes > 0;
}

static void fill_regression(const struct nereus_sample *const *rows, size_t count,
                            int64_t from_pairs, struct nereus_regression *r)
{
    for (size_t i = 0; i < count; i++) {
        const bool by_node = rows[i]->old_processes >= from_pairs;
        double *x = &r->x[i * COLUMNS];
        x[ALPHA] = 1;
        x[PROCESS] = by_node ? 0 : rows[i]->bytes / (double)rows[i]->old_processes;
        x[NODE] = by_node ? rows[i]->bytes : 0;
        r->time_s[i] = rows[i]->time_s;
    }
    for (int c = 0; c < COLUMNS; c++)
        r->priors[c] = priors[c];
    r->prior_scatter[0] = (struct nereus_prior_scatter){.log_sd = 0.1, .degrees_of_freedom = 3};
}

/* Sum of the residuals, in which all outliers count the same. */
static double sum_residuals(const struct nereus_regression *r)
{
    double sum = 0;
    for (size_t i = 0; i < r->rows; i++)
        sum += fmin(fabs(r->residuals[i]), outlier_log);
    return sum;
}

/* Find the least number of pairs above `above`; 0: none. */
static int64_t find_next_pairs(const struct nereus_sample *const *rows, size_t count, int64_t above)
{
    int64_t next = 0;
    for (size_t i = 0; i < count; i++)
        if (rows[i]->old_processes > above && (next == 0 || rows[i]->old_processes < next))
            next = rows[i]->old_processes;
    return next;
}

/* Value and interval of a coefficient; sign -1: of its reciprocal, a rate. */
static struct nereus_interval make_fitted(const struct nereus_regression *r, int column, int sign)
{
    const double value = pow(r->coefficients[column], sign),
                 times = exp(normal_95 * sqrt(r->covariance[column * COLUMNS + column]));
    return (struct nereus_interval){value, value / times, value * times};
}

static void store_rates(const struct nereus_regression *r, struct nereus_node_rates *rates)
{
    rates->rows = (int64_t)r->rows;
    rates->alpha = make_fitted(r, ALPHA, 1);
    rates->process = make_fitted(r, PROCESS, -1);
    rates->node = make_fitted(r, NODE, -1);
    rates->log_sd = r->log_sd[0];
}

/* Fit the rows of one operation; the rows with the fewest pairs show the rate of a process, if
 * there are others. */
static enum nereus_status fit_all(const struct nereus_sample *const *rows, size_t count,
                                  struct nereus_node_rates *rates, struct nereus_error *err)
{
    const int64_t fewest = find_next_pairs(rows, count, 0),
                  second = find_next_pairs(rows, count, fewest);
    struct nereus_regression r;
    double min = INFINITY;
    enum nereus_status status = nereus_regression_init(count, COLUMNS, &r, err);
    for (int64_t k = second > 0 ? second : fewest; status == NEREUS_OK && k > 0;
         k = find_next_pairs(rows, count, k)) {
        fill_regression(rows, count, k, &r);
        status = nereus_regression_fit(&r, err);
        if (status == NEREUS_OK && sum_residuals(&r) < min) {
            min = sum_residuals(&r);
            store_rates(&r, rates);
        }
    }
    nereus_regression_fini(&r);
    if (second == 0)
        rates->process = rates->node;
    for (size_t i = 0; i < count; i++)
        rates->max_bytes = fmax(rates->max_bytes, rows[i]->bytes);
    return status;
}

static enum nereus_status fit_rates(const struct nereus_sample *const *rows, size_t count,
                                    enum nereus_operation operation,
                                    struct nereus_node_rates *rates, struct nereus_error *err)
{
    const struct nereus_sample **selected = malloc((count + 1) * sizeof *selected);
    size_t n = 0;
    *rates = (struct nereus_node_rates){.rows = 0};
    NEREUS_TRY_MEMORY(selected, err, "for the rows of a node");
    for (size_t i = 0; i < count; i++)
        if (is_row_of(rows[i], operation))
            selected[n++] = rows[i];
    const enum nereus_status status = n > 0 ? fit_all(selected, n, rates, err) : NEREUS_OK;
    free(selected);
    return status;
}

enum nereus_status nereus_fit_node_samples(const struct nereus_samples *samples,
                                           enum nereus_operation operation,
                                           struct nereus_node_rates *rates,
                                           struct nereus_error *err)
{
    const struct nereus_sample **rows = malloc((size_t)(samples->count + 1) * sizeof *rows);
    NEREUS_TRY_MEMORY(rows, err, "for the rows of a node");
    for (int64_t i = 0; i < samples->count; i++)
        rows[i] = &samples->rows[i];
    const enum nereus_status status =
        fit_rates(rows, (size_t)samples->count, operation, rates, err);
    free(rows);
    return status;
}

enum nereus_status nereus_fit_node(const struct nereus_fit_rows *rows,
                                   struct nereus_profile *profile, struct nereus_error *err)
{
    static const enum nereus_operation operations[] = {NEREUS_OPERATION_NODE,
                                                       NEREUS_OPERATION_NODE_MEMORY};
    for (size_t i = 0; i < NEREUS_COUNT_OF(operations); i++) {
        struct nereus_node_rates rates;
        NEREUS_TRY(fit_rates(rows->rows, rows->count, operations[i], &rates, err));
        if (rates.rows == 0)
            continue; /* rows without pairs belong to an operation like others */
        profile->operations[operations[i]] =
            (struct nereus_hockney){.basis = NEREUS_BASIS_FITTED,
                                    .pieces = 1,
                                    .alpha_s = {rates.alpha.value},
                                    .beta_s_per_byte = {1 / rates.node.value},
                                    .log_sd = rates.log_sd,
                                    .rows = rates.rows,
                                    .max_bytes = rates.max_bytes};
    }
    return NEREUS_OK;
}
