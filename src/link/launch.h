/**
 * @file launch.h
 * Launches worlds: new processes that are not spawned by MPI but started by the launcher, and join
 * when they are ready. These are the functions of the job's processes, old and new. Only
 * nereus_launch_announce calls MPI, and no function depends on the plan.
 *
 * The life of a group (one world, usually one per node):
 *
 *   root of the sources                 nereus-supervise          the new world
 *   nereus_launch_start     -- order -->  starts the launcher -->  guards; each opens its lifeline
 *   nereus_launch_poll/wait                                        nereus_launch_announce: MPI_Init
 *                                                                  everywhere, a barrier, opens a
 *                                                                  port
 *     READY                 <-------------- announcement ----------  rank 0
 *   nereus_launch_send_payload    --------------- payload, port -------->  rank 0, then its world
 *   nereus_launch_check_alive <-> alive? expects the connection
 *   all: nereus_port_connect <============== MPI ================>  all: nereus_port_accept
 *   nereus_launch_set_connected -- a death before the commit is reported; the job then cancels
 *   nereus_launch_set_joined    -- from now on a death there ends the job
 *
 * The launcher is a child of nereus-supervise, not of the application, for four reasons: it can
 * outlive the root; it runs where mpiexec was started, and reaches the same hosts; no MPI process
 * forks; launched processes do not hold mpiexec's pipes open. Jobs that were not started with
 * nereus-mpiexec cannot launch.
 */
#pragma once

#include <mpi.h>

#include "port.h"

/** A world to start. All pointers are borrowed. */
struct nereus_launch_group {
    const char *host;       /* Where; "host/a" is a virtual node of host; NULL: the caller's host */
    const char *allocation; /* allocation of the host, "slurm:1234"; NULL, "": the job's own */
    int processes;          /* number of processes of this world */
    const char *guard;      /* path of nereus-guard */
    /* Command line of the guards (start/start_spec.h), NULL-terminated, as for MPI_Comm_spawn */
    char *const *argv;
};

/** States of a group, in their order. */
enum nereus_launch_state {
    NEREUS_LAUNCH_STARTING,
    /* A guard that only checks the program reports that it can be started (start/probe.c) */
    NEREUS_LAUNCH_CHECKED,
    NEREUS_LAUNCH_READY,       /* has announced itself, and waits for the payload */
    NEREUS_LAUNCH_HAS_PAYLOAD, /* waits for the connection */
    NEREUS_LAUNCH_CONNECTED,   /* connected; part of the job only after the commit */
    NEREUS_LAUNCH_JOINED,      /* part of the job */
    NEREUS_LAUNCH_FAILED /* has failed, and is being ended; nereus_launch_failure has the reason */
};

/** A launch under way, at the root of the sources. Not thread-safe; may be used by an auxiliary
 * thread alone. */
struct nereus_launch;

/** Start all groups in parallel. Does not wait for them, and calls no MPI.
 * @param limit_s  a group that is not ready within this time has failed
 * @param[out] launch  nereus_launch_free
 * Errors: NEREUS_ERR_SPAWN (not started with nereus-mpiexec, or no answer), MEMORY, IO,
 * ARGUMENT. */
enum nereus_status nereus_launch_start(const struct nereus_launch_group *groups, int group_count,
                                       double limit_s, struct nereus_launch **launch,
                                       struct nereus_error *err);

/** Read input that has arrived; never waits.
 * @return the number of groups that are still starting */
int nereus_launch_poll(struct nereus_launch *launch);
/** Sleep until no group is starting any more, a group has failed, or the time limit has passed.
 * @return as nereus_launch_poll */
int nereus_launch_wait(struct nereus_launch *launch, double limit_s);

/** State of a group. */
enum nereus_launch_state nereus_launch_state(const struct nereus_launch *launch, int group_index);
/** The first group that failed: its message in err.
 * @return NEREUS_OK if none did */
enum nereus_status nereus_launch_failure(const struct nereus_launch *launch,
                                         struct nereus_error *err);
/** The port to connect to, of a group that is READY or further; borrowed. */
const char *nereus_launch_port(const struct nereus_launch *launch, int group_index);
/** The host of a group that is READY or further; borrowed. */
const char *nereus_launch_host(const struct nereus_launch *launch, int group_index);
/** The pid of the rank 0 of a group. */
int64_t nereus_launch_pid(const struct nereus_launch *launch, int group_index);

/** Send a READY group the payload. */
enum nereus_status nereus_launch_send_payload(struct nereus_launch *launch, int group_index,
                                              const void *bytes, size_t count,
                                              struct nereus_error *err);
/** Check a group directly before the sources enter MPI_Comm_connect: are its processes alive, has
 * it acknowledged the payload, and has nereus-supervise noted the connection? Until
 * nereus_launch_set_joined or _cancel a death in the group is handled by the connection's time
 * limit, limit_s; a job that has not left the connection two seconds later hangs inside MPI, and
 * is ended. */
enum nereus_status nereus_launch_check_alive(struct nereus_launch *launch, int group_index,
                                             double limit_s, struct nereus_error *err);
/** Note that a group is connected: until the commit nereus_launch_poll reports a death in it. The
 * rest of a group that has lost a process is ended when the launch is freed. A job that has not
 * freed it some seconds after the death hangs inside MPI, and nereus-supervise ends the job. */
void nereus_launch_set_connected(struct nereus_launch *launch, int group_index);
/** The group stays connected while the application continues: it must reach its next point within
 * limit_s. Call nereus_launch_set_connected there. */
void nereus_launch_set_overlapped(struct nereus_launch *launch, int group_index, double limit_s);
/** Make the group part of the job: from now on the group's death ends the job, and the group ends
 * with the job. */
void nereus_launch_set_joined(struct nereus_launch *launch, int group_index);
/** End a group that is not part of the job. */
void nereus_launch_cancel(struct nereus_launch *launch, int group_index);
/** End all groups that are not part of the job, and free. NULL is fine. */
void nereus_launch_free(struct nereus_launch *launch);

/** Let the kernel end this process together with the launcher's proxy that started it: called early
 * in every process of the initial world. If a proxy is killed, neither its processes nor mpiexec
 * detect it, and nothing else would end the job. */
void nereus_launch_end_with_proxy(void);

/* ---- in the new processes -------------------------------------------------------------------- */

/** Data that a launched world receives. */
struct nereus_launch_reply {
    int group;
    void *bytes; /* the payload; owned */
    size_t count;
    struct nereus_port own_port; /* port on which this group accepts; open at rank 0 only */
    /* rank 0: connection to the root, open until the group has joined; -1: none */
    int connection;
};

#define NEREUS_LAUNCH_REPLY_NONE                                                                   \
    {                                                                                              \
        .own_port = NEREUS_PORT_NONE, .connection = -1                                             \
    }

/** Was this process launched? True until it has announced itself. */
bool nereus_launch_is_launched(void);
/** Collective over world (a launched MPI_COMM_WORLD): announce it, and wait for the payload without
 * using CPU. Removes the variables of this launch from the environment. */
enum nereus_status nereus_launch_announce(MPI_Comm world, struct nereus_launch_reply *reply,
                                          struct nereus_error *err);
/** Close the port and the connection to the root, after the world has joined or failed to join. */
void nereus_launch_reply_fini(struct nereus_launch_reply *reply);
