/** @file wait.h  Waits for MPI, spinning or asleep, with a failure detector. */
#pragma once

#include <mpi.h>

#include "model/util/base.h"

/** Interface of a failure detector, called while waiting. */
struct nereus_detector {
    /** @return NEREUS_ERR_SPAWN: processes were lost, and the other sources are being informed */
    enum nereus_status (*check)(void *context, struct nereus_error *err);
    /** Have processes been lost? Called at the root only, and informs no other process */
    bool (*sees_loss)(void *context);
    void *context;
};

/** How to wait. */
struct nereus_wait_mode {
    bool backs_off;    /**< sleep between tests, as an application computes on the same cores */
    double longest_s;  /**< longest sleep, at most 1 ms; 0: 1 ms */
    bool shares_cores; /**< oversubscribed: more waiting processes than cores */
    const struct nereus_detector *detector; /**< NULL: no process is watched */
};

/** The two ways to wait: yield the core between tests, or sleep between them. */
#define NEREUS_WAIT_AWAKE  ((struct nereus_wait_mode){.backs_off = false, .detector = NULL})
#define NEREUS_WAIT_ASLEEP ((struct nereus_wait_mode){.backs_off = true, .detector = NULL})

/** @return `wait_mode` with another backs_off; the detector stays */
struct nereus_wait_mode nereus_wait_mode_with(struct nereus_wait_mode wait_mode, bool backs_off);

/** Exponential backoff. *pause_s: 0 at first. */
void nereus_back_off(double *pause_s);
/** Between two tests: check the detector, then sleep or yield. *pause_s: 0 at first. */
enum nereus_status nereus_wait_between(struct nereus_wait_mode wait_mode, double *pause_s,
                                       struct nereus_error *err);

/** As nereus_wait_between, for long transfers. On shared cores: return at once several times, as
 * data needs MPI progress; then sleep shortly, so that the scheduler sees an idle core and migrates
 * another process there. A process that only yields may keep a core to itself while others share
 * one. *tests, *pause_s: 0 at first. */
enum nereus_status nereus_wait_between_data(struct nereus_wait_mode wait_mode, int *tests,
                                            double *pause_s, struct nereus_error *err);

/** Complete a request. */
enum nereus_status nereus_wait(MPI_Request *request, struct nereus_wait_mode wait_mode,
                               struct nereus_error *err);
/** Barrier with this way to wait. */
enum nereus_status nereus_barrier(MPI_Comm comm, struct nereus_wait_mode wait_mode,
                                  struct nereus_error *err);
/** Barrier in which the processes wait asleep, before a blocking collective, in which they would
 * spin. No effect if `wait_mode` does not back off.
 * @param wait_mode  backs_off must be the same in all processes of comm */
enum nereus_status nereus_sleeping_barrier(MPI_Comm comm, struct nereus_wait_mode wait_mode,
                                           struct nereus_error *err);
/** Broadcast `bytes` without blocking inside MPI. */
enum nereus_status nereus_broadcast(void *data, size_t bytes, int root, MPI_Comm comm,
                                    struct nereus_wait_mode wait_mode, struct nereus_error *err);
/** The process from which a message comes, and the message's tag. */
struct nereus_sender {
    MPI_Comm comm;
    int rank, tag;
};

/** Receive this many bytes.
 * @param[out] data  not on the stack: if the wait fails the receive stays pending */
enum nereus_status nereus_receive(void *data, size_t bytes, struct nereus_sender from,
                                  struct nereus_wait_mode wait_mode, struct nereus_error *err);
/** Wait for a matched message. NEREUS_ERR_SPAWN after limit_s. */
enum nereus_status nereus_await_message(struct nereus_sender from,
                                        struct nereus_wait_mode wait_mode, double limit_s,
                                        MPI_Message *message, MPI_Status *status,
                                        struct nereus_error *err);
