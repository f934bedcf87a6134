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

void nereus_fit_take(const struct nereus_regression *r, const size_t *columns, size_t count,
                     const char *const *names, struct nereus_linear_model *m)
{
    m->terms = 0;
    for (size_t i = 0; i < count && m->terms < NEREUS_TERMS_MAX; i++)
        nereus_fit_add_term(m, names[i], r->coefficients[columns[i]]);
    for (int i = 0; i < m->terms; i++)
        for (int j = 0; j < m->terms; j++)
            m->covariance[i][j] = r->covariance[columns[i] * r->columns + columns[j]] *
                                  m->coefficients[i] * m->coefficients[j];
}
