/**
 * @file advise.h
 * Is a resize worth it, to which size, by which method, and until when?
 *
 * For each size the best method is taken (nereus_predict_for_goal) and compared with staying, which
 * costs no RT, by the goal's figure of the iterations that are left:
 *
 *   application, system   T_ex in seconds (system: of the method that returns processes soonest)
 *   node-hours            node-seconds until the application ends
 *   weights               the weighted sum; each quantity over its least among the sizes
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
    /** the job now; nt and t_iter_nt_s are not used, iterations_before is mostly 0 */
    const struct nereus_scenario *scenario;
    const struct nereus_scaling *scaling;
    const int64_t *sizes; /**< candidates; ns is skipped */
    int64_t size_count;
    const struct nereus_method *methods; /**< candidates */
    int method_count;
    const struct nereus_ranking *ranking;
    /** its t_iter_s is not used; NULL: none. Sizes that it cannot follow are not possible. Not
     * below ns: staying would need a shrink, too */
    const struct nereus_later_shrink *later;
};

/** Members after `possible` are valid if it is true. */
struct nereus_advice_size {
    int64_t nt;
    bool possible;                       /**< a method reaches it, and T(nt) is known */
    struct nereus_prediction prediction; /**< by the best method; with a later shrink of both */
    double t_iter_nt_s;
    struct nereus_interval t_ex_s; /**< 90 % */
    /** 90 %: figure of staying - figure of this size */
    struct nereus_interval gain;
    /** iterations left (with a later shrink: before it) from which on it is no worse than to stay;
     * at least those in which it ends; INFINITY: never */
    double break_even_iterations;
    struct nereus_method later_method; /**< with a later shrink */
    double later_rt_s;
};

struct nereus_advice {
    int64_t best;     /**< index of the size with the largest gain; -1: to stay */
    int64_t next;     /**< the best of the others; -1: none */
    int64_t possible; /**< number of sizes */
    double stay_t_ex_s;
    int64_t stay_nodes; /**< of the goals node-hours and weights */
    double stay_node_s;
    double stay_score;
};

/**
 * Allocates nothing for a job in its initial state without a later shrink. Takes about 0.6 us for
 * each method and size with a prepared profile (32 sizes by 18 methods: 0.3 ms on two cores,
 * 2026-11).
 * @param[out] working  room for method_count predictions
 * @param[out] sizes    room for size_count, in the order of question->sizes
 * @return NEREUS_ERR_ARGUMENT for values out of range; if no size is possible the error of the
 *         first
 */
enum nereus_status nereus_advise(const struct nereus_advice_question *question,
                                 struct nereus_prediction *working,
                                 struct nereus_advice_size *sizes, struct nereus_advice *advice,
                                 struct nereus_error *err);

NEREUS_END_C
#endif
