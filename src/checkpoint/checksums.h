/**
 * @file checksums.h
 * Checksums of the ranges that the processes have written or read, combined in the order of the
 * global index to the checksums of the whole files.
 */
#ifndef NEREUS_SRC_CHECKPOINT_CHECKSUMS_H
#define NEREUS_SRC_CHECKPOINT_CHECKSUMS_H

#include "data_file.h"
#include "datum_files.h"

/* Checksum of one range. Plain data without padding, as it is sent as bytes. */
struct range_sum {
    int64_t bytes, crc32;
};

/* Get the checksum of a range that was written or read completely. */
static inline struct range_sum nereus_range_sum(const struct data_file *file)
{
    return (struct range_sum){file->bytes, file->crc32};
}

/* The sums of all data of a checkpoint. */
struct range_sums {
    int64_t data;           /* number of registered data */
    struct range_sum *mine; /* sums of this process' ranges: FILES_PER_DATUM of each datum; owned */
    struct range_sum *all;  /* rank 0: all of rank 0, then of rank 1, ...; owned */
};

/* Allocate sums for the data that is registered now. Without memory the job is aborted, as the
 * others would wait for this process. */
void nereus_sums_init(const nereus_job *job, struct range_sums *sums);
/* Free the sums. */
void nereus_sums_fini(struct range_sums *sums);
/* Gather the sums of all processes. Collective over control. */
enum nereus_status nereus_sums_gather(const nereus_job *job, struct range_sums *sums,
                                      struct nereus_error *err);
/* Rank 0: the sum of a whole file. */
struct range_sum nereus_sums_combine(const nereus_job *job, const struct range_sums *sums,
                                     int64_t datum, int file);

#endif
