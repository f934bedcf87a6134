/*
 * Own ranges of a checkpoint that a thread writes while the application computes: copies, and
 * constant data as it is. The thread makes no MPI call.
 *
 * A copy into new memory takes longer than writing, because of the first touch of its pages. So a
 * large range is written at once in the first checkpoint, the thread touches the memory, and the
 * next checkpoints have it. Where there is too little memory all are written at once.
 */
#ifndef NEREUS_SRC_LATER_H
#define NEREUS_SRC_LATER_H

#include "checksums.h"

struct later;

/* Where a range belongs. */
struct range_target {
    const char *folder, *name;
    int64_t offset, bytes;
    struct range_sum *sum; /* set when it is written */
};

/* NULL: no memory. */
struct later *nereus_later_new(void);
/* Also NULL. No thread runs. */
void nereus_later_free(struct later *later);

/* Begin the ranges of a checkpoint.
 * @param processes_here  of the job on this host, which all need memory */
void nereus_later_begin(struct later *later, int64_t processes_here);
/* Open a range to be written: its copy, or (later NULL, or too little memory) the file.
 * Then nereus_data_file_write and, also after a failure, nereus_later_close. */
enum nereus_status nereus_later_open(struct later *later, const struct range_target *target,
                                     struct data_file *file, struct nereus_error *err);
/* @param status  of writing; its failure is the one that is reported */
enum nereus_status nereus_later_close(const struct range_target *target, struct data_file *file,
                                      enum nereus_status status, struct nereus_error *err);
/* Constant memory, which stays until nereus_later_end: no copy. */
enum nereus_status nereus_later_refer(struct later *later, const struct range_target *target,
                                      const void *memory, struct nereus_error *err);

/* Start the thread. If there can be none, write now. */
void nereus_later_start(struct later *later);
bool nereus_later_is_done(const struct later *later);
/* Wait for the thread. @param[in,out] mine  the failure of the thread, if there was none before */
void nereus_later_end(struct later *later, struct nereus_error *mine);

#endif
