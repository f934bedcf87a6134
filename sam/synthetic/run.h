/**
 * @file run.h
 * Runs the synthetic application: iterations, reconfigurations, checks.
 */
#pragma once

#include <stdbool.h>

#include "config.h"
#include "nereus/nereus.h"
#include "results.h"
#include "t_op.h"

/** State of one process. The first five are registered: keep them until nereus_finalize. */
struct sam_run {
    int64_t iteration;             /**< number of iterations that are done */
    int64_t group;                 /**< the current group, or the next during a change */
    double t_op_s[SAM_T_OP_COUNT]; /**< indexed by enum sam_stage_type; and their source */
    double left_at_s; /**< when rank 0 entered the point of the reconfiguration that ends a group;
                         0: no group is ending */
    struct sam_record *records; /**< config->group_count, owned */
    bool results_lost;          /**< events could not be written, which was reported */
    bool ended_here;            /**< this process is in the last group */
    int rank;                   /**< rank in the last group, if ended_here */
};

/**
 * Register, iterate until the job ends or this process leaves, check the data after every
 * reconfiguration. Collective.
 * @param[in]  events  file to which rank 0 appends each iteration (events.h); NULL: none
 * @param[out] run  to be ended with sam_run_fini in any case
 * @return anything but NEREUS_OK: the job cannot go on
 */
enum nereus_status sam_run_execute(const struct sam_config *config, const char *events,
                                   nereus_job *job, struct sam_run *run, struct nereus_error *err);
/** Free the records. */
void sam_run_fini(struct sam_run *run);
