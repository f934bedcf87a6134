/** @file files.h  The files of a checkpoint, from its folder to the own ranges. */
#pragma once

#include "checksums.h"
#include "nereus/checkpoint.h"
#include "src/job/job.h"
#include "write_behind.h"

/* folder_lock.c: Lock of a folder of checkpoints: two jobs that write into the same folder would
 * remove each other's checkpoints. */

/** Rank 0, before it writes: make the folder if it is missing, and lock it until the job ends or
 * another process becomes rank 0. */
enum nereus_status nereus_folder_lock(nereus_job *job, struct nereus_error *err);
/** Unlock the folder. No effect in a process that holds no lock. */
void nereus_folder_unlock(nereus_job *job);

/* custom_sizes.c: Bytes of each element of custom data, which is packed element by element, so that
 * any number of processes can read it. */

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

/* write_data.c: The registered data of a process, written to its ranges of a checkpoint's files. */

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

/* read.c: The data of a checkpoint, read by all processes. */

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

/* mover_file.c: Data that the application moves itself (options.mover), in a checkpoint: the
 * application writes and reads one file, in its own order; the library computes the checksum. */

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

/* stamps_file.c: Times of the processes that end for a planned restart, stored in the checkpoint
 * for the next attempt, which removes them: a later attempt from the same checkpoint must not
 * complete the reconfiguration again. The file is not in the manifest. */

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
