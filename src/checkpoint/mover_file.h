/**
 * @file mover_file.h
 * Data that the application moves itself (options.mover), in a checkpoint: the application writes
 * and reads one file, in an order of its own; the checksum is the library's.
 */
#ifndef NEREUS_SRC_CHECKPOINT_MOVER_FILE_H
#define NEREUS_SRC_CHECKPOINT_MOVER_FILE_H

#include "checksums.h"

/* One access to the file, by all processes. Without such data the functions below do nothing. */
struct mover_file {
    nereus_job *job;
    const char *checkpoint;
    int64_t before; /* processes that wrote it; 0: it is written */
    bool prepared;  /* prepare was called in this process, and end not yet */
};

/* Can it be written? Local. */
enum nereus_status nereus_mover_file_check(const nereus_job *job, struct nereus_error *err);
/* Write, or make room and read.
 * @param[out] sums     of the datum: of a block of the file's bytes, by rank
 * @param[in,out] mine  a failure of this process, before or here; if any process has failed before,
 *                      nothing is written or read
 * Collective over control. */
enum nereus_status nereus_mover_file_access(struct mover_file *file, struct range_sum *sums,
                                            struct nereus_error *mine, struct nereus_error *err);
/* End the access after reading, when all have agreed. good: the data is taken, else dropped. */
void nereus_mover_file_end(struct mover_file *file, bool good);

#endif
