/**
 * @file shared_files.h
 * MPI's files in /dev/shm, and how those are removed that a job leaves which was stopped, failed or
 * had a process killed.
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

/** What a file of this name holds: memory of one process, or of all processes of a world on this
 * host; or it is not MPI's. */
enum nereus_shared_file { NEREUS_SHARED_OF_NONE, NEREUS_SHARED_OF_PROCESS, NEREUS_SHARED_OF_WORLD };

enum nereus_shared_file nereus_shared_file(const char *name);

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
