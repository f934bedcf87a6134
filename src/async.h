/* What is carried out beside the application: the parts of async.c. Private to src/. */
#ifndef NEREUS_ASYNC_H
#define NEREUS_ASYNC_H

#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>

#include "job.h"

/* A change is carried out in parts: the application stands still, or goes on beside the part (a range of the plan's steps). */
enum part_kind {
    PART_LAUNCH, /* launched processes are started before the plan's first step, and looked after at points */
    PART_THREAD, /* by an auxiliary thread */
    PART_POINTS  /* one redistribution, at points */
};

/* An auxiliary thread (async_thread.c). */
struct auxiliary {
    pthread_t thread;
    sem_t may_begin;                 /* the thread waits for it: all sources could start theirs */
    bool called_off;                 /* or not, and it ends at once */
    bool started;                    /* by the main thread, and not joined yet */
    int first, first_stage_end, end; /* its steps; of single the root's own before first_stage_end */
    atomic_bool done;                /* by the thread: its steps, and everybody else's */
    enum nereus_status status;       /* of its steps; valid once joined, as the next two */
    double thread_s, thread_cpu_s;
    MPI_Request called; /* single: the root's word to start */
    char word;
};

/* A redistribution at points (async_points.c). */
struct at_points {
    bool complete, met; /* this process' part; everybody's that counts */
    double failed_s;    /* when a look failed while on the lookout: no more are taken; 0: none did */
    MPI_Request meeting;
};

struct async {
    enum part_kind part; /* the one under way */
    int end;             /* the step that the plan goes on with */
    bool launched;       /* of a launch: all are there, or one cannot be had */
    struct auxiliary auxiliary;
    struct at_points points;
};

/*
 * Start this process' thread for the steps first .. end - 1 (of single: maybe later), and agree whether all could. Collective over
 * control. *begun: false in all processes where one could not; its sentence is the move's verdict.
 */
enum nereus_status nereus_thread_begin(struct change *change, int first, int end, bool *begun,
                                       struct nereus_error *err);
/* At a point: is it done, and everybody else's? */
enum nereus_status nereus_thread_look(struct change *change, bool *done, struct nereus_error *err);
/* Wait for it. @return what became of its steps: a failure has been agreed on, but nothing put back. */
enum nereus_status nereus_thread_end(struct change *change, struct nereus_error *err);

/* The application goes on with a redistribution begun. */
enum nereus_status nereus_points_begin(struct move *move, const struct nereus_step *step,
                                       struct at_points *points);
/* Move on what can be; never waits. points->met says whether it is over. */
enum nereus_status nereus_points_look(struct move *move, const struct nereus_step *step,
                                      struct at_points *points);
/* Waits, asleep, until it is over, and ends it. */
enum nereus_status nereus_points_end(struct move *move, const struct nereus_step *step,
                                     struct at_points *points);

#endif
