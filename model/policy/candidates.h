/**
 * @file candidates.h
 * The allocations that algorithm 1 considers: for each number of processes one, as the constraint
 * wants it. Private to model/policy.
 */
#ifndef NEREUS_CANDIDATES_H
#define NEREUS_CANDIDATES_H

#include "mix.h"
#include "nereus/policy.h"

/** What an allocation costs from now to the end, held: under the constraint. */
typedef double nereus_figure(const struct nereus_policy_candidate *candidate);

struct nereus_constraint {
    enum nereus_mix_aim aim;
    nereus_figure *saved; /**< what a change to fewer processes must save */
    /** is a better than b, if both meet the goal? */
    bool (*is_better)(const struct nereus_policy_candidate *a,
                      const struct nereus_policy_candidate *b);
};

/** Staying, as a candidate. */
enum nereus_status nereus_candidate_stay(const struct nereus_policy_question *question,
                                         struct nereus_policy_candidate *stay,
                                         struct nereus_error *err);

/**
 * One candidate for each size from `least` to `most` but the present one that can be reached by
 * adding processes or by removing some. Those that meet the goal come from the mix; of other sizes
 * the most powerful is there, for the log. Sizes without a price are left out.
 * @param[in,out] decision  stay is set; receives candidates
 */
enum nereus_status nereus_candidates_make(const struct nereus_policy_question *question,
                                          const struct nereus_constraint *constraint, int64_t least,
                                          int64_t most, struct nereus_decision *decision,
                                          struct nereus_error *err);

/** The most powerful allocation of this size: a superset or a subset of the present one. */
void nereus_candidate_strongest(const struct nereus_policy_question *question, int64_t processes,
                                struct nereus_allocation *strongest);

/** All processes that the layout holds. */
int64_t nereus_candidates_most(const struct nereus_computational_model *model);

#endif
