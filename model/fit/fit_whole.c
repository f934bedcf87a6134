/**
 * @file fit_whole.c
 * Fits reconfigurations that were measured as a whole, without rows of their steps.
 *
 * Methods that start several worlds, and termination shrink, have one linear model each;
 * price_common.c has their terms. If a calibration measured each step, predictions use the sum of
 * the steps instead, because whole reconfigurations are measured at few sizes only.
 */

#include "fit_formula.h"
#include "model/plan/strategies/strategy.h"
#include "model/price/price_parts.h"

static bool is_row_of(const struct nereus_sample *s, const struct nereus_method *method)
{
    return s->kind == NEREUS_SAMPLE_RECONFIGURATION && !s->oversubscribed &&
           !nereus_method_is_overlapped(&s->method) &&
           nereus_method_has_same_process(&s->method, method, method->shrink == NEREUS_TS);
}

static bool is_whole_row_of(const struct nereus_sample *s, const struct nereus_method *method)
{
    return nereus_price_uses_one_model(&s->method, s->nt < s->ns) && is_row_of(s, method);
}

/* Variant of a method that a row belongs to: 0 the method itself, -1 none.
 *
 * Methods are fitted together, each with its own constant and all with the same other terms,
 * because each alone has hardly more sizes than terms. The strategies with few rounds all start a
 * group on every node and connect the groups in the same rounds, and a plain merge that expands
 * starts the same processes on the same nodes. A method with more rounds of starts depends on other
 * terms and is fitted by itself. */
static int find_variant(const struct nereus_sample *s, const struct nereus_method *method)
{
    struct nereus_method other = *method;
    if (is_whole_row_of(s, method))
        return 0;
    other.strategy = s->method.strategy;
    if (method->shrink == NEREUS_TS || !nereus_strategy_has_few_rounds(method->strategy))
        return -1;
    const bool plain = method->process == NEREUS_MERGE && other.strategy == NEREUS_PLAIN &&
                       s->nt > s->ns && is_row_of(s, &other);
    const bool alike = nereus_strategy_has_few_rounds(other.strategy) && is_whole_row_of(s, &other);
    return plain || alike ? 1 + (int)other.strategy : -1;
}

static int set_whole_equation(const struct nereus_sample *s, const struct nereus_profile *profile,
                              const void *context, struct nereus_fit_equation *e)
{
    struct nereus_node node;
    (void)profile;
    e->variant = find_variant(s, context);
    if (e->variant < 0)
        return 0;
    const struct nereus_machine machine = nereus_fit_machine(s, &node);
    nereus_price_whole_input(&machine, s->ns, s->nt, &s->method, &e->cost);
    e->core_load = e->cost.load.core_load;
    e->time_s = s->rt_s;
    return 1;
}

enum nereus_status nereus_fit_whole(const struct nereus_fit_rows *rows,
                                    struct nereus_profile *profile, struct nereus_error *err)
{
    for (size_t i = 0; i < rows->count; i++) {
        struct nereus_method method = rows->rows[i]->method;
        const bool ends = method.shrink == NEREUS_TS,
                   merges = nereus_method_resolve(&method).process == NEREUS_MERGE;
        method.has_data = false;
        if (!is_whole_row_of(rows->rows[i], &method) ||
            nereus_price_whole_model(profile, &method) != NULL ||
            nereus_fit_has_all_steps(profile, rows->rows[i]))
            continue;
        struct nereus_whole_model *models =
            nereus_grow(profile->whole_models, profile->whole_count, sizeof *models);
        if (models == NULL)
            return nereus_fit_fail_memory(rows, err);
        struct nereus_whole_model *model = &models[profile->whole_count++];
        *model = (struct nereus_whole_model){.method = method};
        profile->whole_models = models;
        struct nereus_fit_formula formula = {.model = ends     ? "ts method"
                                                      : merges ? "merge method"
                                                               : "baseline method",
                                             .variant_count = ends ? 0 : NEREUS_STRATEGY_COUNT,
                                             .equations = set_whole_equation,
                                             .context = &method};
        formula.term_count = (size_t)nereus_price_whole_terms(&method, &formula.cost_terms);
        NEREUS_TRY(nereus_fit_models(&formula, rows, profile, &model->model, err));
    }
    return NEREUS_OK;
}
