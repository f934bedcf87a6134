/** @file decision_json.c  Prints a decision of a policy as one line of JSON, for its log. */

#include "model/util/json_make.h"
#include "nereus/policy.h"

static json_t *make_allocation_json(const struct nereus_computational_model *model,
                                    const struct nereus_allocation *allocation)
{
    json_t *object = json_object();
    for (int k = 0; k < model->class_count; k++)
        if (allocation->processes[k] != 0)
            nereus_json_set(object, model->classes[k].name, json_integer(allocation->processes[k]));
    return object;
}

static json_t *make_interval_json(const struct nereus_interval *interval)
{
    return nereus_json_pack("[o, o, o]", nereus_json_real(interval->low),
                            nereus_json_real(interval->value), nereus_json_real(interval->high));
}

static json_t *make_mix_json(const struct nereus_computational_model *model,
                             const struct nereus_mix_solution *mix)
{
    if (isnan(mix->value))
        return json_null();
    return nereus_json_pack(
        "{s:o, s:o, s:b, s:b, s:o}", "simplex", nereus_json_real(mix->simplex_value), "taken",
        nereus_json_real(mix->value), "exact", mix->is_exact, "rounded_holds", mix->rounded_holds,
        "rounded", make_allocation_json(model, &mix->rounded_mix));
}

static json_t *make_candidate_json(const struct nereus_computational_model *model,
                                   const struct nereus_policy_candidate *one)
{
    return nereus_json_pack(
        "{s:o, s:I, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:s, s:o}", "processes",
        make_allocation_json(model, &one->allocation), "count", (json_int_t)one->processes,
        "needed_power", nereus_json_real(one->needed_power), "change_s",
        make_interval_json(&one->change_s), "end_s", nereus_json_real(one->end_s), "latest_end_s",
        nereus_json_real(one->latest_end_s), "core_s", nereus_json_real(one->core_s), "cost",
        nereus_json_real(one->cost), "least_saving", nereus_json_real(one->min_saving), "verdict",
        nereus_verdict_name(one->verdict), "mix", make_mix_json(model, &one->mix));
}

static json_t *make_candidates_json(const struct nereus_computational_model *model,
                                    const struct nereus_decision *decision)
{
    json_t *array = json_array();
    for (int64_t i = 0; i < decision->candidate_count; i++)
        json_array_append_new(array, make_candidate_json(model, &decision->candidates[i]));
    return array;
}

char *nereus_decision_json(enum nereus_policy_kind kind,
                           const struct nereus_policy_question *question,
                           const struct nereus_decision *decision)
{
    const struct nereus_computational_model *model = question->model;
    const struct nereus_policy_candidate *stay = &decision->stay;
    json_t *line = nereus_json_pack(
        "{s:s, s:I, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:b, s:o, s:o, s:I, s:o, s:o, s:o}",
        "policy", nereus_policy_kind_name(kind), "interval", (json_int_t)question->interval,
        "elapsed_s", nereus_json_real(question->elapsed_s), "goal_s",
        nereus_json_real(question->goal_s), "left",
        question->endless ? json_null() : json_integer((json_int_t)question->intervals_left),
        "lambda", nereus_json_real(model->communication_factor), "now",
        make_allocation_json(model, &question->allocation), "stay_end_s",
        nereus_json_real(stay->end_s), "stay_cost", nereus_json_real(stay->cost), "changes",
        decision->changes, "to", make_allocation_json(model, &decision->target), "change_s",
        make_interval_json(&decision->change_s), "chosen", (json_int_t)decision->chosen_index,
        "fastest_end_s", nereus_json_real(decision->fastest_end_s), "why",
        nereus_json_text(decision->reason), "candidates", make_candidates_json(model, decision));
    return nereus_json_line(line);
}
