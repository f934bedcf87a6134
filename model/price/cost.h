/**
 * @file cost.h
 * Computes the cost of a step: a sum of coefficient x feature, which prices a plan and which the
 * fit inverts. Private to model/ (runtime and commands use predict.h).
 *
 * A feature is a pure function of where the processes of a step are and of how many bytes move. A
 * profile names the features of its coefficients, so that models can be exchanged. To add a
 * feature: model/price/README.md.
 */
#pragma once

#include "cost_scatter.h"
#include "model/profile/features.h"
#include "nereus/layout.h"
#include "nereus/note.h"
#include "nereus/plan.h"
#include "nereus/price.h"
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
    /** l_a: load by the old processes that are not asleep while new ones start */
    double load_awake;
    double moved_bytes, touched_bytes, freed_bytes, transfer_s, window_s, touch_s, broadcast_s;
    bool two_groups, starts;
    /** set where a model has these terms, and for write and read */
    struct nereus_between_bytes between_bytes;
};

/** @return value of a feature; NAN: unknown feature */
double nereus_cost_feature(enum nereus_feature feature, const struct nereus_cost_input *input);

/** Find the step kinds that price a step, mostly its own. A mutual wait of old and new processes is
 * priced as an agreement. A round of connections connects and merges two groups (Martín-Álvarez et
 * al. (2025), section 4.4): both models are added, unless connections were measured by themselves:
 * these times include the merge.
 * @return their number, 1 or 2 */
int nereus_cost_priced_as(const struct nereus_profile *profile, const struct nereus_step *step,
                          bool oversubscribed, enum nereus_step_kind by[2]);

/** Make the input of one step of a plan. Steps that are repeated in parallel have one input,
 * because they share nodes and launcher; steps in sequence have the input of an average step, whose
 * price is multiplied by `times`. */
void nereus_cost_input_make(const struct nereus_cost_context *context,
                            const struct nereus_step *step, struct nereus_cost_input *input);

/** Candidate terms of a step kind, in the order in which a fit tries them. */
struct nereus_cost_kind {
    const enum nereus_feature *terms; /**< used if this step kind was measured */
    int term_count;
    /** used if only whole reconfigurations were measured */
    const enum nereus_feature *whole_terms;
    int whole_term_count;
    const char *equation; /**< source of the term */
};
const struct nereus_cost_kind *nereus_cost_kind_of(enum nereus_step_kind kind);

/** @return Hockney estimate for the busiest process in a redistribution, in seconds; 0: no
 * ping-pong was measured */
double nereus_cost_transfer_s(const struct nereus_cost_context *context, double bytes);
/** @return seconds of an operation between two processes placed as sources and targets; 0: not
 * measured */
double nereus_cost_operation_s(const struct nereus_cost_context *context,
                               enum nereus_operation operation, double bytes);
/** @return bytes through the link of the busiest node in a redistribution of `bytes` */
double nereus_cost_node_bytes(const struct nereus_cost_context *context, double bytes);
/** @return seconds of the busiest node's link; 0: its rate is unknown, or nothing passes */
double nereus_cost_link_s(const struct nereus_cost_context *context, double bytes);
/** @return seconds in which the link of a node transfers these bytes; 0: its rate is unknown */
double nereus_cost_through_link_s(const struct nereus_profile *profile, double bytes);

struct nereus_collective_call {
    enum nereus_collective collective;
    int64_t processes;
    double bytes; /**< bytes of one process' part, as in collective.h */
};
/** Predict the time of a collective (cost_collective.c).
 * @param[in] machine  NULL: the measured nodes
 * @return NEREUS_ERR_NO_BASIS: the collective was not measured */
enum nereus_status nereus_cost_collective_s(const struct nereus_profile *profile,
                                            const struct nereus_machine *machine,
                                            const struct nereus_collective_call *call,
                                            double *time_s);
/** @return model of the pair class, or of the nearest measured one; NULL: none */
const struct nereus_hockney *nereus_cost_pair(const struct nereus_hockney *pairs, bool same_world,
                                              bool same_node);

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

/** A sum of prices and its error. */
struct nereus_cost_sum {
    double value_s;
    double variance_s2; /**< variance of the coefficients */
    /** residual scatter, which is added linearly, because residuals of one plan's steps are
     * correlated */
    double common_scatter_s;
    /** degrees of freedom of variance and scatter together (cost_sum.c); INFINITY at first */
    double degrees_of_freedom;
    bool extrapolated;
    /** first model used outside its fitted range */
    const struct nereus_linear_model *extrapolated_model;
    double extrapolated_load;                /**< load of that use */
    const struct nereus_linear_model *prior; /**< prior with most seconds; NULL: none */
    double prior_s, assumed_s;               /**< seconds of that prior; seconds of all priors */
    /** includes unattributed time: half of the reconfigurations take longer than the value */
    bool centred;
    /** part of value_s with a measured scatter; not in common_scatter_s */
    struct nereus_scatter scatter;
};
#define NEREUS_COST_SUM_INIT                                                                       \
    {                                                                                              \
        .degrees_of_freedom = INFINITY                                                             \
    }

void nereus_cost_add_sum(struct nereus_cost_sum *sum, const struct nereus_cost_sum *other);
/** Multiply a sum and its errors by a factor. */
void nereus_cost_scale(struct nereus_cost_sum *sum, double factor);
/** @return standard error of one measurement, including the error of the coefficients */
double nereus_cost_error_s(const struct nereus_cost_sum *sum);

/**
 * @param[out] features  model->terms values; may be NULL
 * @return value of a model
 */
double nereus_cost_value(const struct nereus_linear_model *model,
                         const struct nereus_cost_input *input, double *features);

/** Add a model's price for an input. */
void nereus_cost_add(struct nereus_cost_sum *sum, const struct nereus_linear_model *model,
                     const struct nereus_cost_context *context,
                     const struct nereus_cost_input *input);

/** @return doublings from the range [min, max] to a value; 0 within */
double nereus_cost_doublings(double value, double min, double max);
/** @return additional relative scatter of a prediction `doublings` outside the measured range */
double nereus_cost_extrapolation_scatter(double doublings);
/** @return doublings of sizes or load outside the fitted range of a model; 0 within */
double nereus_cost_extrapolation(const struct nereus_linear_model *model, int64_t ns, int64_t nt,
                                 double load);

/** @return note of a question outside the fitted range: sizes, load or bytes */
struct nereus_note nereus_cost_note_extrapolation(const struct nereus_linear_model *model,
                                                  int64_t ns, int64_t nt, double load);
/** Add value_s seconds of a prior; the sum names the prior with most seconds. */
void nereus_cost_set_prior(struct nereus_cost_sum *sum, const struct nereus_linear_model *model,
                           double value_s);
/** Mark a sum as extrapolated; the first model is kept. */
void nereus_cost_set_extrapolated(struct nereus_cost_sum *sum,
                                  const struct nereus_linear_model *model, double load);

/** @return 90 % interval of a sum: value x exp(+- t s), so that it never reaches 0 */
struct nereus_interval nereus_cost_interval(const struct nereus_cost_sum *sum);

/* cost_between.c: Prices a redistribution between nodes from measured ones (fit_between.c). Private
 * to model/. */

/** @return index in profile->between_models of a redistribution; -1: all processes are on one node
 */
int nereus_between_model_index(const struct nereus_cost_context *context);

/** Does the redistribution with this index in profile->between_models move data in rounds, by a
 * blocking alltoallv between two groups? */
bool nereus_between_moves_in_rounds(int model);

/** Does the profile have rows of redistributions between nodes? */
bool nereus_between_is_measured(const struct nereus_profile *profile);

/** @return bytes that a redistribution moves, by kind of term */
struct nereus_between_bytes nereus_between_bytes_of(const struct nereus_cost_context *context,
                                                    double bytes);

/** Find the model of a redistribution: the measured one, else a prior from other measurements.
 * @param own_model  storage for a prior
 * @return NULL: all are on one node, or the profile has no row of a redistribution between nodes,
 * and the link alone does not price this one (rounds of a synthetic cluster, which has no rows) */
const struct nereus_linear_model *nereus_between_model(const struct nereus_cost_context *context,
                                                       struct nereus_linear_model *own_model,
                                                       const struct nereus_linear_model **prior);

/* cost_broadcast.c: Prices the broadcast of replicated values, which only new processes need.
 * Private to model/. */

enum nereus_broadcast_basis {
    NEREUS_BROADCAST_MEASURED, /**< MPI_Bcast was measured */
    NEREUS_BROADCAST_MESSAGES, /**< binomial tree of messages at ping-pong speed */
    NEREUS_BROADCAST_ASSUMED   /**< binomial tree of messages of assumed speed */
};

/** Do processes lack the replicated values? New processes do; processes that stay have them. */
bool nereus_cost_lacks_replicated(const struct nereus_cost_context *context);

/** @return seconds to send `bytes` (one copy) to all processes that lack them */
double nereus_cost_broadcast_s(const struct nereus_cost_context *context, double bytes,
                               enum nereus_broadcast_basis *basis);

/* cost_restart.c: Prices the steps of a restart (plan_restart.c) in profiles without rows of
 * restarts. Private to model/. */

/** Assumed seconds, and seconds per byte, which are also priors of a fit. */
#define NEREUS_ASSUMED_WRITE_S          0.01
#define NEREUS_ASSUMED_WRITE_PROCESS_S  1e-9
#define NEREUS_ASSUMED_WRITE_TOGETHER_S 1e-9
#define NEREUS_ASSUMED_READ_S           0.005
#define NEREUS_ASSUMED_READ_PROCESS_S   3e-10
#define NEREUS_ASSUMED_READ_TOGETHER_S  3e-10
#define NEREUS_ASSUMED_END_S            0.05

/** Set the bytes of the busiest process and of all processes, for write and read. */
void nereus_restart_bytes(const struct nereus_cost_context *context, const struct nereus_step *step,
                          struct nereus_cost_input *input);

/** Find the prior of a step that only a restart has: start is priced as launch or as spawn, the
 * other steps are assumed.
 * @param[out] measured_model  the model by which start is priced, else NULL
 * @param[out] named     has the name of the prior, and outlives the profile
 * @return false: another kind, or the profile has no start of processes */
bool nereus_restart_find_prior(const struct nereus_cost_context *context,
                               enum nereus_step_kind kind, struct nereus_linear_model *own_model,
                               const struct nereus_linear_model **measured_model,
                               const struct nereus_linear_model **named);

/** Does nereus_restart_find_prior have a prior of the kind, so that a fit needs none? */
bool nereus_restart_has_prior(enum nereus_step_kind kind);
