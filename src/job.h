/*
 * What the files of src/ share: the job as one process sees it. Private to src/.
 */
#ifndef NEREUS_JOB_H
#define NEREUS_JOB_H

#include <mpi.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "nereus/jobstate.h"
#include "nereus/layout.h"
#include "nereus/nereus.h"
#include "nereus/plan.h"
#include "nereus/timeline.h"
#include "port.h"
#include "registry.h"
#include "zombie.h"

enum { RELEASE_MAX = 64 };

/* One wanted change of size, parsed. */
struct wish {
    int64_t point;
    int64_t nt;
    struct nereus_method method;
    bool open; /* nobody named a method: it is chosen when the wish is carried out (choose.c) */
    int64_t release[RELEASE_MAX]; /* nodes to be given back, as indices in the machine */
    int64_t release_count;
};

/* Of one process, to rank 0's rings. */
struct answer {
    MPI_Request request;
    int64_t word;  /* the point that was named if this process can stop there, else its negative */
    int64_t given; /* answers that have come */
};

/* A request made at run time: rank 0 rings the others, all agree on a point (bell.c). */
struct bell {
    MPI_Request heard; /* the others: the receive that rank 0's next word completes */
    int64_t word;
    int64_t point;          /* the one that was named last; the others: at which they stop, if rung */
    bool rung;              /* rank 0: it has named one; the others: they said that they can stop there */
    int64_t rings, ahead;   /* rank 0: points named, and how far ahead the last one was */
    struct answer *answers; /* rank 0, once rung: by rank */
    struct wish wish;       /* rank 0 only: what was asked for */
    bool wanted;            /* rank 0 only: there is such a wish */
    double next_look_s;     /* no look at MPI before this time: a point without a request must cost nothing */
};

/* Times of one reconfiguration, on their way to the file (trace.c). */
struct trace {
    char *path;                  /* NULL: no trace */
    struct nereus_stamp *stamps; /* this process, plan->step_count entries */
    double start_s, end_s;
    double thread_s, thread_cpu_s; /* of this process' auxiliary thread; 0: none */
    /* After the commit, on its way to the root: */
    MPI_Request gathering;
    double *packed;  /* of this process; at the root followed by those of all targets */
    double *earlier; /* packed stamps of who left (root), earlier_count rows */
    int64_t earlier_count;
    struct nereus_plan plan;     /* of the reconfiguration that is being reported */
    struct nereus_group *groups; /* its new groups, by node */
    int64_t group_count;
    int64_t number, targets;
    int64_t points;              /* passed between decision and commit */
    struct nereus_method method; /* as it was asked for */
    struct nereus_request_bytes bytes;
    bool pending, oversubscribed;
};

struct nereus_job {
    /* Communicators. `control` and `app` hold the active processes in rank order; `pool` holds all connected
     * processes of the job, zombies too, and is `control` itself while there are no zombies. */
    MPI_Comm pool, control, app;
    MPI_Comm self; /* this process alone, with errors returned: from it trees are started */
    int rank, size;
    bool initialised_mpi, joined, leaving;
    bool misplaced;     /* an initial process is not on the host that the host file says */
    bool unconnectable; /* a connection has broken off inside MPI: another one would crash (docs/launch.md) */
    bool windows_left;  /* open, by processes that were lost: over libfabric MPI cannot be finalised then */
    bool ended_asleep;  /* a zombie that was called to the end of the job, not to that of its world */
    int64_t world;      /* id, in the job's state, of the world that this process was started in */

    int64_t points, reconfigurations, requests;
    struct registry registry;
    struct nereus_machine machine;
    struct nereus_jobstate state;
    int64_t cores_here; /* that rank 0's host has for this job, whatever a host file says */
    bool warned_oversubscribed;
    bool bind_to_cores, warned_unbound;

    /* What the application asked for at nereus_init; travels to new processes. */
    struct nereus_method default_method;
    bool default_open; /* the application named none */
    struct wish *schedule;
    int64_t schedule_count, schedule_next;
    unsigned char *user_state;
    size_t user_state_bytes;
    char *program, *state_path;
    char **environment; /* names, NULL-terminated; owned */
    double spawn_timeout_s, answer_timeout_s;
    bool bridge;               /* old and new are connected without a port where they have to be */
    int64_t batch, test_every; /* see nereus_options */
    double imbalance;
    double power; /* of this process, work units per CPU second; 0: not measured */
    void (*before)(nereus_job *job, void *user);
    void (*after)(nereus_job *job, void *user);
    void *user;
    int argc;
    char **argv; /* main's, borrowed */

    struct bell bell;
    struct change *under_way; /* an asynchronous reconfiguration that is not over yet */
    struct zombies zombies;   /* rank 0: where they sleep */
    struct trace trace;

    enum nereus_outcome outcome;
    struct nereus_error outcome_error, error;
};

/* ---- errors ------------------------------------------------------------------------------------ */

/* An MPI call failed: NEREUS_ERR_MPI with MPI's own text. Never compiled out. */
enum nereus_status nereus_mpi_failed(int code, const char *call, struct nereus_error *err);
#define NEREUS_MPI(call, err)                                                                                \
    do {                                                                                                     \
        const int mpi_code_ = (call);                                                                        \
        if (mpi_code_ != MPI_SUCCESS)                                                                        \
            return nereus_mpi_failed(mpi_code_, #call, err);                                                 \
    } while (0)
/* Pass on a status of ours. */
#define NEREUS_TRY(call)                                                                                     \
    do {                                                                                                     \
        const enum nereus_status status_ = (call);                                                           \
        if (status_ != NEREUS_OK)                                                                            \
            return status_;                                                                                  \
    } while (0)

/* Print a sentence for people, once: on stderr, with the program's name. */
void nereus_say(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* One process cannot go on while others wait for it: say why, and end the whole job. */
void nereus_give_up(const struct nereus_error *err);
/* Remember the sentence of a nereus_init that failed (there is no job to hold it). */
void nereus_remember_error(const struct nereus_error *err);

/* Seconds of a clock that all processes of a host share (CLOCK_MONOTONIC), and what makes the job's clock of it (clock.c). */
double nereus_now_s(void);
double nereus_clock_correction_s(void);
/* One process asks another for the job's time, which answers. */
enum nereus_status nereus_clock_ask(MPI_Comm comm, int peer, struct nereus_error *err);
enum nereus_status nereus_clock_answer(MPI_Comm comm, int peer, struct nereus_error *err);
/* All active processes learn the job's time; nothing where they are on one host. Collective over control. */
enum nereus_status nereus_clock_align(nereus_job *job, struct nereus_error *err);

/* ---- life of a job ----------------------------------------------------------------------------- */

/* An empty job, and the end of one (communicators too, if MPI still runs). */
nereus_job *nereus_job_new(struct nereus_error *err);
void nereus_job_free(nereus_job *job);
/* Between nereus_init and nereus_finalize: who ends in between with status 0 is told what is missing (forgotten.c). */
void nereus_job_is_open(bool is_open);
/* Options that concern this process (callbacks), and those of the initial processes, parsed and checked. */
void nereus_job_set_callbacks(nereus_job *job, const struct nereus_options *options);
enum nereus_status nereus_job_set_options(nereus_job *job, const struct nereus_options *options,
                                          struct nereus_error *err);
/* Collective over control: rank 0's settings become everybody's. */
enum nereus_status nereus_settings_share(nereus_job *job, struct nereus_error *err);
/* Write the job's state file, if there is one (rank 0). */
void nereus_job_write_state(const nereus_job *job);

/* ---- the steps' machinery ---------------------------------------------------------------------- */

/*
 * What only the root has to do before others take part, and all of it that can fail for reasons of its own:
 * it is done before the decision is broadcast, so that a failure costs no agreement of its own.
 */
struct preparation {
    char *guard;            /* path */
    char *hosts;            /* where the processes of one world go; NULL: wherever the launcher likes */
    char **words;           /* the guard's command line, NULL-terminated */
    unsigned char *welcome; /* what new and woken processes are told */
    int64_t welcome_bytes;  /* known to all sources once it is decided */
};
enum nereus_status nereus_prepare(const nereus_job *job, const struct nereus_request *request,
                                  struct preparation *preparation, struct nereus_error *err);
void nereus_preparation_fini(struct preparation *preparation);
/* Root: the method of a wish that names none (choose.c). */
void nereus_choose(const nereus_job *job, int64_t zombies, struct wish *wish);
/* Root, before anything is spawned: refused where the launcher would run out of descriptors (descriptors.c). */
enum nereus_status nereus_check_descriptors(const nereus_job *job, const struct nereus_request *request,
                                            struct nereus_error *failure);

/* What groups tell each other along the spawn tree: ports by group, and the first failure (step_synchronise.c). */
struct port_entry {
    int64_t group, round; /* upwards: who has opened it; downwards: who connects to it, and in which round */
    char *port;
};
enum { ROUNDS_MAX = 64 };
struct report {
    struct nereus_error failure;
    struct port_entry *entries;
    int64_t count;
};
void nereus_report_fini(struct report *report);
struct move;
/* The ports that this group connects to, taken out of the answer. */
void nereus_keep_ports(struct move *move, struct report *answer);

/* A group of new processes that this process started (alone, or with all other parents). */
struct child {
    int64_t group;
    MPI_Comm inter;
};

/* Sources on the lookout for the loss of launched processes (lookout.c). */
struct lookout {
    bool on;
    MPI_Comm among;   /* the parents, for what a loss may leave half done; MPI_COMM_NULL: no lookout yet */
    MPI_Request word; /* who is not the root: its word, which comes in any case */
    struct nereus_error told; /* OK: nothing was lost */
    double next_look_s;
};

/* A reconfiguration under way in this process. */
struct move {
    nereus_job *job;
    /* What starting processes needs: complete at the root of the sources, and in a tree everywhere (step_spawn.c). */
    struct preparation kit;
    bool owns_kit;
    struct nereus_error error; /* of the step that failed for good */
    const struct nereus_request *request;
    struct nereus_plan plan;
    enum nereus_role role;
    int source_rank; /* -1: not a source */
    int target_rank; /* -1: not a target */
    MPI_Comm inter;  /* to the spawned processes, or from them to their parents; MPI_COMM_NULL: none */
    MPI_Comm wide; /* sources and all targets in one, as far as it has been made; MPI_COMM_NULL: use inter */
    MPI_Comm next; /* the targets' communicator, once made */
    /* Its duplicate for the application, complete before the last agreement: a commit cannot fail. */
    MPI_Comm next_app;
    MPI_Request duplicating[2]; /* of next_app, and of next where it is a duplicate itself */
    MPI_Comm parents;           /* who spawns: control, or control and the woken zombies */
    /* While new processes come in as several groups (step_spawn.c, step_synchronise.c, step_connect.c): */
    int64_t group;          /* this process' own, -1: one of the parents */
    int group_rank;         /* in its group, or among the parents */
    struct child *children; /* child_count */
    int child_count;
    MPI_Comm parent; /* a new process: to who started its group */
    MPI_Comm own;  /* all new processes, in the order of their ranks; before they are connected, this group */
    int64_t met;   /* number of the connected groups that this one belongs to */
    char *partner; /* root of the parents: the port that the new processes have opened for the old ones */
    struct nereus_port port; /* root of a group: the one that it has opened */
    char *ports[ROUNDS_MAX]; /* root of a group: those that it connects to, by round */
    struct report report;
    struct nereus_launch *launch; /* root of the sources: launched groups */
    bool lost;                    /* launched processes, after the connection (lookout.c) */
    struct lookout lookout;
    struct data_move *data; /* what moves the data, from allocate on (step_data.c) */
    bool in_thread;   /* an auxiliary thread carries out the steps: putting back is left to the main thread */
    MPI_Comm threads; /* the auxiliary threads' duplicate of control; MPI_COMM_NULL: none */
    bool naps;        /* this process or thread must not spin: the application computes beside it */
    struct nereus_error failure;      /* of this process, to be agreed on */
    struct nereus_error verdict;      /* what all agreed on */
    struct zombie_bed bed;            /* where this process will sleep, or sleeps, if it does */
    struct zombie_address *addresses; /* root of a shrink: of all sources, pool_rank -1 for those who stay */
    MPI_Comm old_control; /* after the commit of a shrink: who leaves is still spoken to over it */
    double *leavers;      /* root: packed stamps of who left */
    int64_t leaver_count;
    bool handed_over;     /* the leavers' stamps have been collected */
    int64_t sleepers;     /* root of a shrink: those of the leavers who fall asleep */
    bool roused;          /* the zombies take part in the parting: they wait for an answer */
    int root_in_pool;     /* who gives it */
    int caller;           /* who falls asleep: pool rank of the root, which says when */
    const int64_t *ended; /* roused zombie: ids of the worlds that end */
    int64_t ended_count;
};

/* Carry out the steps first .. end - 1 of move->plan. @return NEREUS_OK, or what all agreed on (everything is
 * put back then), or NEREUS_ERR_MPI. */
enum nereus_status nereus_execute(struct move *move, int first, int end);

/* What nereus_execute does before and after a step that is carried out otherwise. */
void nereus_step_arrive(struct move *move, int index);
void nereus_step_depart(struct move *move, int index);

/* One step in this process. The table is in steps.c. A process that has no part in a step of its role clears
 * *taken. */
struct step_operations {
    enum nereus_status (*run)(struct move *move, const struct nereus_step *step, bool *taken);
};
extern const struct step_operations nereus_step_table[NEREUS_STEP_KIND_COUNT];
enum nereus_status nereus_run_wake(struct move *move, const struct nereus_step *step,
                                   bool *taken); /* step_wake.c */
enum nereus_status nereus_run_spawn(struct move *move, const struct nereus_step *step,
                                    bool *taken); /* step_spawn.c */
enum nereus_status nereus_run_join(struct move *move, const struct nereus_step *step,
                                   bool *taken); /* step_spawn.c */
enum nereus_status nereus_run_synchronise(struct move *move, const struct nereus_step *step,
                                          bool *taken); /* step_synchronise.c */
enum nereus_status nereus_run_connect(struct move *move, const struct nereus_step *step,
                                      bool *taken); /* step_connect.c */
enum nereus_status nereus_run_reorder(struct move *move, const struct nereus_step *step,
                                      bool *taken); /* step_connect.c */
enum nereus_status nereus_run_commit(struct move *move, const struct nereus_step *step,
                                     bool *taken); /* step_commit.c */
enum nereus_status nereus_run_sleep(struct move *move, const struct nereus_step *step,
                                    bool *taken); /* step_leave.c */
enum nereus_status nereus_run_terminate(struct move *move, const struct nereus_step *step,
                                        bool *taken); /* step_terminate.c */
/* Who leaves a merge hands its stamps to the root of who stays. Collective over the sources; the first call counts. */
enum nereus_status nereus_collect_stamps(struct move *move, struct nereus_error *err);
/* The roused zombies learn whether they part from those who leave, or just sleep on. Collective over the pool. */
enum nereus_status nereus_answer_roused(struct move *move, bool part, struct nereus_error *err);
/* Which rank of `to` is that rank of `from`? */
enum nereus_status nereus_translate_rank(MPI_Comm from, int rank, MPI_Comm to, int *translated,
                                         struct nereus_error *err);
/* A zombie that has been roused, with the list that came along. */
enum nereus_status nereus_zombie_parts(nereus_job *job, const int64_t *list, int64_t count,
                                       struct nereus_error *err);
/* The root of the sources leaves: what only it knows goes to the root of who stays (step_terminate.c). */
enum nereus_status nereus_hand_over_root(struct move *move, struct nereus_error *err);
enum nereus_status nereus_run_disconnect(struct move *move, const struct nereus_step *step,
                                         bool *taken); /* step_leave.c */
/* Moving data (step_data.c). */
enum nereus_status nereus_run_allocate(struct move *move, const struct nereus_step *step, bool *taken);
enum nereus_status nereus_run_redistribute(struct move *move, const struct nereus_step *step, bool *taken);
/* Has it made windows that are not freed yet? */
bool nereus_data_holds_windows(const struct move *move);
/* What a redistribution of the plan moves (exchange.h), once allocate has succeeded here. */
enum nereus_status nereus_transfer_begin(struct move *move, const struct nereus_step *step);
struct transfer *nereus_transfer_of_step(const struct move *move, const struct nereus_step *step);
/* It is finished: its memory is freed. */
void nereus_transfer_end(struct move *move, const struct nereus_step *step);
/* A redistribution at points, of who has no application to go on with (async_points.c). */
enum nereus_status nereus_run_at_points(struct move *move, const struct nereus_step *step);
/* Everything that moved data or would have; nothing if there is none. */
void nereus_data_move_free(struct move *move);
/* The strategy launch (step_launch.c). Begin: root only, calls no MPI. */
struct nereus_launch;
struct nereus_greeting;
enum nereus_status nereus_launch_begin(struct move *move, struct nereus_error *failure);
enum nereus_status nereus_run_launch(struct move *move, const struct nereus_step *step, bool *taken);
enum nereus_status nereus_launch_join(struct move *move);
enum nereus_status nereus_launch_look_again(struct move *move);
enum nereus_status nereus_launch_meet(struct move *move);
/* A launched process: what it was told. The welcome is the greeting's; ports by round, ROUNDS_MAX. */
enum nereus_status nereus_launch_unpack(const struct nereus_greeting *greeting, int64_t *points, char **ports,
                                        const unsigned char **welcome, int64_t *bytes,
                                        struct nereus_error *err);
/* Who started whom lets go of each other: a barrier and a disconnect on every edge. Also before a roll-back. */
enum nereus_status nereus_cut_edges(struct move *move, struct nereus_error *err);
/* New processes whose own communicator is known: its duplicates for the library and the application begin. */
enum nereus_status nereus_move_begin_own(struct move *move, struct nereus_error *err);
/* The targets' communicator (it belongs to the move from now on). The duplicate that the application will get is
 * begun, and complete after nereus_move_complete_next: before the last agreement, so that a commit only exchanges
 * handles. */
enum nereus_status nereus_move_set_next(struct move *move, MPI_Comm comm, struct nereus_error *err);
enum nereus_status nereus_move_complete_next(struct move *move, struct nereus_error *err);

/* For injected faults: the rank among the sources, of a new or woken process the one among the targets. */
int nereus_rank_of_move(const struct move *move);

/* Put everything back that was prepared (all processes of the plan call it, after they agreed on a failure).
 */
void nereus_roll_back(struct move *move);

/* A move of this process, in a plan made from the request. */
enum nereus_status nereus_move_init(struct move *move, nereus_job *job, const struct nereus_request *request,
                                    enum nereus_role role, int source_rank, int target_rank,
                                    struct nereus_error *err);
/* Frees what only the move needed. */
void nereus_move_fini(struct move *move);
/* A zombie's life, from falling asleep to being part of the job again (RESIZED) or to its end (LEAVE). */
enum nereus_status nereus_zombie_life(nereus_job *job, struct zombie_bed *bed, enum nereus_action *action,
                                      struct nereus_error *err);

/* ---- launched processes that die between the connection and the commit (lookout.c) ------------------- */

/* Are new processes of this move watched? The same in all processes of the move. */
bool nereus_is_watched(const struct move *move);
/* Sources, before they connect: all are ready to hear the root's word. */
enum nereus_status nereus_lookout_begin(struct move *move);
/* The connection has failed here, which is what becomes of it everywhere if the root says so. @param failure  the root's, unless there is
 * news of a death */
enum nereus_status nereus_lookout_lose(struct move *move, struct nereus_error *failure);
/* Where waiting ends when they are lost: the calling thread leaves the lookout, to another thread or because the application goes on; and takes it up again. Of the root both
 * tell nereus-supervise how long it may take to let go of who is lost. */
void nereus_lookout_pause(struct move *move, bool application_goes_on);
void nereus_lookout_resume(struct move *move, bool application_stands);
/* Root, at a point of an application that goes on: are they lost? Nobody is told yet. */
bool nereus_lookout_sees_loss(struct move *move);
/* Is the calling thread on the lookout? */
bool nereus_lookout_is_on(void);
/* While waiting. @return NEREUS_OK, also if there is no lookout; NEREUS_ERR_SPAWN: they are lost, all sources are being told */
enum nereus_status nereus_lookout_check(struct nereus_error *err);
/* After each step, with its status: the last agreement, or what ends the plan, ends the lookout by a word of the root. */
enum nereus_status nereus_lookout_after(struct move *move, const struct nereus_step *step,
                                        enum nereus_status status);
/* All new processes have come to where this is called, and the sources have not sent them anything to learn it. Nothing where they are
 * not watched. Collective over old and new. */
enum nereus_status nereus_await_new(struct move *move);
/* Sources: put everything back without those who are lost. */
void nereus_abandon(struct move *move);

/* ---- waiting without using a core (nap.c) ---------------------------------------------------------- */

/* Sleep, a little longer each time. *nap_s: 0 at first. */
void nereus_nap(double *nap_s);
/* Complete a request; naps: sleep between looks at it. */
enum nereus_status nereus_wait(MPI_Request *request, bool naps, struct nereus_error *err);
/* Before a blocking collective: all of comm have come. Without naps nothing, as the collective waits by itself. */
enum nereus_status nereus_meet(MPI_Comm comm, bool naps, struct nereus_error *err);
/* All of comm have come. */
enum nereus_status nereus_come_together(MPI_Comm comm, bool naps, struct nereus_error *err);
/* A message, matched. What does not come within limit_s will not come any more. */
enum nereus_status nereus_await_message(MPI_Comm comm, int source, int tag, bool naps, double limit_s,
                                        MPI_Message *message, MPI_Status *status, struct nereus_error *err);

/* Which network module of MPICH runs? */
bool nereus_is_over_libfabric(void);

/* Before a collective in which both groups of an inter-communicator speak to each other for the first time: one speaks first, where the
 * network needs that (first_words.c). Collective. */
enum nereus_status nereus_first_words(MPI_Comm inter, bool speaks, struct nereus_error *err);

/* Each process of one side has spoken to each of the other, and was answered where that is needed: MPICH crashes where it speaks to a dead
 * one for the first time. speaks: the side that may be dead does so first. Needs no memory. Waits as nereus_wait. Collective. */
enum nereus_status nereus_get_acquainted(MPI_Comm inter, bool speaks, struct nereus_error *err);

/* ---- a reconfiguration, from the decision to the end ------------------------------------------------ */

struct change {
    struct wish wish;
    struct nereus_request request;
    struct preparation preparation; /* root: what is told to new processes; elsewhere its length */
    struct move move;
    struct async *async; /* of an asynchronous method (async.c), else NULL */
    bool too_late;       /* called off as the application ends */
};

/* What comes after the plan's last step, or after a step that failed with this status. */
enum nereus_status nereus_change_finish(nereus_job *job, struct change *change, enum nereus_status status,
                                        enum nereus_action *action, struct nereus_error *err);
void nereus_change_free(struct change *change);

/* Asynchronous methods and overlaps (async.c): parts of the plan are carried out beside the application. */
bool nereus_is_asynchronous(const struct nereus_plan *plan);
/* MPI was initialised so that threads may call it: else refused with a sentence. */
enum nereus_status nereus_check_threads(struct nereus_error *err);
/* Begins it, and keeps the change until it is over. Collective over control. */
enum nereus_status nereus_async_begin(nereus_job *job, struct change *change, enum nereus_action *action,
                                      struct nereus_error *err);
/* At every point while there is one: is the part under way done, and is this the point to go on at? Then the rest is carried out. */
enum nereus_status nereus_async_look(nereus_job *job, enum nereus_action *action, struct nereus_error *err);
/* The application ends first: what is in flight is completed, and everything is put back. Collective over control. */
enum nereus_status nereus_async_call_off(nereus_job *job, struct nereus_error *err);

/* ---- agreement ---------------------------------------------------------------------------------- */

/* All tell each other whether they succeeded. @param mine status and sentence of this process @param hash
 * must be the same everywhere
 * @param[out] verdict OK, or the failure of the lowest rank that failed: the same in every process. */
enum nereus_status nereus_agree_intra(MPI_Comm comm, const struct nereus_error *mine, uint64_t hash,
                                      struct nereus_error *verdict, struct nereus_error *err);
/* The same for both groups of an inter-communicator; `own` is this side's intra-communicator. */
enum nereus_status nereus_agree_inter(MPI_Comm own, MPI_Comm inter, bool source_side,
                                      const struct nereus_error *mine, uint64_t hash,
                                      struct nereus_error *verdict, struct nereus_error *err);

/* What the root of the parents alone knows: its failure, or that there is none, becomes the verdict of all parents, who sleep
 * meanwhile. */
enum nereus_status nereus_share_verdict(struct move *move, const struct nereus_error *failure);

/* ---- joining ------------------------------------------------------------------------------------ */

/* What new and woken processes are told: the record, the job's settings and state. */
enum nereus_status nereus_welcome_pack(const nereus_job *job, const struct nereus_request *request,
                                       const struct preparation *kit, unsigned char **buffer, int64_t *bytes,
                                       struct nereus_error *err);
enum nereus_status nereus_welcome_unpack(nereus_job *job, const unsigned char *buffer, int64_t bytes,
                                         struct nereus_request *request, struct nereus_error *err);
/* Only guard and words out of it. */
enum nereus_status nereus_welcome_kit(const unsigned char *buffer, int64_t bytes, struct preparation *kit,
                                      struct nereus_error *err);
/* Broadcast it, and the number of the group that it is for. root: as for MPI_Bcast on this communicator. Who receives
 * frees *buffer. Collective. */
enum nereus_status nereus_welcome_broadcast(MPI_Comm comm, int root, bool sends, unsigned char **buffer,
                                            int64_t *bytes, int64_t *group, struct nereus_error *err);
/* New processes: the whole of nereus_init's part after MPI_Init. @param failure  not OK: this process takes
 * the place of a program that could not be started, and makes the others call the reconfiguration off */
enum nereus_status nereus_join(nereus_job *job, MPI_Comm parent, const struct nereus_error *failure,
                               struct nereus_error *err);
/* The same for launched ones, which have no parents. */
enum nereus_status nereus_join_launched(nereus_job *job, const struct nereus_error *failure,
                                        struct nereus_error *err);
/* The program could not be started: take its place, tell the others why, and end. Called by
 * nereus-guard-join. */
int nereus_join_in_place(const char *reason);

/* ---- requests made at run time ------------------------------------------------------------------- */

void nereus_bell_init(nereus_job *job);
/*
 * At every point: is it the one that was agreed on? @param wants  rank 0 only: there is something to agree on. @param every  points
 * between two looks while nothing has been heard. Waits only at a point at which this process has said that it can stop, for
 * rank 0 to come there.
 */
enum nereus_status nereus_bell_look(nereus_job *job, bool wants, int64_t every, bool *due,
                                    struct nereus_error *err);
/* No ring is under way any more afterwards; a wish of rank 0 is kept. @param rung  rank 0's
 * bell.rung, which everybody must have been told. Collective over control. */
enum nereus_status nereus_bell_silence(nereus_job *job, bool rung, struct nereus_error *err);

/* ---- requests -> reconfigurations (reconfigure.c) ------------------------------------------------ */

/* Carry out a wish at this point. Collective over the active processes. */
enum nereus_status nereus_reconfigure(nereus_job *job, const struct wish *wish, enum nereus_action *action,
                                      struct nereus_error *err);
/* What became of the latest request, for the application and in this process. */
void nereus_set_outcome(nereus_job *job, enum nereus_outcome outcome, const char *sentence);
/* Once in a job: sizes above the cores run, and are marked. */
void nereus_warn_oversubscribed(nereus_job *job, int64_t nt);
/* May this wish be carried out at all (size, slots, method)? Local. */
enum nereus_status nereus_check_wish(const nereus_job *job, const struct wish *wish,
                                     struct nereus_error *err);

/* ---- binding (bind.c) ------------------------------------------------------------------------------ */

/* What this process may use, looked at before anything changes it. before_mpi: MPI has not been started yet. */
void nereus_bind_look(bool before_mpi);
/* Bind this process to the cores that the layout gives it. Local, of active processes; a failure only warns. */
void nereus_bind(nereus_job *job);
/* Back to what the process was started with. */
void nereus_bind_end(void);
/* The node, of job->machine, that the layout puts an active process on. */
int64_t nereus_node_of_rank(const nereus_job *job, int64_t rank);
/* Is this process on the host that the layout says? */
bool nereus_is_on_node(const nereus_job *job);

/* ---- trace --------------------------------------------------------------------------------------- */

enum nereus_status nereus_trace_begin(nereus_job *job, const struct nereus_plan *plan,
                                      struct nereus_error *err);
/* Sources that end or fall asleep give their stamps to the root of the targets: pack them here, doubles. */
int64_t nereus_trace_packed_doubles(const struct nereus_plan *plan);
void nereus_trace_pack(const nereus_job *job, const struct nereus_plan *plan, double *packed);
/* The targets' stamps set out for the root; completed at later points. The method as it was asked for. Collective over control, does not
 * block. */
enum nereus_status nereus_trace_report(nereus_job *job, const struct nereus_plan *plan,
                                       const struct nereus_request *request,
                                       const struct nereus_method *method, struct nereus_error *err);
/* Finish a report that is under way. wait: block until it is there. */
enum nereus_status nereus_trace_finish(nereus_job *job, bool wait, struct nereus_error *err);
/* A line about a request that was not carried out, or did nothing (rank 0). */
void nereus_trace_outcome(nereus_job *job, const struct wish *wish, enum nereus_outcome outcome,
                          const char *sentence);
const char *nereus_outcome_name(enum nereus_outcome outcome);

/* ---- starting processes --------------------------------------------------------------------------- */

/* Collective over comm: rank 0 spawns `count` guards that start the program, where `hosts` says (NULL: anywhere). The
 * job is ended if hosts do not answer within answer_timeout_s, or the call does not return within spawn_timeout_s and a margin. */
enum nereus_status nereus_spawn(const struct preparation *kit, const nereus_job *job, MPI_Comm comm,
                                int64_t count, const char *hosts, MPI_Comm *inter, struct nereus_error *err);
/* A guard's command line with one word before the others: a new list of the same words, to be freed. NULL: no memory. */
char **nereus_words_behind(char *word, char **words);
/* Do the machine's nodes lie on more than one host? Virtual nodes may all be on one. */
bool nereus_several_hosts(const struct nereus_machine *machine);
/* The host of a node ("host/virtual" is on host), where it has to be said; else an empty text. */
void nereus_host_of_node(const struct nereus_machine *machine, int64_t node, char *host, size_t size);

/* To the guard over this process, if there is one: see guard/guard_events.h. */
void nereus_tell_guard(char event);
/* Was this process started by a guard, that is, by a reconfiguration? */
bool nereus_has_guard(void);
/* What the MPI at hand needs in its environment, unless the user has set it. */
void nereus_set_mpi_environment(void);

#endif
