/**
 * @file policy_flex.c
 * The policies flex-efficiency and flex-cost: algorithm 1 of Martín et al. (2015) with its two
 * constraints.
 *
 * If the goal is missed, the best candidate that meets it is taken; if none does, the fastest
 * sequence of changes begins. If the goal is met by more than the tolerance, processes are given
 * back, if that saves more until the end than the change costs. It loses where processes should
 * move to other nodes: a change only adds or only removes, as in the paper, so that this takes two
 * changes, each of which must pay.
 */

#include "candidates.h"
#include "ops.h"

#define SAY(decision, ...)                                                                         \
    nereus_snprintf((decision)->reason, sizeof(decision)->reason, __VA_ARGS__)

/* Relative gain below which nothing changes. */
static const double rounding = 1e-9;

static double get_core_s(const struct nereus_policy_candidate *candidate)
{
    return candidate->core_s;
}

static double get_cost(const struct nereus_policy_candidate *candidate)
{
    return candidate->cost;
}

static bool has_fewer(const struct nereus_policy_candidate *a,
                      const struct nereus_policy_candidate *b)
{
    return a->processes != b->processes ? a->processes < b->processes : a->core_s < b->core_s;
}

static bool is_cheaper(const struct nereus_policy_candidate *a,
                       const struct nereus_policy_candidate *b)
{
    return a->cost != b->cost ? a->cost < b->cost : a->processes < b->processes;
}

static const struct nereus_constraint efficiency = {NEREUS_MIX_MIN_POWER, get_core_s, has_fewer},
                                      min_cost = {NEREUS_MIX_MIN_PRICE, get_cost, is_cheaper};

/* @return the best candidate that meets the goal; -1: none */
static int64_t find_best(const struct nereus_constraint *constraint,
                         const struct nereus_decision *decision)
{
    int64_t best = -1;
    for (int64_t i = 0; i < decision->candidate_count; i++)
        if (decision->candidates[i].verdict == NEREUS_VERDICT_MEETS &&
            (best < 0 ||
             constraint->is_better(&decision->candidates[i], &decision->candidates[best])))
            best = i;
    return best;
}

static void set_chosen(struct nereus_decision *decision, int64_t chosen)
{
    decision->chosen_index = chosen;
    decision->target = decision->candidates[chosen].allocation;
}

/* Give processes back (algorithm 1, lines 17 to 26). */
static enum nereus_status remove_power(const struct nereus_policy_question *q,
                                       const struct nereus_constraint *constraint,
                                       struct nereus_decision *decision, struct nereus_error *err)
{
    const double min = rounding * constraint->saved_figure(&decision->stay);
    NEREUS_TRY(
        nereus_candidates_make(q, constraint, 1, decision->stay.processes - 1, decision, err));
    bool any = false;
    for (int64_t i = 0; i < decision->candidate_count; i++) {
        struct nereus_policy_candidate *candidate = &decision->candidates[i];
        any = any || candidate->verdict == NEREUS_VERDICT_MEETS;
        if (candidate->verdict == NEREUS_VERDICT_MEETS && !(candidate->min_saving > min))
            candidate->verdict = NEREUS_VERDICT_NO_GAIN;
    }
    const int64_t best = find_best(constraint, decision);
    if (best >= 0) {
        set_chosen(decision, best);
        SAY(decision, "ends %.3g s before the goal; with %lld process%s still by it",
            q->goal_s - decision->stay.end_s, (long long)decision->candidates[best].processes,
            nereus_plural_es(decision->candidates[best].processes));
    } else {
        SAY(decision, "ends %.3g s before the goal; %s", q->goal_s - decision->stay.end_s,
            any ? "what fewer processes save does not pay for the change"
                : "with fewer processes it would be late");
    }
    return NEREUS_OK;
}

/* Decide where no candidate meets the goal. */
static enum nereus_status decide_when_late(const struct nereus_policy_question *q,
                                           struct nereus_decision *decision,
                                           struct nereus_error *err)
{
    struct nereus_fastest result;
    struct nereus_interval change_s;
    NEREUS_TRY(nereus_fastest_find(q, &result, err));
    decision->fastest_end_s = result.end_s;
    if (!result.is_searched) {
        SAY(decision,
            "the goal is not met by %.3g s, nor by any candidate; too many intervals to "
            "search a sequence of changes",
            decision->stay.end_s - q->goal_s);
        return NEREUS_OK;
    }
    NEREUS_TRY(nereus_change_time(q->model, &q->allocation, &result.first, &change_s, err));
    const double gain_s = decision->stay.end_s - result.end_s - (change_s.high - change_s.value);
    const char *meets =
        result.end_s <= q->goal_s * (1 + rounding) ? "meets the goal" : "ends soonest, though late";
    if (!(gain_s > rounding * decision->stay.end_s)) {
        SAY(decision, "the goal is missed by %.3g s, and no change gains time",
            decision->stay.end_s - q->goal_s);
    } else if (nereus_allocation_equal(q->model, &result.first, &q->allocation)) {
        SAY(decision, "a later change %s", meets);
    } else {
        decision->target = result.first;
        SAY(decision, "no set held to the end meets the goal; this begins the sequence that %s",
            meets);
    }
    return NEREUS_OK;
}

/* Find more power (algorithm 1, lines 7 to 16). Fewer processes may have it, if communication grows
 * with their number. */
static enum nereus_status add_power(const struct nereus_policy_question *q,
                                    const struct nereus_constraint *constraint,
                                    struct nereus_decision *decision, struct nereus_error *err)
{
    NEREUS_TRY(nereus_candidates_make(q, constraint, 1, nereus_candidates_max_processes(q->model),
                                      decision, err));
    const int64_t best = find_best(constraint, decision);
    if (best < 0)
        return decide_when_late(q, decision, err);
    set_chosen(decision, best);
    SAY(decision, "would end %.3g s after the goal; %lld process%s %s it",
        decision->stay.end_s - q->goal_s, (long long)decision->candidates[best].processes,
        nereus_plural_es(decision->candidates[best].processes),
        nereus_choose_plural(decision->candidates[best].processes, "meets", "meet"));
    return NEREUS_OK;
}

static enum nereus_status decide_by_constraint(const struct nereus_policy_question *q,
                                               const struct nereus_constraint *constraint,
                                               struct nereus_decision *decision,
                                               struct nereus_error *err)
{
    const bool late = decision->stay.verdict == NEREUS_VERDICT_LATE;
    if (!isfinite(q->goal_s))
        SAY(decision, "there is no goal");
    else if (q->cool_down > 0)
        SAY(decision, "a change is too recent: none for %lld interval%s", (long long)q->cool_down,
            nereus_plural_s(q->cool_down));
    else if (late)
        return add_power(q, constraint, decision, err);
    else if (decision->stay.end_s >= q->goal_s - q->tolerance_s)
        SAY(decision, "ends by the goal");
    else
        return remove_power(q, constraint, decision, err);
    return NEREUS_OK;
}

static enum nereus_status decide_efficiency(const struct nereus_policy_question *question,
                                            struct nereus_decision *decision,
                                            struct nereus_error *err)
{
    return decide_by_constraint(question, &efficiency, decision, err);
}

static enum nereus_status decide_cost(const struct nereus_policy_question *question,
                                      struct nereus_decision *decision, struct nereus_error *err)
{
    return decide_by_constraint(question, &min_cost, decision, err);
}

const struct nereus_policy_ops nereus_policy_ops_flex_efficiency = {.decide = decide_efficiency};
const struct nereus_policy_ops nereus_policy_ops_flex_cost = {.decide = decide_cost};
