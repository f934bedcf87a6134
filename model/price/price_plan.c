/**
 * @file price_plan.c
 * Prices an existing plan: explains each step, and adds them. Steps are sequential. Identical steps
 * in parallel (repeat) count once, steps in sequence (times) count `times` times.
 */

#include "cost_operation.h"
#include "price_parts.h"

static void explain_terms(const struct nereus_linear_model *model,
                          const struct nereus_cost_input *input, double times,
                          struct nereus_step_price *price)
{
    double x[NEREUS_TERMS_MAX];
    nereus_cost_value(model, input, x);
    for (int i = 0; i < model->terms && price->terms < NEREUS_TERMS_MAX; i++) {
        const int index = price->terms++;
        memcpy(price->term[index].name, model->names[i], sizeof price->term[index].name);
        price->term[index].feature = x[i];
        price->term[index].coefficient = model->coefficients[i];
        price->term[index].seconds = x[i] * model->coefficients[i] * times;
    }
}

/* Explain the time of a step, term by term. */
static void explain_step(const struct nereus_cost_context *context, const struct nereus_step *step,
                         const struct nereus_cost_sum *sum, struct nereus_step_price *price)
{
    struct nereus_step_models models;
    memset(price, 0, sizeof *price);
    nereus_step_models_make(context, step, &models);
    for (int i = 0; i < models.count; i++)
        explain_terms(nereus_step_model(&models, i), &models.input,
                      step->times > 1 ? (double)step->times : 1, price);
    price->time_s = nereus_cost_interval(sum);
    price->basis = nereus_step_model(&models, 0)->basis;
    price->rows = nereus_step_model(&models, 0)->rows;
    if (sum->prior != NULL) {
        price->basis = NEREUS_BASIS_PRIOR;
        memcpy(price->source, sum->prior->source, sizeof price->source);
    }
    price->extrapolated = sum->extrapolated;
    if (sum->extrapolated_model != NULL) {
        const struct nereus_note note = nereus_cost_note_extrapolation(
            sum->extrapolated_model, context->ns, context->nt, sum->extrapolated_load);
        nereus_notes_format(&note, 1, price->extrapolation, sizeof price->extrapolation);
    }
}

static enum nereus_status price_steps(const struct nereus_cost_context *context,
                                      const struct nereus_plan *plan,
                                      struct nereus_step_price *prices,
                                      struct nereus_cost_sum *total, struct nereus_error *err)
{
    for (int i = 0; i < plan->step_count; i++) {
        struct nereus_cost_sum sum = NEREUS_COST_SUM_INIT;
        const double start_s = total->value_s;
        NEREUS_TRY(nereus_price_step(context, &plan->steps[i], &sum, err));
        nereus_cost_add_sum(total, &sum);
        if (prices != NULL) {
            explain_step(context, &plan->steps[i], &sum, &prices[i]);
            prices[i].start_s = start_s;
            prices[i].end_s = total->value_s;
        }
    }
    return NEREUS_OK;
}

enum nereus_status nereus_price_plan(const struct nereus_profile *profile,
                                     const struct nereus_scenario *scenario,
                                     const struct nereus_plan *plan,
                                     struct nereus_step_price *prices, struct nereus_interval *rt_s,
                                     struct nereus_error *err)
{
    const struct nereus_cost_context context =
        nereus_price_context(profile, scenario, &plan->method);
    struct nereus_cost_sum sum = NEREUS_COST_SUM_INIT;
    NEREUS_TRY(price_steps(&context, plan, prices, &sum, err));
    if (plan->step_count > 0)
        nereus_price_add_unattributed(&context, &sum);
    *rt_s = nereus_cost_interval(&sum);
    return NEREUS_OK;
}
