/**
 * @file mover_file.h
 * Data that the application moves itself (options.mover), in a checkpoint: the application writes
 * and reads one file, in its own order; the library computes the checksum.
 */
#ifndef NEREUS_SRC_CHECKPOINT_MOVER_FILE_H
#define NEREUS_SRC_CHECKPOINT_MOVER_FILE_H

#include "checksums.h"

/** One access to the file, by all processes. Without such data the functions below do nothing. */
struct mover_file {
    nereus_job *job;
    const char *checkpoint;
    int64_t before; /* number of processes that wrote the file; 0: the file is being written */
    bool prepared;  /* prepare was called in this process, end was not */
};

/** Can the data be written? Local. */
enum nereus_status nereus_mover_file_check(const nereus_job *job, struct nereus_error *err);
/** Write the file, or allocate and read.
 * @param[out] sums     the datum's checksum: of this rank's block of the file
 * @param[in,out] mine  a failure of this process, before or during the call; if any process has
 *                      failed before, nothing is written or read
 * Collective over control. */
enum nereus_status nereus_mover_file_access(struct mover_file *file, struct range_sum *sums,
                                            struct nereus_error *mine, struct nereus_error *err);
/** End the access after reading, when all have agreed. good: the application keeps the data, else
 * it drops them. */
void nereus_mover_file_end(struct mover_file *file, bool good);

#endif
