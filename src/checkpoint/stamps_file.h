/**
 * @file stamps_file.h
 * Times of the processes that end for a planned restart, kept in the checkpoint for the next
 * attempt, which removes them: a later one that begins from the same checkpoint carries out nothing
 * any more. Not in the manifest.
 */
#ifndef NEREUS_SRC_CHECKPOINT_STAMPS_FILE_H
#define NEREUS_SRC_CHECKPOINT_STAMPS_FILE_H

#include <stdbool.h>
#include <stdint.h>

#include "nereus/status.h"

/* Contents of the file. */
struct kept_stamps {
    double job_time_s, wall_s; /* both clocks at one moment: the next attempt may have another
                                * monotonic clock */
    double ended_s;            /* job's time at which the last process was about to end */
    /* Packed times (src/job/stamps.h): one row per process; none without a trace */
    int64_t rows, doubles;
    double *packed; /* owned */
};

/* Rank 0: write the stamps. */
enum nereus_status nereus_stamps_file_write(const char *checkpoint, const struct kept_stamps *kept,
                                            struct nereus_error *err);
/* Rank 0: does the checkpoint have stamps? */
bool nereus_stamps_file_exists(const char *checkpoint);
/* Rank 0: read and remove them. @return NEREUS_ERR_IO, NEREUS_ERR_PARSE: there are none */
enum nereus_status nereus_stamps_file_extract(const char *checkpoint, struct kept_stamps *kept,
                                              struct nereus_error *err);

#endif
