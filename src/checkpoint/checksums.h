/**
 * @file checksums.h
 * Names the files of a datum in a checkpoint, and finds which process has which range of them.
 * Gathers checksums of the ranges that the processes have written or read, and combines them in the
 * order of the global index to the checksums of the whole files.
 */
#pragma once

#include "data_file.h"
#include "src/job/job.h"

/** Files of a datum: its values and, of custom data, where each element begins. */
enum { DATUM_FILE_VALUES, DATUM_FILE_INDEX, DATUM_FILE_COUNT };

/** The names of a datum's files.
 * @param name  NEREUS_CHECKPOINT_FILE_MAX characters; returned */
char *nereus_datum_file_name(const struct registry *registry, int64_t datum, int file, char *name);
/** Index space of a datum's elements (for custom data not the space of its bytes). NULL: none. */
const struct index_space *nereus_datum_elements(const struct registry *registry,
                                                const struct datum *datum);
/** The rank whose range is the k-th. */
int nereus_datum_rank_at(const nereus_job *job, const struct datum *datum, int64_t k);
/** Does this process have the last range of the datum, and so the end of the last element? */
bool nereus_datum_has_end(const nereus_job *job, const struct datum *datum);

/** Checksum of one range. Plain data without padding, as it is sent as bytes. */
struct range_sum {
    int64_t bytes, crc32;
};

/** Get the checksum of a range that was written or read completely. */
static inline struct range_sum nereus_range_sum(const struct data_file *file)
{
    return (struct range_sum){file->bytes, file->crc32};
}

/** The sums of all data of a checkpoint. */
struct range_sums {
    int64_t data; /* number of registered data */
    struct range_sum
        *own_sums; /* sums of this process' ranges: DATUM_FILE_COUNT of each datum; owned */
    struct range_sum *gathered_sums; /* rank 0: all of rank 0, then of rank 1, ...; owned */
};

/** Allocate sums for the data that is registered now. Without memory the job is aborted, as the
 * others would wait for this process. */
void nereus_sums_init(const nereus_job *job, struct range_sums *sums);
/** Free the sums. */
void nereus_sums_fini(struct range_sums *sums);
/** Gather the sums of all processes. Collective over control. */
enum nereus_status nereus_sums_gather(const nereus_job *job, struct range_sums *sums,
                                      struct nereus_error *err);
/** Rank 0: the sum of a whole file. */
struct range_sum nereus_sums_combine(const nereus_job *job, const struct range_sums *sums,
                                     int64_t datum, int file);
