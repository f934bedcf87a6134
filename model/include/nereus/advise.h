/**
 * @file advise.h
 * Is a resize worth it at all, to which size, by which method, and until when? All functions are
 * local; thread-safe on different outputs, as the profile is only read.
 *
 * For each size the best method is taken, as nereus_predict_for_goal chooses it. A size is compared
 * with staying by the goal's figure of the iterations that are left:
 *
 *   application, system   T_ex in seconds (system: of the method that returns processes soonest)
 *   node-hours            node-seconds until the application ends
 *   weights               the weighted sum; a quantity counts over its least among the sizes
 *
 * To stay costs no RT: (before + after) T(NS), on the nodes that the job holds.
 */
#ifndef NEREUS_ADVISE_H
#define NEREUS_ADVISE_H

#include <stdbool.h>
#include <stdint.h>

#include "goal.h"
#include "scaling.h"

NEREUS_BEGIN_C

struct nereus_advice_question {
    const struct nereus_profile *profile;
    /** the job now: ns, t_iter_ns_s, the iterations left (iterations_after; iterations_before run
     * before any resize and are mostly 0), bytes, machine, state. nt and t_iter_nt_s are not used
     */
    const struct nereus_scenario *scenario;
    const struct nereus_scaling *scaling; /**< gives T(n) from t_iter_ns_s */
    const int64_t *sizes;                 /**< candidates; ns among them is passed over */
    int64_t size_count;
    const struct nereus_method *methods; /**< candidates */
    int method_count;
    const struct nereus_ranking *ranking;
    /** a shrink that follows an expansion (its t_iter_s is not used); NULL: none. Sizes that it
     * cannot follow are not possible. It must not be below ns: to stay would need a shrink, too */
    const struct nereus_later_shrink *later;
};

/** One size. Members behind `possible` are valid if it is. */
struct nereus_advice_size {
    int64_t nt;
    bool possible;                       /**< some method reaches it, and T(nt) is known */
    struct nereus_prediction prediction; /**< by its best method; with a later shrink of both */
    double t_iter_nt_s;
    struct nereus_interval t_ex_s; /**< 90 % */
    /** 90 %: figure of staying - figure of this size; below 0 it is worse than to stay */
    struct nereus_interval gain;
    /** iterations left from which on it is no worse than to stay (with a later shrink: iterations
     * before that shrink), at least those in which it ends; INFINITY: never */
    double break_even_iterations;
    struct nereus_method later_method; /**< with a later shrink */
    double later_rt_s;                 /**< 0: none */
};

struct nereus_advice {
    int64_t best; /**< index of the size with the largest gain; -1: to stay is best */
    int64_t next; /**< the best one of the others: what `best` must be compared with; -1: none */
    int64_t possible; /**< sizes that are */
    double stay_t_ex_s;
    int64_t stay_nodes; /**< 0: of another goal than node-hours and weights */
    double stay_node_s; /**< node-seconds, likewise */
    double stay_score;  /**< of the goal weights */
};

/**
 * Advise. Allocates nothing where nereus_predict_for_goal does not, that is for a job in its
 * initial state; with a later shrink it allocates. Time: methods x sizes predictions, about 0.6 us
 * each with a prepared profile (32 sizes by 18 methods: 0.3 ms on a virtual machine of two cores,
 * 2026-11).
 * @param[out] working  room for method_count predictions
 * @param[out] sizes    room for size_count, in the order of question->sizes
 * @param[out] advice   on NEREUS_OK
 * @return NEREUS_ERR_ARGUMENT for values out of range; where no size is possible the status and
 *     the reason of the first, as NEREUS_ERR_NO_BASIS or NEREUS_ERR_ILLEGAL
 */
enum nereus_status nereus_advise(const struct nereus_advice_question *question,
                                 struct nereus_prediction *working,
                                 struct nereus_advice_size *sizes, struct nereus_advice *advice,
                                 struct nereus_error *err);

NEREUS_END_C
#endif
