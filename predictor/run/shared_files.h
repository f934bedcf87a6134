/**
 * @file shared_files.h
 * Files in /dev/shm that a job has made and left: MPICH removes its own at the end of a job, but not those of one that was stopped,
 * failed or had a process killed.
 */
#ifndef NEREUS_SHARED_FILES_H
#define NEREUS_SHARED_FILES_H

/** What was there before a job began. */
struct nereus_shared_files {
    char **names; /**< owned */
    int count;    /**< -1: not known, so that nothing is removed */
};

/** Note what is there now. */
void nereus_shared_files_note(struct nereus_shared_files *before);

/**
 * Remove what MPI has made there since, is this user's, and no process has open or mapped. Frees what was noted.
 * @return how many
 */
int nereus_shared_files_remove(struct nereus_shared_files *before);

#endif
