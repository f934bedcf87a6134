/**
 * @file fit.h
 * The parts of nereus_profile_fit. Private to model/: each part reads the rows of one cluster and writes its
 * share of the profile, in the order in which they are declared here.
 */
#ifndef NEREUS_FIT_H
#define NEREUS_FIT_H

#include <stddef.h>

#include "fit_linear.h"
#include "model/price/cost.h"
#include "model/price/overlap.h"
#include "nereus/profile.h"
#include "nereus/samples.h"

/** The rows of one cluster. */
struct nereus_fit_rows {
    const struct nereus_sample **rows; /**< owned; what they point to is the caller's */
    size_t count;
};

/** Hockney pieces of every pair class (ping-pong rows) and of every operation. */
enum nereus_status nereus_fit_pairs(const struct nereus_fit_rows *rows, struct nereus_profile *profile,
                                    struct nereus_error *err);

/** All step kinds at once, from step rows and synchronous reconfigurations; oversubscribed rows apart. */
enum nereus_status nereus_fit_steps(const struct nereus_fit_rows *rows, bool oversubscribed,
                                    struct nereus_profile *profile, struct nereus_error *err);

/** How many times as long as their operations say redistributions by rma and shared take. After the stand-ins, which price
 * what was not measured. */
enum nereus_status nereus_fit_moves(const struct nereus_fit_rows *rows, struct nereus_profile *profile,
                                    struct nereus_error *err);

/** Constant data beside the application: how long, at points and by a thread. After all that price it by itself. */
enum nereus_status nereus_fit_beside(const struct nereus_fit_rows *rows, struct nereus_profile *profile,
                                     struct nereus_error *err);

/** Iterations beside data that a thread moves. After all that prices the data by itself. */
enum nereus_status nereus_fit_thread(const struct nereus_fit_rows *rows, struct nereus_profile *profile,
                                     struct nereus_error *err);

/** Merge shrink by medians of ratios, where no step rows of `split` were measured. */
enum nereus_status nereus_fit_shrink(const struct nereus_fit_rows *rows, bool oversubscribed,
                                     struct nereus_profile *profile, struct nereus_error *err);

/** Methods of which no plan is built: one linear model each. */
enum nereus_status nereus_fit_whole(const struct nereus_fit_rows *rows, struct nereus_profile *profile,
                                    struct nereus_error *err);

/** Iterations beside threads, by stage. */
enum nereus_status nereus_fit_contention(const struct nereus_fit_rows *rows, struct nereus_profile *profile,
                                         struct nereus_error *err);

/** Hockney pieces of the collectives of a world, by processes. */
enum nereus_status nereus_fit_collectives(const struct nereus_fit_rows *rows, struct nereus_profile *profile,
                                          struct nereus_error *err);

/** Pieces of some rows of one class, which are sorted by it. count >= 1 */
enum nereus_status nereus_fit_hockney(const struct nereus_sample **rows, size_t count,
                                      struct nereus_hockney *pair, struct nereus_error *err);

/** RT_async, of oversubscribed rows apart, and omega. Needs profile->measured (the synchronous twins). */
enum nereus_status nereus_fit_async(const struct nereus_fit_rows *rows, struct nereus_profile *profile,
                                    struct nereus_error *err);

/** Name a stand-in for everything that has no basis but may have one. */
void nereus_fit_fallbacks(struct nereus_profile *profile);

/** A better stand-in for what joins groups, from whole reconfigurations; after the others. */
void nereus_fit_parallel(struct nereus_profile *profile);

/** Is it a merge shrink without spawning whose auxiliary thread did the work, with the time of an iteration? */
bool nereus_fit_is_async_shrink(const struct nereus_sample *row, bool oversubscribed);

/** RT_async of such merge shrinks, of a profile that is its own. In place of nereus_fit_async_shrink. */
enum nereus_status nereus_fit_stops(const struct nereus_fit_rows *rows, bool oversubscribed,
                                    struct nereus_profile *profile, struct nereus_error *err);

/** RT_async of such: on one node, and by log2(nodes(NS)), by medians of ratios as nereus_fit_shrink. After it. */
enum nereus_status nereus_fit_async_shrink(const struct nereus_fit_rows *rows, bool oversubscribed,
                                           struct nereus_profile *profile, struct nereus_error *err);

/** The machine that a row was measured on: unbounded, of one node where it was oversubscribed. node: storage
 * for that. */
struct nereus_machine nereus_fit_machine(int64_t cores_per_node, bool oversubscribed,
                                         struct nereus_node *node);

/** Does a row belong to the shrinks that nereus_fit_shrink takes? */
bool nereus_fit_is_zombie_shrink(const struct nereus_sample *row);

/** Does its data move by operations of their own (cost_operation.h)? Such rows say nothing of p2p and alltoallv. */
bool nereus_fit_by_operation(const struct nereus_sample *row);

/** Does a row belong to a reconfiguration that starts processes, and does not only wake some or let some go? */
bool nereus_fit_starts(const struct nereus_fit_rows *rows, size_t row);

/** What a start adds to a step that was measured without one, from where it was measured: the other sort of machine load. After the steps. */
void nereus_fit_borrow_starts(const struct nereus_fit_rows *rows, struct nereus_profile *profile);

/** What a start takes on nodes that are full already, where none was measured: a named stand-in, as a term of the spawn. After the steps. */
void nereus_fit_overload(struct nereus_profile *profile);

/** Is it a synchronous reconfiguration with a plan that does something, of this sort of machine load? */
bool nereus_fit_is_planned(const struct nereus_sample *row, bool oversubscribed);

/** The plan of a whole row, with its bytes as one constant array. */
enum nereus_status nereus_fit_row_plan(const struct nereus_sample *row, struct nereus_plan *plan,
                                       struct nereus_error *err);

/** What whole reconfigurations took beyond the steps, where all of these were measured. After the steps. */
enum nereus_status nereus_fit_beyond_steps(const struct nereus_fit_rows *rows, struct nereus_profile *profile,
                                           struct nereus_error *err);

/** Does each step of a row's plan, or each step that stands for it, have rows of its own? */
bool nereus_fit_steps_known(const struct nereus_profile *profile, const struct nereus_sample *row);

/* --- fit_model.c: what all fits share --- */

/* Log-sd of a stand-in: a factor of 3 either way at 90 %, from something related; a factor of 10, assumed. */
#define NEREUS_FIT_RELATED 0.7
#define NEREUS_FIT_ASSUMED 1.4

/** The sentence for it. @return NEREUS_ERR_MEMORY */
enum nereus_status nereus_fit_no_memory(const struct nereus_fit_rows *rows, struct nereus_error *err);

/** Widen a model's range by a row. */
void nereus_fit_range(struct nereus_linear_model *model, int64_t ns, int64_t nt, double load);

/** Append a term; there must be room. */
void nereus_fit_add_term(struct nereus_linear_model *model, const char *name, double coefficient);

/** Copy a fit's kept columns, starting at `first`, into a model. names: of those columns. */
void nereus_fit_store(const struct nereus_fit_result *result, size_t first, size_t count,
                      const char *const *names, struct nereus_linear_model *model);

/** A model of one term that was not measured. @param name  what it stands for, as predictions say it */
void nereus_fit_stand_in(const char *name, const char *feature, double coefficient, double log_sd,
                         struct nereus_linear_model *model);

/** No coefficients of its own: its time is in those of `holder`. */
void nereus_fit_contain(const char *holder, struct nereus_linear_model *model);

/** How a model of asynchronous terms is fitted. */
struct nereus_fit_overlap {
    const enum nereus_overlap_feature *terms;
    size_t term_count;
    /**
     * > 0: what is expected of coefficients before anything was measured (nereus_overlap_expected) counts as further rows, weighed
     * against this relative scatter of measured ones; few rows do not determine all terms. The problem needs room for a row a term.
     */
    double expected_scatter;
    double few_spread; /**< least spread where there are hardly more rows than terms */
    bool
        outliers_count; /**< in the spread, which may be of two ways to share a core; and no term left is a result, too */
};

/** Fit such a model. @param[in,out] problem  filled; ended here @param[in,out] model  with `rows` set */
enum nereus_status nereus_fit_overlap(const struct nereus_fit_overlap *fit,
                                      struct nereus_fit_problem *problem, struct nereus_linear_model *model,
                                      struct nereus_error *err);

#endif
