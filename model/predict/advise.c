/**
 * @file advise.c
 * Advises whether a job should be resized. With K iterations left, a figure (T_ex, node-seconds,
 * score) of a resize is F = D + s K, with the cost s of an iteration afterwards and the cost D of
 * the resize; staying costs u K. So
 *
 *     gain(K) = (u - s) K - D,        break-even K* = K - gain(K) / (u - s)    if u > s
 *
 * An asynchronous resize must end before the last iteration, so that K* is at least It. With a
 * later shrink to P processes K is fixed, and the iterations on NT processes are the variable: s is
 * then the cost of an iteration on NT, and u the cost of an iteration on P.
 */
#include "nereus/advise.h"

#include "model/util/base.h"

/* The figure of the goal, and the extremes that scale its weighted quantities. */
struct measure {
    struct nereus_goal_figure figure;
    struct nereus_goal_extremes extremes;
};

static enum nereus_status check_question(const struct nereus_advice_question *question,
                                         struct nereus_error *err)
{
    const struct nereus_scenario *s = question->scenario;
    if (question->size_count < 1 || question->method_count < 1)
        return nereus_fail(err, NEREUS_ERR_ARGUMENT, "advice needs a size and a method");
    if (!(s->t_iter_ns_s > 0) || !(s->iterations_after >= 0) || !(s->iterations_before >= 0))
        return nereus_fail(err, NEREUS_ERR_ARGUMENT,
                           "advice needs an iteration time above 0 and iterations from 0 on");
    if (question->later_shrink != NULL && question->later_shrink->processes < s->ns)
        return nereus_fail(
            err, NEREUS_ERR_ARGUMENT,
            "a later shrink to %lld process%s would also be one of the job as it is, with %lld: "
            "what is compared must end at %lld or more",
            (long long)question->later_shrink->processes,
            nereus_plural_es(question->later_shrink->processes), (long long)s->ns,
            (long long)s->ns);
    return NEREUS_OK;
}

static enum nereus_status scale_iteration(const struct nereus_advice_question *question, int64_t n,
                                          double *t_iter_s, struct nereus_error *err)
{
    struct nereus_scaling scaling = *question->scaling;
    scaling.machine = question->scenario->machine;
    return nereus_scaling_apply(&scaling, question->scenario->ns, question->scenario->t_iter_ns_s,
                                n, t_iter_s, err);
}

static enum nereus_status make_scenario(const struct nereus_advice_question *question, int64_t nt,
                                        struct nereus_scenario *scenario, struct nereus_error *err)
{
    *scenario = *question->scenario;
    scenario->nt = nt;
    NEREUS_TRY(nereus_machine_check_size(scenario->machine, "a size", nt, err));
    return scale_iteration(question, nt, &scenario->t_iter_nt_s, err);
}

static enum nereus_status find_best(const struct nereus_advice_question *question,
                                    const struct nereus_scenario *scenario,
                                    struct nereus_prediction *working,
                                    struct nereus_advice_size *size, struct nereus_error *err)
{
    const struct nereus_goal_question goal_question = {question->profile, scenario,
                                                       question->ranking};
    if (nereus_predict_for_goal(&goal_question, question->methods, question->method_count, working,
                                &size->prediction) > 0)
        return NEREUS_OK;
    /* report the reason of the first method */
    const enum nereus_status status =
        nereus_predict(question->profile, scenario, &question->methods[0], working, err);
    return status != NEREUS_OK ? status
                               : nereus_fail(err, NEREUS_ERR_NO_BASIS, "no method is possible");
}

static enum nereus_status find_best_with_later(const struct nereus_advice_question *question,
                                               const struct nereus_scenario *scenario,
                                               const struct nereus_later_shrink *later_shrink,
                                               struct nereus_prediction *working,
                                               struct nereus_advice_size *size,
                                               struct nereus_error *err)
{
    const struct nereus_goal_question goal_question = {question->profile, scenario,
                                                       question->ranking};
    struct nereus_later_prediction predictions;
    struct nereus_error why = {.status = NEREUS_OK};
    int count = 0;
    for (int i = 0; i < question->method_count; i++)
        if (nereus_predict_later(&goal_question, &question->methods[i], later_shrink,
                                 &working[count], &predictions, &why) == NEREUS_OK)
            count++;
    if (count == 0)
        return nereus_fail(err, why.status, "%s", why.text);
    nereus_rank_by_goal(question->ranking, working, count);
    for (int i = 0; i < count; i++)
        if (working[i].rank == 1)
            size->prediction = working[i];
    return NEREUS_OK;
}

static enum nereus_status scale_later_shrink(const struct nereus_advice_question *question,
                                             struct nereus_later_shrink *later_shrink,
                                             struct nereus_error *err)
{
    *later_shrink = *question->later_shrink;
    return scale_iteration(question, later_shrink->processes, &later_shrink->t_iter_s, err);
}

static enum nereus_status choose_method(const struct nereus_advice_question *question,
                                        struct nereus_prediction *working,
                                        struct nereus_advice_size *size, struct nereus_error *err)
{
    struct nereus_scenario scenario;
    struct nereus_later_shrink later_shrink;
    NEREUS_TRY(make_scenario(question, size->nt, &scenario, err));
    if (question->later_shrink == NULL) {
        NEREUS_TRY(find_best(question, &scenario, working, size, err));
    } else {
        NEREUS_TRY(scale_later_shrink(question, &later_shrink, err));
        NEREUS_TRY(find_best_with_later(question, &scenario, &later_shrink, working, size, err));
    }
    size->t_iter_nt_s = scenario.t_iter_nt_s;
    size->possible = true;
    return NEREUS_OK;
}

/* @return number of sizes with a possible method; 0: `err` has the reason of the first method */
static int64_t choose_methods(const struct nereus_advice_question *question,
                              struct nereus_prediction *working, struct nereus_advice_size *sizes,
                              struct nereus_error *err)
{
    struct nereus_error why = {.status = NEREUS_OK};
    int64_t possible = 0;
    nereus_fail(err, NEREUS_ERR_ARGUMENT, "the job has %lld process%s: name other sizes",
                (long long)question->scenario->ns, nereus_plural_es(question->scenario->ns));
    for (int64_t i = 0, refused = 0; i < question->size_count; i++) {
        memset(&sizes[i], 0, sizeof sizes[i]);
        sizes[i].nt = question->sizes[i];
        if (question->sizes[i] == question->scenario->ns)
            continue;
        const enum nereus_status status = choose_method(question, working, &sizes[i], &why);
        possible += status == NEREUS_OK;
        if (status != NEREUS_OK && refused++ == 0)
            nereus_fail(err, status, "%s", why.text);
    }
    return possible;
}

static void choose_measure(const struct nereus_advice_question *question,
                           const struct nereus_advice_size *sizes, struct measure *measure)
{
    const enum nereus_goal goal = question->ranking->goal;
    measure->figure = (struct nereus_goal_figure){
        .quantity = goal == NEREUS_GOAL_NODE_HOURS ? NEREUS_QUANTITY_NODE_HOURS
                    : goal == NEREUS_GOAL_ENERGY   ? NEREUS_QUANTITY_ENERGY
                                                   : NEREUS_QUANTITY_T_EX,
        .weights = goal == NEREUS_GOAL_WEIGHTS ? question->ranking->weights : NULL,
        .extremes = &measure->extremes};
    nereus_goal_extremes_make(NULL, 0, &measure->extremes);
    for (int64_t i = 0; i < question->size_count; i++)
        if (sizes[i].possible)
            nereus_goal_extremes_add(&sizes[i].prediction, &measure->extremes);
}

/* Compute the figure of time_s without a resize, on `nodes` nodes that draw power_w in all. */
static double compute_steady_figure(const struct measure *measure, double time_s, int64_t nodes,
                                    double power_w)
{
    const double values[NEREUS_QUANTITY_COUNT] = {[NEREUS_QUANTITY_T_EX] = time_s,
                                                  [NEREUS_QUANTITY_NODE_HOURS] =
                                                      time_s * (double)nodes,
                                                  [NEREUS_QUANTITY_ENERGY] = time_s * power_w};
    return nereus_goal_figure_value(&measure->figure, values);
}

/* @param figures  of an iteration on NT processes, and of one without the resize */
static double compute_break_even(double iterations_left, double gain, const double figures[2],
                                 double min)
{
    const double saved = figures[1] - figures[0];
    if (saved > 0)
        return fmax(min, iterations_left - gain / saved);
    return gain >= 0 ? min : INFINITY;
}

static enum nereus_status weigh_size(const struct nereus_advice_question *question,
                                     const struct measure *measure, double stay,
                                     struct nereus_advice_size *size, struct nereus_error *err)
{
    static const struct nereus_goal_figure t_ex = {.quantity = NEREUS_QUANTITY_T_EX};
    const struct nereus_prediction *p = &size->prediction;
    struct nereus_scenario scenario;
    struct nereus_prediction total;
    struct nereus_later_prediction predictions;
    struct nereus_later_shrink later_shrink;
    const struct nereus_goal_question goal_question = {question->profile, &scenario,
                                                       question->ranking};
    struct nereus_goal_part parts[2] = {{&scenario, p}};
    double iterations_left = question->scenario->iterations_after;
    double figures[2] = {
        compute_steady_figure(measure, size->t_iter_nt_s, p->nodes.after, p->power_w.after),
        compute_steady_figure(measure, question->scenario->t_iter_ns_s, p->nodes.before,
                              p->power_w.before)};
    NEREUS_TRY(make_scenario(question, size->nt, &scenario, err));
    if (question->later_shrink != NULL) {
        NEREUS_TRY(scale_later_shrink(question, &later_shrink, err));
        NEREUS_TRY(nereus_predict_later(&goal_question, &p->method, &later_shrink, &total,
                                        &predictions, err));
        parts[0] = (struct nereus_goal_part){&predictions.expand_scenario, &predictions.expand};
        parts[1] = (struct nereus_goal_part){&predictions.shrink_scenario, &predictions.shrink};
        size->later_method = predictions.shrink.method;
        size->later_rt_s = predictions.shrink.rt_s.value;
        iterations_left = later_shrink.iterations;
        figures[1] =
            compute_steady_figure(measure, later_shrink.t_iter_s, predictions.shrink.nodes.after,
                                  predictions.shrink.power_w.after);
    }
    const int count = question->later_shrink != NULL ? 2 : 1;
    const struct nereus_interval figure = nereus_goal_interval(parts, count, &measure->figure);
    size->t_ex_s = nereus_goal_interval(parts, count, &t_ex);
    size->gain =
        (struct nereus_interval){stay - figure.value, stay - figure.high, stay - figure.low};
    size->break_even_iterations =
        compute_break_even(iterations_left, size->gain.value, figures, p->iterations_expected);
    return NEREUS_OK;
}

/* All predictions have the same nodes before the change. */
static double compute_stay_figure(const struct nereus_advice_question *question,
                                  const struct nereus_advice_size *sizes,
                                  const struct measure *measure, struct nereus_advice *advice)
{
    const struct nereus_scenario *s = question->scenario;
    for (int64_t i = 0; i < question->size_count; i++) {
        if (sizes[i].possible) {
            advice->stay_nodes = sizes[i].prediction.nodes.before;
            advice->stay_power_w = sizes[i].prediction.power_w.before;
        }
    }
    advice->stay_t_ex_s = (s->iterations_before + s->iterations_after) * s->t_iter_ns_s;
    advice->stay_figure = compute_steady_figure(measure, advice->stay_t_ex_s, advice->stay_nodes,
                                                advice->stay_power_w);
    return advice->stay_figure;
}

/* Find the size with the largest gain; -1: none. A resize that would end after the last iteration
 * is left out.
 * @param excluded  index of a size that is left out */
static int64_t find_largest_gain(const struct nereus_advice_size *sizes, int64_t count,
                                 int64_t excluded)
{
    int64_t best = -1;
    for (int64_t i = 0; i < count; i++)
        if (i != excluded && sizes[i].possible && !sizes[i].prediction.iterations_capped &&
            (best < 0 || sizes[i].gain.value > sizes[best].gain.value))
            best = i;
    return best;
}

enum nereus_status nereus_advise(const struct nereus_advice_question *question,
                                 struct nereus_prediction *working,
                                 struct nereus_advice_size *sizes, struct nereus_advice *advice,
                                 struct nereus_error *err)
{
    struct nereus_advice new_advice = {.best_index = -1, .second_index = -1};
    struct nereus_error why = {.status = NEREUS_OK};
    struct measure measure;
    NEREUS_TRY(check_question(question, err));
    new_advice.possible_count = choose_methods(question, working, sizes, &why);
    if (new_advice.possible_count == 0)
        return nereus_fail(err, why.status, "%s", why.text);
    choose_measure(question, sizes, &measure);
    const double stay = compute_stay_figure(question, sizes, &measure, &new_advice);
    for (int64_t i = 0; i < question->size_count; i++)
        if (sizes[i].possible)
            NEREUS_TRY(weigh_size(question, &measure, stay, &sizes[i], err));
    const int64_t largest = find_largest_gain(sizes, question->size_count, -1);
    new_advice.best_index = largest >= 0 && sizes[largest].gain.value > 0 ? largest : -1;
    new_advice.second_index = find_largest_gain(sizes, question->size_count, new_advice.best_index);
    *advice = new_advice;
    return NEREUS_OK;
}
