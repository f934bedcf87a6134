/**
 * @file sample_store.h
 * Keeps the samples file of a calibration, a validation or a study: the rows of a task are on disk
 * before the task counts as done, so that an interrupted command continues from the file.
 */
#pragma once

#include "model/util/base.h"
#include "nereus/provenance.h"
#include "nereus/samples.h"

struct nereus_sample_store {
    const char *path; /**< owned by the caller */
    FILE *stream;     /**< NULL: not locked */
    bool is_own;      /**< this process created and locked it */
    bool has_header;  /**< it was found to be a file of samples */
    /** provenance of the rows to append, to be set after reading; NULL: none */
    const struct nereus_provenance *provenance;
    bool provenance_written; /**< the provenance is in the file */
    bool per_process;        /**< the file has the column cores_per_process */
};

/** Find the samples file of a profile: `given`, or the profile's name with .csv instead of .json.
 * @return NEREUS_ERR_ARGUMENT for a path of PATH_MAX characters or more */
enum nereus_status nereus_sample_store_path(const char *profile, const char *given,
                                            char path[PATH_MAX], struct nereus_error *err);

/** Open or create the file and lock it against other processes; end with
 * nereus_sample_store_close. A note says that the file system has no locks.
 * @return NEREUS_ERR_BUSY when another process writes to it, NEREUS_ERR_IO */
enum nereus_status nereus_sample_store_lock(const char *path, struct nereus_sample_store *store,
                                            struct nereus_error *err);

/**
 * Read the rows of the locked file. A last line without its end becomes a comment.
 * @param cluster  cluster that the rows must have
 * @param cores_per_process  that of rows to append; above 1 it has a column of its own
 * @param[out] samples  its rows; to be freed by the caller
 * @return NEREUS_ERR_PARSE if it has other columns, NEREUS_ERR_ARGUMENT for another cluster's,
 *         NEREUS_ERR_IO
 */
enum nereus_status nereus_sample_store_read(struct nereus_sample_store *store, const char *cluster,
                                            int64_t cores_per_process,
                                            struct nereus_samples *samples,
                                            struct nereus_error *err);

/**
 * Write the provenance of the following rows, once. nereus_sample_store_append does it itself.
 */
enum nereus_status nereus_sample_store_write_provenance(struct nereus_sample_store *store,
                                                        struct nereus_error *err);

/** Append the rows of a task and sync. */
enum nereus_status nereus_sample_store_append(struct nereus_sample_store *store,
                                              const struct nereus_samples *rows,
                                              struct nereus_error *err);

/** Close it, if it was locked. A file that this process created is removed if it has no row. */
void nereus_sample_store_close(struct nereus_sample_store *store);
