/*
 * Worlds of their own: new processes that are not spawned by MPI but started by the launcher, and join when they
 * are ready. This is the side of the processes; MPI is called only by
 * nereus_launch_greet, and nothing here knows a plan. Private to src/.
 *
 * The life of a group (one world, usually one a node):
 *
 *   root of the sources                 nereus-supervise          the new world
 *   nereus_launch_start     -- order -->  starts the launcher -->  guards; each opens its lifeline
 *   nereus_launch_poll/wait                                        nereus_launch_greet: MPI_Init everywhere, a
 *                                                                  barrier, opens a port
 *     READY                 <-------------- announcement ----------  rank 0
 *   nereus_launch_welcome   --------------- record, port --------->  rank 0, then its world: greet returns
 *   nereus_launch_last_look <-> alive? hold the line
 *   all: nereus_port_connect <============== MPI ================>  all: nereus_port_accept
 *   nereus_launch_met       -- until the commit its death is told, and the job lets go of it (lookout.c)
 *   nereus_launch_joined    -- from now on its death is the job's
 *
 * The launcher is a child of nereus-supervise, not of the application: it outlives the root that asked for it,
 * it is where mpiexec was started (so that it reaches the same hosts), nothing is forked in an MPI process, and
 * mpiexec's pipes are not held open by what was launched. Jobs that were not started with nereus-mpiexec cannot
 * launch.
 */
#ifndef NEREUS_LAUNCH_H
#define NEREUS_LAUNCH_H

#include <mpi.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "nereus/status.h"
#include "port.h"

/* A world to start. Only borrowed. */
struct nereus_launch_group {
    const char *host;         /* where; "host/a" is a virtual node of host; NULL: the caller's host */
    int processes;            /* of this world */
    const char *guard;        /* path of nereus-guard */
    char *const *words;       /* its command line (spawn.c), NULL-terminated, as for MPI_Comm_spawn */
    char *const *environment; /* NAME=VALUE for this group only, NULL-terminated; may be NULL */
};

enum nereus_launch_state {
    NEREUS_LAUNCH_STARTING,
    NEREUS_LAUNCH_SEEN,      /* a guard that was only to look says that it could be had (probe.h) */
    NEREUS_LAUNCH_READY,     /* has announced itself, and waits for its welcome */
    NEREUS_LAUNCH_INFORMED,  /* waits for the connection */
    NEREUS_LAUNCH_CONNECTED, /* connected, and not part of the job before the commit */
    NEREUS_LAUNCH_JOINED,    /* part of the job */
    NEREUS_LAUNCH_FAILED     /* cannot be had, and is being ended; nereus_launch_failure says why */
};

/* A launch under way, at the root of the sources. Not thread-safe; may be used by an auxiliary thread alone. */
struct nereus_launch;

/*
 * Begin to start all groups at once. Does not wait for them, and calls no MPI.
 * @param limit_s  a group that is not ready after so long has failed
 * @param[out] launch  nereus_launch_free
 * Errors: NEREUS_ERR_SPAWN (not started with nereus-mpiexec, or it does not answer), MEMORY, IO, ARGUMENT.
 */
enum nereus_status nereus_launch_start(const struct nereus_launch_group *groups, int group_count,
                                       double limit_s, struct nereus_launch **launch,
                                       struct nereus_error *err);

/* Take in what has happened; never waits. @return the number of groups that are still starting */
int nereus_launch_poll(struct nereus_launch *launch);
/* Sleep until none is starting any more, or one has failed, or the limit is over. @return as poll */
int nereus_launch_wait(struct nereus_launch *launch, double limit_s);

enum nereus_launch_state nereus_launch_state(const struct nereus_launch *launch, int group);
/* The first group that failed: its sentence in err. @return NEREUS_OK if none did */
enum nereus_status nereus_launch_failure(const struct nereus_launch *launch, struct nereus_error *err);
/* Of a group that is READY or further. The port is what to connect to; borrowed. */
const char *nereus_launch_port(const struct nereus_launch *launch, int group);
const char *nereus_launch_host(const struct nereus_launch *launch, int group);
int64_t nereus_launch_pid(const struct nereus_launch *launch, int group); /* of its rank 0 */

/* Tell a READY group what it has to know, and whose port it connects to (NULL: it accepts on its own). */
enum nereus_status nereus_launch_inform(struct nereus_launch *launch, int group, const void *bytes,
                                        size_t count, const char *port, struct nereus_error *err);
/*
 * Right before the sources enter MPI_Comm_connect, for each group: is all of it there, has it taken its welcome
 * in, and does nereus-supervise know of the connection? From here to nereus_launch_joined or _cancel a death in
 * the group is left to the connection's time limit, limit_s; if the job has not come back two seconds later, it
 * hangs inside MPI, and is ended.
 */
enum nereus_status nereus_launch_last_look(struct nereus_launch *launch, int group, double limit_s,
                                           struct nereus_error *err);
/*
 * Connected, and watched until the commit: poll shows its death. It is not ended before the launch is freed: if the job
 * has not let go of it soon after a death, it hangs inside MPI, and nereus-supervise ends it.
 */
void nereus_launch_connected(struct nereus_launch *launch, int group);
/* The same while the application goes on: until it comes back to a point it has limit_s. Then the group is met again. */
void nereus_launch_overlapped(struct nereus_launch *launch, int group, double limit_s);
/* Connected: from now on the group's death ends the job, and the group ends with the job. */
void nereus_launch_joined(struct nereus_launch *launch, int group);
/* End a group that is not part of the job. */
void nereus_launch_cancel(struct nereus_launch *launch, int group);
/* End all groups that are not part of the job, and free. NULL is fine. */
void nereus_launch_free(struct nereus_launch *launch);

/* The initial world leaves the job while others go on: how its mpiexec ends is not how the job ends. Called by
 * one of its processes, before MPI_Finalize. */
void nereus_launch_initial_world_leaves(void);

/* The job hangs where nothing in MPI can end it: nereus-supervise says the sentence, and does. Without one nothing happens. */
void nereus_launch_end_job(const char *sentence);

/* In every process of the initial world, early: end with the launcher's proxy that started it. When a proxy is killed
 * neither its processes nor its mpiexec notice, and nothing else would end the job. */
void nereus_launch_end_with_proxy(void);

/* ---- in the new processes ------------------------------------------------------------------------------ */

/* What a launched world is told. */
struct nereus_launch_reply {
    int group;
    void *bytes; /* the welcome; owned */
    size_t count;
    struct nereus_port own_port; /* where to accept; open at rank 0 only */
    char *connect_port;          /* where to connect to instead; owned; NULL: accept, or not rank 0 */
    bool connects;               /* the same in every process */
    int line;                    /* rank 0: to the root; open until it has joined; -1: none */
};

#define NEREUS_LAUNCH_REPLY_NONE                                                                             \
    {                                                                                                        \
        .own_port = NEREUS_PORT_NONE, .line = -1                                                             \
    }

/* Was this process launched? True until it has greeted. */
bool nereus_launch_is_launched(void);
/*
 * Collective over world (a launched MPI_COMM_WORLD): announce it, and wait for the welcome, without using CPU.
 * Hides what only concerns this start from programs that the application starts.
 */
enum nereus_status nereus_launch_announce(MPI_Comm world, struct nereus_launch_reply *reply,
                                          struct nereus_error *err);
/* After the world has joined, or failed to: closes the port and the line too. */
void nereus_launch_reply_fini(struct nereus_launch_reply *reply);

#endif
