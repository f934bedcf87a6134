/** @file fit_model.c  Stores terms, ranges and priors in the models of a profile. */
#include "fit_model.h"

void nereus_fit_widen_range(struct nereus_linear_model *model, int64_t ns, int64_t nt, double load)
{
    const bool first = model->max_ns == 0;
    model->min_ns = first ? ns : nereus_min(model->min_ns, ns);
    model->max_ns = first ? ns : nereus_max(model->max_ns, ns);
    model->min_nt = first ? nt : nereus_min(model->min_nt, nt);
    model->max_nt = first ? nt : nereus_max(model->max_nt, nt);
    model->max_load = nereus_max_real(model->max_load, load);
}

void nereus_fit_add_term(struct nereus_linear_model *model, const char *name, double coefficient)
{
    snprintf(model->names[model->terms], sizeof model->names[0], "%s", name);
    model->coefficients[model->terms++] = coefficient;
}

void nereus_fit_set_prior(const char *name, const char *term, double coefficient, double log_sd,
                          struct nereus_linear_model *model)
{
    memset(model, 0, sizeof *model);
    model->basis = NEREUS_BASIS_PRIOR;
    model->log_sd = log_sd;
    nereus_fit_add_term(model, term, coefficient);
    snprintf(model->source, sizeof model->source, "%s", name);
}

void nereus_fit_set_contained(const char *holder, struct nereus_linear_model *model)
{
    model->basis = NEREUS_BASIS_CONTAINED;
    snprintf(model->source, sizeof model->source, "%s", holder);
}

void nereus_fit_store_terms(const struct nereus_regression *regression, const size_t *columns,
                            size_t count, const char *const *names,
                            struct nereus_linear_model *model)
{
    model->terms = 0;
    for (size_t i = 0; i < count && model->terms < NEREUS_TERMS_MAX; i++)
        nereus_fit_add_term(model, names[i], regression->coefficients[columns[i]]);
    for (int i = 0; i < model->terms; i++)
        for (int j = 0; j < model->terms; j++)
            model->covariance[i][j] =
                regression->covariance[columns[i] * regression->columns + columns[j]] *
                model->coefficients[i] * model->coefficients[j];
}
