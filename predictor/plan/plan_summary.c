/** @file plan_summary.c  Prints the totals of a priced plan, for `nereus plan --summary`. */

#include "predictor/cli/output.h"
#include "predictor/scenario/question_layout.h"
#include "priced_plan.h"

/* Count the steps of a plan, including those of each group. */
static int64_t count_steps(const struct nereus_plan *plan)
{
    int64_t sum = 0;
    for (int i = 0; i < plan->step_count; i++)
        sum += plan->steps[i].repeat * plan->steps[i].times;
    return sum;
}

bool nereus_plan_summary_print(const struct nereus_priced_plan *priced,
                               const struct nereus_question *question, FILE *stream)
{
    const struct nereus_plan *plan = &priced->plan;
    char method[NEREUS_METHOD_TEXT_MAX];
    fprintf(stream, "%s: %lld -> %lld process%s\n", nereus_method_format(&priced->method, method),
            (long long)question->scenario.ns, (long long)question->scenario.nt,
            nereus_plural_es(question->scenario.nt));
    nereus_question_print_layout(question, "", stream);
    fprintf(stream, "spawned %lld, woken %lld, leaving %lld\n", (long long)plan->spawned,
            (long long)plan->woken, (long long)plan->leaving);
    fprintf(stream, "steps %d (%lld with those of each group)\n", plan->step_count,
            (long long)count_steps(plan));
    fprintf(stream, "groups %lld, levels %lld, rounds of connections %lld\n",
            (long long)plan->tree.group_count, (long long)plan->tree.levels,
            (long long)nereus_connect_rounds(plan->tree.group_count));
    fprintf(stream, "RT %.4g s (90 %%: %.3g to %.3g s)\n", priced->rt_s.value, priced->rt_s.low,
            priced->rt_s.high);
    fprintf(stream, "extrapolated: %s\n", priced->extrapolated ? priced->extrapolations : "no");
    return !ferror(stream);
}

json_t *nereus_plan_summary_json(const struct nereus_priced_plan *priced,
                                 const struct nereus_question *question)
{
    const struct nereus_plan *plan = &priced->plan;
    char method[NEREUS_METHOD_TEXT_MAX];
    return nereus_json_pack(
        "{s:s, s:I, s:I, s:I, s:I, s:I, s:i, s:I, s:I, s:I, s:I, s:o, s:o, s:o, s:s}", "method",
        nereus_method_format(&priced->method, method), "ns", (json_int_t)question->scenario.ns,
        "nt", (json_int_t)question->scenario.nt, "spawned", (json_int_t)plan->spawned, "woken",
        (json_int_t)plan->woken, "leaving", (json_int_t)plan->leaving, "steps", plan->step_count,
        "steps_of_all_groups", (json_int_t)count_steps(plan), "groups",
        (json_int_t)plan->tree.group_count, "levels", (json_int_t)plan->tree.levels, "rounds",
        (json_int_t)nereus_connect_rounds(plan->tree.group_count), "rt_s",
        nereus_json_real(priced->rt_s.value), "rt_low_s",
        nereus_json_real(nereus_interval_low(&priced->rt_s)), "rt_high_s",
        nereus_json_real(nereus_interval_high(&priced->rt_s)), "extrapolated",
        priced->extrapolations);
}
