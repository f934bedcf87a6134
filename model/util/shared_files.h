/**
 * @file shared_files.h
 * Removes MPICH's files in /dev/shm of a job that was stopped, failed or had a process killed.
 */
#ifndef NEREUS_MODEL_UTIL_SHARED_FILES_H
#define NEREUS_MODEL_UTIL_SHARED_FILES_H

/** The files before the job started. */
struct nereus_shared_files {
    const char *folder;
    char **names; /**< owned */
    int count;    /**< unknown: nothing is removed */
};

#define NEREUS_SHARED_FOLDER "/dev/shm"

/** @param folder  NEREUS_SHARED_FOLDER; not copied */
void nereus_shared_files_record(const char *folder, struct nereus_shared_files *before);

/** Remove MPI's new files of this user that no process has open or mapped, and free the record.
 * @return how many */
int nereus_shared_files_remove(struct nereus_shared_files *before);

/**
 * As nereus_shared_files_remove, without a record, of files that were created within the last
 * `seconds`.
 * @return how many are left, as they are open
 */
int nereus_shared_files_remove_young(const char *folder, double seconds);

#endif
