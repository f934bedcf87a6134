/** @file parts.h  What the parts of nereus-supervise offer, from the start of a job to what it leaves. */
#pragma once

#include <sys/types.h>

#include "attempt.h"
#include "job_hosts.h"
#include "output.h"
#include "run.h"
#include "supervisor.h"
#include "survival.h"

/* own_options.c: Options that nereus-mpiexec accepts with every MPI: -hosts A,B:2, -f FILE and
 * -genv NAME VALUE, as in its help. Hydra's mpiexec has these options; for another launcher they
 * are translated into its own. */

/** The command line with the launcher's options, an owned list of owned words. NULL: no memory. */
char **own_options_translate(char *const *mpiexec);

/* launcher.c: Start of a separate world with mpiexec or srun. */

struct launcher_order {
    const char *host;       /* one host, or a list as mpiexec takes it; empty: any */
    int hosts;              /* number of hosts in the list; 0: one */
    const char *allocation; /* "slurm:1234": the allocation to start in; empty: the job's own */
    /* The launcher with its options, separated by blanks; empty: the default (launcher.c) */
    const char *command;
    int processes;
    char **argv; /* command line of each process, NULL-terminated */
};

/** Start the launcher in a session of its own.
 * @param mpiexec the command that started the job
 * @param output  receives the launcher's output
 * @return its pid; -1: failed, with one sentence */
pid_t launcher_start(const struct launcher_order *order, char **mpiexec,
                     const struct output *output, char *sentence, size_t size);

/* checkpoint_folder.c: The folder of a job's checkpoints: checks whether it can be used, and prints
 * messages about it before the job starts and after it has ended. */

/** Can checkpoints be written in the folder? It need not exist: the first checkpoint makes it.
 * @return false: no, with one sentence */
bool checkpoint_folder_check(const char *folder, char *sentence, size_t size);
/** Wait shortly until no other job writes its checkpoints in the folder.
 * @return false: another job does, with one sentence */
bool checkpoint_folder_await_free(const char *folder, char *sentence, size_t size);
/** Print a note if the settings restart the job after a loss, but no checkpoint will be written
 * from which it could continue. */
void checkpoint_folder_record(const struct survival *survival, char *const *mpiexec);
/** Print the command that continues a failed job from `path`, its newest checkpoint. */
void checkpoint_folder_print_command(const struct attempt *attempt, const struct survival *survival,
                                     const char *path);

/* peers.c: The supervisor's tables: processes that have connected, and launched worlds. */

/** Find a group. NULL: there is none. */
struct group *group_find(const struct supervisor *supervisor, const char *session, int number);
/** Is the peer a guard of this world? */
bool peer_is_of(const struct peer *peer, const struct group *group);
/** Append a zeroed peer. NULL: no memory. */
struct peer *peer_new(struct supervisor *supervisor);
/** Append a zeroed group. NULL: no memory. */
struct group *group_new(struct supervisor *supervisor);
/** Close the connection; the entry stays until peers_remove_closed. */
void peer_close(struct peer *peer);
/** Remove closed entries from the tables. */
void peers_remove_closed(struct supervisor *supervisor);

/* launched.c: Launched worlds: the orders of the root of a reconfiguration (REQUEST_LAUNCHES), the
 * reports of their guards (REQUEST_GUARDS_LAUNCHED), their launchers and time limits. */

/** Carry out an order: a line of the root. */
void launched_follow_order(struct supervisor *supervisor, const char *session, char *line);
/** The root that gave the orders has ended: groups that have not joined will never join. */
void launched_drop_orders(struct supervisor *supervisor, const char *session, bool on_purpose);
/** Report that a group has failed, with the reason. */
void launched_fail(struct supervisor *supervisor, struct group *group, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/** End a launched world: its guards end their programs when their connections are closed, and its
 * launcher ends with the guards. */
void launched_end(struct supervisor *supervisor, struct group *group);
/** Handle a report: a line of a guard. */
void launched_handle_report(struct supervisor *supervisor, struct peer *peer, char kind, int number,
                            const char *sentence);
/** Is the launcher checked for an end of what it has started (group->check)? */
bool launched_is_checked(const struct group *group);
/** End the groups whose time limit to connect or to end has passed. */
void launched_act_on_limits(struct supervisor *supervisor, double now_s);

/* mpiexec_processes.c: Processes of the job's mpiexec: the initial ones (REQUEST_GUARDS_INITIAL),
 * and those that MPI_Comm_spawn has started (REQUEST_GUARDS_SPAWNED). Handles the reports of their
 * guards, and decides which end is a loss. */

/** Handle a line of a guard over an initial process. */
void mpiexec_handle_initial(struct supervisor *supervisor, struct peer *peer, char kind, int number,
                            const char *sentence);
/** Handle a line of a guard over a spawned process. */
void mpiexec_handle_spawned(struct supervisor *supervisor, struct peer *peer, char kind, int number,
                            const char *sentence);
/** Handle the end of a peer's guard. */
void mpiexec_handle_guard_end(struct supervisor *supervisor, const struct peer *peer);

/* restart_requests.c: Requests of rank 0 that concern the job's next attempt (supervisor_lines.h).
 * */

/** REQUEST_CHECKPOINTED: store the path of the newest checkpoint, and open rank 0's progress
 * record.
 * @param message  the request's words; modified */
void restart_note_checkpoint(struct supervisor *supervisor, char *message);
/** REQUEST_AWAIT_WARNING: keep rank 0's connection, and tell it when a checkpoint is needed; at
 * once if one is needed already. */
void restart_await_warning(const struct supervisor *supervisor, struct peer *peer);
/** REQUEST_RESTART: store the planned restart, or refuse it; the peer gets the reply.
 * @param message  the request's words; modified */
void restart_handle_request(struct supervisor *supervisor, const struct peer *peer, char *message);

/* run_outcome.c: How a job has ended: its status, why, and whether that was a loss. */

/** Pass on the rest of the output.
 * @return the job's status */
int run_end_output(struct run *run, const struct supervisor *supervisor, int mpiexec_status);
/** Print why the job has ended with this status, if that has not been printed. */
void run_explain_end(struct run *run, const struct supervisor *supervisor, int mpiexec_status,
                     int status);
/** Was the end a loss? Not if the program has set the status: it would end the next attempt, too.
 * @param further  not the first attempt of the job */
bool run_is_loss(const struct run *run, const struct supervisor *supervisor, int mpiexec_status,
                 bool further);
/** Describe the loss that has ended the job, as the beginning of a sentence about the next
 * attempt. */
const char *run_get_loss(const struct run *run);

/* sweep.c: Files in /dev/shm of the other hosts of a job that ended badly: MPI removes its files
 * only at the end of a successful job, and nereus-supervise sees only the files of its own host. It
 * therefore starts itself once on each other host, by the job's launcher, to remove the files that
 * no process uses there. */

/** First argument of nereus-supervise on another host; the second is the largest age of files in
 * seconds. */
#define SWEEP_OPTION "--remove-shared-files"

/** Start this program on all other hosts that the job may have used, and wait for it, a few seconds
 * at most: a host that cannot be reached keeps its files. Each host has its own launcher: one
 * launcher for all would start nothing if it could not reach one host.
 * @param mpiexec  the command that the job was started with
 * @param job_s    how long the job has lasted */
void sweep_other_hosts(char **mpiexec, double job_s);

/** Limit of the wait for other hosts. */
struct sweep_limit {
    double seconds;
    bool (*stop)(void *user);
    void *user;
};
/** Sweep before the job continues, and find hosts that do not answer (job_host.answers).
 * @param mpiexec  the command that the job was started with
 * @return false: stopped */
bool sweep_each_host(struct job_hosts *hosts, char **mpiexec, double job_s,
                     const struct sweep_limit *limit);
/** Remove, on this host, MPI's files of this user that are not older than the job and that no
 * process uses. Waits for processes that are just ending and use such files.
 * @return the exit status */
int sweep_this_host(const char *seconds);
