/* Asynchronous methods and overlaps: parts of a plan are carried out while the application goes on.
 * Private to src/. */
#ifndef NEREUS_SRC_ASYNC_H
#define NEREUS_SRC_ASYNC_H

#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>

#include "src/steps/points.h"
#include "src/steps/reconfiguration.h"

/* A part is a range of the plan's steps; the application stands still, or goes on meanwhile. */
enum part_kind {
    /* Launched processes start before the plan's first step, and are tested at points */
    PART_LAUNCH,
    PART_THREAD, /* by an auxiliary thread */
    PART_POINTS  /* one redistribution, at points */
};

/* An auxiliary thread (async_thread.c). */
struct auxiliary {
    pthread_t thread;
    sem_t may_begin; /* posted when all sources could start theirs */
    bool called_off; /* or not: the thread ends immediately */
    bool started;    /* by the main thread, and not joined yet */
    /* Its steps; of single the root's own before first_stage_end */
    int first, first_stage_end, end;
    atomic_bool done;          /* by the thread: its steps, and everybody else's */
    enum nereus_status status; /* of its steps; valid once joined, as the next two */
    double thread_s, thread_cpu_s;
    MPI_Request called; /* single: the root's word to start */
    char word;
};

struct async {
    enum part_kind part; /* the one under way */
    int end;             /* the step that the plan goes on with */
    bool launched;       /* of a launch: all are there, or one cannot be had */
    struct auxiliary auxiliary;
    struct at_points points;
};

/* Are parts of the plan carried out while the application goes on? */
bool nereus_is_asynchronous(const struct nereus_plan *plan);
/* Begin; completes here or at a later point. Takes ownership of rc. Collective over control. */
enum nereus_status nereus_async_begin(struct reconfiguration *rc, enum nereus_action *action,
                                      struct nereus_error *err);
/* At every point while one is under way: is the current part done, and is this the point to go on
 * at? Then the rest is carried out. */
enum nereus_status nereus_async_look(nereus_job *job, enum nereus_action *action,
                                     struct nereus_error *err);
/* The application ends first: what is in flight is completed, and everything is put back.
 * Collective over control. */
enum nereus_status nereus_async_call_off(nereus_job *job, struct nereus_error *err);

/* ---- parts by a thread (async_thread.c) ------------------------------------------------------ */

/* Start this process' thread for the steps first .. end - 1 (of single: maybe later), and agree
 * whether all could. Collective over control. *begun: false in all processes where one could not;
 * its sentence is the verdict. */
enum nereus_status nereus_thread_begin(struct reconfiguration *rc, int first, int end, bool *begun,
                                       struct nereus_error *err);
/* At a point: is it done, and everybody else's? */
enum nereus_status nereus_thread_look(struct reconfiguration *rc, bool *done,
                                      struct nereus_error *err);
/* Wait for it.
 * @return what became of its steps: a failure has been agreed on, but nothing put back. */
enum nereus_status nereus_thread_end(struct reconfiguration *rc, struct nereus_error *err);

#endif
