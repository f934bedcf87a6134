/**
 * @file candidates.h
 * The allocations that algorithm 1 considers: one for each number of processes.
 */
#ifndef NEREUS_MODEL_POLICY_CANDIDATES_H
#define NEREUS_MODEL_POLICY_CANDIDATES_H

#include "mix.h"
#include "nereus/policy.h"

/** Cost of holding an allocation to the end. */
typedef double nereus_figure(const struct nereus_policy_candidate *candidate);

struct nereus_constraint {
    enum nereus_mix_aim aim;
    nereus_figure *saved; /**< what fewer processes must save */
    /** if both meet the goal */
    bool (*is_better)(const struct nereus_policy_candidate *a,
                      const struct nereus_policy_candidate *b);
};

enum nereus_status nereus_candidate_stay(const struct nereus_policy_question *question,
                                         struct nereus_policy_candidate *stay,
                                         struct nereus_error *err);

/**
 * One candidate for each size from `min` to `max`, except the present one, that is reached by
 * adding or by removing processes. Those that meet the goal come from the mix, others are the most
 * powerful; sizes without a price are left out.
 * @param[in,out] decision  stay is set; receives candidates
 */
enum nereus_status nereus_candidates_make(const struct nereus_policy_question *question,
                                          const struct nereus_constraint *constraint, int64_t min,
                                          int64_t max, struct nereus_decision *decision,
                                          struct nereus_error *err);

/** The most powerful allocation of this size that contains the present one, or is contained in it.
 */
void nereus_candidate_strongest(const struct nereus_policy_question *question, int64_t processes,
                                struct nereus_allocation *strongest);

int64_t nereus_candidates_max_processes(const struct nereus_computational_model *model);

#endif
