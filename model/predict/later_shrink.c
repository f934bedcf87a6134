/**
 * @file later_shrink.c
 * Predicts an expansion together with a later shrink, because the method of the expansion decides
 * how the shrink can be done. Parallel strategies cost more than one spawn, but leave a world on
 * each node, which can end (ts, Martín-Álvarez et al. (2025), section 4.7). Merge leaves one world:
 * a part of this world can only sleep (zs), which gives no node back, or all processes are
 * respawned (ss). With m iterations on NT processes
 *
 *     T_ex   = before T(NS) + RT_expand + m T(NT) + RT_shrink + (after - m) T(P)
 *     RT     = RT_expand + RT_shrink                        (CT of asynchronous methods)
 *     node_s = the node-seconds of both (node_seconds.c)
 *
 * The shrink starts in the state that the expansion leaves.
 */
#include "lookup.h"
#include "model/plan/strategies/strategy.h"
#include "nereus/goal.h"

enum { SHRINKS_MAX = 3 + NEREUS_STRATEGY_COUNT };

/* ss is a parallel baseline (docs/results/errata.md, Martín-Álvarez et al. (2025), section 4.6);
 * any baseline gives the nodes back. */
static int list_shrinks(struct nereus_method shrinks[SHRINKS_MAX])
{
    int count = 0;
    shrinks[count++] = (struct nereus_method){.process = NEREUS_MERGE, .shrink = NEREUS_TS};
    shrinks[count++] = (struct nereus_method){.process = NEREUS_MERGE, .shrink = NEREUS_ZS};
    shrinks[count++] = (struct nereus_method){.process = NEREUS_BASELINE};
    for (int s = 0; s < NEREUS_STRATEGY_COUNT; s++)
        if (nereus_strategy_is_tree((enum nereus_strategy)s))
            shrinks[count++] = (struct nereus_method){.process = NEREUS_BASELINE,
                                                      .strategy = (enum nereus_strategy)s};
    return count;
}

static enum nereus_status check_later(const struct nereus_scenario *s,
                                      const struct nereus_later_shrink *later_shrink,
                                      struct nereus_error *err)
{
    if (s->nt <= s->ns)
        return nereus_fail(
            err, NEREUS_ERR_ARGUMENT,
            "a later shrink is looked at for an expansion, and from %lld to %lld is none",
            (long long)s->ns, (long long)s->nt);
    if (later_shrink->processes < 1 || later_shrink->processes >= s->nt)
        return nereus_fail(err, NEREUS_ERR_ARGUMENT,
                           "the later shrink is to %lld process%s: from %lld it must be 1 to %lld",
                           (long long)later_shrink->processes,
                           nereus_plural_es(later_shrink->processes), (long long)s->nt,
                           (long long)s->nt - 1);
    if (!(later_shrink->iterations >= 0 && later_shrink->iterations <= s->iterations_after))
        return nereus_fail(
            err, NEREUS_ERR_ARGUMENT,
            "%g iterations come before the later shrink: they must be 0 to the %g that follow "
            "the expansion",
            later_shrink->iterations, s->iterations_after);
    return NEREUS_OK;
}

/* Give the shrink the data part of the expansion, if that is legal. */
static struct nereus_method copy_data_part(const struct nereus_method *shrink,
                                           const struct nereus_method *expand)
{
    struct nereus_method method = *shrink;
    method.has_data = expand->has_data;
    method.data = expand->data;
    method.overlap = expand->overlap;
    method.distribution = expand->distribution;
    if (nereus_method_check(&method, NULL) == NEREUS_OK)
        return method;
    method.data = NEREUS_COLL;
    method.overlap = NEREUS_SYNC;
    method.distribution = NEREUS_BLOCK;
    return method;
}

static bool is_known(const struct nereus_profile *profile, const struct nereus_method *method)
{
    for (int64_t i = 0; i < profile->method_count; i++)
        if (nereus_method_equal(&profile->methods[i], method))
            return true;
    return false;
}

/* Use only measured respawns, or all if none was measured: otherwise the respawn with the least
 * accurate price could win. */
static bool is_candidate(const struct nereus_profile *profile, const struct nereus_method *shrink)
{
    struct nereus_method shrinks[SHRINKS_MAX];
    const int count = list_shrinks(shrinks);
    bool any = false;
    for (int i = 0; i < count; i++)
        any |= shrinks[i].process == NEREUS_BASELINE && is_known(profile, &shrinks[i]);
    return shrink->process != NEREUS_BASELINE || !any || is_known(profile, shrink);
}

static bool returns_nodes(const struct nereus_scenario *s,
                          const struct nereus_later_shrink *later_shrink,
                          const struct nereus_prediction *p)
{
    return later_shrink->any_nodes ||
           p->nodes.after <= nereus_machine_count_nodes(s->machine, later_shrink->processes);
}

static enum nereus_status choose_shrink(const struct nereus_goal_question *q,
                                        const struct nereus_later_shrink *later_shrink,
                                        struct nereus_later_prediction *predictions,
                                        struct nereus_error *err)
{
    const struct nereus_scenario *s = &predictions->shrink_scenario;
    const struct nereus_method *expand = &predictions->expand.method;
    struct nereus_method shrinks[SHRINKS_MAX];
    struct nereus_prediction found[SHRINKS_MAX];
    const int shrink_count = list_shrinks(shrinks);
    struct nereus_error why;
    char text[NEREUS_METHOD_TEXT_MAX];
    int count = 0;
    why.text[0] = '\0';
    for (int i = 0; i < shrink_count; i++) {
        const struct nereus_method method = copy_data_part(&shrinks[i], expand);
        struct nereus_prediction *p = &found[count];
        if (is_candidate(q->profile, &shrinks[i]) &&
            nereus_predict(q->profile, s, &method, p, &why) == NEREUS_OK &&
            nereus_predict_nodes(s, &q->ranking->power, p, &why) == NEREUS_OK &&
            returns_nodes(s, later_shrink, p))
            count++;
    }
    if (count == 0)
        return nereus_fail(err, NEREUS_ERR_ILLEGAL,
                           "after '%s' nothing known shrinks the job to %lld process%s%s%s%s",
                           nereus_method_format(expand, text), (long long)later_shrink->processes,
                           nereus_plural_es(later_shrink->processes),
                           later_shrink->any_nodes ? "" : " and gives the nodes back",
                           why.text[0] != '\0' ? ": " : "", why.text);
    nereus_rank_by_goal(q->ranking, found, count);
    for (int i = 0; i < count; i++)
        if (found[i].rank == 1)
            predictions->shrink = found[i];
    return NEREUS_OK;
}

/* Set the question of the shrink; its state is set later. */
static void split_scenario(const struct nereus_scenario *s,
                           const struct nereus_later_shrink *later_shrink,
                           struct nereus_later_prediction *predictions)
{
    predictions->expand_scenario = predictions->shrink_scenario = *s;
    predictions->expand_scenario.iterations_after = later_shrink->iterations;
    predictions->shrink_scenario.ns = s->nt;
    predictions->shrink_scenario.nt = later_shrink->processes;
    predictions->shrink_scenario.t_iter_ns_s = s->t_iter_nt_s;
    predictions->shrink_scenario.t_iter_nt_s = later_shrink->t_iter_s;
    predictions->shrink_scenario.iterations_before = 0;
    predictions->shrink_scenario.iterations_after = s->iterations_after - later_shrink->iterations;
}

static void add_up(const struct nereus_later_prediction *predictions,
                   struct nereus_prediction *total)
{
    const struct nereus_prediction *shrink = &predictions->shrink;
    *total = predictions->expand;
    total->t_ex_s += shrink->t_ex_s;
    total->t_ex_expected_s += shrink->t_ex_expected_s;
    total->wait_s += shrink->wait_s;
    total->start_up_s += shrink->start_up_s;
    total->node_s += shrink->node_s;
    total->energy_j += shrink->energy_j;
    total->iterations_capped = total->iterations_capped || shrink->iterations_capped;
    total->source = shrink->source > total->source ? shrink->source : total->source;
    if (shrink->note_count > 0)
        nereus_prediction_add_note(total, (struct nereus_note){.code = NEREUS_NOTE_LATER});
    for (int i = 0; i < shrink->note_count; i++)
        nereus_prediction_add_note(total, shrink->notes[i]);
}

static enum nereus_status copy_state(const struct nereus_scenario *s, struct nereus_jobstate *state,
                                     struct nereus_error *err)
{
    return s->state != NULL ? nereus_jobstate_copy(s->state, state, err)
                            : nereus_jobstate_initial(s->machine, s->ns, state, err);
}

/* The shrink starts in the state that the expansion leaves. */
static enum nereus_status predict_shrink(const struct nereus_goal_question *q,
                                         const struct nereus_later_shrink *later_shrink,
                                         struct nereus_later_prediction *predictions,
                                         struct nereus_error *err)
{
    const struct nereus_scenario *s = q->scenario;
    struct nereus_jobstate state;
    NEREUS_TRY(copy_state(s, &state, err));
    enum nereus_status status = nereus_jobstate_reconfigure(
        s->machine, s->ns, s->nt, &predictions->expand.method, &state, err);
    if (status == NEREUS_OK) {
        predictions->shrink_scenario.state = &state;
        status = choose_shrink(q, later_shrink, predictions, err);
    }
    nereus_jobstate_fini(&state);
    predictions->expand_scenario.state = predictions->shrink_scenario.state = NULL;
    return status;
}

enum nereus_status nereus_predict_later(const struct nereus_goal_question *question,
                                        const struct nereus_method *method,
                                        const struct nereus_later_shrink *later_shrink,
                                        struct nereus_prediction *prediction,
                                        struct nereus_later_prediction *predictions,
                                        struct nereus_error *err)
{
    struct nereus_later_prediction new_prediction;
    NEREUS_TRY(check_later(question->scenario, later_shrink, err));
    split_scenario(question->scenario, later_shrink, &new_prediction);
    NEREUS_TRY(nereus_predict(question->profile, &new_prediction.expand_scenario, method,
                              &new_prediction.expand, err));
    NEREUS_TRY(nereus_predict_nodes(&new_prediction.expand_scenario, &question->ranking->power,
                                    &new_prediction.expand, err));
    NEREUS_TRY(predict_shrink(question, later_shrink, &new_prediction, err));
    add_up(&new_prediction, prediction);
    *predictions = new_prediction;
    return NEREUS_OK;
}
