/**
 * @file candidates.h
 * Makes the allocations that algorithm 1 (Martín et al. (2015)) considers, one for each number of
 * processes.
 */
#pragma once

#include "mix.h"
#include "nereus/policy.h"

/** Cost of holding an allocation to the end. */
typedef double nereus_figure(const struct nereus_policy_candidate *candidate);

struct nereus_constraint {
    enum nereus_mix_aim aim;
    nereus_figure *saved_figure; /**< figure that fewer processes must reduce */
    /** compares two candidates that meet the goal */
    bool (*is_better)(const struct nereus_policy_candidate *a,
                      const struct nereus_policy_candidate *b);
};

enum nereus_status nereus_candidate_make_present(const struct nereus_policy_question *question,
                                                 struct nereus_policy_candidate *stay,
                                                 struct nereus_error *err);

/** Make one candidate for each size from `min` to `max`, except the present one, that only adds or
 * only removes processes. Candidates that meet the goal come from the mix, others are the most
 * powerful; sizes without a price are left out.
 * @param[in,out] decision its `stay` is set; receives the candidates
 */
enum nereus_status nereus_candidates_make(const struct nereus_policy_question *question,
                                          const struct nereus_constraint *constraint, int64_t min,
                                          int64_t max, struct nereus_decision *decision,
                                          struct nereus_error *err);

/** Find the most powerful allocation of this size that contains the present one, or is contained in
 * it. */
void nereus_candidate_find_strongest(const struct nereus_policy_question *question,
                                     int64_t processes, struct nereus_allocation *strongest);

int64_t nereus_candidates_max_processes(const struct nereus_computational_model *model);
