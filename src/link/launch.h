/**
 * @file launch.h
 * Worlds of their own: new processes that are not spawned by MPI but started by the launcher, and
 * join when they are ready. This is the side of the processes; only nereus_launch_announce calls
 * MPI, and nothing here knows a plan.
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
 *   nereus_launch_connected -- a death before the commit is reported; the job then cancels
 *   nereus_launch_joined    -- from now on a death there ends the job
 *
 * The launcher is a child of nereus-supervise, not of the application: it outlives the root that
 * ordered it, it runs where mpiexec was started (so that it reaches the same hosts), nothing is
 * forked in an MPI process, and mpiexec's pipes are not held open by what was launched. Jobs that
 * were not started with nereus-mpiexec cannot launch.
 */
#ifndef NEREUS_SRC_LINK_LAUNCH_H
#define NEREUS_SRC_LINK_LAUNCH_H

#include <mpi.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "nereus/status.h"
#include "port.h"

/* A world to start. All pointers are borrowed. */
struct nereus_launch_group {
    const char *host;       /* Where; "host/a" is a virtual node of host; NULL: the caller's host */
    const char *allocation; /* "slurm:1234": that the host is in; NULL, "": the job's own */
    int processes;          /* number of processes of this world */
    const char *guard;      /* path of nereus-guard */
    /* Command line of the guards (start/start_spec.h), NULL-terminated, as for MPI_Comm_spawn */
    char *const *argv;
};

/* States of a group, in their order. */
enum nereus_launch_state {
    NEREUS_LAUNCH_STARTING,
    /* A guard that only had to look reports that the program can be started (start/probe.h) */
    NEREUS_LAUNCH_CHECKED,
    NEREUS_LAUNCH_READY,       /* has announced itself, and waits for the payload */
    NEREUS_LAUNCH_HAS_PAYLOAD, /* waits for the connection */
    NEREUS_LAUNCH_CONNECTED,   /* connected, and not part of the job before the commit */
    NEREUS_LAUNCH_JOINED,      /* part of the job */
    NEREUS_LAUNCH_FAILED /* has failed, and is being ended; nereus_launch_failure has the reason */
};

/* A launch under way, at the root of the sources. Not thread-safe; may be used by an auxiliary
 * thread alone. */
struct nereus_launch;

/* Start all groups in parallel. Does not wait for them, and calls no MPI.
 * @param limit_s  a group that is not ready within this time has failed
 * @param[out] launch  nereus_launch_free
 * Errors: NEREUS_ERR_SPAWN (not started with nereus-mpiexec, or no answer), MEMORY, IO,
 * ARGUMENT. */
enum nereus_status nereus_launch_start(const struct nereus_launch_group *groups, int group_count,
                                       double limit_s, struct nereus_launch **launch,
                                       struct nereus_error *err);

/* Read what has come; never waits. @return the number of groups that are still starting */
int nereus_launch_poll(struct nereus_launch *launch);
/* Sleep until none is starting any more, one has failed, or the limit is over.
 * @return as nereus_launch_poll */
int nereus_launch_wait(struct nereus_launch *launch, double limit_s);

/* State of a group. */
enum nereus_launch_state nereus_launch_state(const struct nereus_launch *launch, int group);
/* The first group that failed: its message in err. @return NEREUS_OK if none did */
enum nereus_status nereus_launch_failure(const struct nereus_launch *launch,
                                         struct nereus_error *err);
/* The port to connect to, of a group that is READY or further; borrowed. */
const char *nereus_launch_port(const struct nereus_launch *launch, int group);
/* The host of a group that is READY or further; borrowed. */
const char *nereus_launch_host(const struct nereus_launch *launch, int group);
/* The pid of the rank 0 of a group. */
int64_t nereus_launch_pid(const struct nereus_launch *launch, int group);

/* Send a READY group the payload. */
enum nereus_status nereus_launch_send_payload(struct nereus_launch *launch, int group,
                                              const void *bytes, size_t count,
                                              struct nereus_error *err);
/* Right before the sources enter MPI_Comm_connect, for each group: is all of it alive, has it
 * acknowledged the payload, and does nereus-supervise expect the connection? From here to
 * nereus_launch_joined or _cancel a death in the group is left to the connection's time limit,
 * limit_s; if the job has not come back two seconds later it hangs inside MPI, and is ended. */
enum nereus_status nereus_launch_check_alive(struct nereus_launch *launch, int group,
                                             double limit_s, struct nereus_error *err);
/* Connected, and watched until the commit: nereus_launch_poll reports a death. The group is not
 * ended before the launch is freed: if the job has not let go of it soon after a death, it hangs
 * inside MPI, and nereus-supervise ends it. */
void nereus_launch_connected(struct nereus_launch *launch, int group);
/* The group stays connected while the application continues, which has limit_s to come back to a
 * point. Then nereus_launch_connected is called again. */
void nereus_launch_overlapped(struct nereus_launch *launch, int group, double limit_s);
/* Make the group part of the job: from now on the group's death ends the job, and the group ends
 * with the job. */
void nereus_launch_joined(struct nereus_launch *launch, int group);
/* End a group that is not part of the job. */
void nereus_launch_cancel(struct nereus_launch *launch, int group);
/* End all groups that are not part of the job, and free. NULL is fine. */
void nereus_launch_free(struct nereus_launch *launch);

/* Leave the guards' command line with nereus-supervise, from where guards fetch it by this name.
 * The words are those of guard/guard.c, a letter and a value each. Errors: NEREUS_ERR_SPAWN (no
 * answer). */
enum nereus_status nereus_launch_store_record(const char *name, char *const *words,
                                              struct nereus_error *err);
/* The command that nereus-mpiexec was given for the job's first process, and the folder in which it
 * was started; both owned. The folder is NULL where it is not known. */
char **nereus_launch_command(char **folder);

/* The initial world leaves the job while others continue: the status of its mpiexec is not the
 * job's. Called by one of its processes, before MPI_Finalize. */
void nereus_launch_initial_world_leaves(void);

/* The job hangs where nothing in MPI can end it: nereus-supervise prints the message and ends it.
 * Without nereus-supervise it is printed here, and the caller ends itself. */
void nereus_launch_end_job(const char *sentence);
/* End the job because of a mistake of the program, which it would repeat: no restart helps. */
void nereus_launch_end_mistaken_job(const char *sentence);
/* This process ends the job with a status of the program's own. Without nereus-supervise MPI's own
 * messages remain. */
void nereus_launch_abort(int status, const char *sentence);

/* ---- the next attempt: processes that begin from a checkpoint (supervise/attempt.h) ---------- */

/* The checkpoint is whole, as it was just written or read: after a loss the job can go on from it.
 * No effect without nereus-supervise.
 * @param path  absolute
 * @param is_new  written */
void nereus_launch_checkpointed(const char *path, bool is_new);
/* After a loss the job has gone on by itself. @param how  for the user, behind what was lost */
void nereus_launch_recovered(const char *how);
/* Restart the job as nt processes from this checkpoint when all its processes have ended with
 * status 0. The new ones have NEREUS_RESTART and NEREUS_RESTARTS in their environment. The last
 * call counts.
 * @param path   absolute
 * @param hosts  "host0:2,host1:2"; NULL, "": as mpiexec's command line says
 * Errors: NEREUS_ERR_UNSUPPORTED (no nereus-supervise, or not with its command line), SPAWN (no
 * answer), ARGUMENT. */
enum nereus_status nereus_launch_restart(int64_t nt, const char *path, const char *hosts,
                                         struct nereus_error *err);
/* Open the connection by which nereus-supervise tells rank 0 of a Slurm job that Slurm's time limit
 * is near, and a checkpoint is wanted. @return the descriptor, to be closed; -1: none */
int nereus_launch_await_warning(void);
/* Has nereus-supervise told so? Does not wait. */
bool nereus_launch_is_warned(int fd);

/* End with the launcher's proxy that started this process: called early in every process of the
 * initial world. When a proxy is killed neither its processes nor its mpiexec notice, and nothing
 * else would end the job. */
void nereus_launch_end_with_proxy(void);

/* ---- in the new processes -------------------------------------------------------------------- */

/* Data that a launched world receives. */
struct nereus_launch_reply {
    int group;
    void *bytes; /* the payload; owned */
    size_t count;
    struct nereus_port own_port; /* port on which this group accepts; open at rank 0 only */
    int line;                    /* rank 0: to the root; open until it has joined; -1: none */
};

#define NEREUS_LAUNCH_REPLY_NONE                                                                   \
    {                                                                                              \
        .own_port = NEREUS_PORT_NONE, .line = -1                                                   \
    }

/* Was this process launched? True until it has announced itself. */
bool nereus_launch_is_launched(void);
/* Collective over world (a launched MPI_COMM_WORLD): announce it, and wait for the payload without
 * using CPU. Removes what only concerns this start from the environment. */
enum nereus_status nereus_launch_announce(MPI_Comm world, struct nereus_launch_reply *reply,
                                          struct nereus_error *err);
/* Close the port and the line, after the world has joined or failed to join. */
void nereus_launch_reply_fini(struct nereus_launch_reply *reply);

#endif
