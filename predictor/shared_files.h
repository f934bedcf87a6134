/**
 * @file shared_files.h
 * Files in /dev/shm that belong to a program that was started: MPICH removes its own at the end of a job, but not of one that was
 * killed.
 */
#ifndef NEREUS_SHARED_FILES_H
#define NEREUS_SHARED_FILES_H

#include <sys/types.h>

enum { NEREUS_SHARED_FILES_MAX = 128, NEREUS_SHARED_NAME_MAX = 96 };

struct nereus_shared_files {
    char paths[NEREUS_SHARED_FILES_MAX][NEREUS_SHARED_NAME_MAX];
    pid_t owners[NEREUS_SHARED_FILES_MAX]; /**< who was seen with it: not looked at again */
    int count;
};

/** Note what the processes that this one has started, and theirs, have mapped now. */
void nereus_shared_files_look(struct nereus_shared_files *files);

/** Remove those of the noted ones that are still there; afterwards none is noted. @return how many */
int nereus_shared_files_remove(struct nereus_shared_files *files);

#endif
