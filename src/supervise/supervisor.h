/**
 * @file supervisor.h
 * Supervises the job, in nereus-supervise: receives the reports of guards, launches worlds on
 * request, and holds the lifelines of their processes (supervisor_lines.h).
 */
#pragma once

#include <poll.h>
#include <sys/types.h>

#include "launcher_watch.h"
#include "output.h"
#include "pending_spawns.h"
#include "records.h"
#include "recovery.h"
#include "src/guard/process_phase.h"
#include "src/link/connection.h"
#include "src/link/supervisor_lines.h"
#include "src/util/progress.h"
#include "status_page.h"

/** Size of a sentence about launched processes or a launcher, with their own reason: a longer one
 * is cut. */
enum { LAUNCHED_SENTENCE_MAX = 400 };

/** What the guards have reported. */
struct job_status {
    int first_kill; /* 128 + signal of the first process that was killed; 0: none */
    int largest;    /* the largest status */
};

/** An initial process that has ended in a phase in which the job may not need it. */
struct early_end {
    enum process_phase phase;
    int status;
    char sentence[NEREUS_LOSS_SENTENCE_MAX]; /* empty: none */
};

/** Why the job ends, and with which status (job_end.h). */
struct job_end {
    bool broken;      /* the job cannot continue */
    bool not_started; /* an initial program cannot be started: status and sentence say why */
    /* by_program: broken because a process ended with a status of its own, which a further attempt
     * would repeat. signalled: a process was ended by a signal, which may have caused that
     * status. */
    bool by_program, signalled;
    struct job_status status;
    char sentence[NEREUS_END_SENTENCE_MAX]; /* broken: why */
    /* The first initial process that ended so early that others may wait for it */
    struct early_end early;
    double detection_deadline_s; /* broken: of the launcher to end the job by itself */
    /* Deadline of mpiexec's end after the end of a proxy or of a killed guard, which may be
     * its cause */
    double mpiexec_deadline_s; /* 0: no proxy or guard has ended */
    char why_it_may_end[LAUNCHED_SENTENCE_MAX];
};

/** The last new processes that were lost before they were part of the job. */
struct new_process_loss {
    char sentence[LAUNCHED_SENTENCE_MAX]; /* empty: none */
    double at_s;
    bool unresolved; /* the job has not recovered from it yet */
};

/** A restart that the job has requested (REQUEST_RESTART). processes 0: none */
struct restart_order {
    int64_t processes;
    char *path, *hosts; /* owned */
};

enum peer_kind {
    PEER_NEW,
    PEER_ORDERS,
    PEER_LIFELINE,
    PEER_SPAWNS,
    PEER_GUARD,
    PEER_INITIAL,
    PEER_RECORD,
    PEER_CHECKPOINTS /* rank 0, which gets a message when a checkpoint is needed */
};

/** A process that has connected. */
struct peer {
    enum peer_kind kind;
    struct nereus_connection connection;
    char session[NEREUS_CONNECTION_TOKEN_MAX];
    int group;
    double deadline_s; /* of the first line */
    bool left;
    long pid;
    char host[64];
    struct pending_spawn *spawn; /* PEER_SPAWNS: owned */
    char *why;                   /* PEER_GUARD: why its program cannot start; owned */
    char *record;                /* PEER_RECORD: name of the record; owned */
    enum process_phase phase;    /* PEER_INITIAL, PEER_GUARD */
};

enum group_state {
    GROUP_STARTING,   /* a failure is reported to the root only */
    GROUP_CONNECTING, /* a failure ends the job only after a time limit */
    /* Connected, not committed: a failure is reported, and the job has a time limit to release the
     * group */
    GROUP_CONNECTED,
    GROUP_JOINED, /* a failure ends the job */
    GROUP_ENDING  /* cancelled: its status is ignored */
};

/** A launched world. */
struct group {
    char session[NEREUS_CONNECTION_TOKEN_MAX];
    int number;
    char host[64]; /* empty: any */
    bool is_added; /* in an allocation that the resource manager may end alone */
    enum group_state state;
    pid_t launcher; /* 0: has ended */
    struct launcher_errors errors;
    bool is_mpiexec; /* the launcher starts others (srun, ssh): see `check` */
    struct launcher_check check;
    bool begun; /* a guard has connected */
    bool failed;
    char sentence[LAUNCHED_SENTENCE_MAX]; /* failed: why */
    int kill_status; /* 128 + the signal that ended one of its processes; 0: none */
    /* State connecting, or connected and failed: the job is ended after it. State
     * ending: force_end */
    double deadline_s;
    double release_limit_s; /* connected: time for the job to release a failed group */
    int force;              /* ending: signals sent to the launcher */
};

struct supervisor {
    int listener;
    struct nereus_connection_address address;
    char **mpiexec;        /* the command that the job was started with */
    struct output *output; /* destination of the launchers' output */
    struct peer *peers;
    struct group *groups;
    size_t peer_count, group_count;
    struct job_end end;
    struct new_process_loss loss;
    struct status_page status_page;
    struct records records;
    char *checkpoint; /* newest complete checkpoint of this attempt; owned; NULL: none yet */
    /* progress record of rank 0; NULL: not known. Owned. */
    struct nereus_progress_page *root;
    int64_t checkpoints; /* number of checkpoints written since nereus-mpiexec was started */
    bool signalled_usr1; /* Slurm has sent SIGUSR1 before its time limit (time_limit.h) */
    bool wants_checkpoint;
    struct restart_order planned_restart;
    struct recovery recovery;
    bool initial_world_left; /* the initial world has reported that it leaves */
    int processes;           /* initial processes with a connected guard */
    bool begun;              /* an initial process has called nereus_init */
    bool can_requeue;      /* set by the caller: the job can continue after Slurm has requeued it */
    bool finds_dead_hosts; /* set by the caller: close connections to hosts that do not answer */
    bool ended_while_joining; /* the sources ended while launched processes were joining */
};

/** Have new processes been lost so recently that they may be the reason for the job's end? */
bool supervisor_has_lost_recently(const struct supervisor *supervisor);

/** Is the job broken by a loss, and not by the program itself? */
bool supervisor_has_loss(const struct supervisor *supervisor);

/** Open the socket, and name it in the environment.
 * @param supervisor  zeroed, but for what the caller sets
 * @param mpiexec, output  borrowed */
bool supervisor_open(struct supervisor *supervisor, char **mpiexec, struct output *output);
/** Close the socket and all connections, and free the tables. */
void supervisor_close(struct supervisor *supervisor);
/** Descriptors to poll, the listening socket first; to be freed. */
struct pollfd *supervisor_list_descriptors(const struct supervisor *supervisor, size_t *count);
/** The earliest time limit; INFINITY: none. */
double supervisor_next_deadline_s(const struct supervisor *supervisor);
/** Handle input and expired time limits. */
void supervisor_serve(struct supervisor *supervisor);
/** Is there a guard that has not reported the end of its process? If mpiexec has ended, such a
 * guard was killed. */
bool supervisor_awaits_ends(const struct supervisor *supervisor);
/** mpiexec has ended. Set the job broken in two cases. mpiexec has failed while launched processes
 * were joining, or before the job recovered from the loss of some: these processes are the reason.
 * mpiexec has ended with 0, but a process was killed together with its guard. */
void supervisor_handle_mpiexec_end(struct supervisor *supervisor, int mpiexec_status);
/** Tell rank 0 to write a checkpoint at its next point. */
void supervisor_request_checkpoint(struct supervisor *supervisor);
/** End the job with this sentence. */
void supervisor_fail_job(struct supervisor *supervisor, const char *sentence);
/** A child has ended.
 * @return false: not a launcher */
bool supervisor_handle_child_end(struct supervisor *supervisor, pid_t pid, int wait_status);
/** Does a launched world still run? */
bool supervisor_is_busy(const struct supervisor *supervisor);
/** End all launched worlds. */
void supervisor_end_all(struct supervisor *supervisor);
/** Forward a signal to all launchers. */
void supervisor_signal(const struct supervisor *supervisor, int signal_number);
