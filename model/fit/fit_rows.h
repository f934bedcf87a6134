/**
 * @file fit_rows.h
 * Answers questions about rows of samples that several parts of the fit have: machine, plan, rows
 * of one reconfiguration, groups of equal rows. Private to model/.
 */
#pragma once

#include "model/util/base.h"
#include "nereus/plan.h"
#include "nereus/profile.h"
#include "nereus/samples.h"

/** The rows of one cluster. */
struct nereus_fit_rows {
    const struct nereus_sample **rows; /**< owned; the samples are owned by the caller */
    size_t count;
};

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

/** Set the message of a fit without memory.
 * @return NEREUS_ERR_MEMORY */
enum nereus_status nereus_fit_fail_memory(const struct nereus_fit_rows *rows,
                                          struct nereus_error *err);
