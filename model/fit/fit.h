/**
 * @file fit.h
 * The parts of nereus_profile_fit. Private to model/: each part reads the rows of one cluster and
 * writes its share of the profile, in the order in which they are declared here.
 */
#ifndef NEREUS_MODEL_FIT_FIT_H
#define NEREUS_MODEL_FIT_FIT_H

#include <stddef.h>

#include "model/price/cost.h"
#include "model/price/overlap.h"
#include "nereus/profile.h"
#include "nereus/samples.h"
#include "regression.h"
#include "scatter.h"

/** The rows of one cluster. */
struct nereus_fit_rows {
    const struct nereus_sample **rows; /**< owned; what they point to is the caller's */
    size_t count;
};

/** A part of the fit: its models of the profile, from the rows. */
typedef enum nereus_status nereus_fit_part(const struct nereus_fit_rows *rows,
                                           struct nereus_profile *profile,
                                           struct nereus_error *err);

/** Hockney pieces of every pair class (ping-pong rows), every operation and every collective. */
nereus_fit_part nereus_fit_pairs;
/** What the processes of a node move together: the operations `node` and `node-memory`. */
nereus_fit_part nereus_fit_node;
/** Redistributions between nodes; where it was not measured by itself, the rate of a node's link as
 * the operation `node`. */
nereus_fit_part nereus_fit_between;
/** T_op of stages that compute. */
nereus_fit_part nereus_fit_stages;
/** Iterations that share their cores with threads, by stage. */
nereus_fit_part nereus_fit_contention;
/** Start-up of the program that was measured last. */
nereus_fit_part nereus_fit_program;
/** All step kinds together, from step rows and synchronous reconfigurations; oversubscribed:
 * apart. */
nereus_fit_part nereus_fit_steps;
/** Unattributed time of whole reconfigurations, where all their steps were measured. */
nereus_fit_part nereus_fit_unattributed;
/** Methods priced as a whole: one linear model each. */
nereus_fit_part nereus_fit_whole;
/** A named prior for each model that was not measured, where there is one. */
void nereus_fit_unmeasured(struct nereus_profile *profile);
/** RT_async, of oversubscribed rows apart, and omega; without rows by their priors. Needs
 * profile->measured (the synchronous counterparts) and the priors. */
nereus_fit_part nereus_fit_async;
/** Measured / priced of redistributions by rma and shared. */
nereus_fit_part nereus_fit_moves;
/** Constant data overlapped with the application: its time, at points and by a thread, and
 * iterations meanwhile. */
nereus_fit_part nereus_fit_overlapped;

/** Pieces of some rows of one class, which are sorted by it. count >= 1 */
enum nereus_status nereus_fit_hockney(const struct nereus_sample **rows, size_t count,
                                      struct nereus_hockney *pair, struct nereus_error *err);

/** The machine of a row: its own, or unbounded, or one node if it was oversubscribed. node: storage
 * for that. Not to be freed. */
struct nereus_machine nereus_fit_machine(const struct nereus_sample *row, struct nereus_node *node);

/** Does its data move by rma or shared (cost_operation.h)? Such rows are no measurements of p2p and
 * alltoallv. */
bool nereus_fit_by_operation(const struct nereus_sample *row);

/** Does a row belong to a reconfiguration that starts processes (not only wakes or releases
 * some)? */
bool nereus_fit_starts(const struct nereus_fit_rows *rows, size_t row);

/** The first step row, `decide`, of the reconfiguration of a step row or whole row; the first that
 * is there, if that is missing; without step rows the row itself. */
size_t nereus_fit_first_step(const struct nereus_fit_rows *rows, size_t row);

/** A synchronous reconfiguration that is priced by the steps of its plan, within or above the
 * cores? */
bool nereus_fit_is_planned(const struct nereus_sample *row, bool oversubscribed);

/** The plan of a whole row, with its bytes as one constant array. */
enum nereus_status nereus_fit_row_plan(const struct nereus_sample *row, struct nereus_plan *plan,
                                       struct nereus_error *err);

/** Does row b repeat row a; does it belong to any group, if they are the same row? */
typedef bool nereus_fit_same(const struct nereus_fit_rows *rows, size_t a, size_t b,
                             const void *context);

/**
 * Group equal rows: for each row the first row that it repeats; SIZE_MAX without a group. A row is
 * compared with first rows only: as iteration times drift, a row that differs from all of them
 * starts a new group.
 */
void nereus_fit_group(const struct nereus_fit_rows *rows, nereus_fit_same *same,
                      const void *context, size_t *first_of);

/**
 * A number of each row that repeats row `first`, where it is known.
 * @param field  its offset in struct nereus_sample
 * @return how many
 */
size_t nereus_fit_values(const struct nereus_fit_rows *rows, const size_t *first_of, size_t first,
                         size_t field, double *values);

/** Does each step of a row's plan, or each step that stands for it, have rows of its own? */
bool nereus_fit_steps_known(const struct nereus_profile *profile, const struct nereus_sample *row);

/* --- fit_question.c: what all fits share --- */

/* Log-sd of a prior from something related: a factor of 3 either way at 90 %. */
#define NEREUS_FIT_RELATED 0.7
/* Log-sd of a prior for a model with known terms and no coefficient. */
#define NEREUS_FIT_UNSEEN 0.3

/** The message for it. @return NEREUS_ERR_MEMORY */
enum nereus_status nereus_fit_no_memory(const struct nereus_fit_rows *rows,
                                        struct nereus_error *err);

/** Widen a model's range by a row. */
void nereus_fit_range(struct nereus_linear_model *model, int64_t ns, int64_t nt, double load);

/** Append a term; there must be room. */
void nereus_fit_add_term(struct nereus_linear_model *model, const char *name, double coefficient);

/** A prior of one term. @param name  as predictions name it */
void nereus_fit_set_prior(const char *name, const char *feature, double coefficient, double log_sd,
                          struct nereus_linear_model *model);

/** A model without coefficients, because its time is contained in the model `holder`. */
void nereus_fit_contain(const char *holder, struct nereus_linear_model *model);

/** Store these columns of a fit as the terms of a model. */
void nereus_fit_take(const struct nereus_regression *regression, const size_t *columns,
                     size_t count, const char *const *names, struct nereus_linear_model *model);

#endif
