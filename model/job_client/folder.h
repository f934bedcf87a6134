/**
 * @file folder.h
 * Finds the folder with the sockets of this user's jobs, for jobs and their clients:
 * $XDG_RUNTIME_DIR/nereus, else /tmp/nereus-UID, else /tmp/nereus-UID-RANDOM. A folder is not used
 * if another user owns it, if it is a link, or if its mode is not 0700.
 */
#pragma once

#include <sys/un.h>

#include "model/util/base.h"
#include "nereus/job_client.h"

enum { NEREUS_JOB_PATH_MAX = sizeof(((struct sockaddr_un *)NULL)->sun_path) };

/** Check the name of a job: letters, digits, '.', '_', '-', beginning with a letter or a digit. */
enum nereus_status nereus_job_name_check(const char *name, struct nereus_error *err);

/** Find the folder, and make it if it is missing.
 * @param[out] folder  NEREUS_JOB_PATH_MAX characters */
enum nereus_status nereus_job_folder(char *folder, struct nereus_error *err);

/** Find or make the folder without XDG_RUNTIME_DIR.
 * @param base  "/tmp" */
enum nereus_status nereus_job_folder_below(const char *base, char *folder,
                                           struct nereus_error *err);

/** Make the address of a job's socket.
 * @return NEREUS_ERR_ARGUMENT: too long for a socket */
enum nereus_status nereus_job_address(const char *folder, const char *name,
                                      struct sockaddr_un *address, struct nereus_error *err);

/** Lock the folder, to add or remove a name.
 * @return a descriptor to close; -1: failed */
int nereus_job_folder_lock(const char *folder);

/** A lock, so that only one command of this user at a time does something. */
struct nereus_job_lock {
    char path[NEREUS_JOB_PATH_MAX + 80];
    int fd;
};

/** Take a lock, until nereus_job_lock_release or the end of the process.
 * @param busy  error message if another process holds it
 * @return NEREUS_ERR_BUSY; NEREUS_ERR_IO
 */
enum nereus_status nereus_job_lock_acquire(const char *name, const char *busy,
                                           struct nereus_job_lock *lock, struct nereus_error *err);
void nereus_job_lock_release(struct nereus_job_lock *lock);

/** Remove the socket of a job that was killed, unless a process listens. */
void nereus_job_remove_dead_socket(const char *folder, const char *name);

bool nereus_job_peer_is_own(int fd);
