/**
 * @file task_collective.c
 * collective: collectives over a world: a row for each collective and size, the median over as many
 * rounds as fit into seconds_a_size.
 *
 * The whole call is measured, with the algorithm that the library chooses for this size. Each
 * process is bound to a core, as by the runtime: otherwise the start of a thread includes its
 * migration to another core, some milliseconds if all cores are busy.
 *
 * Sizes that need more than LARGEST_BYTES in a process are left out.
 */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "rounds.h"
#include "task.h"

enum { SMALLEST_BYTES = 8, STEP = 8, LARGEST_PART = 1 << 18, LARGEST_BYTES = 1 << 24 };
static const double seconds_a_size = 0.012;

/* One collective of one size. */
struct call {
    enum nereus_collective collective;
    int bytes, rank, size;
    char *in, *out;
    int *counts, *displs; /* of gatherv */
};

static void *run_empty_thread(void *unused)
{
    return unused;
}

static void start_thread(void)
{
    pthread_t thread;
    if (pthread_create(&thread, NULL, run_empty_thread, NULL) != 0)
        nereus_task_abort("a thread cannot be started");
    pthread_join(thread, NULL);
}

static void duplicate_world(void)
{
    MPI_Comm other;
    MPI_Comm_dup(MPI_COMM_WORLD, &other);
    MPI_Comm_free(&other);
}

static void run_round(void *user)
{
    struct call *c = user;
    const int doubles = c->bytes / (int)sizeof(double);
    switch (c->collective) {
    case NEREUS_COLLECTIVE_BARRIER:
        MPI_Barrier(MPI_COMM_WORLD);
        break;
    case NEREUS_COLLECTIVE_DUP:
        duplicate_world();
        break;
    case NEREUS_COLLECTIVE_THREAD:
        start_thread();
        break;
    case NEREUS_COLLECTIVE_BCAST:
        MPI_Bcast(c->in, c->bytes, MPI_BYTE, 0, MPI_COMM_WORLD);
        break;
    case NEREUS_COLLECTIVE_REDUCE:
        MPI_Reduce(c->in, c->out, doubles, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
        break;
    case NEREUS_COLLECTIVE_ALLREDUCE:
        MPI_Allreduce(c->in, c->out, doubles, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
        break;
    case NEREUS_COLLECTIVE_GATHERV:
        MPI_Gatherv(c->in, c->bytes, MPI_BYTE, c->out, c->counts, c->displs, MPI_BYTE, 0,
                    MPI_COMM_WORLD);
        break;
    case NEREUS_COLLECTIVE_ALLGATHER:
        MPI_Allgather(c->in, c->bytes, MPI_BYTE, c->out, c->bytes, MPI_BYTE, MPI_COMM_WORLD);
        break;
    case NEREUS_COLLECTIVE_ALLTOALL:
        MPI_Alltoall(c->in, c->bytes, MPI_BYTE, c->out, c->bytes, MPI_BYTE, MPI_COMM_WORLD);
        break;
    case NEREUS_COLLECTIVE_NONE:
        break;
    }
}

static bool measure_collective(const struct nereus_task_run *run, struct call *call)
{
    const struct nereus_rounds rounds = {
        .comm = MPI_COMM_WORLD, .round = run_round, .user = call, .seconds = seconds_a_size};
    int done;
    for (int i = 0; i < call->size; i++) {
        call->counts[i] = call->bytes;
        call->displs[i] = i * call->bytes;
    }
    const double time_s = nereus_rounds_median_s(&rounds, &done);
    return nereus_task_write_collective(run, call->collective, (double)call->bytes, time_s, done);
}

static bool measure_all(const struct nereus_task_run *run, struct call *call)
{
    bool measured = true;
    for (int c = 0; c < NEREUS_COLLECTIVE_COUNT && measured; c++) {
        call->collective = (enum nereus_collective)c;
        call->bytes = 0;
        if (!nereus_collective_has_bytes(call->collective))
            measured = measure_collective(run, call);
    }
    /* All collectives of a size before the next size: the last row is of the last collective. */
    for (int bytes = SMALLEST_BYTES;
         bytes <= LARGEST_PART && (int64_t)bytes * call->size <= LARGEST_BYTES; bytes *= STEP)
        for (int c = 0; c < NEREUS_COLLECTIVE_COUNT && measured; c++) {
            call->collective = (enum nereus_collective)c;
            call->bytes = bytes;
            if (nereus_collective_has_bytes(call->collective))
                measured = measure_collective(run, call);
        }
    return measured;
}

static bool run_task(struct nereus_task_run *run)
{
    const size_t bytes = (size_t)LARGEST_PART * (size_t)run->size < LARGEST_BYTES
                             ? (size_t)LARGEST_PART * (size_t)run->size
                             : LARGEST_BYTES;
    struct call call = {.rank = run->rank,
                        .size = run->size,
                        .in = nereus_task_allocate(bytes),
                        .out = nereus_task_allocate(bytes),
                        .counts = nereus_task_allocate((size_t)run->size * sizeof(int)),
                        .displs = nereus_task_allocate((size_t)run->size * sizeof(int))};
    nereus_task_bind(run);
    memset(call.in, 0, bytes); /* touched before it is timed */
    memset(call.out, 0, bytes);
    const bool measured = measure_all(run, &call);
    free(call.in);
    free(call.out);
    free(call.counts);
    free(call.displs);
    return measured;
}

const struct nereus_task nereus_task_collective = {
    .name = "collective",
    .help = "collectives of a world, of 8 B to 256 KiB a process",
    .run = run_task,
};
