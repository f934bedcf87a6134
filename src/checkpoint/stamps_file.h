/**
 * @file stamps_file.h
 * Times of the processes that end for a planned restart, stored in the checkpoint for the next
 * attempt, which removes them: a later attempt from the same checkpoint must not complete the
 * reconfiguration again. The file is not in the manifest.
 */
#pragma once

#include "src/job/job.h"

/** Contents of the file. */
struct kept_stamps {
    /* readings of both clocks at the same moment, as the next attempt may have another monotonic
     * clock */
    double job_time_s, wall_s;
    double ended_s; /* job's time at which the last process began to end */
    /* Packed times (src/job/stamps.h): one row per process; 0 rows without a trace */
    int64_t rows, doubles;
    double *packed_times; /* owned */
};

/** Rank 0: write the stamps. */
enum nereus_status nereus_stamps_file_write(const char *checkpoint,
                                            const struct kept_stamps *stamps,
                                            struct nereus_error *err);
/** Rank 0: does the checkpoint have stamps? */
bool nereus_stamps_file_exists(const char *checkpoint);
/** Rank 0: read and remove them.
 * @return NEREUS_ERR_IO, NEREUS_ERR_PARSE: there are none */
enum nereus_status nereus_stamps_file_extract(const char *checkpoint, struct kept_stamps *stamps,
                                              struct nereus_error *err);
