/**
 * @file shared_files.h
 * Removes MPI's files in /dev/shm that a job has left which was stopped, failed or had a process
 * killed.
 */
#pragma once

#include "model/util/base.h"

/** The files before the job started. */
struct nereus_shared_files {
    const char *folder;
    char **names; /**< owned */
    int count;    /**< -1: unknown: nothing is removed */
};

#define NEREUS_SHARED_FOLDER "/dev/shm"

/** The memory in a file of this name: of one process, or of all processes of a world on this host;
 * NONE: no file of MPI. */
enum nereus_shared_file { NEREUS_SHARED_OF_NONE, NEREUS_SHARED_OF_PROCESS, NEREUS_SHARED_OF_WORLD };

enum nereus_shared_file nereus_shared_file_kind(const char *name);

/** @param folder  NEREUS_SHARED_FOLDER; not copied */
void nereus_shared_files_record(const char *folder, struct nereus_shared_files *earlier_files);

/** Remove MPI's new files of this user that no process has open or mapped, and free the record.
 * @return number of removed files */
int nereus_shared_files_remove(struct nereus_shared_files *earlier_files);

/** As nereus_shared_files_remove, without a record, of files that were created or changed within
 * the last `seconds`.
 * @return number of such files that stay: a process has them open, or they cannot be removed */
int nereus_shared_files_remove_young(const char *folder, double seconds);
