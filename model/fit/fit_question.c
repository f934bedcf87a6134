/* One regression for each model of asynchronous terms: rows to equations, fit, store. */
#include "fit_question.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "priors.h"

/* A related model's coefficients as medians of priors, as sure as both are. */
static void take_related(const struct nereus_fit_question *q, const char *const *names,
                         struct nereus_regression *r)
{
    const struct nereus_linear_model *related = q->related;
    for (size_t c = 0; c < r->columns; c++)
        for (int i = 0; i < related->terms; i++) {
            const double value = related->coefficients[i];
            if (strcmp(related->names[i], names[c]) != 0 || !(value > 0) ||
                (q->related_only != NULL && strcmp(names[c], q->related_only) != 0))
                continue;
            const double known = sqrt(fmax(0, related->covariance[i][i])) / value;
            r->priors[c] = (struct nereus_prior){q->related_ratio * value,
                                                 fmin(hypot(known, NEREUS_FIT_RELATED), 2), 0};
        }
}

static void fill(const struct nereus_fit_question *q, const struct nereus_fit_rows *rows,
                 struct nereus_regression *r, struct nereus_linear_model *m)
{
    bool single_runs = false;
    size_t n = 0;
    for (size_t i = 0; i < rows->count; i++) {
        const struct nereus_sample *s = rows->rows[i];
        struct nereus_fit_equation equations[NEREUS_FIT_EQUATIONS_MAX];
        memset(equations, 0, sizeof equations);
        const int count = q->equations(s, q->context, equations);
        for (int e = 0; e < count; e++, n++) {
            r->time_s[n] = equations[e].time_s;
            r->base_s[n] = equations[e].base_s;
            r->weight[n] = 1.0 / count; /* equations of one row have its errors in common */
            for (size_t t = 0; t < q->term_count; t++)
                if ((equations[e].absent >> t & 1) == 0)
                    r->x[n * q->term_count + t] =
                        nereus_overlap_feature(q->terms[t], &equations[e].input);
        }
        if (count == 0)
            continue;
        nereus_fit_range(m, s->ns, s->nt, equations[0].load);
        m->max_move_s = fmax(m->max_move_s, equations[0].input.move_s);
        m->rows++;
        single_runs = single_runs || s->n <= 1;
    }
    r->rows = n;
    r->usual[0] = nereus_usual_scatter(q->model, single_runs && q->medians);
}

static void store(const struct nereus_fit_question *q, const char *const *names,
                  const struct nereus_regression *r, struct nereus_linear_model *m)
{
    size_t all[NEREUS_TERMS_MAX];
    for (size_t c = 0; c < r->columns; c++)
        all[c] = c;
    nereus_fit_take(r, all, r->columns, names, m);
    m->basis = r->rows > 0 ? NEREUS_BASIS_FITTED : NEREUS_BASIS_STAND_IN;
    m->log_sd = r->rows > 0 ? r->log_sd[0] : NEREUS_FIT_UNSEEN;
    m->degrees_of_freedom = r->rows > 0 ? (int64_t)r->degrees_of_freedom[0] : 0;
    if (r->rows == 0)
        snprintf(m->stand_in, sizeof m->stand_in, "%s", q->by_priors);
}

enum nereus_status nereus_fit_answer(const struct nereus_fit_question *q,
                                     const struct nereus_fit_rows *rows,
                                     struct nereus_linear_model *m, struct nereus_error *err)
{
    struct nereus_regression r;
    const char *names[NEREUS_TERMS_MAX];
    enum nereus_status status =
        nereus_regression_init(NEREUS_FIT_EQUATIONS_MAX * rows->count, q->term_count, &r, err);
    for (size_t t = 0; t < q->term_count; t++)
        names[t] = nereus_overlap_feature_name(q->terms[t]);
    if (status == NEREUS_OK) {
        nereus_priors_set(q->model, names, q->term_count, 0, &r);
        if (q->related != NULL)
            take_related(q, names, &r);
        for (size_t t = 0; t < q->term_count; t++)
            r.priors[t].value += q->terms[t] == NEREUS_OVERLAP_CONST ? q->more_s : 0;
        fill(q, rows, &r, m);
        if (r.rows > 0 || q->by_priors != NULL)
            status = nereus_regression_fit(&r, err);
    }
    if (status == NEREUS_OK && (r.rows > 0 || q->by_priors != NULL))
        store(q, names, &r, m);
    nereus_regression_fini(&r);
    return status;
}
