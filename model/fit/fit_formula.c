/** @file fit_formula.c  Runs the regression of each model: turns rows into equations, fits them,
 * stores the coefficients. */
#include "fit_formula.h"

#include "fit_factors.h"
#include "priors.h"

enum { COLUMNS_MAX = NEREUS_TERMS_MAX + NEREUS_FIT_VARIANTS_MAX, FEW_ROWS = 5 };

static void widen_bytes(struct nereus_linear_model *m, double bytes)
{
    m->min_bytes = m->max_bytes > 0 ? fmin(m->min_bytes, bytes) : bytes;
    m->max_bytes = fmax(m->max_bytes, bytes);
}

static void fill_row(const struct nereus_fit_formula *formula, const struct nereus_fit_equation *e,
                     size_t row, struct nereus_regression *r)
{
    r->time_s[row] = e->time_s;
    r->base_s[row] = e->base_s;
    for (size_t t = 0; t < formula->term_count; t++) {
        const size_t column =
            t == 0 && e->variant > 0 ? formula->term_count + (size_t)e->variant - 1 : t;
        if ((e->absent_terms >> t & 1) == 0)
            r->x[row * r->columns + column] =
                formula->cost_terms != NULL
                    ? nereus_cost_feature(formula->cost_terms[t], &e->cost)
                    : nereus_overlap_feature(formula->overlap_terms[t], &e->overlap);
    }
}

static void fill_regression(const struct nereus_fit_formula *formula,
                            const struct nereus_fit_rows *rows,
                            const struct nereus_profile *profile, size_t model,
                            struct nereus_regression *r, struct nereus_linear_model *m)
{
    bool single_runs = false;
    r->rows = 0;
    for (size_t i = 0; i < rows->count; i++) {
        const struct nereus_sample *s = rows->rows[i];
        struct nereus_fit_equation equations[NEREUS_FIT_EQUATIONS_MAX];
        memset(equations, 0, sizeof equations);
        equations[0].ns = s->ns;
        equations[0].nt = s->nt;
        const int count = formula->equations(s, profile, formula->context, equations);
        if (count == 0 || equations[0].model != model)
            continue;
        for (int e = 0; e < count; e++) {
            fill_row(formula, &equations[e], r->rows, r);
            r->weight[r->rows++] = 1.0 / count; /* the equations of one row share its errors */
        }
        single_runs = single_runs || s->n <= 1;
        m->rows++;
        if (equations[0].variant > 0)
            continue;
        nereus_fit_widen_range(m, equations[0].ns, equations[0].nt, equations[0].core_load);
        m->max_move_s = fmax(m->max_move_s, equations[0].overlap.move_s);
        widen_bytes(m, equations[0].cost.between_bytes.all_bytes);
    }
    r->prior_scatter[0] = nereus_prior_scatter_of(formula->model, single_runs);
}

/* Convert the scatter, which is relative to whole times, into one relative to the times minus their
 * bases. */
static double convert_scatter(const struct nereus_regression *r)
{
    double whole_s = 0, base_s = 0;
    for (size_t i = 0; i < r->rows; i++) {
        whole_s += nereus_regression_value_s(r, i);
        base_s += r->base_s[i];
    }
    return r->log_sd[0] * whole_s / (whole_s - base_s);
}

/* Store the scatter as factors. This reorders the residuals. */
static void store_factors(const struct nereus_fit_formula *formula, struct nereus_regression *r,
                          struct nereus_linear_model *m)
{
    double log_s = 0; /* sum of log(time) */
    for (size_t i = 0; i < r->rows; i++)
        log_s += log(r->time_s[i]);
    nereus_fit_factors(r->residuals, r->rows, r->columns, exp(log_s / (double)r->rows), m);
    memset(m->covariance, 0, sizeof m->covariance); /* the factors contain it */
    if (m->rows < FEW_ROWS) {
        m->low_factor = fmax(m->low_factor, 1 / formula->max_prior_factor);
        m->high_factor = fmin(m->high_factor, formula->max_prior_factor);
    }
}

static void store_model(const struct nereus_fit_formula *formula, const char *const *names,
                        struct nereus_regression *r, struct nereus_linear_model *m)
{
    static const size_t columns[NEREUS_TERMS_MAX] = {0, 1, 2, 3, 4, 5, 6, 7};
    nereus_fit_store_terms(r, columns, formula->term_count, names, m);
    m->basis = r->rows > 0 ? NEREUS_BASIS_FITTED : NEREUS_BASIS_PRIOR;
    m->log_sd = r->rows == 0                        ? NEREUS_FIT_UNSEEN
                : formula->is_relative_to_remainder ? convert_scatter(r)
                                                    : r->log_sd[0];
    m->degrees_of_freedom = r->rows > 0 ? (int64_t)r->degrees_of_freedom[0] : 0;
    if (r->rows == 0)
        snprintf(m->source, sizeof m->source, "%s", formula->model_from_priors);
    else if (formula->max_prior_factor > 0)
        store_factors(formula, r, m);
}

static enum nereus_status fit_model(const struct nereus_fit_formula *formula,
                                    const struct nereus_fit_rows *rows,
                                    const struct nereus_profile *profile, size_t model,
                                    struct nereus_linear_model *m, struct nereus_error *err)
{
    struct nereus_regression r;
    const char *names[COLUMNS_MAX];
    enum nereus_status status =
        nereus_regression_init(NEREUS_FIT_EQUATIONS_MAX * rows->count,
                               formula->term_count + formula->variant_count, &r, err);
    for (size_t c = 0; c < formula->term_count + formula->variant_count; c++)
        names[c] = c >= formula->term_count ? "alike"
                   : formula->cost_terms != NULL
                       ? nereus_term_name(formula->cost_terms[c])
                       : nereus_overlap_term_name(formula->overlap_terms[c]);
    if (status == NEREUS_OK) {
        nereus_priors_set(formula->model, names, r.columns, 0, &r);
        for (size_t t = 0; t < formula->term_count; t++)
            if (formula->priors[t].value > 0)
                r.priors[t] = formula->priors[t];
        fill_regression(formula, rows, profile, model, &r, m);
        const bool any = r.rows > 0 || formula->model_from_priors != NULL;
        status = any ? nereus_regression_fit(&r, err) : NEREUS_OK;
        if (any && status == NEREUS_OK)
            store_model(formula, names, &r, m);
    }
    nereus_regression_fini(&r);
    return status;
}

enum nereus_status nereus_fit_models(const struct nereus_fit_formula *formula,
                                     const struct nereus_fit_rows *rows,
                                     const struct nereus_profile *profile,
                                     struct nereus_linear_model *models, struct nereus_error *err)
{
    const size_t count = formula->model_count > 0 ? formula->model_count : 1;
    enum nereus_status status = NEREUS_OK;
    struct nereus_linear_model *found = malloc(count * sizeof *found);
    if (found == NULL)
        return nereus_fit_fail_memory(rows, err);
    memcpy(found, models, count * sizeof *found);
    for (size_t m = 0; m < count && status == NEREUS_OK; m++)
        status = fit_model(formula, rows, profile, m, &found[m], err);
    if (status == NEREUS_OK)
        memcpy(models, found, count * sizeof *found);
    free(found);
    return status;
}
