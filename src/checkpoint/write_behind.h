/**
 * @file write_behind.h
 * Writes behind: a thread writes the own ranges of a checkpoint while the application computes,
 * from copies, or directly from constant data. The thread makes no MPI call.
 *
 * A copy into new memory takes longer than writing, because of the first touch of its pages. In the
 * first checkpoint a large range is therefore written at once, and the thread touches memory for
 * the copies of later checkpoints. A range without memory for its copy is written at once, too.
 */
#pragma once

#include "checksums.h"

struct write_behind;

/** File of a range, and its position in the file. */
struct range_target {
    const char *folder, *name;
    int64_t offset, bytes;
    struct range_sum *sum; /* set when it is written */
};

/** Make an empty list of ranges. NULL: no memory. */
struct write_behind *nereus_write_behind_new(void);
/** Free the ranges, whose thread must have ended. write_behind may be NULL. */
void nereus_write_behind_free(struct write_behind *write_behind);

/** Begin the ranges of a checkpoint.
 * @param processes_here  number of the job's processes on this host, which share its memory */
void nereus_write_behind_begin(struct write_behind *write_behind, int64_t processes_here);
/** Write all bytes of a range by nereus_data_file_write.
 * @param what  the caller's data */
typedef enum nereus_status range_writer(struct data_file *file, const void *what,
                                        struct nereus_error *err);
/** Let the writer write the range now, into its copy or (write_behind NULL, or too little memory)
 * into the file. */
enum nereus_status nereus_write_behind_range(struct write_behind *write_behind,
                                             const struct range_target *target, range_writer *write,
                                             const void *what, struct nereus_error *err);
/** Add constant memory, which is written without a copy: it stays valid until
 * nereus_write_behind_end. */
enum nereus_status nereus_write_behind_add_constant(struct write_behind *write_behind,
                                                    const struct range_target *target,
                                                    const void *memory, struct nereus_error *err);

/** Start the thread. If that fails, write now. */
void nereus_write_behind_start(struct write_behind *write_behind);
/** Has the thread written all ranges? */
bool nereus_write_behind_is_done(const struct write_behind *write_behind);
/** Wait for the thread.
 * @param[in,out] own_error  the failure of the thread, if there was none before */
void nereus_write_behind_end(struct write_behind *write_behind, struct nereus_error *own_error);
