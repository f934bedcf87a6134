/**
 * @file candidates.c
 * Makes the candidates of lines 9 to 16 and 18 to 25 of algorithm 1 (Martín et al. (2015)). In the
 * paper the condition is that the next interval, with the change in it, meets the goal of one
 * interval, so that a longer change would never be made. Here a candidate is kept to the end, and
 * its change counts once.
 */
#include "candidates.h"

static const double rounding = 1e-9;

static double sum_left(const double *values, int64_t count)
{
    double sum = 0;
    for (int64_t i = 0; i < count; i++)
        sum += values[i];
    return sum;
}

/* Both parts are linear in work and iterations, so that all intervals count as one. */
static enum nereus_status compute_time_left(const struct nereus_policy_question *q,
                                            const struct nereus_allocation *allocation,
                                            struct nereus_interval_time *left,
                                            struct nereus_error *err)
{
    return nereus_interval_time_compute(q->model, sum_left(q->work, q->intervals_left),
                                        sum_left(q->iterations, q->intervals_left), allocation,
                                        left, err);
}

enum nereus_status nereus_policy_unchanged_s(const struct nereus_policy_question *question,
                                             const struct nereus_allocation *allocation,
                                             double *left_s, struct nereus_error *err)
{
    struct nereus_interval_time left;
    NEREUS_TRY(compute_time_left(question, allocation, &left, err));
    *left_s = left.computation_s + left.communication_s;
    return NEREUS_OK;
}

static struct nereus_allocation get_larger(const struct nereus_policy_question *q,
                                           const struct nereus_allocation *other)
{
    struct nereus_allocation larger = *other;
    for (int k = 0; k < q->model->class_count; k++)
        if (q->allocation.processes[k] > larger.processes[k])
            larger.processes[k] = q->allocation.processes[k];
    return larger;
}

/* Cost of a change, during which old and new processes exist. */
static enum nereus_status judge_candidate(const struct nereus_policy_question *q, double change_s,
                                          struct nereus_policy_candidate *candidate,
                                          struct nereus_error *err)
{
    const struct nereus_allocation both = get_larger(q, &candidate->allocation);
    double held_s;
    NEREUS_TRY(nereus_policy_unchanged_s(q, &candidate->allocation, &held_s, err));
    candidate->processes = nereus_allocation_processes(q->model, &candidate->allocation);
    candidate->end_s = q->elapsed_s + change_s + held_s;
    candidate->core_s = change_s * (double)nereus_allocation_processes(q->model, &both) +
                        held_s * (double)candidate->processes;
    candidate->cost = (change_s * nereus_allocation_price(q->model, &both) +
                       held_s * nereus_allocation_price(q->model, &candidate->allocation)) /
                      3600;
    return NEREUS_OK;
}

static enum nereus_verdict get_verdict(const struct nereus_policy_question *q, double latest_end_s)
{
    return latest_end_s <= q->goal_s * (1 + rounding) ? NEREUS_VERDICT_MEETS : NEREUS_VERDICT_LATE;
}

enum nereus_status nereus_candidate_make_present(const struct nereus_policy_question *question,
                                                 struct nereus_policy_candidate *stay,
                                                 struct nereus_error *err)
{
    struct nereus_policy_candidate one = {.allocation = question->allocation};
    NEREUS_TRY(judge_candidate(question, 0, &one, err));
    one.latest_end_s = one.end_s;
    one.verdict = get_verdict(question, one.end_s);
    *stay = one;
    return NEREUS_OK;
}

/* Set the verdict: does it meet the goal, with the high end of the change's interval? */
static enum nereus_status complete_candidate(const struct nereus_policy_question *q,
                                             const struct nereus_constraint *constraint,
                                             const struct nereus_policy_candidate *stay,
                                             struct nereus_policy_candidate *candidate,
                                             struct nereus_error *err)
{
    NEREUS_TRY(judge_candidate(q, candidate->change_s.high, candidate, err));
    candidate->latest_end_s = candidate->end_s;
    candidate->min_saving = constraint->saved_figure(stay) - constraint->saved_figure(candidate);
    candidate->verdict = get_verdict(q, candidate->latest_end_s);
    return judge_candidate(q, candidate->change_s.value, candidate, err);
}

int64_t nereus_candidates_max_processes(const struct nereus_computational_model *model)
{
    int64_t max = 0;
    for (int k = 0; k < model->class_count; k++)
        max += model->classes[k].max;
    return max;
}

/* Largest number of processes to mix per class: a removal takes present processes, an addition free
 * ones. */
static bool find_max_per_class(const struct nereus_policy_question *q, int64_t processes,
                               int64_t *max, int64_t *count)
{
    const int64_t present = nereus_allocation_processes(q->model, &q->allocation);
    const bool adds = processes > present;
    for (int k = 0; k < q->model->class_count; k++)
        max[k] = adds ? q->model->classes[k].max - q->allocation.processes[k]
                      : q->allocation.processes[k];
    *count = adds ? processes - present : processes;
    return adds;
}

static void add_present(const struct nereus_policy_question *q,
                        struct nereus_allocation *allocation)
{
    for (int k = 0; k < q->model->class_count; k++)
        allocation->processes[k] += q->allocation.processes[k];
}

void nereus_candidate_find_strongest(const struct nereus_policy_question *question,
                                     int64_t processes, struct nereus_allocation *strongest)
{
    int64_t max[NEREUS_NODE_CLASSES_MAX], count;
    const bool adds = find_max_per_class(question, processes, max, &count);
    nereus_mix_find_strongest(question->model->class_count, question->model->classes, max, count,
                              strongest);
    if (adds)
        add_present(question, strongest);
}

/* Least power that meets the goal; INFINITY: none does. */
static double compute_needed_power(const struct nereus_policy_question *q, double change_s,
                                   const struct nereus_interval_time *left)
{
    const double budget_s = q->goal_s - q->elapsed_s - change_s - left->communication_s;
    return budget_s > 0 ? sum_left(q->work, q->intervals_left) / budget_s : INFINITY;
}

/* Find the best mix with the needed power.
 * @return NEREUS_ERR_ILLEGAL: no mix has it */
static enum nereus_status find_mix(const struct nereus_policy_question *q,
                                   const struct nereus_constraint *constraint, int64_t processes,
                                   struct nereus_policy_candidate *candidate,
                                   struct nereus_error *err)
{
    int64_t max[NEREUS_NODE_CLASSES_MAX], count;
    const bool adds = find_max_per_class(q, processes, max, &count);
    const double present = adds ? nereus_allocation_power(q->model, &q->allocation) : 0;
    const struct nereus_mix_question mix = {.class_count = q->model->class_count,
                                            .classes = q->model->classes,
                                            .max = max,
                                            .count = count,
                                            .needed_power =
                                                fmax(0, candidate->needed_power - present),
                                            .aim = constraint->aim};
    if (!isfinite(candidate->needed_power))
        return NEREUS_ERR_ILLEGAL;
    NEREUS_TRY(nereus_mix_find(&mix, &candidate->allocation, &candidate->mix, err));
    if (adds)
        add_present(q, &candidate->allocation);
    return NEREUS_OK;
}

/* Price a candidate.
 * @return NEREUS_ERR_NO_BASIS, NEREUS_ERR_ILLEGAL: it has no price */
static enum nereus_status make_one(const struct nereus_policy_question *q,
                                   const struct nereus_constraint *constraint, int64_t processes,
                                   const struct nereus_policy_candidate *stay,
                                   struct nereus_policy_candidate *candidate,
                                   struct nereus_error *err)
{
    struct nereus_policy_candidate one = {.mix = {.simplex_value = NAN, .value = NAN}};
    struct nereus_interval_time left;
    nereus_candidate_find_strongest(q, processes, &one.allocation);
    NEREUS_TRY(nereus_change_time(q->model, &q->allocation, &one.allocation, &one.change_s, err));
    NEREUS_TRY(compute_time_left(q, &one.allocation, &left, err));
    one.needed_power = compute_needed_power(q, one.change_s.high, &left);
    const enum nereus_status status = find_mix(q, constraint, processes, &one, err);
    if (status != NEREUS_OK && status != NEREUS_ERR_ILLEGAL)
        return status;
    NEREUS_TRY(complete_candidate(q, constraint, stay, &one, err));
    *candidate = one;
    return NEREUS_OK;
}

enum nereus_status nereus_candidates_make(const struct nereus_policy_question *question,
                                          const struct nereus_constraint *constraint, int64_t min,
                                          int64_t max, struct nereus_decision *decision,
                                          struct nereus_error *err)
{
    NEREUS_TRY(nereus_mix_check(question->model->class_count, err));
    struct nereus_policy_candidate *candidate =
        calloc((size_t)(max >= min ? max - min + 1 : 1), sizeof *candidate);
    int64_t count = 0;
    NEREUS_TRY_MEMORY(candidate, err, "for candidates");
    for (int64_t n = min; n <= max; n++) {
        struct nereus_error why;
        if (n == decision->stay.processes)
            continue;
        const enum nereus_status status =
            make_one(question, constraint, n, &decision->stay, &candidate[count], &why);
        if (status == NEREUS_ERR_MEMORY) {
            free(candidate);
            return nereus_fail(err, status, "%s", why.text);
        }
        count += status == NEREUS_OK;
    }
    decision->candidates = candidate;
    decision->candidate_count = count;
    return NEREUS_OK;
}
