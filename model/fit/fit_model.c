/* Parts of linear models that all fits share: terms, ranges, stand-ins, and models of asynchronous
 * terms. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "fit.h"
#include "model/util/arith.h"

enum nereus_status nereus_fit_no_memory(const struct nereus_fit_rows *rows,
                                        struct nereus_error *err)
{
    return nereus_fail(err, NEREUS_ERR_MEMORY, "no memory for a fit of %zu rows", rows->count);
}

void nereus_fit_range(struct nereus_linear_model *m, int64_t ns, int64_t nt, double load)
{
    const bool first = m->max_ns == 0;
    m->min_ns = first ? ns : nereus_min(m->min_ns, ns);
    m->max_ns = first ? ns : nereus_max(m->max_ns, ns);
    m->min_nt = first ? nt : nereus_min(m->min_nt, nt);
    m->max_nt = first ? nt : nereus_max(m->max_nt, nt);
    m->max_load = nereus_max_real(m->max_load, load);
}

void nereus_fit_add_term(struct nereus_linear_model *m, const char *name, double coefficient)
{
    snprintf(m->names[m->terms], sizeof m->names[0], "%s", name);
    m->coefficients[m->terms++] = coefficient;
}

void nereus_fit_store(const struct nereus_fit_result *r, size_t first, size_t count,
                      const char *const *names, struct nereus_linear_model *m)
{
    size_t from[NEREUS_TERMS_MAX];
    m->terms = 0;
    for (size_t c = first; c < first + count && m->terms < NEREUS_TERMS_MAX; c++) {
        if (!r->kept[c])
            continue;
        from[m->terms] = c;
        nereus_fit_add_term(m, names[c - first], r->coefficients[c]);
    }
    for (int i = 0; i < m->terms; i++)
        for (int j = 0; j < m->terms; j++)
            m->covariance[i][j] = r->covariance[from[i] * r->columns + from[j]];
}

void nereus_fit_stand_in(const char *name, const char *feature, double coefficient, double log_sd,
                         struct nereus_linear_model *m)
{
    memset(m, 0, sizeof *m);
    m->basis = NEREUS_BASIS_STAND_IN;
    m->log_sd = log_sd;
    nereus_fit_add_term(m, feature, coefficient);
    snprintf(m->stand_in, sizeof m->stand_in, "%s", name);
}

void nereus_fit_contain(const char *holder, struct nereus_linear_model *m)
{
    m->basis = NEREUS_BASIS_CONTAINED;
    snprintf(m->stand_in, sizeof m->stand_in, "%s", holder);
}

static size_t add_expectations(const struct nereus_fit_overlap *fit,
                               struct nereus_fit_problem *problem)
{
    size_t row = problem->rows;
    for (size_t t = 0; t < fit->term_count && problem->rows > 0; t++) {
        const struct nereus_overlap_expected expected = nereus_overlap_expected(fit->terms[t]);
        if (!(expected.deviation > 0))
            continue;
        problem->x[row * fit->term_count + t] = 1;
        problem->y[row] = expected.value;
        problem->scale[row++] = expected.deviation / fit->expected_scatter;
        problem->needed[t] = true;
    }
    return row;
}

/* @param equations  measured rows of the problem; m->rows of them, or fewer */
static void store_overlap(const struct nereus_fit_overlap *fit,
                          const struct nereus_fit_result *result, size_t equations,
                          struct nereus_linear_model *m)
{
    const char *names[NEREUS_TERMS_MAX];
    for (size_t t = 0; t < fit->term_count; t++)
        names[t] = nereus_overlap_feature_name(fit->terms[t]);
    nereus_fit_store(result, 0, fit->term_count, names, m);
    m->log_sd = fit->outliers_count
                    ? nereus_fit_spread_all(result->residuals, equations, result->kept_count)
                    : nereus_fit_spread(result->residuals, equations, result->kept_count);
    if (m->rows < (int64_t)result->kept_count + NEREUS_OVERLAP_FEW)
        m->log_sd = fmax(m->log_sd, fit->few_log_sd);
    m->basis = m->terms > 0 || fit->outliers_count ? NEREUS_BASIS_FITTED : NEREUS_BASIS_NONE;
}

enum nereus_status nereus_fit_overlap(const struct nereus_fit_overlap *fit,
                                      struct nereus_fit_problem *problem,
                                      struct nereus_linear_model *m, struct nereus_error *err)
{
    struct nereus_fit_result result;
    const size_t equations = problem->rows;
    enum nereus_status status = NEREUS_OK;
    if (equations > 0) {
        if (fit->expected_scatter > 0)
            problem->rows = add_expectations(fit, problem);
        status = nereus_fit_linear(problem, &result, err);
        if (status == NEREUS_OK) {
            store_overlap(fit, &result, equations, m);
            nereus_fit_result_fini(&result);
        }
    }
    nereus_fit_problem_fini(problem);
    return status;
}
