/*
 * The first form of price: walk over the plan's steps, each of which starts when those it waits for have
 * ended.
 *
 * RT is the end of the last step, the critical path what of the plan led to it. Identical steps (repeat) run
 * at the same time and count once.
 */
#include <string.h>

#include "price.h"

/* One step's time, term by term. */
static void explain(const struct nereus_linear_model *model, const struct nereus_cost_context *context,
                    const struct nereus_cost_input *input, struct nereus_step_price *price)
{
    struct nereus_cost_sum sum = NEREUS_COST_SUM_INIT;
    double x[NEREUS_TERMS_MAX];
    memset(price, 0, sizeof *price);
    nereus_cost_value(model, input, x);
    nereus_cost_add(&sum, model, context, input);
    price->time_s = nereus_cost_interval(&sum);
    price->basis = model->basis;
    price->extrapolated = sum.extrapolated;
    price->terms = model->terms;
    for (int i = 0; i < model->terms; i++) {
        memcpy(price->term[i].name, model->names[i], sizeof price->term[i].name);
        price->term[i].feature = x[i];
        price->term[i].coefficient = model->coefficients[i];
        price->term[i].seconds = x[i] * model->coefficients[i];
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

enum nereus_status nereus_price_walk(const struct nereus_profile *profile,
                                     const struct nereus_scenario *scenario, const struct nereus_plan *plan,
                                     struct nereus_step_price *prices, struct nereus_interval *rt_s,
                                     struct nereus_error *err)
{
    struct nereus_cost_context context = nereus_price_context(profile, scenario, &plan->method);
    const bool over = nereus_cost_oversubscribed(scenario->machine, plan->ns, plan->nt, &plan->method);
    struct nereus_cost_input inputs[NEREUS_PLAN_STEPS_MAX];
    struct walk walk;
    int last = -1;
    memset(&walk, 0, sizeof walk);
    context.inter = plan->inter;
    context.ns = plan->ns;
    context.nt = plan->nt;
    for (int i = 0; i < plan->step_count; i++) {
        struct nereus_cost_sum step = NEREUS_COST_SUM_INIT;
        nereus_cost_input_make(&context, &plan->steps[i], &inputs[i]);
        const enum nereus_status status =
            nereus_price_add(profile, &context, &inputs[i], plan->steps[i].kind, over, &step, err);
        if (status != NEREUS_OK)
            return status;
        place(&plan->steps[i], i, step.value_s, &walk);
        if (last < 0 || walk.end_s[i] >= walk.end_s[last]) /* a last step that costs nothing is the end too */
            last = i;
    }
    mark_critical(plan, walk.end_s, last, walk.critical);
    struct nereus_cost_sum sum = NEREUS_COST_SUM_INIT;
    for (int i = 0; i < plan->step_count; i++) {
        const struct nereus_linear_model *model = nereus_cost_model(profile, plan->steps[i].kind, over);
        if (walk.critical[i])
            nereus_cost_add(&sum, model, &context, &inputs[i]);
        if (prices != NULL) {
            explain(model, &context, &inputs[i], &prices[i]);
            prices[i].start_s = walk.start_s[i];
            prices[i].end_s = walk.end_s[i];
            prices[i].critical = walk.critical[i];
        }
    }
    if (plan->step_count > 0)
        nereus_price_add_waits(profile, &context, over, &sum);
    *rt_s = nereus_cost_interval(&sum);
    return NEREUS_OK;
}
