/* Events from a process to its guard, one letter each. Private to src/. */
#ifndef NEREUS_GUARD_EVENTS_H
#define NEREUS_GUARD_EVENTS_H

enum guard_event {
    GUARD_REACHED_MPI = 'M', /* from here on the guard must not take its place */
    GUARD_ENTERS_JOB = 'J',  /* calls nereus_init: the others wait for it there */
    GUARD_LEFT = 'L',        /* has left the job: its exit status is not the job's */
    GUARD_GIVES_UP = 'A',    /* why it ends has been said: it ends the job, or was not needed */
    GUARD_FINISHES = 'F',    /* is among those that finish the job */
    GUARD_ENDS_MPI = 'E',    /* calls MPI_Finalize: the others wait for it there */
    GUARD_HAS_NO_MPI = 'D'   /* which has returned: nobody waits for it any more */
};

/* Environment: the channel to the guard, "descriptor:process" with the process that has started the
 * guard, of new processes and of initial ones; where nereus-mpiexec listens ("host:port:token"). */
#define NEREUS_GUARD_FD_NAME   "NEREUS_GUARD_FD"
#define NEREUS_INITIAL_FD_NAME "NEREUS_INITIAL_FD"
#define NEREUS_LAUNCHER_NAME   "NEREUS_LAUNCHER"
/* Environment of a launched process: where it announces itself, "host:port:launch:group". Not
 * secret: ps shows it. */
#define NEREUS_LAUNCH_NAME "NEREUS_LAUNCH"
/* Set if the guard has chosen UCX's memory hooks, for this host only. */
#define NEREUS_HOOKS_NAME "NEREUS_UCX_HOOKS"
/* UCX's setting for them: "bistro" (its default), "reloc" or "none". */
#define MEMORY_HOOKS_NAME "UCX_MEM_MMAP_HOOK_MODE"

#endif
