/*
 * The first form of price: walk over the plan's steps, each of which starts when those it waits for have
 * ended.
 *
 * RT is the end of the last step, the critical path what of the plan led to it. Identical steps that run at the same time
 * (repeat) count once, those that run one after the other (times) so many times.
 */
#include <stdlib.h>
#include <string.h>

#include "cost_operation.h"
#include "price_parts.h"

/* The terms of one model, behind those that are there. */
static void explain_terms(const struct nereus_linear_model *model, const struct nereus_cost_input *input,
                          double times, struct nereus_step_price *price)
{
    double x[NEREUS_TERMS_MAX];
    nereus_cost_value(model, input, x);
    for (int i = 0; i < model->terms && price->terms < NEREUS_TERMS_MAX; i++) {
        const int at = price->terms++;
        memcpy(price->term[at].name, model->names[i], sizeof price->term[at].name);
        price->term[at].feature = x[i];
        price->term[at].coefficient = model->coefficients[i];
        price->term[at].seconds = x[i] * model->coefficients[i] * times;
    }
}

/* One step's time, term by term. */
static void explain(const struct nereus_profile *profile, const struct nereus_cost_context *context,
                    const struct nereus_step *step, bool over, const struct nereus_cost_sum *sum,
                    struct nereus_step_price *price)
{
    struct nereus_step_models models;
    memset(price, 0, sizeof *price);
    nereus_step_models_make(profile, context, step, over, &models);
    for (int i = 0; i < models.count; i++)
        explain_terms(nereus_step_model(&models, i), &models.input, step->times > 1 ? (double)step->times : 1,
                      price);
    price->time_s = nereus_cost_interval(sum);
    price->basis = nereus_step_model(&models, 0)->basis;
    if (sum->stand_in != NULL) {
        price->basis = NEREUS_BASIS_FALLBACK;
        memcpy(price->stand_in, sum->stand_in->fallback, sizeof price->stand_in);
    }
    price->extrapolated = sum->extrapolated;
    if (sum->beyond != NULL) {
        struct nereus_line line = nereus_line_behind(price->beyond, sizeof price->beyond);
        nereus_cost_add_beyond(sum->beyond, context->ns, context->nt, sum->beyond_load, &line);
    }
}

/* From the last step back along who was waited for longest. */
static void mark_critical(const struct nereus_plan *plan, const double *end_s, int last, bool *critical)
{
    for (int i = last; i >= 0;) {
        int before = -1;
        critical[i] = true;
        for (int w = 0; w < NEREUS_STEP_WAITS_MAX; w++) {
            const int wait = plan->steps[i].waits[w];
            if (wait >= 0 && (before < 0 || end_s[wait] > end_s[before]))
                before = wait;
        }
        i = before;
    }
}

struct walk {
    double start_s[NEREUS_PLAN_STEPS_MAX], end_s[NEREUS_PLAN_STEPS_MAX];
    bool critical[NEREUS_PLAN_STEPS_MAX];
};

static void place(const struct nereus_step *step, int index, double time_s, struct walk *walk)
{
    double start_s = 0;
    for (int w = 0; w < NEREUS_STEP_WAITS_MAX; w++)
        if (step->waits[w] >= 0 && walk->end_s[step->waits[w]] > start_s)
            start_s = walk->end_s[step->waits[w]];
    walk->start_s[index] = start_s;
    walk->end_s[index] = start_s + time_s;
}

static enum nereus_status price_steps(const struct nereus_profile *profile,
                                      const struct nereus_cost_context *context,
                                      const struct nereus_plan *plan, bool over, struct nereus_cost_sum *sums,
                                      struct walk *walk, int *last, struct nereus_error *err)
{
    for (int i = 0; i < plan->step_count; i++) {
        sums[i] = (struct nereus_cost_sum)NEREUS_COST_SUM_INIT;
        const enum nereus_status status =
            nereus_price_step(profile, context, &plan->steps[i], over, &sums[i], err);
        if (status != NEREUS_OK)
            return status;
        place(&plan->steps[i], i, sums[i].value_s, walk);
        if (*last < 0 ||
            walk->end_s[i] >= walk->end_s[*last]) /* a last step that costs nothing is the end too */
            *last = i;
    }
    return NEREUS_OK;
}

static void explain_steps(const struct nereus_profile *profile, const struct nereus_cost_context *context,
                          const struct nereus_plan *plan, bool over, const struct nereus_cost_sum *sums,
                          const struct walk *walk, struct nereus_step_price *prices)
{
    for (int i = 0; i < plan->step_count; i++) {
        explain(profile, context, &plan->steps[i], over, &sums[i], &prices[i]);
        prices[i].start_s = walk->start_s[i];
        prices[i].end_s = walk->end_s[i];
        prices[i].critical = walk->critical[i];
    }
}

enum nereus_status nereus_price_walk(const struct nereus_profile *profile,
                                     const struct nereus_scenario *scenario, const struct nereus_plan *plan,
                                     struct nereus_step_price *prices, struct nereus_interval *rt_s,
                                     struct nereus_error *err)
{
    struct nereus_cost_context context = nereus_price_context(profile, scenario, &plan->method);
    const bool over = nereus_cost_oversubscribed(scenario->machine, plan->ns, plan->nt, &plan->method);
    struct walk walk;
    struct nereus_cost_sum *sums = malloc(((size_t)plan->step_count + 1) * sizeof *sums);
    int last = -1;
    if (sums == NULL)
        return nereus_fail(err, NEREUS_ERR_MEMORY, "no memory for the prices of a plan");
    memset(&walk, 0, sizeof walk);
    context.inter = plan->inter;
    context.ns = plan->ns;
    context.nt = plan->nt;
    const enum nereus_status status = price_steps(profile, &context, plan, over, sums, &walk, &last, err);
    if (status == NEREUS_OK) {
        struct nereus_cost_sum sum = NEREUS_COST_SUM_INIT;
        mark_critical(plan, walk.end_s, last, walk.critical);
        for (int i = 0; i < plan->step_count; i++)
            if (walk.critical[i])
                nereus_cost_add_sum(&sum, &sums[i]);
        if (prices != NULL)
            explain_steps(profile, &context, plan, over, sums, &walk, prices);
        if (plan->step_count > 0)
            nereus_price_add_beyond_steps(profile, &context, over, &sum);
        *rt_s = nereus_cost_interval(&sum);
    }
    free(sums);
    return status;
}
