/**
 * @file cost.h
 * What a step costs: a sum of coefficient x feature. Private to model/ (the runtime and the commands see
 * predict.h).
 *
 * A feature is a pure function of where the processes of a step sit and of how many bytes move; a profile
 * names the features that its coefficients belong to, so that any model may stand in for another. To add a
 * term: a line in NEREUS_FEATURE_LIST, its formula in cost.c, and its place in the row of the step kind in
 * cost.c.
 */
#ifndef NEREUS_COST_H
#define NEREUS_COST_H

#include <stdbool.h>
#include <stdint.h>

#include "cost_scatter.h"
#include "model/profile/features.h"
#include "nereus/layout.h"
#include "nereus/note.h"
#include "nereus/plan.h"
#include "nereus/price.h"
#include "nereus/profile.h"
#include "nereus/status.h"
#include "transfer.h"

/** Keep's ranges take time to find: of so many elements (with many divisors), and not looking at all positions. */
enum { NEREUS_COST_KEEP_ELEMENTS = 5040, NEREUS_COST_KEEP_CELLS = 20000 };

/** Where new processes of the last step were placed: of most steps of a plan, and of most methods of a pair, it is the same. */
struct nereus_placed {
    bool known;
    int64_t beside, first_new, count;
    struct nereus_load load;
};

/** The same of the last step that placed somebody, and of the last that did not. Of one machine and NT. */
struct nereus_placings {
    struct nereus_placed somebody, nobody;
};

/** What all steps of one reconfiguration share. */
struct nereus_cost_context {
    const struct nereus_machine *machine;
    const struct nereus_hockney *pairs;      /**< NEREUS_PAIR_CLASS_COUNT of them; NULL: none measured */
    const struct nereus_hockney *operations; /**< NEREUS_OPERATION_COUNT of them; NULL: none measured */
    int64_t ns, nt;
    enum nereus_data data; /**< how data moves; coll where the method does not say */
    bool inter;            /**< data moves over an inter-communicator */
    bool respawn;          /**< baseline or baseline-intra: all targets are new, beside all sources */
    bool single;           /**< the root starts all new processes, while the other sources nap */
    bool starts;   /**< processes are started; taken for granted of expansions, until zombies are known */
    double share;  /**< of what equal blocks have moved, for the process with most to do: 1, of keep less */
    bool has_keep; /**< keep was worked out: `keep`, of NEREUS_COST_KEEP_ELEMENTS elements */
    struct nereus_transfer keep;
    bool collective;                   /**< data moves by a collective (else point-to-point) */
    bool values_only;                  /**< nobody asks for the errors of sums */
    struct nereus_placings *placings;  /**< NULL: each step is placed anew */
    struct nereus_step_values *values; /**< NULL: each step is priced anew */
};

/** All of it; the machine and the pairs must outlive it. */
void nereus_cost_context_init(const struct nereus_machine *machine, const struct nereus_hockney *pairs,
                              int64_t ns, int64_t nt, const struct nereus_method *method,
                              struct nereus_cost_context *context);

/** Does the cost of such a step depend on where the new processes sit? Of the others, `first_new` says nothing. */
bool nereus_cost_places_new(enum nereus_step_kind kind);

/** What features are computed from. */
struct nereus_cost_input {
    struct nereus_load load;
    int64_t old_processes, new_processes; /**< that take part in the step */
    double load_awake; /**< l_a: l, of those old ones alone that use their cores while new ones start */
    double moved_bytes, touched_bytes, freed_bytes, transfer_s, window_s, touch_s, broadcast_s;
    bool two_groups, starts;
};

double nereus_cost_feature(enum nereus_feature feature, const struct nereus_cost_input *input);

/**
 * The kinds whose models together price a step, mostly its own. Where old and new only wait for each other, they agree that all are
 * there. In a round of connections two groups are connected and merged (parallel-spawning 4.4): unless connections were
 * measured by themselves, which takes in the merge, both are added.
 * @return how many, 1 or 2
 */
int nereus_cost_priced_as(const struct nereus_profile *profile, const struct nereus_step *step,
                          bool oversubscribed, enum nereus_step_kind by[2]);

/**
 * Inputs of one step of a plan. Of steps that are repeated at the same time they are those of all together, since they share
 * nodes and launcher; of steps one after the other, those of an average one, whose price counts `times` times.
 */
void nereus_cost_input_make(const struct nereus_cost_context *context, const struct nereus_step *step,
                            struct nereus_cost_input *input);

/** The candidates of a step kind, in the order in which a fit takes them in. */
struct nereus_cost_kind {
    const enum nereus_feature *terms; /**< used where rows of this very step kind were measured */
    int term_count;
    const enum nereus_feature *whole_terms; /**< used where only whole reconfigurations were measured */
    int whole_term_count;
    const char *equation; /**< whose term it is */
};
const struct nereus_cost_kind *nereus_cost_kind(enum nereus_step_kind kind);

/** Hockney estimate of what the busiest process does in a redistribution; 0 where no ping-pong was measured.
 */
double nereus_cost_transfer_s(const struct nereus_cost_context *context, double bytes);
/** How many times as long a message of a world takes, where a collective was measured among processes of one node and is now among those of
 * several; 1 where neither says more, or no ping-pong was measured. */
double nereus_cost_farther(const struct nereus_hockney *pairs, bool was_one_node, bool is_one_node,
                           double bytes);
/** The class, or the nearest one that was measured; NULL: none. */
const struct nereus_hockney *nereus_cost_pair(const struct nereus_hockney *pairs, bool same_world,
                                              bool same_node);

/** The model that prices a step kind: that of oversubscribed machines where there is one and the scenario is.
 */
static inline const struct nereus_linear_model *
nereus_cost_model(const struct nereus_profile *profile, enum nereus_step_kind kind, bool oversubscribed)
{
    const struct nereus_linear_model *apart = &profile->steps_oversubscribed[kind];
    return oversubscribed && apart->basis != NEREUS_BASIS_NONE ? apart : &profile->steps[kind];
}

/** Targets, or old and new processes at once, exceed the cores of a finite machine. */
bool nereus_cost_oversubscribed(const struct nereus_machine *machine, int64_t ns, int64_t nt,
                                const struct nereus_method *method);

/** A sum of prices with what is known of its error. */
struct nereus_cost_sum {
    double value_s;
    double variance_s2; /**< of the coefficients */
    double spread_s; /**< residual spread; added linearly, as the residuals of one plan's steps go together */
    int64_t freedom; /**< least rows - terms of what was added; INT64_MAX at the start */
    bool extrapolated;
    const struct nereus_linear_model
        *beyond;        /**< the first model that was asked for more than it was fitted to */
    double beyond_load; /**< at which load */
    const struct nereus_linear_model *stand_in; /**< the fall-back with most seconds; NULL: none was used */
    double stand_in_s, assumed_s;               /**< these seconds; those of all fall-backs */
    bool
        centred; /**< holds what lies beyond the steps, which is such that half of the reconfigurations take longer than the value */
    struct nereus_scatter
        scatter; /**< the share of value_s whose scatter was measured by itself: spread_s says nothing of it */
};
#define NEREUS_COST_SUM_INIT                                                                                 \
    {                                                                                                        \
        .freedom = INT64_MAX                                                                                 \
    }

/**
 * Prices of steps that were worked out already: methods of one pair have most of them in common. Of steps without data, by what else such
 * a price hangs on. Profile and scenario must stay the same.
 */
enum { NEREUS_STEP_VALUES_A_KIND = 4 };
struct nereus_step_value {
    int64_t old_processes, new_processes, first_new, repeat, times, level;
    int apart; /**< who else is there, and how it starts */
    double value_s;
};
struct nereus_step_values {
    struct nereus_placings placings;
    unsigned char count[NEREUS_STEP_KIND_COUNT], next[NEREUS_STEP_KIND_COUNT]; /**< next: to be forgotten */
    struct nereus_step_value of[NEREUS_STEP_KIND_COUNT][NEREUS_STEP_VALUES_A_KIND];
    struct nereus_cost_sum sums[NEREUS_STEP_KIND_COUNT]
                               [NEREUS_STEP_VALUES_A_KIND]; /**< the same with errors; not of values only */
};

/** Nothing is known yet. */
void nereus_step_values_begin(struct nereus_step_values *values);

/** Add one sum to another. */
void nereus_cost_add_sum(struct nereus_cost_sum *sum, const struct nereus_cost_sum *other);
/** Multiply a sum, with its errors. */
void nereus_cost_scale(struct nereus_cost_sum *sum, double factor);
/** Standard error of one measurement, with that of the coefficients. */
double nereus_cost_error_s(const struct nereus_cost_sum *sum);

/** value of a model; features (may be NULL) gets model->terms values. */
double nereus_cost_value(const struct nereus_linear_model *model, const struct nereus_cost_input *input,
                         double *features);

/** Add a model's price for an input. */
void nereus_cost_add(struct nereus_cost_sum *sum, const struct nereus_linear_model *model,
                     const struct nereus_cost_context *context, const struct nereus_cost_input *input);

/** Doublings from a value to the range [least, most]; 0 within. */
double nereus_cost_doublings(double value, double least, double most);
/** Relative scatter that a prediction so many doublings beyond what was measured has more. */
double nereus_cost_beyond_scatter(double doublings);
/** Doublings by which sizes or load lie beyond what the model was fitted to; 0 within. */
double nereus_cost_beyond(const struct nereus_linear_model *model, int64_t ns, int64_t nt, double load);

/** The note of a question that lies outside what the model was fitted to: sizes, load or bytes. */
struct nereus_note nereus_cost_note_beyond(const struct nereus_linear_model *model, int64_t ns, int64_t nt,
                                           double load);
/** Name a fall-back that `value_s` of the sum come from: that with most seconds stays. */
void nereus_cost_set_stand_in(struct nereus_cost_sum *sum, const struct nereus_linear_model *model,
                              double value_s);
/** Say of a sum that a model was asked for more than it was fitted to; the first one is kept. */
void nereus_cost_set_beyond(struct nereus_cost_sum *sum, const struct nereus_linear_model *model,
                            double load);

/** 90 % interval of a sum: value x exp(+- t s), so that it never reaches 0. */
struct nereus_interval nereus_cost_interval(const struct nereus_cost_sum *sum);

#endif
