/** @file policy.c  Calls the policy that is set, and makes the checks that all policies share. */
#include "nereus/policy.h"

#include "candidates.h"
#include "ops.h"

#define NEREUS_WORD(e, word, help) word,
static const char *const words[NEREUS_POLICY_COUNT] = {NEREUS_POLICY_LIST(NEREUS_WORD)};
#undef NEREUS_WORD

static const struct nereus_policy_ops *const table[NEREUS_POLICY_COUNT] = {
    [NEREUS_POLICY_NONE] = &nereus_policy_ops_none,
    [NEREUS_POLICY_FLEX_EFFICIENCY] = &nereus_policy_ops_flex_efficiency,
    [NEREUS_POLICY_FLEX_COST] = &nereus_policy_ops_flex_cost,
    [NEREUS_POLICY_FOLLOW] = &nereus_policy_ops_follow,
    [NEREUS_POLICY_USER] = &nereus_policy_ops_user,
};

const char *nereus_policy_kind_name(enum nereus_policy_kind kind)
{
    return kind < NEREUS_POLICY_COUNT ? words[kind] : NULL;
}

const char *nereus_verdict_name(enum nereus_verdict verdict)
{
    static const char *const names[NEREUS_VERDICT_COUNT] = {
        [NEREUS_VERDICT_MEETS] = "meets",
        [NEREUS_VERDICT_LATE] = "late",
        [NEREUS_VERDICT_NO_GAIN] = "no-gain",
    };
    return verdict < NEREUS_VERDICT_COUNT ? names[verdict] : NULL;
}

static enum nereus_status check_question(enum nereus_policy_kind kind,
                                         const struct nereus_policy_question *q,
                                         struct nereus_error *err)
{
    if (kind >= NEREUS_POLICY_COUNT)
        return nereus_fail(err, NEREUS_ERR_ARGUMENT, "there is no policy %d", (int)kind);
    NEREUS_TRY(nereus_computational_model_check(q->model, err));
    if (!nereus_allocation_fits(q->model, &q->allocation))
        return nereus_fail(err, NEREUS_ERR_ARGUMENT,
                           "the layout does not hold the present processes");
    if (q->intervals_left < 1 || q->cool_down < 0 || q->cool_down_intervals < q->cool_down ||
        !(q->elapsed_s >= 0) || !(q->goal_s >= 0) || !(q->tolerance_s >= 0))
        return nereus_fail(err, NEREUS_ERR_ARGUMENT,
                           "intervals, times and the cool-down of a question must not be below 0");
    for (int64_t i = 0; i < q->intervals_left; i++)
        if (!(q->work[i] >= 0) || !(q->iterations[i] >= 0) || !isfinite(q->work[i]))
            return nereus_fail(err, NEREUS_ERR_ARGUMENT,
                               "work and iterations of an interval must not be below 0");
    if (table[kind]->needs_function && q->function == NULL)
        return nereus_fail(err, NEREUS_ERR_ARGUMENT, "the policy user needs a function");
    return NEREUS_OK;
}

/* Refuse an allocation that the layout cannot hold, and a change without a price, for every policy.
 */
static void check_change(const struct nereus_policy_question *q, struct nereus_decision *decision)
{
    char text[160];
    struct nereus_error why = {NEREUS_OK, ""};
    decision->changes = !nereus_allocation_equal(q->model, &decision->target, &q->allocation);
    if (!decision->changes)
        return;
    if (!nereus_allocation_fits(q->model, &decision->target))
        nereus_fail(&why, NEREUS_ERR_ARGUMENT, "the layout does not hold %s",
                    nereus_allocation_text(q->model, &decision->target, text, sizeof text));
    else if (nereus_change_time(q->model, &q->allocation, &decision->target, &decision->change_s,
                                &why) == NEREUS_OK)
        return;
    decision->changes = false;
    decision->target = q->allocation;
    decision->chosen_index = -1;
    snprintf(decision->reason, sizeof decision->reason, "refused: %.240s", why.text);
}

enum nereus_status nereus_policy_decide(enum nereus_policy_kind kind,
                                        const struct nereus_policy_question *question,
                                        struct nereus_decision *decision, struct nereus_error *err)
{
    struct nereus_decision new_decision = {
        .target = question->allocation, .chosen_index = -1, .fastest_end_s = NAN};
    NEREUS_TRY(check_question(kind, question, err));
    NEREUS_TRY(nereus_candidate_make_present(question, &new_decision.stay, err));
    const enum nereus_status status = table[kind]->decide(question, &new_decision, err);
    if (status != NEREUS_OK) {
        nereus_decision_fini(&new_decision);
        return status;
    }
    check_change(question, &new_decision);
    *decision = new_decision;
    return NEREUS_OK;
}

void nereus_decision_fini(struct nereus_decision *decision)
{
    free(decision->candidates);
    decision->candidates = NULL;
    decision->candidate_count = 0;
}
