/** @file priced_plan.c  Makes a plan with prices from a question and a method. */
#include "priced_plan.h"

#include "predictor/scenario/question_plan.h"

/* Append a message, unless it is there or has no room. */
static void add_extrapolation(struct nereus_priced_plan *priced, const char *sentence)
{
    const size_t used = strlen(priced->extrapolations), length = strlen(sentence);
    if (strstr(priced->extrapolations, sentence) == NULL &&
        used + length + 3 < sizeof priced->extrapolations) {
        snprintf(priced->extrapolations + used, sizeof priced->extrapolations - used, "%s%s",
                 used > 0 ? "; " : "", sentence);
    }
}

/* Say why the price is uncertain: sizes outside the measured range, steps priced by a prior. */
static void list_extrapolations(struct nereus_priced_plan *priced)
{
    const struct nereus_plan *plan = &priced->plan;
    char text[160];
    for (int i = 0; i < plan->step_count; i++) {
        const struct nereus_step_price *price = &priced->prices[i];
        if (price->extrapolated) {
            snprintf(text, sizeof text, "%s: %s", nereus_step_name(plan->steps[i].kind),
                     price->extrapolation);
            add_extrapolation(priced, text);
        } else if (price->basis == NEREUS_BASIS_PRIOR) {
            snprintf(text, sizeof text, "prior: %s", price->source);
            add_extrapolation(priced, text);
        }
    }
    priced->extrapolated = priced->extrapolations[0] != '\0';
}

static void add_correction(struct nereus_priced_plan *priced, const char *what, const char *why,
                           double time_s)
{
    static const double relative_rounding = 1e-9; /* relative: rounding */
    if (fabs(time_s) > relative_rounding * priced->rt_s.value) {
        priced->corrections[priced->correction_count++] =
            (struct nereus_correction){what, why, time_s};
    }
}

/* Do some sources end with their worlds and others sleep? A prediction assumes that all sleep. */
static bool has_both_ways_to_leave(const struct nereus_plan *plan)
{
    bool ways[2] = {false, false};
    for (int64_t i = 0; i < plan->leaver_count; i++)
        ways[plan->leavers[i].ends != 0] = true;
    return ways[0] && ways[1];
}

/* Add corrections of the prediction beyond the sum of the steps, so that `plan` and `predict` give
 * the same RT, or the same error. */
static enum nereus_status add_corrections(const struct nereus_profile *profile,
                                          const struct nereus_question *question,
                                          struct nereus_priced_plan *priced,
                                          struct nereus_error *err)
{
    const struct nereus_prediction *p = &priced->prediction;
    const double steps_s = priced->rt_s.value;
    NEREUS_TRY(
        nereus_predict(profile, &question->scenario, &priced->method, &priced->prediction, err));
    if (priced->plan.step_count == 0)
        return NEREUS_OK;
    priced->rt_s = p->rt_s;
    const bool measured = p->source == NEREUS_MEASURED && !p->overlapped;
    add_correction(priced, measured ? "measured whole" : "correction",
                   measured ? "this reconfiguration was measured as a whole"
                   : has_both_ways_to_leave(&priced->plan)
                       ? "predicted as a shrink in which all that leave fall asleep"
                       : "what the method took at sizes nearby, or its price as a whole",
                   p->rt_sync_s - p->start_up_s - steps_s);
    snprintf(priced->start_up, sizeof priced->start_up,
             "'%s' starts that much slower than the calibration's own program",
             profile->program.command);
    add_correction(priced, "start-up", priced->start_up, p->start_up_s);
    add_correction(priced, "overlap", "while the application computes it takes that much longer",
                   p->rt_s.value - p->rt_sync_s);
    return NEREUS_OK;
}

enum nereus_status nereus_priced_plan_make(const struct nereus_profile *profile,
                                           const struct nereus_question *question,
                                           const struct nereus_method *method,
                                           struct nereus_priced_plan *priced,
                                           struct nereus_error *err)
{
    memset(priced, 0, sizeof *priced);
    priced->method = *method;
    struct nereus_method meant = *method;
    meant.shrink = nereus_predicted_shrink_kind(profile, &question->scenario, method);
    if (meant.shrink != method->shrink)
        meant.strategy = NEREUS_PLAIN; /* such a shrink starts no process: a strategy is refused */
    enum nereus_status status =
        nereus_question_plan(question, &meant, &priced->request, &priced->plan, err);
    if (status != NEREUS_OK)
        return status;
    size_t steps = (size_t)priced->plan.step_count;
    priced->prices = calloc(steps > 0 ? steps : 1, sizeof *priced->prices);
    status = priced->prices == NULL
                 ? nereus_fail(err, NEREUS_ERR_MEMORY, "no memory for the prices of a plan")
                 : nereus_price_plan(profile, &question->scenario, &priced->plan, priced->prices,
                                     &priced->rt_s, err);
    if (status != NEREUS_OK) {
        nereus_priced_plan_fini(priced);
        return status;
    }
    list_extrapolations(priced);
    priced->has_unattributed =
        steps > 0 && nereus_price_unattributed_time(profile, &question->scenario, method,
                                                    &priced->unattributed_s);
    status = add_corrections(profile, question, priced, err);
    if (status != NEREUS_OK)
        nereus_priced_plan_fini(priced);
    return status;
}

void nereus_priced_plan_fini(struct nereus_priced_plan *priced)
{
    free(priced->prices);
    nereus_plan_fini(&priced->plan);
    nereus_request_fini(&priced->request);
    memset(priced, 0, sizeof *priced);
}
