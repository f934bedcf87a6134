/**
 * @file fit.h
 * Declares the parts of nereus_profile_fit. Each part reads the rows of one cluster and writes its
 * share of the profile, in the order of the declarations here. Private to model/.
 */
#pragma once

#include "nereus/profile.h"
#include "nereus/samples.h"
#include "regression.h"
#include "scatter.h"

/** The rows of one cluster. */
struct nereus_fit_rows {
    const struct nereus_sample **rows; /**< owned; the samples are owned by the caller */
    size_t count;
};

/** A part of the fit: it sets its models of the profile from the rows. */
typedef enum nereus_status nereus_fit_part(const struct nereus_fit_rows *rows,
                                           struct nereus_profile *profile,
                                           struct nereus_error *err);

/** Fits Hockney pieces of every pair class (ping-pong rows), every operation and every collective.
 */
nereus_fit_part nereus_fit_pairs;
/** Fits what the processes of a node move together: the operations `node` and `node-memory`. */
nereus_fit_part nereus_fit_node;
/** Fits redistributions between nodes, and the rate of a node's link as the operation `node` where
 * no task measured the link. */
nereus_fit_part nereus_fit_between;
/** Sets T_op of stages that compute. */
nereus_fit_part nereus_fit_stages;
/** Fits iterations that share their cores with threads, by stage. */
nereus_fit_part nereus_fit_contention;
/** Fits the start-up of the program that was measured last. */
nereus_fit_part nereus_fit_program;
/** Fits all step kinds together, from step rows and synchronous reconfigurations; oversubscribed
 * rows have models of their own. */
nereus_fit_part nereus_fit_steps;
/** Fits the unattributed time of whole reconfigurations whose steps were all measured. */
nereus_fit_part nereus_fit_unattributed;
/** Fits one linear model for each method that is priced as a whole. */
nereus_fit_part nereus_fit_whole;
/** Sets a named prior for each model that was not measured, where there is one. */
void nereus_fit_set_unmeasured(struct nereus_profile *profile);
/** Fits RT_async, with models of their own for oversubscribed rows, and omega; without rows these
 * models are set to their priors. Needs profile->measurements (the synchronous counterparts) and
 * priors. */
nereus_fit_part nereus_fit_async;
/** Fits the factor measured / priced of redistributions by rma and shared. */
nereus_fit_part nereus_fit_moves;
/** Fits constant data that is overlapped with the application: its time, at points and by a thread,
 * and the iterations meanwhile. */
nereus_fit_part nereus_fit_overlapped;

/** Fit the pieces of one class to its rows, which this function sorts. count >= 1 */
enum nereus_status nereus_fit_hockney(const struct nereus_sample **rows, size_t count,
                                      struct nereus_hockney *pair, struct nereus_error *err);

/**
 * @param[out] node  storage for that node
 * @return the machine of a row, which must not be freed: its own, or unbounded, or one node if the
 * row was oversubscribed
 */
struct nereus_machine nereus_fit_machine(const struct nereus_sample *row, struct nereus_node *node);

/** Does the row's data move by rma or shared (cost_operation.h)? Such rows do not measure p2p and
 * alltoallv. */
bool nereus_fit_is_by_operation(const struct nereus_sample *row);

/** Does a row belong to a reconfiguration that starts processes (not only wakes or releases
 * some)? */
bool nereus_fit_starts_processes(const struct nereus_fit_rows *rows, size_t row);

/** @return the first step row (`decide`, or the first one present) of the reconfiguration that a
 * step row or whole row belongs to; the row itself, if there are no step rows */
size_t nereus_fit_find_first_step(const struct nereus_fit_rows *rows, size_t row);

/** Is the row a synchronous reconfiguration, priced by the steps of its plan, and oversubscribed or
 * not as given? */
bool nereus_fit_is_planned(const struct nereus_sample *row, bool oversubscribed);

/** Make the plan of a whole row, with its bytes as one constant array. */
enum nereus_status nereus_fit_row_plan(const struct nereus_sample *row, struct nereus_plan *plan,
                                       struct nereus_error *err);

/** Does row b repeat row a? If a == b: does the row belong to any group? */
typedef bool nereus_fit_same(const struct nereus_fit_rows *rows, size_t a, size_t b,
                             const void *context);

/** Group equal rows: find for each row the first row that it repeats; SIZE_MAX: no group. A row is
 * compared with first rows only, so that a row that differs from all of them (iteration times
 * drift) starts a new group. */
void nereus_fit_group_rows(const struct nereus_fit_rows *rows, nereus_fit_same *same,
                           const void *context, size_t *first_of);

/** Collect the known values of one member over the rows that repeat row `first`.
 * @param field  offset of the member in struct nereus_sample
 * @return number of values */
size_t nereus_fit_collect_values(const struct nereus_fit_rows *rows, const size_t *first_of,
                                 size_t first, size_t field, double *values);

/** Does each step of a row's plan, or each step that stands for it, have rows of its own? */
bool nereus_fit_has_all_steps(const struct nereus_profile *profile,
                              const struct nereus_sample *row);

/* --- what all fits share: fit_formula.c, fit_rows.c --- */

/** Log-sd of a prior taken from a related model: a factor of 3 either way at 90 %. */
#define NEREUS_FIT_RELATED 0.7
/** Log-sd of a prior for a model with known terms and no coefficient. */
#define NEREUS_FIT_UNSEEN 0.3

/** Set the message of a fit without memory.
 * @return NEREUS_ERR_MEMORY */
enum nereus_status nereus_fit_fail_memory(const struct nereus_fit_rows *rows,
                                          struct nereus_error *err);

/** Widen a model's range so that it contains a row. */
void nereus_fit_widen_range(struct nereus_linear_model *model, int64_t ns, int64_t nt, double load);

/** Append a term; there must be room. */
void nereus_fit_add_term(struct nereus_linear_model *model, const char *name, double coefficient);

/** Set a model to the prior of one term.
 * @param name  name of the prior in predictions */
void nereus_fit_set_prior(const char *name, const char *term, double coefficient, double log_sd,
                          struct nereus_linear_model *model);

/** Set a model without coefficients, because the model `holder` contains its time. */
void nereus_fit_set_contained(const char *holder, struct nereus_linear_model *model);

/** Store these columns of a regression as the terms of a model. */
void nereus_fit_store_terms(const struct nereus_regression *regression, const size_t *columns,
                            size_t count, const char *const *names,
                            struct nereus_linear_model *model);
