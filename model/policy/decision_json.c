/* A decision as a line of JSON: what was known, the candidates, what was chosen and why. */
#include <jansson.h>
#include <math.h>

#include "model/util/json_line.h"
#include "nereus/policy.h"

/* JSON has no number for what is missing or endless. */
static json_t *number(double value)
{
    return isfinite(value) ? json_real(value) : json_null();
}

/* What is asked from outside may be no UTF-8, which JSON cannot hold: the line is written anyway. */
static json_t *sentence(const char *text)
{
    json_t *string = json_string(text);
    return string != NULL ? string : json_string("(a sentence that is not UTF-8)");
}

static json_t *allocation_json(const struct nereus_computational_model *model,
                               const struct nereus_allocation *allocation)
{
    json_t *object = json_object();
    for (int k = 0; k < model->class_count; k++)
        if (allocation->processes[k] != 0)
            json_object_set_new(object, model->classes[k].name,
                                json_integer(allocation->processes[k]));
    return object;
}

static json_t *interval_json(const struct nereus_interval *interval)
{
    return json_pack("[o, o, o]", number(interval->low), number(interval->value),
                     number(interval->high));
}

static json_t *mix_json(const struct nereus_computational_model *model,
                        const struct nereus_mix_solution *mix)
{
    if (isnan(mix->value))
        return json_null();
    return json_pack("{s:o, s:o, s:b, s:b, s:o}", "simplex", number(mix->simplex_value), "taken",
                     number(mix->value), "exact", mix->is_exact, "rounded_holds",
                     mix->rounded_holds, "rounded", allocation_json(model, &mix->rounded));
}

static json_t *candidate_json(const struct nereus_computational_model *model,
                              const struct nereus_policy_candidate *one)
{
    return json_pack("{s:o, s:I, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:s, s:o}", "processes",
                     allocation_json(model, &one->allocation), "count", (json_int_t)one->processes,
                     "needed_power", number(one->needed_power), "change_s",
                     interval_json(&one->change_s), "end_s", number(one->end_s), "latest_end_s",
                     number(one->latest_end_s), "core_s", number(one->core_s), "cost",
                     number(one->cost), "least_saving", number(one->least_saving), "verdict",
                     nereus_verdict_name(one->verdict), "mix", mix_json(model, &one->mix));
}

static json_t *candidates_json(const struct nereus_computational_model *model,
                               const struct nereus_decision *decision)
{
    json_t *array = json_array();
    for (int64_t i = 0; i < decision->candidate_count; i++)
        json_array_append_new(array, candidate_json(model, &decision->candidates[i]));
    return array;
}

char *nereus_decision_json(enum nereus_policy_kind kind,
                           const struct nereus_policy_question *question,
                           const struct nereus_decision *decision)
{
    const struct nereus_computational_model *model = question->model;
    const struct nereus_policy_candidate *stay = &decision->stay;
    json_t *line = json_pack(
        "{s:s, s:I, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:b, s:o, s:o, s:I, s:o, s:o, s:o}",
        "policy", nereus_policy_kind_name(kind), "interval", (json_int_t)question->interval,
        "elapsed_s", number(question->elapsed_s), "goal_s", number(question->goal_s), "left",
        question->endless ? json_null() : json_integer((json_int_t)question->left), "lambda",
        number(model->communication_factor), "now", allocation_json(model, &question->now),
        "stay_end_s", number(stay->end_s), "stay_cost", number(stay->cost), "changes",
        decision->changes, "to", allocation_json(model, &decision->to), "change_s",
        interval_json(&decision->change_s), "chosen", (json_int_t)decision->chosen, "fastest_end_s",
        number(decision->fastest_end_s), "why", sentence(decision->why), "candidates",
        candidates_json(model, decision));
    return nereus_json_line(line);
}
