/*
 * What nereus-supervise does for a job besides running mpiexec: it takes the reports of guards,
 * launches worlds on request, and holds the lifelines of their processes.
 *
 * All connect to one listening socket (NEREUS_LAUNCHER), and say what they are in the first line:
 *   TOKEN N ID PROCESSES SECONDS HOSTS
 *                          MPI_Comm_spawn begins, and has returned when the line ends; answered by
 *                          A (pending_spawns.h)
 *   TOKEN H ID PID HOST    a guard that MPI_Comm_spawn has started runs; its process is at
 *                          STAGE_START then
 *       F SENTENCE         why its program cannot run; another process takes its place
 *       L STAGE            how far its process, or the one in its place, has come (stages.h): a line
 *                          that ends at STAGE_START or STAGE_JOB has lost it
 *       KIND STATUS        how it ended: K by a signal (128 + N), S; answered by closing
 *       Z STATUS SENTENCE  the same, and the job needed it: it is ended with the sentence
 *   TOKEN B NAME           then a line of words: what guards start; kept, and answered by A
 *   TOKEN T NAME           a guard fetches it: answered by that line
 *   TOKEN C                what nereus-mpiexec was given for the first process: answered by a line,
 *                          FOLDER WORD...
 *   TOKEN I RANK PID HOST  a guard over an initial process, until that has ended:
 *       L STAGE            how far it has come (stages.h)
 *       E STATUS SENTENCE  how it ended; answered by closing
 *       F STATUS SENTENCE  its program cannot be started; answered by closing
 *   TOKEN V                the initial world leaves the job: its status is not the job's
 *   TOKEN D SENTENCE       the job hangs, and is to be ended
 *   TOKEN A STATUS SENTENCE  the program ends the job with this status (MPI_Abort)
 *   TOKEN W HOST PID TEXT  where a process is that has been there for long; without TEXT: no longer
 *   TOKEN P HOST PID       where those of other hosts are: answered by ages and texts, in a line
 *   TOKEN O SESSION        orders follow:
 *       L GROUP PROCESSES HOST LAUNCHER WORD...
 *                          start this group; answered by S GROUP PID, or E
 *       C GROUP SECONDS    the job connects to it now, and gives up (X) after so long; answered by
 *                          A GROUP
 *       M GROUP            connected, and not yet part of the job: a death is reported (E), and if
 *                          the job has not let go of the group soon it hangs, and is ended
 *       I GROUP SECONDS    the same while the application goes on: it has so long to come to a
 *                          point
 *       J GROUP            part of the job: a death ends the job from now on
 *       X GROUP            end it
 *       Q                  no more orders: a line that ends without it shows that the root has died
 *     and E GROUP SENTENCE is sent when a group cannot be had.
 *   TOKEN G SESSION GROUP PID HOST
 *                          the lifeline of one launched process, held by its guard:
 *       B                  it has left the job, or finished it: the line may end
 *       R KIND STATUS HINT how it ended, as in a report: counts if its group has joined; with what
 *                          may have to do with it
 *       F SENTENCE         it never reached MPI
 *       Y                  it only had to check whether the program can be started, and it can:
 *                          Y GROUP is sent to the root that ordered it
 */
#ifndef NEREUS_SUPERVISOR_H
#define NEREUS_SUPERVISOR_H

#include <poll.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "output.h"
#include "pending_spawns.h"
#include "records.h"
#include "src/link/line.h"
#include "stages.h"
#include "status_page.h"

struct verdict {
    int killed; /* 128 + signal of the first process that was killed */
    int status; /* the largest status reported */
};

/* An initial process that has ended at a stage at which the job may not need it. */
struct early_end {
    enum stage stage;
    int status;
    char sentence[560]; /* empty: none */
};

enum peer_kind {
    PEER_NEW,
    PEER_ORDERS,
    PEER_LIFELINE,
    PEER_SPAWNS,
    PEER_GUARD,
    PEER_INITIAL,
    PEER_RECORD
};

/* A process that has connected. */
struct peer {
    enum peer_kind kind;
    struct nereus_line line;
    char session[NEREUS_LINE_TOKEN_MAX];
    int group;
    double until_s; /* time limit for the first line */
    bool left;
    long pid;
    char host[64];
    struct pending_spawn *spawn; /* PEER_SPAWNS: owned */
    char *why;                   /* PEER_GUARD: why its program cannot start; owned */
    char *record;                /* PEER_RECORD: name of the record; owned */
    enum stage stage;            /* PEER_INITIAL, PEER_GUARD */
};

enum group_state {
    GROUP_STARTING,   /* a failure is reported to the root only */
    GROUP_CONNECTING, /* a failure ends the job only after a time limit */
    /* Connected, not committed: a failure is reported, and the job has a time limit to release the
     * group */
    GROUP_CONNECTED,
    GROUP_JOINED, /* a failure ends the job */
    GROUP_ENDING  /* called off: its status does not count */
};

/* A launched world. */
struct group {
    char session[NEREUS_LINE_TOKEN_MAX];
    int number;
    char host[64]; /* empty: any */
    enum group_state state;
    pid_t launcher; /* 0: has ended */
    bool failed;
    char sentence[400]; /* why */
    int killed;         /* 128 + the signal that ended one of its processes; 0: none */
    /* Time limit: connecting, or connected and failed: then the job is ended; ending: then
     * force_end */
    double until_s;
    double let_go_s; /* connected: time for the job to release a failed group */
    int force;       /* ending: signals sent to the launcher */
};

struct supervisor {
    int listener;
    struct nereus_line_address address;
    char **mpiexec;              /* the command that the job was started with */
    const struct output *output; /* where launchers print */
    struct peer *peers;
    struct group *groups;
    size_t peer_count, group_count;
    struct verdict verdict;
    struct status_page status_page;
    struct records records;
    bool initial_world_told; /* it has reported that it leaves */
    /* The first initial process that ended so early that others may wait for it */
    struct early_end early_end;
    int processes;      /* initial processes with a connected guard */
    bool begun;         /* an initial process has called nereus_init */
    bool not_started;   /* an initial program cannot be started: reported in status and sentence */
    bool broken;        /* the job cannot go on */
    char sentence[900]; /* why */
    /* The last new processes that were lost before they were part of the job. */
    char loss[400];
    double loss_s;                  /* when */
    bool loss_unresolved;           /* the job has not recovered from it yet */
    bool ended_while_joining;       /* the sources ended while launched processes were joining */
    double mpiexec_may_end_until_s; /* broken: until then the launcher may end the job by itself */
    /* After the end of a proxy or the kill of a guard: time limit for the end of mpiexec, which may
     * be a consequence */
    double mpiexec_until_s; /* 0: none has */
    char why_it_may_end[400];
};

/* Have new processes been lost so recently that they may be the reason for the job's end? */
bool supervisor_lost_lately(const struct supervisor *supervisor);

/* Open the socket, and name it in the environment. @param mpiexec, output  borrowed */
bool supervisor_open(struct supervisor *supervisor, char **mpiexec, const struct output *output);
void supervisor_close(struct supervisor *supervisor);
/* Descriptors to poll, the listening socket first; to be freed. */
struct pollfd *supervisor_watch(const struct supervisor *supervisor, size_t *count);
/* Poll timeout in ms; -1: none. */
int supervisor_poll_ms(const struct supervisor *supervisor);
/* Handle input and expired time limits. */
void supervisor_serve(struct supervisor *supervisor);
/* mpiexec has failed. If launched processes were joining, or the job had not recovered from the
 * loss of some, that is the reason whatever mpiexec's status: sets `broken`. */
void supervisor_take_end(struct supervisor *supervisor, int mpiexec_status);
/* The launcher cannot start a file. Before the first nereus_init this ends the job.
 * @param what     beginning of the sentence
 * @param missing  "NAME: REASON"
 * @param status   of the job */
void supervisor_missing(struct supervisor *supervisor, const char *what, const char *missing,
                        int status);
/* End the job with this sentence. */
void supervisor_give_up(struct supervisor *supervisor, const char *sentence);
/* A child has ended.
 * @return false: not a launcher */
bool supervisor_reaped(struct supervisor *supervisor, pid_t pid, int wait_status);
/* Is anything launched still running? */
bool supervisor_busy(const struct supervisor *supervisor);
/* End all launched worlds. */
void supervisor_end_all(struct supervisor *supervisor);
/* Forward a signal to all launchers. */
void supervisor_signal(const struct supervisor *supervisor, int signal_number);

#endif
