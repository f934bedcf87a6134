/**
 * @file sweep.h
 * Removes files that a job which ended badly left in /dev/shm of its other hosts, and finds hosts
 * that do not answer.
 */
#pragma once

#include "job_hosts.h"

/** First argument of nereus-supervise on another host; the second is the largest age of files in
 * seconds. */
#define SWEEP_OPTION "--remove-shared-files"

/** Start this program on all other hosts that the job may have used, and wait for it, a few seconds
 * at most: a host that cannot be reached keeps its files. Each host has its own launcher: one
 * launcher for all would start nothing if it could not reach one host.
 * @param mpiexec  the command that the job was started with
 * @param job_s    how long the job has lasted */
void sweep_other_hosts(char **mpiexec, double job_s);

/** Limit of the wait for other hosts. */
struct sweep_limit {
    double seconds;
    bool (*stop)(void *user);
    void *user;
};
/** Sweep before the job continues, and find hosts that do not answer (job_host.answers).
 * @param mpiexec  the command that the job was started with
 * @return false: stopped */
bool sweep_each_host(struct job_hosts *hosts, char **mpiexec, double job_s,
                     const struct sweep_limit *limit);
/** Remove, on this host, MPI's files of this user that are not older than the job and that no
 * process uses. Waits for processes that are just ending and use such files.
 * @return the exit status */
int sweep_this_host(const char *seconds);
