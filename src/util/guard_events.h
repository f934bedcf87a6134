/**
 * @file guard_events.h
 * Defines the interface between a process and its guard: events of one character, and environment
 * variables.
 */
#pragma once

#include "model/util/base.h"

/** Events that a process reports to its guard. */
enum guard_event {
    /** The process reaches MPI: from now on nereus-guard-join must not replace it. */
    GUARD_REACHED_MPI = 'M',
    /** The process calls nereus_init, where the other processes wait for it. */
    GUARD_ENTERS_JOB = 'J',
    /** The process has left the job: its exit status is not the job's. */
    GUARD_LEFT = 'L',
    /** The process ends and has logged why: it ends the job, or was not needed. */
    GUARD_GIVES_UP = 'A',
    /** The process finishes the job. */
    GUARD_FINISHES = 'F',
    /** The process calls MPI_Finalize, where the other processes wait for it. */
    GUARD_ENDS_MPI = 'E',
    /** MPI_Finalize has returned: no process waits for this one. */
    GUARD_HAS_NO_MPI = 'D'
};

/* ---- names of environment variables ---------------------------------------------------------- */

/** The channel of a new process to its guard, "descriptor:process" with the pid of the guard's
 * parent. */
#define NEREUS_GUARD_FD_NAME "NEREUS_GUARD_FD"
/** The channel of an initial process to its guard, in the form of NEREUS_GUARD_FD. */
#define NEREUS_INITIAL_FD_NAME "NEREUS_INITIAL_FD"
/** The address of nereus-supervise, "host:port:token" (link/supervisor_lines.h). The token is a
 * secret of this attempt, so that processes of an earlier attempt cannot connect to a later one. */
#define NEREUS_LAUNCHER_NAME "NEREUS_LAUNCHER"
/** A launched process' address for its announcement, "host:port:launch:group". Not secret: ps shows
 * it. */
#define NEREUS_LAUNCH_NAME "NEREUS_LAUNCH"
/** Sent in place of the hosts of REQUEST_RESTART: Slurm queues the job again, with that number of
 * tasks. */
#define NEREUS_HOSTS_OF_SLURM "slurm:"
/** Set if nereus-mpiexec acts on SIGUSR1, Slurm's signal before the time limit; the program then
 * does not receive it. */
#define NEREUS_WARNED_NAME "NEREUS_WARNED_BY_SIGUSR1"
/** Set by the guard to the name of the variable by which it has turned off MPI's memory hooks;
 * valid on this host only. */
#define NEREUS_HOOKS_NAME "NEREUS_MEMORY_HOOKS"
