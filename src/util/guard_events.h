/* What a process tells the guard over it, one letter an event. Private to src/. */
#ifndef NEREUS_GUARD_EVENTS_H
#define NEREUS_GUARD_EVENTS_H

enum guard_event {
    GUARD_REACHED_MPI = 'M',   /* from here on nobody can take its place */
    GUARD_LEFT = 'L',          /* has left the job: its exit status is its own affair */
    GUARD_GIVES_UP = 'A',      /* ends the job, and has said why */
    GUARD_FINISHES = 'F',      /* is among those that finish the job */
    GUARD_FINISHES_ALONE = 'X' /* the same, and the initial world has left: mpiexec's status says nothing */
};

/* Environment: the pipe to the guard; where nereus-mpiexec listens ("host:port:token"). */
#define NEREUS_GUARD_FD_NAME "NEREUS_GUARD_FD"
#define NEREUS_LAUNCHER_NAME "NEREUS_LAUNCHER"
/* Of a process that was launched: whom to announce itself to, "host:port:launch:group". No secret: ps shows it. */
#define NEREUS_LAUNCH_NAME "NEREUS_LAUNCH"

#endif
