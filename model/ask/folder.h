/**
 * @file folder.h
 * Where jobs of this user answer on this host: $XDG_RUNTIME_DIR/nereus, else /tmp/nereus-UID, and a
 * socket for each, under the job's name. Nobody else may enter the folder.
 */
#ifndef NEREUS_MODEL_FOLDER_H
#define NEREUS_MODEL_FOLDER_H

#include <stdbool.h>
#include <sys/un.h>

#include "nereus/job_client.h"

/** A path of a socket cannot be longer. */
enum { NEREUS_JOB_PATH_MAX = sizeof(((struct sockaddr_un *)NULL)->sun_path) };

/** Letters, digits, '.', '_', '-', of which the first is a letter or a digit. */
enum nereus_status nereus_job_name_check(const char *name, struct nereus_error *err);

/**
 * The folder, which is made unless it is there.
 * @param[out] folder  NEREUS_JOB_PATH_MAX characters
 * @return NEREUS_ERR_IO: it cannot be made, is another user's, or others may enter it
 */
enum nereus_status nereus_job_folder(char *folder, struct nereus_error *err);

/** The address of a socket in it. @return NEREUS_ERR_ARGUMENT: too long for a socket */
enum nereus_status nereus_job_address(const char *folder, const char *name,
                                      struct sockaddr_un *address, struct nereus_error *err);

/**
 * Hold the folder: who begins to answer, or removes a name, does so alone.
 * @return a descriptor, which close() lets go of; -1: it cannot be held
 */
int nereus_job_folder_hold(const char *folder);

/** Remove the name of a job that has ended badly. Nothing where somebody listens there. */
void nereus_job_forget(const char *folder, const char *name);

/** Is the other end of a connected socket a process of this user? */
bool nereus_job_peer_is_own(int fd);

#endif
