/**
 * @file spawn_timeout.h
 * Sets a time limit for MPI_Comm_spawn, which never returns if a host does not answer. After it a
 * thread prints why and ends this process, and with it the job.
 *
 * nereus-supervise detects such a host sooner, as it counts the guards that run
 * (supervise/pending_spawns.h). nereus-supervise is informed before the call; a job without it has
 * only the longer limit of this thread.
 */
#pragma once

#include <pthread.h>

#include "model/util/base.h"

/** State of one watched MPI_Comm_spawn. */
struct nereus_spawn_timeout {
    pthread_t thread;
    pthread_mutex_t lock;
    pthread_cond_t changed;
    double limit_s;
    const char *sentence; /* printed after the time limit; borrowed */
    bool over;            /* MPI_Comm_spawn has returned */
    bool watched;         /* the thread was started */
    int connection;       /* connection to nereus-supervise, during the call; -1: none */
};

enum { NEREUS_SPAWN_ID_MAX = 100 };
/** Make a unique name of a call of MPI_Comm_spawn, which its guards send: letters and digits
 * only. */
void nereus_spawn_timeout_name(char *id, size_t size);

/** Begin to watch a spawn. Call this and nereus_spawn_timeout_end around one MPI_Comm_spawn, in the
 * same thread. If the watching thread cannot be started there is no time limit. */
void nereus_spawn_timeout_begin(struct nereus_spawn_timeout *watch, double limit_s,
                                const char *sentence);
/** Announce this number of guards on the hosts ("host1:2,host2:1"; empty: any), with at most
 * limit_s between two reports. Call after begin. */
void nereus_spawn_timeout_count_guards(struct nereus_spawn_timeout *watch, const char *id,
                                       int64_t processes, const char *hosts, double limit_s);
/** Stop watching the spawn. */
void nereus_spawn_timeout_end(struct nereus_spawn_timeout *watch);
