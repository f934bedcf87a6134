/**
 * @file process_outcome.h
 * Finds the outcome of the process under a guard. The guard is its parent, receives its events
 * (guard_events.h) and waits for its end.
 *
 * The MPI process may not be the child: a wrapper (`sh -c`, `numactl`) may run the program as its
 * own child, and end before or after it. The kernel gives the sender of each event, and the guard
 * waits for the end of that process. A program that calls execve closes the channel.
 */
#pragma once

#include <sys/types.h>

#include "process_phase.h"

struct outcome {
    bool reached_mpi, left, finishes;
    bool timed_out;       /* the process did not reach MPI within the time limit, and was killed */
    bool connection_lost; /* killed because the lifeline broke or the launcher ended */
    bool replaced;        /* called execve */
    bool wrapper_stays;   /* the process has ended, but its wrapper has not: status unknown */
    bool lacks_record;    /* no start record was received */
    int exec_errno;       /* errno of a failed exec */
    int wait_status;
    bool error_reported;    /* the process itself has reported its error */
    int start_connection;   /* lifeline of a spawned process; -1: none */
    int initial_connection; /* lifeline of an initial process; -1: none */
    enum process_phase phase;
    bool is_child; /* the process that has sent the events is the guard's child: no wrapper */
    pid_t sender;  /* process that has sent the events; 0: none received */
};

/** Was the process lost, as a member of the job or before it joined? */
bool outcome_is_lost(const struct outcome *outcome);

/** Create the channel for events: ends[0] for the guard, ends[1] for the process.
 * @return false: errno is set */
bool outcome_open_channel(int ends[2]);

struct outcome_watch {
    pid_t child;
    int events;      /* ends[0] of the channel; will be closed */
    int lifeline;    /* -1: none */
    double limit_s;  /* time limit for reaching MPI; below 0: none */
    bool has_parent; /* kill the process when the guard's parent ends */
};

/** Wait for the end. If an initial process is lost while its wrapper still runs, `lost` is called
 * first: the wrapper may end only with the job. */
void outcome_await(const struct outcome_watch *watch, struct outcome *outcome,
                   void (*lost)(void *user, const struct outcome *outcome), void *user);
