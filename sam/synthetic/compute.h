/**
 * @file compute.h
 * Does the two kinds of computation of a stage (Martín-Álvarez et al. (2024b), section 4.1), and
 * measures how long one operation takes. No MPI here.
 */
#pragma once

#include <stdint.h>

#include "config.h"

/** Operands and state of a computation. */
struct sam_work {
    enum sam_stage_type type; /**< SAM_PI or SAM_MATRIX */
    int64_t granularity;
    unsigned short seed[3]; /**< pi: state of erand48 */
    int64_t points, inside; /**< pi: drawn so far, and how many of them in the quarter circle */
    double *matrices; /**< matrix: a, b and c, column by column, granularity x granularity each */
};

/**
 * @param[in] seed  different in every process.
 * @return NEREUS_ERR_MEMORY. Free with sam_work_fini.
 */
enum nereus_status sam_work_init(struct sam_work *work, enum sam_stage_type type,
                                 int64_t granularity, int seed, struct nereus_error *err);
/** Free the operands. */
void sam_work_fini(struct sam_work *work);

/** Carry out operations: `granularity` points of pi each, or one product c = a b each. */
void sam_work_execute(struct sam_work *work, int64_t operations);

/** The present result: the estimate of pi, or the sum of the elements of c. */
double sam_work_value(const struct sam_work *work);

/** T_op: seconds of one operation here, the lower quartile of some batches of a third of a
 * millisecond. */
double sam_work_measure(struct sam_work *work);

/** Do as sam_work_execute, and update T_op by the CPU time that the operations took, without the
 * waits for a core. Exponential mean over the last 10 ms: the weight of a call is its share of
 * them. A call below 30 us does not count, as reading the clock would lengthen it.
 * @param[in,out] t_op_s  as sam_work_measure has it */
void sam_work_execute_and_update(struct sam_work *work, int64_t operations, double *t_op_s);
