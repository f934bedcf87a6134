/**
 * @file cost.h
 * Computes the cost of a step: a sum of coefficient x feature, which prices a plan and which the
 * fit inverts. Private to model/ (runtime and commands use nereus/price.h and predict.h).
 *
 * A feature is a pure function of where the processes of a step are and of how many bytes move. A
 * profile names the features of its coefficients, so that models can be exchanged. To add a
 * term: model/price/README.md.
 */
#pragma once

#include "model/profile/terms.h"
#include "nereus/layout.h"
#include "nereus/plan.h"
#include "nereus/profile.h"
#include "transfer.h"

/** Limits of the search for keep's ranges, which takes time: elements (a number with many divisors)
 * and positions. */
enum {
    NEREUS_COST_KEEP_ELEMENTS = 5040,
    NEREUS_COST_KEEP_CELLS = 20000,
    NEREUS_COST_WEIGHTED_ELEMENTS = 1 << 30
};

/** Inputs that all steps of one reconfiguration share. */
struct nereus_cost_context {
    const struct nereus_profile *profile;
    const struct nereus_machine *machine;
    int64_t ns, nt;
    bool oversubscribed;   /**< nereus_cost_is_oversubscribed; for a row of samples: as measured */
    enum nereus_data data; /**< how data moves; coll if the method has no data part */
    bool inter;            /**< data moves over an inter-communicator */
    bool respawn;          /**< all targets are new: baseline, baseline-intra, restart */
    bool restarts;         /**< the sources have ended before the targets start */
    bool single;           /**< the root alone starts processes; the other sources sleep */
    /** processes are started; assumed in expansions until zombies are known */
    bool starts;
    /** bytes moved by the busiest process, relative to equal blocks: below 1 for keep */
    double share;
    double largest_share; /**< bytes of the largest new part, relative to equal blocks */
    /** elements for which `ranges` is known (bounds of keep or weighted); 0: equal blocks */
    int64_t range_elements;
    struct nereus_transfer ranges;
    bool collective;  /**< data moves by a collective: coll within one group */
    bool overlapped;  /**< data moves while iterations go on */
    bool values_only; /**< errors of sums are not needed */
};

/** Set all members; profile and machine must outlive the context. */
void nereus_cost_context_init(const struct nereus_profile *profile,
                              const struct nereus_machine *machine, int64_t ns, int64_t nt,
                              const struct nereus_method *method,
                              struct nereus_cost_context *context);

/** Bytes of a redistribution between nodes, as cost_between.c weights them: B_n, B, B min / max,
 * B_n [NT < NS], B e^2. */
struct nereus_between_bytes {
    double node_bytes, all_bytes, both_bytes, gathered_bytes, crowded_bytes;
};

/** Inputs of features. */
struct nereus_cost_input {
    struct nereus_load load;
    int64_t old_processes, new_processes; /**< participants of the step */
    /** methods priced as a whole: worlds started, one on each node; 0: one world for all */
    int64_t groups;
    /** l_a: as l, core_load, but by the old processes that are not asleep while new ones start */
    double load_awake;
    double moved_bytes, touched_bytes, freed_bytes, transfer_s, window_s, touch_s, broadcast_s;
    bool two_groups, starts;
    /** set where a model has these terms, and for write and read */
    struct nereus_between_bytes between_bytes;
};

/** @return feature of a term; NAN: unknown term */
double nereus_cost_feature(enum nereus_term term, const struct nereus_cost_input *input);

/** Find the step kinds that price a step, mostly its own. A mutual wait of old and new processes is
 * priced as an agreement. A round of connections connects and merges two groups (Martín-Álvarez et
 * al. (2025), section 4.4): both models are added, unless connections were measured by themselves:
 * these times include the merge.
 * @return their number, 1 or 2 */
int nereus_cost_priced_as(const struct nereus_profile *profile, const struct nereus_step *step,
                          bool oversubscribed, enum nereus_step_kind priced_as[2]);

/** Make the input of one step of a plan. Steps that are repeated in parallel have one input,
 * because they share nodes and launcher; steps in sequence have the input of an average step, whose
 * price is multiplied by `times`. */
void nereus_cost_input_make(const struct nereus_cost_context *context,
                            const struct nereus_step *step, struct nereus_cost_input *input);

/** Candidate terms of a step kind, in the order in which a fit tries them. */
struct nereus_cost_kind {
    const enum nereus_term *terms; /**< used if this step kind was measured */
    int term_count;
    /** used if only whole reconfigurations were measured */
    const enum nereus_term *whole_terms;
    int whole_term_count;
};
const struct nereus_cost_kind *nereus_cost_kind_of(enum nereus_step_kind kind);

/** @return model of a step kind: the oversubscribed one if it exists and applies */
static inline const struct nereus_linear_model *
nereus_cost_model(const struct nereus_profile *profile, enum nereus_step_kind kind,
                  bool oversubscribed)
{
    const struct nereus_linear_model *upper_model = &profile->steps_oversubscribed[kind];
    return oversubscribed && upper_model->basis != NEREUS_BASIS_NONE ? upper_model
                                                                     : &profile->steps[kind];
}
/** @return model of a step kind at the load of a context */
static inline const struct nereus_linear_model *
nereus_context_model(const struct nereus_cost_context *context, enum nereus_step_kind kind)
{
    return nereus_cost_model(context->profile, kind, context->oversubscribed);
}

/** Do the targets, or old and new processes together, exceed the cores of a finite machine? */
bool nereus_cost_is_oversubscribed(const struct nereus_machine *machine, int64_t ns, int64_t nt,
                                   const struct nereus_method *method);
