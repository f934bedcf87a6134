/* Waiting for MPI: with or without using a core, and no longer than the peers live. Private to src/.
 */
#ifndef NEREUS_SRC_WAIT_H
#define NEREUS_SRC_WAIT_H

#include <mpi.h>
#include <stdbool.h>

#include "nereus/status.h"

/* A failure detector, as a function that waits sees it: it asks now and then whether processes are
 * lost. */
struct nereus_detector {
    /* NEREUS_ERR_SPAWN: lost, and the other sources are being informed. */
    enum nereus_status (*check)(void *context, struct nereus_error *err);
    /* The same at the root alone, without informing others. */
    bool (*sees_loss)(void *context);
    void *context;
};

/* How to wait. */
struct nereus_waiting {
    bool backs_off;    /* sleep between looks: an application computes on the same cores */
    double longest_s;  /* the longest of these sleeps; 0: 1 ms */
    bool shares_cores; /* the processes that wait for each other are more than the cores */
    const struct nereus_detector *detector; /* NULL: no process is watched */
};

/* Ways to wait: poll and yield the core between polls; poll and sleep between polls. */
#define NEREUS_WAITING        ((struct nereus_waiting){.backs_off = false, .detector = NULL})
#define NEREUS_WAITING_ASLEEP ((struct nereus_waiting){.backs_off = true, .detector = NULL})

/* The same detector, but asleep between looks or not. */
struct nereus_waiting nereus_waiting_with(struct nereus_waiting waiting, bool backs_off);

/* Sleep, longer each time up to a limit. *pause_s: 0 at first. */
void nereus_back_off(double *pause_s);
/* Between two looks at MPI: check the detector, then sleep or yield. *pause_s: 0 at first. */
enum nereus_status nereus_wait_between(struct nereus_waiting waiting, double *pause_s,
                                       struct nereus_error *err);

/* Poll while much data is in flight; *looks: 0 at first. On shared cores it polls several times in
 * a row, for data that needs MPI progress, and then sleeps for the shortest time: the scheduler
 * sees an idle core, and migrates another process there. A process that only yields may keep a core
 * to itself while others share one. */
enum nereus_status nereus_wait_for_data(struct nereus_waiting waiting, int *looks, double *pause_s,
                                        struct nereus_error *err);

/* Complete a request. */
enum nereus_status nereus_wait(MPI_Request *request, struct nereus_waiting waiting,
                               struct nereus_error *err);
/* All of comm have come. */
enum nereus_status nereus_barrier(MPI_Comm comm, struct nereus_waiting waiting,
                                  struct nereus_error *err);
/* Before a blocking collective: all of comm have come, if they have to sleep until then.
 * @param waiting  backs off in all of comm, or in none */
enum nereus_status nereus_meet(MPI_Comm comm, struct nereus_waiting waiting,
                               struct nereus_error *err);
/* Broadcast `bytes` without blocking in MPI. */
enum nereus_status nereus_broadcast(void *data, size_t bytes, int root, MPI_Comm comm,
                                    struct nereus_waiting waiting, struct nereus_error *err);
/* Receive this many bytes from one process.
 * @param[out] data  not on the stack: if the wait fails the receive is still pending */
enum nereus_status nereus_receive(void *data, size_t bytes, int source, int tag, MPI_Comm comm,
                                  struct nereus_waiting waiting, struct nereus_error *err);
/* A matched message. NEREUS_ERR_SPAWN if it has not come within limit_s. */
enum nereus_status nereus_await_message(MPI_Comm comm, int source, int tag,
                                        struct nereus_waiting waiting, double limit_s,
                                        MPI_Message *message, MPI_Status *status,
                                        struct nereus_error *err);

#endif
