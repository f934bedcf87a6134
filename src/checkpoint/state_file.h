/**
 * @file state_file.h
 * Keeps the job's state in a checkpoint: settings, counters, and the record of the registered data.
 * Only the same version of the library can read it, as values are stored in their memory layout.
 */
#pragma once

#include "nereus/checkpoint.h"
#include "src/job/job.h"
#include "write_behind.h"

/** A reconfiguration by a restart: the job ends, and continues as other processes. */
struct planned_restart {
    bool planned;
    struct nereus_request record; /* owned */
    struct resize_request request;
};

/** The state file's name in a checkpoint. */
extern const char nereus_state_file_name[];

/** Rank 0: write the state into the checkpoint, now or later.
 * @param planned_restart  reconfiguration that the next attempt completes; NULL: none
 * @param sum      set when the state is written, for the manifest */
enum nereus_status nereus_state_file_write(nereus_job *job,
                                           const struct planned_restart *planned_restart,
                                           const char *checkpoint,
                                           struct write_behind *write_behind, struct range_sum *sum,
                                           struct nereus_error *err);
/** Rank 0: read the state and compare the checksum.
 * @param[out] bytes  the caller frees it */
enum nereus_status nereus_state_file_read(const char *checkpoint,
                                          const struct nereus_checkpoint_file *file,
                                          unsigned char **bytes, struct nereus_error *err);
/** Set settings and counters from the contents, and set the registry to the data of the record, in
 * blocks for the present size, without values. Machine, state, communicators and threads stay as
 * they are.
 * @param[out] planned_restart  the caller owns its record, also if nothing is planned */
enum nereus_status nereus_state_file_unpack(nereus_job *job, unsigned char *bytes, int64_t count,
                                            struct planned_restart *planned_restart,
                                            struct nereus_error *err);
