/*
 * What nereus-supervise keeps for a job besides mpiexec: the reports of guards, the worlds that it launches on
 * request, and the lifelines of their processes. Private to src/guard.
 *
 * Everybody calls at one door (the socket in NEREUS_LAUNCHER) and says with the first line what he is:
 *   TOKEN KIND STATUS              a report on how a process ended; answered by closing (report.h)
 *   TOKEN Z STATUS SENTENCE        the same of a process that the job needed: the job is ended with the sentence; with status 0 only if the
 *                                  launcher does so
 *   TOKEN N ID PROCESSES SECONDS HOSTS   MPI_Comm_spawn begins, and has returned when the line ends (starts.h); answered by A
 *   TOKEN H ID PID HOST            a guard that MPI_Comm_spawn has started runs; it may end only after
 *       F SENTENCE                 why its program never will, and somebody takes its place
 *       B                          its program, or who takes its place, has reached MPI
 *   TOKEN V                        the initial world leaves the job: its end is not the job's
 *   TOKEN D SENTENCE               the job hangs, and is to be ended
 *   TOKEN O SESSION                orders follow:
 *       L GROUP PROCESSES HOST LAUNCHER WORD...    start this group; answered by S GROUP PID, or E
 *       C GROUP SECONDS            the job connects to it now, and gives up (X) after so long; answered by A GROUP
 *       M GROUP                    connected, and not yet part of the job: a death is told (E), and if the job has
 *                                  not let go of the group soon, it hangs, and is ended
 *       I GROUP SECONDS            the same while the application goes on: it has so long to come back from that
 *       J GROUP                    it is part of the job: its death is the job's from now on
 *       X GROUP                    end it
 *       Q                          no more orders: a line that ends without it tells that who gave them has ended in the middle
 *     and E GROUP SENTENCE is said when a group cannot be had.
 *   TOKEN G SESSION GROUP PID HOST   the lifeline of one launched process, held by its guard:
 *       B                          it has left the job, or finished it: the line may end
 *       R KIND STATUS              how it ended, as in a report: counts if its group has joined
 *       F SENTENCE                 it never reached MPI
 *       Y                          it was only to look whether the program can be started there, and it can:
 *                                  Y GROUP is said to whoever ordered it
 */
#ifndef NEREUS_KEEP_H
#define NEREUS_KEEP_H

#include <poll.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "../launch_line.h"
#include "starts.h"

struct verdict {
    int killed; /* 128 + signal of the first process that was killed */
    int status; /* the largest status reported */
    bool initial_world_left;
};

enum peer_kind { PEER_VISITOR, PEER_ORDERS, PEER_LIFELINE, PEER_SPAWNS, PEER_GUARD };

/* Somebody who has called. */
struct peer {
    enum peer_kind kind;
    struct nereus_line line;
    char session[NEREUS_LINE_TOKEN_MAX];
    int group;
    double until_s; /* a visitor must have said what he is by then */
    bool bye;
    long pid;
    char host[64];
    struct start *start; /* PEER_SPAWNS: what it waits for; owned */
    char *why;           /* PEER_GUARD: its program cannot be had; owned */
};

enum group_state {
    GROUP_STARTING,   /* a failure concerns only who ordered it */
    GROUP_CONNECTING, /* a failure is left to the job until the time limit; then the job is ended */
    GROUP_MET, /* connected, not committed: a failure is told, and the job has a limit to let go of the group */
    GROUP_JOINED, /* a failure ends the job */
    GROUP_ENDING  /* called off: ends, and nobody minds */
};

/* A world that was launched. */
struct group {
    char session[NEREUS_LINE_TOKEN_MAX];
    int number;
    char host[64]; /* where; empty: wherever the launcher likes */
    enum group_state state;
    pid_t launcher; /* 0: has ended */
    bool failed;
    char sentence[400]; /* why */
    double until_s;     /* connecting, or met and lost: then the job is ended. Ending: more force is used */
    double let_go_s;    /* met: so long the job may take */
    int force;          /* ending: how often the launcher was told */
};

struct keeper {
    int door;
    struct nereus_line_address address;
    char **mpiexec; /* the command that the job was started with */
    struct peer *peers;
    struct group *groups;
    size_t peer_count, group_count;
    struct verdict verdict;
    bool initial_world_told; /* that it leaves */
    bool broken;             /* the job cannot go on */
    char sentence[520];      /* why */
    /* The last new processes that were lost before they were part of the job, or quietly: a spawned one that ended with status 0, for
     * which the launcher ends the others by SIGKILL. */
    char loss[400];
    double loss_s; /* when */
    bool loss_is_open; /* the job has not come back from it yet */
    bool cut;          /* the job's processes ended while launched ones were joining */
    bool quiet;
    double by_itself_until_s; /* broken: so long the launcher may take to end the job without help */
};

/* Open the door, and name it in the environment. */
bool keeper_open(struct keeper *keeper, char **mpiexec);
void keeper_close(struct keeper *keeper);
/* What to wait for: fds[0 .. count), the door first; to be freed. */
struct pollfd *keeper_watch(const struct keeper *keeper, size_t *count);
/* How long to wait at most, in ms; -1: for ever. */
int keeper_patience_ms(const struct keeper *keeper);
/* Answer everybody who spoke; act on time limits. */
void keeper_serve(struct keeper *keeper);
/* mpiexec has ended badly. If launched processes were joining, or the job had not come back from the loss of some, that ended the
 * job, whatever mpiexec's status is: the job is broken then. */
void keeper_take_end(struct keeper *keeper, int mpiexec_status);
/* A child has ended. @return false: it was no launcher of ours */
bool keeper_reaped(struct keeper *keeper, pid_t pid, int wait_status);
/* Does anything that was launched still run? */
bool keeper_busy(const struct keeper *keeper);
/* End all that was launched. */
void keeper_end_all(struct keeper *keeper);
/* What a process has started, and not what these have. @return how many there are */
int keeper_end_children(pid_t parent, int signal_number);
/* To all launchers. */
void keeper_signal(const struct keeper *keeper, int signal_number);

#endif
