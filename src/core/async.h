/**
 * @file async.h
 * Carries out asynchronous methods and overlaps: parts of a plan are executed while the application
 * runs.
 */
#pragma once

#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>

#include "src/steps/overlap.h"
#include "src/steps/reconfiguration.h"

/** A part is a range of the plan's steps, with the application stopped or running. */
enum part_kind {
    /** Launched processes start before the plan's first step, and are tested at points */
    PART_LAUNCH,
    PART_THREAD, /**< executed by an auxiliary thread */
    PART_POINTS  /**< one redistribution, at points */
};

/** An auxiliary thread (async_thread.c). */
struct auxiliary {
    pthread_t thread;
    sem_t may_begin; /**< posted when all sources have started their threads */
    bool cancelled;  /**< a source could not start its thread: this one returns at once */
    bool started;    /**< the thread runs, or waits to be joined */
    /** Range of steps. Strategy single: only the root executes the steps before first_stage_end */
    int first, first_stage_end, end;
    atomic_bool done; /**< set by the thread: complete in all sources */
    /** result of its steps; valid once the thread was joined, like the next two */
    enum nereus_status status;
    double thread_s, thread_cpu_s;
    MPI_Request start_request; /**< strategy single: the root's message to start */
    char start_message;
};

/** State of an asynchronous reconfiguration. */
struct async {
    enum part_kind part; /**< the current part */
    int end;             /**< first step after the part */
    bool launch_settled; /**< PART_LAUNCH: all groups are ready, or one has failed */
    struct auxiliary auxiliary;
    struct at_points points;
};

/** Does the plan have parts that run while the application runs? */
bool nereus_is_asynchronous(const struct nereus_plan *plan);
/** Begin; completes at this point or at a later one. Takes ownership of reconfig. Collective over
 * control. */
enum nereus_status nereus_async_begin(struct reconfiguration *reconfig, enum nereus_action *action,
                                      struct nereus_error *err);
/** Called at every point during an asynchronous reconfiguration: if the reconfiguration's part is
 * complete and this is the agreed point, execute the rest. */
enum nereus_status nereus_async_test(nereus_job *job, enum nereus_action *action,
                                     struct nereus_error *err);
/** The application ends first: complete pending communication and roll back. Collective over
 * control. */
enum nereus_status nereus_async_cancel(nereus_job *job, struct nereus_error *err);

/* ---- parts by a thread (async_thread.c) ------------------------------------------------------ */

/** Start this process' thread for the steps first .. end - 1 (strategy single: maybe later), and
 * agree whether all started. Collective over control. *begun: false in all processes if one could
 * not start its thread; its message is the verdict. */
enum nereus_status nereus_thread_begin(struct reconfiguration *reconfig, int first, int end,
                                       bool *begun, struct nereus_error *err);
/** Have all threads finished? Called at points. */
enum nereus_status nereus_thread_test(struct reconfiguration *reconfig, bool *done,
                                      struct nereus_error *err);
/** Join the thread.
 * @return the result of its steps: a failure has been agreed on, but not rolled back */
enum nereus_status nereus_thread_end(struct reconfiguration *reconfig, struct nereus_error *err);
