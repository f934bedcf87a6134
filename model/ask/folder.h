/**
 * @file folder.h
 * Where jobs of this user answer on this host: $XDG_RUNTIME_DIR/nereus (in an own folder), else
 * /tmp/nereus-UID, else
 * /tmp/nereus-UID-RANDOM, and a socket for each, under the job's name. Nobody else may enter the
 * folder: one that is another user's, a link, or has another mode than 0700 is not used.
 */
#ifndef NEREUS_MODEL_FOLDER_H
#define NEREUS_MODEL_FOLDER_H

#include <stdbool.h>
#include <sys/un.h>

#include "nereus/job_client.h"

/** A path of a socket cannot be longer. */
enum { NEREUS_JOB_PATH_MAX = sizeof(((struct sockaddr_un *)NULL)->sun_path) };

/** Letters, digits, '.', '_', '-', beginning with a letter or a digit. */
enum nereus_status nereus_job_name_check(const char *name, struct nereus_error *err);

/**
 * The folder, which is made unless it is there.
 * @param[out] folder  NEREUS_JOB_PATH_MAX characters
 * @return NEREUS_ERR_IO: it cannot be made
 */
enum nereus_status nereus_job_folder(char *folder, struct nereus_error *err);

/** The same without XDG_RUNTIME_DIR. @param base  "/tmp", writable for all users */
enum nereus_status nereus_job_folder_below(const char *base, char *folder,
                                           struct nereus_error *err);

/** The address of a socket in it. @return NEREUS_ERR_ARGUMENT: too long for a socket */
enum nereus_status nereus_job_address(const char *folder, const char *name,
                                      struct sockaddr_un *address, struct nereus_error *err);

/**
 * Lock the folder, to begin to answer or to remove a name.
 * @return a descriptor, unlocked by close(); -1: it cannot be locked
 */
int nereus_job_folder_hold(const char *folder);

/** One command of this user does something at a time: its file in the folder. */
struct nereus_job_lock {
    char path[NEREUS_JOB_PATH_MAX + 80];
    int fd;
};

/**
 * Take a lock, which ends with nereus_job_lock_release or with the process, however it ends.
 * @param[in] name  below 64 characters
 * @param[in] busy  the sentence where another holds it
 * @return NEREUS_ERR_BUSY; NEREUS_ERR_IO
 */
enum nereus_status nereus_job_lock_take(const char *name, const char *busy,
                                        struct nereus_job_lock *lock, struct nereus_error *err);
void nereus_job_lock_release(struct nereus_job_lock *lock);

/** Remove the name of a job that has ended badly. Nothing where somebody listens there. */
void nereus_job_forget(const char *folder, const char *name);

/** Is the other end of a connected socket a process of this user? */
bool nereus_job_peer_is_own(int fd);

#endif
