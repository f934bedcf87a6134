/**
 * @file shared_files.h
 * Removes files in /dev/shm that a job left: MPICH removes its files at the end of a job, but not
 * if the job was stopped, failed or had a process killed.
 */
#ifndef NEREUS_SHARED_FILES_H
#define NEREUS_SHARED_FILES_H

/** The files before the job started. */
struct nereus_shared_files {
    const char *folder;
    char **names; /**< owned */
    int count;    /**< -1: not known, so that nothing is removed */
};

#define NEREUS_SHARED_FOLDER "/dev/shm"

/** Record the present files. @param[in] folder  where MPI puts them: NEREUS_SHARED_FOLDER; kept,
 * not copied */
void nereus_shared_files_record(const char *folder, struct nereus_shared_files *before);

/**
 * Remove MPI's files that are new since, belong to this user, and are not open or mapped in any
 * process. Frees the record.
 * @return how many
 */
int nereus_shared_files_remove(struct nereus_shared_files *before);

/**
 * The same where no record was made: of MPI's files of this user those that were created within the
 * last `seconds`.
 * @return how many of them are left, as processes have them open
 */
int nereus_shared_files_remove_young(const char *folder, double seconds);

#endif
