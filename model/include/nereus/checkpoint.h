/**
 * @file checkpoint.h
 * Finds the checkpoints of a malleable job, and reads and writes their manifests, without MPI.
 *
 * A checkpoint is a folder FOLDER/checkpoint-N (N = 1, 2, ...; the larger, the newer): a file for
 * each registered object with its elements in the order of their global index (raw, in the byte
 * order of the machine), a file with the job's state, and manifest.json. The manifest is written
 * last, under another name, and renamed: a folder without it is no checkpoint.
 *
 * All functions are local and thread-safe.
 */
#ifndef NEREUS_CHECKPOINT_H
#define NEREUS_CHECKPOINT_H

#include <stdint.h>

#include "request.h"
#include "sizes.h"
#include "status.h"

NEREUS_BEGIN_C

enum {
    NEREUS_CHECKPOINT_VERSION = 1,
    NEREUS_CHECKPOINT_FILE_MAX = 64,
    NEREUS_CHECKPOINT_TEXT_MAX = 256,
    NEREUS_CHECKPOINT_KEPT = 2 /**< checkpoints that stay in a folder */
};

/** A file of a checkpoint. */
struct nereus_checkpoint_file {
    char name[NEREUS_CHECKPOINT_FILE_MAX]; /**< file name in the checkpoint; "": no file */
    int64_t bytes;
    uint32_t crc32; /**< checksum of the whole file, as zlib's crc32 */
};

/** A registered object. */
struct nereus_checkpoint_object {
    struct nereus_data_entry entry;        /**< partition: not stored, 0 when read */
    char type[NEREUS_CHECKPOINT_FILE_MAX]; /**< as "MPI_DOUBLE"; "": another type */
    struct nereus_grid grid; /**< field: without halos; the file has its boxes in box order */
    struct nereus_checkpoint_file values;
    /** custom data: where each element begins in `values`: count + 1 numbers of 8 bytes,
     * entry.count being the number of elements */
    struct nereus_checkpoint_file index;
};

/** A host of the job when the checkpoint was written. */
struct nereus_checkpoint_host {
    char name[NEREUS_CHECKPOINT_TEXT_MAX];
    int64_t slots, processes;
};

/** The manifest. Zero-initialise. */
struct nereus_checkpoint {
    int64_t number;
    uint64_t job;      /**< id of the job */
    int64_t slurm_job; /**< its number in Slurm; 0: none */
    char job_name[NEREUS_CHECKPOINT_TEXT_MAX];
    char program[NEREUS_CHECKPOINT_TEXT_MAX]; /**< its path */
    char library[NEREUS_CHECKPOINT_TEXT_MAX]; /**< "nereus 0.1.0" */
    char mpi[NEREUS_CHECKPOINT_TEXT_MAX];
    int64_t processes; /**< processes that wrote the checkpoint */
    int64_t
        goes_on_as;   /**< processes that begin from it, if it was written for a restart; else 0 */
    int64_t points;   /**< malleability points that the job had passed */
    int64_t restarts; /**< how often the job had been restarted before */
    double written_s; /**< seconds since 1970 */
    double took_s;    /**< to write the checkpoint */
    struct nereus_sizes sizes; /**< that the program can have */
    int64_t host_count;
    struct nereus_checkpoint_host *hosts; /**< owned; may be none */
    int64_t object_count;
    struct nereus_checkpoint_object *objects; /**< owned */
    struct nereus_checkpoint_file state; /**< the job's state, read by the library that wrote it */
};

/** Free what the manifest owns, and zero it. */
void nereus_checkpoint_fini(struct nereus_checkpoint *checkpoint);

/**
 * Name of an object's file: its name, where that is a plain file name, else "object-K", with
 * suffix (".bin", ".index").
 * @param[out] file  NEREUS_CHECKPOINT_FILE_MAX characters; returned
 */
char *nereus_checkpoint_file_name(const char *object, int64_t k, const char *suffix, char *file);

/**
 * Write `manifest.json` into the checkpoint `path`, atomically and durably (fsync of file and
 * folders).
 * @return NEREUS_ERR_ARGUMENT, NEREUS_ERR_IO, NEREUS_ERR_MEMORY
 */
enum nereus_status nereus_checkpoint_write(const char *path,
                                           const struct nereus_checkpoint *checkpoint,
                                           struct nereus_error *err);

/**
 * Read and check the manifest of the checkpoint `path`, and that its files exist with their sizes
 * (checksums: nereus_checkpoint_verify). The message names the file and what is wrong.
 * @param[out] checkpoint  to be ended with nereus_checkpoint_fini, on success only
 * @return NEREUS_ERR_ARGUMENT: no checkpoint, or a file is missing or has another size;
 *         NEREUS_ERR_PARSE, NEREUS_ERR_IO
 */
enum nereus_status nereus_checkpoint_read(const char *path, struct nereus_checkpoint *checkpoint,
                                          struct nereus_error *err);

/**
 * Compare all files with their checksums.
 * @return NEREUS_ERR_PARSE: a file is not as it was written; NEREUS_ERR_IO
 */
enum nereus_status nereus_checkpoint_verify(const char *path,
                                            const struct nereus_checkpoint *checkpoint,
                                            struct nereus_error *err);

/**
 * The newest checkpoint in a folder whose number is below `limit` (INT64_MAX: any), and
 * whose manifest is there; it may still be unreadable.
 * @param[out] path  PATH_MAX characters
 * @return number of the checkpoint; 0: none
 */
int64_t nereus_checkpoint_newest(const char *folder, int64_t limit, char *path);

/**
 * Number of the checkpoint `path` by its name, and the folder that it is in; 0: the path names no
 * checkpoint, and is the folder itself.
 * @param[out] folder  PATH_MAX characters
 */
int64_t nereus_checkpoint_split_path(const char *path, char *folder);

/**
 * Make the folder (and `folder` itself) for the next checkpoint, and remove what interrupted ones
 * left.
 * @param[out] number  that of the checkpoint
 * @param[out] path    PATH_MAX characters
 * @return NEREUS_ERR_ARGUMENT: the path is too long; NEREUS_ERR_IO
 */
enum nereus_status nereus_checkpoint_begin(const char *folder, int64_t *number, char *path,
                                           struct nereus_error *err);

/** Remove folders without manifest, and all but the newest NEREUS_CHECKPOINT_KEPT checkpoints of a
 * job: those of other jobs that have used the folder stay. Failures are ignored. */
void nereus_checkpoint_prune(const char *folder, uint64_t job);

/** Best time between checkpoints (Daly 2006, equation 37; Young 1974 is its first term), from the
 * time to write one and the mean time between failures of the job. */
double nereus_checkpoint_interval_s(double cost_s, double mtbf_s);

/** Times of a job with failures, in seconds. */
struct nereus_checkpoint_times {
    double work_s;     /**< without failures and checkpoints */
    double interval_s; /**< work between checkpoints, above 0; at least work_s: none is written */
    double cost_s;     /**< to write one */
    double restart_s;  /**< from a failure until the job computes again */
    double mtbf_s;     /**< mean time between failures of the job, above 0 */
};

/** Expected time until the work is done (Daly 2006, equation 20):
 * M e^(restart / M) (e^((interval + cost) / M) - 1) work / interval, M being the MTBF; without
 * checkpoints M e^(restart / M) (e^(work / M) - 1). INFINITY: beyond the range of a double. */
double nereus_checkpoint_expected_s(const struct nereus_checkpoint_times *times);

NEREUS_END_C
#endif
