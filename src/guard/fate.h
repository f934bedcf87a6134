/*
 * What becomes of the process under a guard: the guard is its parent, gets its events
 * (guard_events.h), and sees it end, whichever way. Private to src/guard.
 *
 * Parent and process of MPI may be two: a wrapper (`sh -c`, `numactl`) may run the program as its
 * child and outlive it, or end before it. So the kernel tells who sends an event, and the end of
 * that process is what counts. A program that becomes another one (execve) closes the channel.
 */
#ifndef NEREUS_FATE_H
#define NEREUS_FATE_H

#include <stdbool.h>
#include <sys/types.h>

#include "stages.h"

struct fate {
    bool reached_mpi, left, finishes;
    bool late;          /* did not reach MPI in time, and was ended */
    bool cut_off;       /* the lifeline broke, or the launcher ended, and it was ended */
    bool replaced;      /* has become another program */
    bool wrapper_stays; /* the process has ended, and its wrapper has not: no status is known */
    bool knows_nothing; /* could not learn what to start */
    int exec_errno;     /* could not be started at all */
    int wait_status;
    bool gives_up;    /* why it ends has been said */
    int start_line;   /* of a spawned process; -1: none */
    int initial_line; /* of an initial process; -1: none */
    enum stage stage;
    pid_t speaker; /* who has sent the events; 0: none came */
};

/* Is it, or was it to be, part of the job, so that its end is a loss? */
bool fate_is_lost(const struct fate *fate);

/* The channel for events: ends[0] of the guard, ends[1] of the process. @return false: errno */
bool fate_channel(int ends[2]);

struct fate_watch {
    pid_t child;
    int events;      /* ends[0] of the channel; it is closed */
    int lifeline;    /* -1: none */
    double limit_s;  /* until MPI is reached; below 0: none */
    bool has_parent; /* end it with the process that has started the guard */
};

/* Until it has ended. An initial process that the job has lost may leave a wrapper behind: then
 * `lost` is called first, as the job's end is the wrapper's. */
void fate_await(const struct fate_watch *watch, struct fate *fate,
                void (*lost)(void *user, const struct fate *fate), void *user);

#endif
