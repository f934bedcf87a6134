/**
 * @file task_split.c
 * split: how a merge shrink separates zombies from the --to processes that stay, as in src/: a
 * communicator of those that stay, made by them alone, and the start of MPI_Comm_idup of it;
 * zombies open the socket on which they are woken, and send its address to the root.
 *
 * A reconfiguration makes each of these calls once, on nearly unused communicators; repeated on the
 * same communicators they are 5 to 20 times as fast. So a row is one round on fresh communicators,
 * and the first one of a run is what a reconfiguration sees. MPI is initialised with
 * MPI_THREAD_MULTIPLE, as by the runtime.
 */
#include <netinet/in.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

#include "model/util/clock.h"
#include "model/util/text.h"
#include "step_time.h"
#include "task.h"

enum { SPLIT_TAG = 5, ENDPOINT_TAG = 6 };
enum { DECISION_BYTES = 2048, ENDPOINT_BYTES = 112 }; /* about as large as the runtime's records */

/* Earlier calls on a job's communicator: the broadcast of the request and an agreement. */
static MPI_Comm make_control(void)
{
    MPI_Comm control;
    MPI_Request all_agree;
    static char decision[DECISION_BYTES];
    const uint64_t own_flags[3] = {UINT64_MAX, 1, ~(uint64_t)1};
    uint64_t min[3];
    MPI_Comm_dup(MPI_COMM_WORLD, &control);
    MPI_Bcast(decision, DECISION_BYTES, MPI_BYTE, 0, control);
    MPI_Iallreduce(own_flags, min, 3, MPI_UINT64_T, MPI_MIN, control, &all_agree);
    MPI_Wait(&all_agree, MPI_STATUS_IGNORE);
    return control;
}

/* A round's communicators; next and application are MPI_COMM_NULL in leaving processes. */
struct split_comms {
    MPI_Comm control, next, application;
    MPI_Request duplicating;
};

static void make_next(const struct nereus_task_run *run, struct split_comms *comms)
{
    int range[1][3] = {{0, run->staying - 1, 1}};
    MPI_Group all_group, staying;
    MPI_Comm_group(comms->control, &all_group);
    MPI_Group_range_incl(all_group, 1, range, &staying);
    MPI_Comm_create_group(comms->control, staying, SPLIT_TAG, &comms->next);
    MPI_Group_free(&staying);
    MPI_Group_free(&all_group);
}

static double measure_split_s(const struct nereus_task_run *run, struct split_comms *comms)
{
    MPI_Barrier(MPI_COMM_WORLD);
    struct nereus_step_interval interval = {.arrival_s = nereus_monotonic_s()};
    if (run->rank < run->staying) {
        make_next(run, comms);
        MPI_Comm_idup(comms->next, &comms->application, &comms->duplicating);
    }
    interval.departure_s = nereus_monotonic_s();
    return nereus_step_compute_time_s(interval, MPI_COMM_WORLD);
}

/* A socket as the runtime's zombies open it. */
static int open_endpoint(void)
{
    struct sockaddr_in any = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_ANY)};
    socklen_t length = sizeof any;
    const int endpoint = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (endpoint >= 0 && bind(endpoint, (struct sockaddr *)&any, sizeof any) == 0 &&
        listen(endpoint, 4) == 0)
        getsockname(endpoint, (struct sockaddr *)&any, &length);
    return endpoint;
}

static double measure_gather_s(const struct nereus_task_run *run, MPI_Comm control, char *all)
{
    char own_endpoint[ENDPOINT_BYTES] = {0};
    int endpoint = -1;
    MPI_Barrier(MPI_COMM_WORLD);
    struct nereus_step_interval interval = {.arrival_s = nereus_monotonic_s()};
    if (run->rank >= run->staying) {
        endpoint = open_endpoint();
        MPI_Send(own_endpoint, ENDPOINT_BYTES, MPI_BYTE, 0, ENDPOINT_TAG, control);
    }
    for (int rank = run->staying; rank < run->size && run->rank == 0; rank++)
        MPI_Recv(all + (size_t)rank * ENDPOINT_BYTES, ENDPOINT_BYTES, MPI_BYTE, rank, ENDPOINT_TAG,
                 control, MPI_STATUS_IGNORE);
    interval.departure_s = nereus_monotonic_s();
    if (endpoint >= 0)
        close(endpoint);
    return nereus_step_compute_time_s(interval, MPI_COMM_WORLD);
}

/* End of the round. */
static void end_round(struct split_comms *comms)
{
    if (comms->next != MPI_COMM_NULL) {
        MPI_Wait(&comms->duplicating, MPI_STATUS_IGNORE);
        MPI_Comm_free(&comms->application);
        MPI_Comm_free(&comms->next);
    }
    MPI_Comm_free(&comms->control);
}

static bool measure_round(const struct nereus_task_run *run, char *all)
{
    struct split_comms comms = {
        .control = make_control(), .next = MPI_COMM_NULL, .application = MPI_COMM_NULL};
    const double split_s = measure_split_s(run, &comms),
                 gather_s = measure_gather_s(run, comms.control, all);
    end_round(&comms);
    return nereus_task_write_step(run, NEREUS_STEP_SPLIT, run->size, 0, split_s, 1) &&
           nereus_task_write_step(run, NEREUS_STEP_GATHER, run->size, 0, gather_s, 1);
}

/* The first duplicate of MPI_COMM_SELF, which nereus_init makes too, takes most of a
 * millisecond. */
static void make_first_communicator(void)
{
    MPI_Comm self;
    MPI_Comm_dup(MPI_COMM_SELF, &self);
    MPI_Comm_free(&self);
}

static bool run_task(struct nereus_task_run *run)
{
    if (run->staying < 1 || run->staying >= run->size || run->size > NEREUS_TASK_PROCESSES_MAX) {
        fprintf(stderr,
                "nereus-calibrate: split: --to is %d; from %d process%s it must be 1 to %d\n",
                run->staying, run->size, nereus_plural_es(run->size), run->size - 1);
        return false;
    }
    char *all = nereus_task_allocate((size_t)run->size * ENDPOINT_BYTES);
    bool measured = true;
    make_first_communicator();
    for (int repeat = 0; repeat < run->repeats && measured; repeat++)
        measured = measure_round(run, all);
    free(all);
    return measured;
}

const struct nereus_task nereus_task_split = {
    .name = "split",
    .help = "a communicator of --to processes; the others send their address to rank 0",
    .threads = true,
    .run = run_task,
};
