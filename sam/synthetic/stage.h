/**
 * @file stage.h
 * Carries out the stages of an iteration on a communicator.
 *
 * To add a kind of stage: a number and a name (config.h, keys.c), and a line in the table of
 * stage.c.
 */
#pragma once

#include <mpi.h>
#include <stdbool.h>
#include <stdint.h>

#include "compute.h"
#include "config.h"
#include "messages.h"

/** Messages of stages `nonblocking`, until a stage `wait` or the end of the iteration. */
struct sam_pending {
    MPI_Request *requests; /**< owned */
    int count, capacity;
};

/** How fast this process computes. */
struct sam_pace {
    double t_op_s[2]; /**< T_op by enum sam_stage_type */
    bool follows;     /**< T_op continues being measured */
};

/** One stage in this process, for as long as the communicator lives. */
struct sam_stage_run {
    const struct sam_stage *stage;
    struct sam_work work;        /**< computation */
    double factor;               /**< compute: FactorS times the share of this process */
    struct sam_pace *pace;       /**< compute: speed of this process; borrowed */
    struct sam_pending *pending; /**< messages of the iteration; borrowed */
    int64_t bytes;               /**< Stage_Bytes, or as many as take Stage_Time */
    MPI_Comm comm;               /**< the job's, or owned: of a part of its processes */
    bool owns_comm;
    int count;                    /**< elements that this process sends */
    void *send, *receive;         /**< buffers of a stage that communicates */
    int *counts, *offsets;        /**< parts of a vector, by rank */
    struct sam_message *messages; /**< to and from this process, if a list or file says so; owned */
    int message_count;
    char file[SAM_TEXT_MAX + 32]; /**< write, read; rank 0 removes it */
    bool owns_file;
};

/**
 * Prepare a stage for a group. Collective.
 * @param[in,out] run  zeroed but for pace and pending, which must live as long as the stage
 * @return NEREUS_ERR_MEMORY, NEREUS_ERR_IO, NEREUS_ERR_MPI; end with sam_stage_fini in any case
 */
enum nereus_status sam_stage_init(struct sam_stage_run *run, const struct sam_config *config,
                                  int stage, int64_t group, MPI_Comm comm,
                                  struct nereus_error *err);
/** Free the stage. Collective, if it has a communicator of its own. */
void sam_stage_fini(struct sam_stage_run *run);

/** Run it once, in this iteration (0 is the first). Collective.
 * @return NEREUS_ERR_MPI */
enum nereus_status sam_stage_execute(struct sam_stage_run *run, int64_t iteration,
                                     struct nereus_error *err);

/** Wait for what is still under way.
 * @return NEREUS_ERR_MPI */
enum nereus_status sam_pending_wait(struct sam_pending *pending, struct nereus_error *err);
/** Free the requests. Local. */
void sam_pending_fini(struct sam_pending *pending);
