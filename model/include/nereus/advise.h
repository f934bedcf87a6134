/**
 * @file advise.h
 * Answers whether a resize is worth it, to which size, by which method, and until when.
 *
 * For each size the best method (nereus_predict_for_goal) is compared with no resize, by the goal's
 * figure over the remaining iterations:
 *
 *   application, system   T_ex in seconds (system: of the method with the least RT or CT)
 *   node-hours            node-seconds until the application ends
 *   energy                joules until the application ends
 *   weights               the weighted sum; each quantity is divided by its minimum over the sizes
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
    /** the present job; nt and t_iter_nt_s are not used; iterations_before is 0, or those of a job
     * that started before the question */
    const struct nereus_scenario *scenario;
    const struct nereus_scaling *scaling;
    const int64_t *sizes; /**< candidates; ns is ignored */
    int64_t size_count;
    const struct nereus_method *methods; /**< candidates */
    int method_count;
    const struct nereus_ranking *ranking;
    /** NULL: none. Its t_iter_s is not used, its size is ns or more. Only larger sizes than it are
     * possible. */
    const struct nereus_later_shrink *later_shrink;
};

/** Result for one size. Members after `possible` are valid if it is true. */
struct nereus_advice_size {
    int64_t nt;
    bool possible;                       /**< a method is legal, and T(nt) is known */
    struct nereus_prediction prediction; /**< best method; includes the later shrink, if any */
    double t_iter_nt_s;
    struct nereus_interval t_ex_s; /**< 90 % */
    /** 90 %: figure without a resize - figure of this size */
    struct nereus_interval gain;
    /** Smallest number of remaining iterations (with a later shrink: before it) for which a resize
     * is no worse than none; at least those that it overlaps; INFINITY: never. */
    double break_even_iterations;
    struct nereus_method later_method; /**< with a later shrink */
    double later_rt_s;
};

struct nereus_advice {
    int64_t best_index;     /**< index of the size with the largest gain; -1: no resize */
    int64_t second_index;   /**< index of the second-best size; -1: none */
    int64_t possible_count; /**< number of possible sizes */
    double stay_t_ex_s;     /**< stay_*: figures without a resize */
    double stay_figure;     /**< what the goal compares: s, node-seconds, J or the weighted sum */
    int64_t stay_nodes;     /**< for the goals node-hours, energy and weights */
    double stay_power_w;
};

/**
 * Compare every size with no resize. Allocates nothing for a job in its initial state without a
 * later shrink. Takes about 0.6 us for each method and size with a prepared profile (32 sizes by 18
 * methods: 0.3 ms on two cores, 2026-11).
 * @param[out] working  scratch array of method_count predictions
 * @param[out] sizes    array of size_count, in the order of question->sizes
 * @param[out] advice   indices into `sizes`, and the figures of staying
 * @return NEREUS_ERR_ARGUMENT for values out of range; if no size is possible, the error of the
 *         first
 */
enum nereus_status nereus_advise(const struct nereus_advice_question *question,
                                 struct nereus_prediction *working,
                                 struct nereus_advice_size *sizes, struct nereus_advice *advice,
                                 struct nereus_error *err);

NEREUS_END_C
#endif
