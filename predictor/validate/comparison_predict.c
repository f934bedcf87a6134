/** @file comparison_predict.c  Makes the predicted side of a comparison from a priced plan. */
#include "comparison_predict.h"

#include "model/plan/strategies/strategy.h"
#include "nereus/goal.h"

static const struct nereus_interval none = {NAN, NAN, NAN};

/* Set all of a row except the measured values. */
static void set_predicted(struct nereus_comparison_row *row, const char *what, int number,
                          struct nereus_interval predicted, const char *source)
{
    row->what = what;
    row->number = number;
    row->prediction = predicted;
    row->source = source;
}

static void describe_steps(const struct nereus_priced_plan *priced,
                           struct nereus_comparison *comparison)
{
    for (int i = 0; i < priced->plan.step_count; i++) {
        /* Its time is part of another step's prediction: not comparable. */
        const bool contained = priced->prices[i].basis == NEREUS_BASIS_CONTAINED;
        comparison->rows[i].step = priced->plan.steps[i].kind;
        set_predicted(&comparison->rows[i], nereus_step_name(priced->plan.steps[i].kind), i + 1,
                      contained ? none : priced->prices[i].time_s,
                      nereus_step_price_basis(&priced->prices[i]));
    }
}

static void describe_sums(const struct nereus_priced_plan *priced,
                          struct nereus_comparison *comparison)
{
    set_predicted(comparison->waits, "waits", 0, none, NULL);
    set_predicted(comparison->trace_gaps, "not-attributed", 0, none, NULL);
    if (comparison->unattributed != NULL && priced->has_unattributed) {
        set_predicted(comparison->unattributed, "unattributed", 0,
                      (struct nereus_interval){priced->unattributed_s.value, NAN, NAN}, "fitted");
    }
    set_predicted(comparison->rt, "RT", 0, priced->rt_s,
                  nereus_source_name(priced->prediction.source));
}

static void describe_figures(const struct nereus_scenario *scenario,
                             const struct nereus_priced_plan *priced,
                             struct nereus_comparison *comparison)
{
    static const char *const names[NEREUS_FIGURE_COUNT] = {"It", "omega", "CT", "T_ex"};
    const struct nereus_prediction *prediction = &priced->prediction;
    const struct nereus_goal_part part = {scenario, prediction};
    const struct nereus_goal_figure t_ex = {.quantity = NEREUS_QUANTITY_T_EX},
                                    rt = {.quantity = NEREUS_QUANTITY_RT};
    const struct nereus_interval wait_s = nereus_goal_interval(&part, 1, &rt);
    const double ct_s = prediction->ct_s;
    const struct nereus_interval predicted[NEREUS_FIGURE_COUNT] = {
        nereus_iterations_interval(scenario, prediction),
        nereus_omega_interval(scenario, prediction),
        /* the uncertainty of CT is that of the time in which the application waits */
        {ct_s, fmax(0, ct_s + wait_s.low - wait_s.value), ct_s + wait_s.high - wait_s.value},
        nereus_goal_interval(&part, 1, &t_ex)};
    for (int i = 0; i < NEREUS_FIGURE_COUNT; i++) {
        const bool known = prediction->overlapped || i == NEREUS_FIGURE_T_EX;
        set_predicted(&comparison->figures[i], names[i], 0, known ? predicted[i] : none,
                      known ? nereus_source_name(prediction->source) : NULL);
    }
    comparison->iterations = prediction->overlapped ? prediction->iterations : NAN;
}

void nereus_comparison_predict(struct nereus_comparison *comparison,
                               const struct nereus_question *question,
                               const struct nereus_priced_plan *priced)
{
    const struct nereus_scenario *scenario = &question->scenario;
    comparison->predicted = true;
    comparison->prediction = priced->prediction;
    comparison->t_iter_ns_s = scenario->t_iter_ns_s;
    comparison->t_iter_nt_s = scenario->t_iter_nt_s;
    comparison->iterations_before = scenario->iterations_before;
    comparison->iterations_after = scenario->iterations_after;
    describe_steps(priced, comparison);
    describe_sums(priced, comparison);
    describe_figures(scenario, priced, comparison);
    nereus_comparison_recompute_t_ex(comparison);
}

static struct nereus_method make_method(const struct nereus_question *question,
                                        const struct nereus_priced_plan *priced)
{
    struct nereus_method method = nereus_method_adapt(&question->machine, &priced->method,
                                                      question->scenario.ns, question->scenario.nt);
    method.data = nereus_method_data(&method);
    method.has_data = true;
    return method;
}

static bool reserve_values(struct nereus_comparison_row *row, int repeats)
{
    row->median_s = NAN;
    row->measured_s = calloc((size_t)repeats, sizeof *row->measured_s);
    return row->measured_s != NULL;
}

enum nereus_status nereus_comparison_init(const struct nereus_question *question,
                                          const struct nereus_priced_plan *priced, int repeats,
                                          struct nereus_comparison *comparison,
                                          struct nereus_error *err)
{
    const struct nereus_scenario *scenario = &question->scenario;
    const int64_t larger = scenario->ns > scenario->nt ? scenario->ns : scenario->nt;
    const struct nereus_method method = make_method(question, priced);
    *comparison = (struct nereus_comparison){
        .ns = scenario->ns,
        .nt = scenario->nt,
        .method = method,
        .is_overlapped = nereus_method_is_overlapped(&method),
        .row_count = priced->plan.step_count + (priced->has_unattributed ? 4 : 3),
        .step_count = priced->plan.step_count,
        .repeats = repeats,
        .pair_oversubscribed = nereus_machine_is_oversubscribed(&question->machine, larger),
        .oversubscribed = priced->prediction.oversubscribed};
    comparison->rows = calloc((size_t)comparison->row_count, sizeof *comparison->rows);
    comparison->runs = calloc((size_t)repeats, sizeof *comparison->runs);
    bool complete = comparison->rows != NULL && comparison->runs != NULL;
    for (int i = 0; complete && i < comparison->row_count; i++)
        complete = reserve_values(&comparison->rows[i], repeats);
    for (int i = 0; complete && i < NEREUS_FIGURE_COUNT; i++)
        complete = reserve_values(&comparison->figures[i], repeats);
    if (!complete) {
        nereus_comparison_fini(comparison);
        return nereus_fail(err, NEREUS_ERR_MEMORY, "no memory for a comparison of %d rows",
                           comparison->row_count);
    }
    struct nereus_comparison_row *sum = comparison->rows + comparison->step_count;
    comparison->waits = sum++;
    comparison->trace_gaps = sum++;
    comparison->unattributed = priced->has_unattributed ? sum++ : NULL;
    comparison->rt = sum;
    nereus_comparison_predict(comparison, question, priced);
    return NEREUS_OK;
}
