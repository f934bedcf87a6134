/**
 * @file state_file.h
 * The job's state in a checkpoint: settings, counters, and the record of the registered data. Read
 * by the same version of the library only, as values are stored as they are in memory.
 */
#ifndef NEREUS_SRC_CHECKPOINT_STATE_FILE_H
#define NEREUS_SRC_CHECKPOINT_STATE_FILE_H

#include "nereus/checkpoint.h"
#include "src/job/job.h"
#include "write_behind.h"

/* A reconfiguration for which the job ends and goes on as other processes. */
struct planned_restart {
    bool planned;
    struct nereus_request record; /* owned */
    struct resize_request wanted;
};

/* The state file's name in a checkpoint. */
extern const char nereus_state_file_name[];

/* Rank 0: write it into the checkpoint, now or later.
 * @param planned  what the next attempt carries out; NULL: nothing
 * @param sum      set when it is written, for the manifest */
enum nereus_status nereus_state_file_write(nereus_job *job, const struct planned_restart *planned,
                                           const char *checkpoint, struct write_behind *behind,
                                           struct range_sum *sum, struct nereus_error *err);
/* Rank 0: read it and compare the checksum.
 * @param[out] bytes  to be freed */
enum nereus_status nereus_state_file_read(const char *checkpoint,
                                          const struct nereus_checkpoint_file *file,
                                          unsigned char **bytes, struct nereus_error *err);
/* Take settings and counters from the contents, and set the registry to the data of the record, in
 * blocks for the present size, without values. What concerns the processes' places (machine, state,
 * communicators, threads) stays as it is.
 * @param[out] planned  its record is owned by the caller, also if nothing is planned */
enum nereus_status nereus_state_file_unpack(nereus_job *job, unsigned char *bytes, int64_t count,
                                            struct planned_restart *planned,
                                            struct nereus_error *err);

#endif
