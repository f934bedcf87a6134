/**
 * @file stage.h
 * The stages of an iteration on a communicator.
 *
 * To add a kind of stage: a number and a name (config.h, keys.c), and a line in the table of
 * stage.c.
 */
#ifndef SAM_STAGE_H
#define SAM_STAGE_H

#include <mpi.h>
#include <stdint.h>

#include "compute.h"
#include "config.h"

/** One stage in this process, for as long as the communicator lives. */
struct sam_stage_run {
    const struct sam_stage *stage;
    struct sam_work work;  /**< computation */
    int64_t operations;    /**< of a stage that computes */
    int count;             /**< elements that this process sends */
    void *send, *receive;  /**< buffers of a stage that communicates */
    int *counts, *offsets; /**< allgather */
};

/**
 * Prepare a stage for a group. @param[in] t_op_s  of this computation
 * @return NEREUS_ERR_MEMORY; end with sam_stage_fini in any case
 */
enum nereus_status sam_stage_init(struct sam_stage_run *run, const struct sam_config *config,
                                  int stage, int64_t group, double t_op_s, MPI_Comm comm,
                                  struct nereus_error *err);
void sam_stage_fini(struct sam_stage_run *run);

/** Run it once. Collective. @return NEREUS_ERR_MPI */
enum nereus_status sam_stage_do(struct sam_stage_run *run, MPI_Comm comm, struct nereus_error *err);

#endif
