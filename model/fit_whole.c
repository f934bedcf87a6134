/*
 * Methods whose steps have no rows of their own (hypercube, diffusive, termination shrink in tables of the papers): one linear model
 * each, of whole reconfigurations. Their terms are in price_common.c. Where a calibration has measured each step by itself, the sum of
 * the steps is better founded than a model of the few sizes that were measured as a whole.
 */
#include <stdlib.h>
#include <string.h>

#include "fit.h"
#include "price.h"

static bool belongs(const struct nereus_sample *s, const struct nereus_method *method)
{
    return s->kind == NEREUS_SAMPLE_RECONFIGURATION && !s->oversubscribed &&
           !nereus_method_is_beside(&s->method) && nereus_price_is_whole(&s->method, s->nt < s->ns) &&
           nereus_same_process(&s->method, method, method->shrink == NEREUS_TS);
}

/* Has each step of the row's plan rows of its own? */
static bool known_by_steps(const struct nereus_profile *profile, const struct nereus_sample *s)
{
    struct nereus_plan plan;
    if (nereus_fit_row_plan(s, &plan, NULL) != NEREUS_OK)
        return false;
    bool known = plan.step_count > 0;
    for (int i = 0; i < plan.step_count; i++) {
        enum nereus_step_kind by[2];
        const int kinds = nereus_cost_priced_as(profile, &plan.steps[i], s->oversubscribed, by);
        for (int k = 0; k < kinds; k++)
            known = known && nereus_cost_model(profile, by[k], s->oversubscribed)->high_factor > 0;
    }
    nereus_plan_fini(&plan);
    return known;
}

static enum nereus_status fit_method(const struct nereus_fit_rows *rows, const struct nereus_method *method,
                                     struct nereus_linear_model *m, struct nereus_error *err)
{
    const enum nereus_feature *terms;
    const int count = nereus_price_whole_terms(method, &terms);
    const char *names[NEREUS_TERMS_MAX];
    struct nereus_fit_problem problem;
    struct nereus_fit_result result;
    size_t n = 0;
    for (size_t i = 0; i < rows->count; i++)
        n += belongs(rows->rows[i], method);
    enum nereus_status status = nereus_fit_problem_init(n, (size_t)count, &problem, err);
    if (status != NEREUS_OK)
        return status;
    n = 0;
    for (size_t i = 0; i < rows->count; i++) {
        const struct nereus_sample *s = rows->rows[i];
        struct nereus_node node;
        struct nereus_cost_input input;
        if (!belongs(s, method))
            continue;
        const struct nereus_machine machine = nereus_fit_machine(s->cores_per_node, false, &node);
        nereus_price_whole_input(&machine, s->ns, s->nt, method, &input);
        for (int t = 0; t < count; t++)
            problem.x[n * (size_t)count + (size_t)t] = nereus_cost_feature(terms[t], &input);
        problem.y[n++] = s->rt_s;
        nereus_fit_range(m, s->ns, s->nt, input.load.load);
    }
    for (int t = 0; t < count; t++)
        names[t] = nereus_feature_name(terms[t]);
    status = nereus_fit_linear(&problem, &result, err);
    if (status == NEREUS_OK) {
        nereus_fit_store(&result, 0, (size_t)count, names, m);
        m->spread = nereus_fit_spread(result.residuals, n, result.kept_count);
        m->rows = (int64_t)n;
        m->basis = m->terms > 0 ? NEREUS_BASIS_FITTED : NEREUS_BASIS_NONE;
        nereus_fit_result_fini(&result);
    }
    nereus_fit_problem_fini(&problem);
    return status;
}

enum nereus_status nereus_fit_whole(const struct nereus_fit_rows *rows, struct nereus_profile *profile,
                                    struct nereus_error *err)
{
    for (size_t i = 0; i < rows->count; i++) {
        struct nereus_method method = rows->rows[i]->method;
        method.has_data = false;
        if (!belongs(rows->rows[i], &method) || nereus_price_whole_model(profile, &method) != NULL ||
            known_by_steps(profile, rows->rows[i]))
            continue;
        struct nereus_whole_model *grown =
            realloc(profile->whole, (size_t)(profile->whole_count + 1) * sizeof *grown);
        if (grown == NULL)
            return nereus_fail(err, NEREUS_ERR_MEMORY, "no memory for a profile");
        profile->whole = grown;
        struct nereus_whole_model *one = &grown[profile->whole_count];
        memset(one, 0, sizeof *one);
        one->method = method;
        profile->whole_count++;
        const enum nereus_status status = fit_method(rows, &method, &one->model, err);
        if (status != NEREUS_OK)
            return status;
    }
    return NEREUS_OK;
}
