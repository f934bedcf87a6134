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

/**
 * What is expected of the coefficients before anything was measured counts as further rows behind the `first` measured ones: a few
 * rows do not bear all terms, and the large iteration counts of small iterations hang on them.
 * @param scatter  relative, of the measured rows: what expectations are weighed against
 * @return how many rows; there must be room for as many as terms
 */
size_t nereus_fit_add_expectations(const enum nereus_overlap_feature *terms, size_t term_count, size_t first,
                                   double scatter, struct nereus_fit_problem *problem);

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

/** Widen a model's range by a row. */
void nereus_fit_range(struct nereus_linear_model *model, int64_t ns, int64_t nt, double load);

/** Copy a fit's kept columns, starting at `first`, into a model. names: of those columns. */
void nereus_fit_store(const struct nereus_fit_result *result, size_t first, size_t count,
                      const char *const *names, struct nereus_linear_model *model);

#endif
