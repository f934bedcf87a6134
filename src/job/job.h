/* The job as one process sees it: data that the rooms above share. Private to src/. */
#ifndef NEREUS_SRC_JOB_H
#define NEREUS_SRC_JOB_H

#include <mpi.h>
#include <stdbool.h>
#include <stdint.h>

#include "asked_records.h"
#include "consensus.h"
#include "nereus/goal.h"
#include "nereus/jobstate.h"
#include "nereus/layout.h"
#include "nereus/nereus.h"
#include "nereus/sizes.h"
#include "report.h"
#include "request.h"
#include "src/link/zombie.h"
#include "src/move/registry.h"
#include "src/util/monitor_setting.h"

enum { SIZES_SEEN_MAX = 8 };

/* Iteration times of the sizes that the job has had, as rank 0 has measured them. */
struct iteration_times {
    int64_t count, sizes[SIZES_SEEN_MAX];
    double t_iter_s[SIZES_SEEN_MAX];
};

/* Of a policy, between two questions (core/by_policy.c). Plain data. */
struct policy_state {
    double began_s, goal_s; /* wall clock of the start; goal, seconds since then. 0: not yet */
    double lambda;          /* of communication, as last seen; 0: not yet */
    int64_t next_point, cool_down;
};

/* What the application asked for at nereus_init; travels to new processes. See nereus_options. */
struct job_settings {
    struct nereus_method default_method;
    bool default_open; /* the application named none */
    struct resize_request *schedule;
    int64_t schedule_count, schedule_next;
    unsigned char *user_state;
    int64_t user_state_bytes;
    char *program, *state_path;
    char **environment; /* names, NULL-terminated; owned */
    double spawn_timeout_s, answer_timeout_s;
    /* Old and new processes are connected without a port, where they have to be connected */
    bool bridge;
    bool bind_to_cores;
    bool keep_asleep; /* NEREUS_KEEP_ASLEEP: worlds that consist of zombies only are kept */
    int64_t batch, test_every;
    double imbalance;
    bool checks;        /* NEREUS_CHECK=1: util/check.h */
    int64_t keep_bytes; /* NEREUS_KEEP_BUFFERS: util/keep_setting.h */
    int64_t huge_bytes; /* NEREUS_HUGE_PAGES: util/huge_setting.h */
    /* For the choice of methods by the model */
    enum nereus_goal goal;
    int64_t iterations; /* malleability points until the end of the job; 0: unknown */
    char *profile, *scaling, *learn_path; /* NULL: none was named */
    struct iteration_times seen;
    struct nereus_monitor_setting monitor;
    char *monitor_path;    /* NULL: none; monitoring may be on all the same */
    int64_t balance_every; /* points from one look at the load to the next; 0: none */
    char *policy_path;     /* NULL: none */
    struct policy_state policy;
    /* Where it answers (core/asked.h): NULL: nowhere */
    char *name, *folder;
    struct nereus_sizes sizes;         /* that the program can take */
    struct nereus_sizes sizes_outside; /* NEREUS_SIZES: they hold beside those of the program */
};

/* A node that the machine has lost. Plain data. */
struct freed_node {
    int64_t change; /* by which change of the machine: `machine_changes` after it */
    struct nereus_node node;
};

struct job_callbacks {
    void (*before)(nereus_job *job, void *user);
    void (*after)(nereus_job *job, void *user);
    bool (*decide)(void *user, const struct nereus_policy_question *question,
                   struct nereus_allocation *wanted, char why[128]);
    void *user;
    struct nereus_mover mover; /* move NULL: none */
};

struct reconfiguration;
struct nereus_watchdog;
struct method_chooser;
struct nereus_monitor;
struct policy_context;
struct nereus_asks;

struct nereus_job {
    uint64_t id; /* equal in all its processes, different from other jobs; 0: not known yet */
    struct nereus_watchdog *watchdog; /* link/watchdog.h; NULL: off */
    /* Communicators. `control` and `app` hold the active processes in rank order; `pool` holds all
     * connected processes of the job, zombies too, and is `control` itself while there are no
     * zombies. */
    MPI_Comm pool, control, app;
    /* This process alone, with errors returned: from it groups of a tree are spawned */
    MPI_Comm self;
    int rank, size;
    int64_t world; /* id, in the job's state, of the world that this process was started in */
    int64_t points, reconfigurations, requests;

    struct job_settings settings;
    struct job_callbacks callbacks;
    int argc;
    char **argv; /* main's, borrowed */

    struct registry registry;
    struct nereus_machine machine;
    struct nereus_jobstate state;
    int64_t machine_changes;  /* that it has gained or lost nodes */
    struct freed_node *freed; /* by the latest of them, and for requests that are kept; owned */
    int64_t freed_count;
    struct zombies zombies; /* rank 0: where they sleep */
    int64_t cores_here;     /* that rank 0's host has for this job, whatever a host file says */
    double power;           /* of this process, work units per second; 0: not measured */
    bool power_told;        /* by nereus_set_power; else measured */
    struct {
        int64_t size;     /* of the job when this began; 0: never */
        double measure_s; /* for how long loads are measured before data moves */
    } balancing;

    bool initialised_mpi, joined;
    /* A point has to look at these: side by side, so that it is one comparison */
    bool leaving;
    bool fresh;     /* has not reached a point yet */
    bool monitored; /* `monitor` is there, and its first interval has begun */
    bool
        unfinished; /* a `completion` or trace times of the last change are left; always with one */
    bool asks_policy; /* rank 0: core/by_policy.h */
    bool misplaced;   /* an initial process is not on the host that the host file says */
    bool has_threads; /* MPI was initialised so that auxiliary threads may call it */
    /* a request from outside waits for a point; written by the thread that answers */
    bool is_asked;
    /* A connection has failed inside MPI: another one would crash (docs/jobs.md) */
    bool unconnectable;
    /* Open, by processes that were lost: over libfabric MPI cannot be finalised then */
    bool windows_left;
    /* A zombie that was called to the end of the job, not to that of its world */
    bool ended_asleep;
    struct {
        bool oversubscribed, unbound;
    } warned;

    struct nereus_monitor *monitor;        /* monitor/monitor.h; NULL: off */
    struct policy_context *policy_context; /* rank 0; NULL: none */
    struct method_chooser *chooser;        /* rank 0: core/by_model.h; NULL: not needed yet */

    /* When iterations of this size began, at which point; 0: not yet */
    double since_s;
    int64_t since_points;
    struct consensus consensus;
    struct resize_request pending; /* rank 0: made at run time, and not carried out yet */
    bool is_pending;
    struct nereus_asks *asks; /* rank 0: core/asked.h; NULL: the job does not answer */
    struct asked_records asked;
    struct reconfiguration *under_way; /* an asynchronous one that is not over yet */
    struct step_times times;           /* of the reconfiguration under way */
    /* Time at which the sources began, on the job's clock; new processes receive it */
    double began_s;
    struct trace trace;
    struct nereus_completion *completion; /* NULL: none */

    enum nereus_outcome outcome;
    struct nereus_error outcome_error, error;
};

#endif
