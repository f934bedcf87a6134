/**
 * @file own_data.h
 * Writes and reads the registered data of a process in the files of a checkpoint: its ranges
 * (write_data.c, read.c), the sizes of custom data (custom_sizes.c), data that the application
 * moves itself (mover_file.c).
 */
#pragma once

#include "checksums.h"
#include "nereus/checkpoint.h"
#include "src/job/job.h"
#include "write_behind.h"

/* Sizes of the elements of one datum in this process. */
struct custom_sizes {
    struct nereus_range elements; /* range of this process */
    int64_t *sizes;               /* bytes of each element of the range; owned */
    int64_t total_bytes, largest_bytes;
    int64_t offset_bytes; /* bytes of all elements before this range */
};

/* Measure a datum's own elements: query the application, or count the pieces of data that it has
 * not registered yet. */
enum nereus_status nereus_custom_measure(const nereus_job *job, const struct datum *datum,
                                         struct custom_sizes *sizes, struct nereus_error *err);
/* Find `offset_bytes`. A process that has failed takes part with 0 bytes. Collective over control.
 */
enum nereus_status nereus_custom_find_offset(const nereus_job *job, const struct datum *datum,
                                             struct custom_sizes *sizes, struct nereus_error *err);
/* Free the sizes. */
void nereus_custom_sizes_fini(struct custom_sizes *sizes);

/** Destination of the data of a checkpoint. */
struct data_write {
    const nereus_job *job;
    const char *path;
    struct write_behind *write_behind; /* NULL: all is written at once */
    struct range_sum *sums;            /* DATUM_FILE_COUNT of each datum, zeroed by the caller */
};

/** Write all data, now or later.
 * @param[in,out] own_error  a failure of this process, before or during the call: it still takes
 * part in the collectives, but writes nothing more Collective over control. */
enum nereus_status nereus_write_data(const struct data_write *all_data,
                                     struct nereus_error *own_error, struct nereus_error *err);

/** The checkpoint to read. */
struct checkpoint_source {
    const char *path;
    const struct nereus_checkpoint *checkpoint; /* rank 0's manifest */
    int64_t writers;                            /* number of processes that wrote it */
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

/** One access to the file, by all processes. Without such data the functions below do nothing. */
struct mover_file {
    nereus_job *job;
    const char *checkpoint;
    int64_t writers; /* number of processes that wrote the file; 0: the file is being written */
    bool prepared;   /* prepare was called in this process, end was not */
};

/** Can the data be written? Local. */
enum nereus_status nereus_mover_file_check(const nereus_job *job, struct nereus_error *err);
/** Write the file, or allocate and read.
 * @param[out] sums     the datum's checksum: of this rank's block of the file
 * @param[in,out] own_error  a failure of this process, before or during the call; if any process
 * has failed before, nothing is written or read Collective over control. */
enum nereus_status nereus_mover_file_access(struct mover_file *file, struct range_sum *sums,
                                            struct nereus_error *own_error,
                                            struct nereus_error *err);
/** End the access after reading, when all have agreed. good: the application keeps the data, else
 * it drops them. */
void nereus_mover_file_end(struct mover_file *file, bool good);
