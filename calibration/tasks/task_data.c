/**
 * @file task_data.c
 * data: data operations from one process to another: within a world if started with two processes,
 * between worlds if started with one, which spawns the other.
 *
 * A row for each operation and size: the median over as many rounds as fit into seconds_a_size. All
 * processes arrive at a round together; its time is from the last arrival to the last departure.
 */
#include <stdlib.h>
#include <string.h>

#include "data_operations.h"
#include "model/util/arith.h"
#include "rounds.h"
#include "task.h"

enum { STEP = 4 };
static const double seconds_a_size = 0.015;

/* A new operation goes to the end of its kind: model/calibrate/rows.c counts a run by the last row,
 * so that a calibration whose file lacks the new one measures it. */
static const struct nereus_data_operation *const operations[] = {
    /* of one world */
    &nereus_data_alltoallv,
    &nereus_data_get,
    &nereus_data_window,
    &nereus_data_shared,
    &nereus_data_reduce_local,
    &nereus_data_touch,
    &nereus_data_touch_huge,
    /* of two */
    &nereus_data_get_inter,
};

/* One operation of one size. */
struct transfer {
    const struct nereus_data_operation *operation;
    struct nereus_data_pair *pair;
    size_t bytes;
};

static void run_round(void *user)
{
    struct transfer *transfer = user;
    transfer->operation->round(transfer->pair, transfer->bytes);
}

static void run_after_round(void *user)
{
    struct transfer *transfer = user;
    if (transfer->operation->after != NULL)
        transfer->operation->after(transfer->pair, transfer->bytes);
}

static double measure_size(const struct nereus_data_operation *operation,
                           struct nereus_data_pair *pair, size_t bytes, int *rounds)
{
    struct transfer transfer = {operation, pair, bytes};
    const struct nereus_rounds all = {.comm = pair->both,
                                      .round = run_round,
                                      .after = run_after_round,
                                      .user = &transfer,
                                      .seconds = seconds_a_size};
    return nereus_rounds_median_s(&all, rounds);
}

/* 8 B, 32 B, ... and NEREUS_TASK_BYTES_MAX. */
static size_t find_next_size(size_t bytes)
{
    const size_t max = NEREUS_TASK_BYTES_MAX;
    return bytes < max && bytes * STEP > max ? max : bytes * STEP;
}

static bool measure_sizes(const struct nereus_task_run *run,
                          const struct nereus_data_operation *operation,
                          struct nereus_data_pair *pair)
{
    const char *name = nereus_operation_name(operation->operation);
    if (operation->begin != NULL && !operation->begin(pair)) {
        if (run->rows != NULL)
            fprintf(stderr, "nereus-calibrate: %s (%s) is refused by this system: not measured\n",
                    name, nereus_operation_help(operation->operation));
        return true;
    }
    bool written = true;
    const size_t first = run->bytes >= 0 ? (size_t)run->bytes : NEREUS_TASK_BYTES_MIN,
                 largest = operation->largest_bytes > 0 ? operation->largest_bytes
                                                        : (size_t)NEREUS_TASK_BYTES_MAX;
    for (size_t bytes = first; bytes <= largest;
         bytes = run->bytes >= 0 ? SIZE_MAX : find_next_size(bytes)) {
        int rounds;
        const double time_s = measure_size(operation, pair, bytes, &rounds);
        written = written && nereus_task_write_operation(run, operation->operation, 0,
                                                         (double)bytes, time_s, rounds);
    }
    if (operation->end != NULL)
        operation->end(pair);
    return written;
}

static bool measure_all(const struct nereus_task_run *run, struct nereus_data_pair *pair)
{
    int rank;
    bool measured = true;
    MPI_Comm_rank(pair->both, &rank);
    pair->is_source = rank == 0;
    pair->largest_bytes = NEREUS_TASK_BYTES_MAX;
    pair->buffer = nereus_task_allocate(NEREUS_TASK_BYTES_MAX);
    memset(pair->buffer, 1, NEREUS_TASK_BYTES_MAX);
    for (size_t i = 0; i < NEREUS_COUNT_OF(operations) && measured; i++)
        if (operations[i]->inter == pair->inter)
            measured = measure_sizes(run, operations[i], pair);
    free(pair->buffer);
    return measured;
}

static bool run_task(struct nereus_task_run *run)
{
    struct nereus_data_pair pair = {.both = MPI_COMM_WORLD, .comm = MPI_COMM_WORLD};
    const bool is_new = run->parent != MPI_COMM_NULL;
    if (!is_new && run->size == 2)
        return measure_all(run, &pair);
    if (!is_new && run->size != 1) {
        fprintf(stderr,
                "nereus-calibrate: data is started with mpiexec -n 2 (one world) or -n 1 (two), "
                "not %d\n",
                run->size);
        return false;
    }
    pair.inter = true;
    pair.comm = run->parent;
    if (!is_new && !nereus_task_spawn_copies(run, MPI_COMM_WORLD, 1, &pair.comm))
        return false;
    MPI_Intercomm_merge(pair.comm, is_new, &pair.both);
    const bool measured = measure_all(run, &pair);
    MPI_Comm_free(&pair.both);
    nereus_task_disconnect(&pair.comm);
    return measured;
}

const struct nereus_task nereus_task_data = {
    .name = "data",
    .help = "collectives, windows and copies of 8 B to 16 MiB, first touch of up to 64 MiB",
    .run = run_task,
};
