/** @file read.h  The data of a checkpoint, read by all processes. */
#ifndef NEREUS_SRC_CHECKPOINT_READ_H
#define NEREUS_SRC_CHECKPOINT_READ_H

#include "nereus/checkpoint.h"
#include "src/job/job.h"

/** The checkpoint to read. */
struct checkpoint_source {
    const char *path;
    const struct nereus_checkpoint *checkpoint; /* rank 0's manifest */
    int64_t before;                             /* number of processes that wrote it */
    const struct nereus_error *failure;         /* this process' failure before the read */
};

/** Fill the registry, which has been set to the checkpoint's data, and compare the checksums.
 * Collective over control.
 * @param[out] read_s   time at which this process had read its data
 * @param[out] verdict  OK, or the failure: the same in all processes
 * @return an error only if MPI fails */
enum nereus_status nereus_read_checkpoint(nereus_job *job, const struct checkpoint_source *source,
                                          double *read_s, struct nereus_error *verdict,
                                          struct nereus_error *err);

#endif
