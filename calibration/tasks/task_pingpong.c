/**
 * @file task_pingpong.c
 * pingpong: round trips between two processes, for one pair class.
 *
 * same-world/...: ranks 0 and 1 of the first world. different-worlds/...: rank 0 and a process that
 * it spawned, over the inter-communicator. Same or different nodes is where the launcher puts them
 * (--host for a spawned one), and is checked. A row for each message size: the median of half the
 * round trip.
 */
#include <gsl/gsl_statistics_double.h>
#include <stdlib.h>

#include "model/util/clock.h"
#include "task.h"

enum { WARM_UP = 3, ROUNDS_MAX = 200, ROUNDS_MIN = 3, TAG_GO_ON = 1, TAG_LAST = 2 };
static const double seconds_a_size = 0.06, long_s = 0.2;

/* The measuring side marks the last message by its tag. is_long: over a slow link one round trip
 * says all, and more would not be within the time limit of a task. */
static double time_one_way(MPI_Comm comm, int peer, char *buffer, int bytes, bool is_long,
                           int *rounds)
{
    double times[ROUNDS_MAX], start = nereus_monotonic_s();
    int done = 0;
    for (int i = 0; done < ROUNDS_MAX; i++) {
        double before = nereus_monotonic_s();
        bool last = is_long || done == ROUNDS_MAX - 1 ||
                    (done + 1 >= ROUNDS_MIN && before - start > seconds_a_size);
        MPI_Send(buffer, bytes, MPI_BYTE, peer, last ? TAG_LAST : TAG_GO_ON, comm);
        MPI_Recv(buffer, bytes, MPI_BYTE, peer, MPI_ANY_TAG, comm, MPI_STATUS_IGNORE);
        if (is_long || i >= WARM_UP)
            times[done++] = 0.5 * (nereus_monotonic_s() - before);
        if (last)
            break;
    }
    *rounds = done;
    return gsl_stats_median(times, 1, (size_t)done);
}

static void echo_messages(MPI_Comm comm, int peer, char *buffer, int bytes)
{
    MPI_Status status;
    do {
        MPI_Recv(buffer, bytes, MPI_BYTE, peer, MPI_ANY_TAG, comm, &status);
        MPI_Send(buffer, bytes, MPI_BYTE, peer, TAG_GO_ON, comm);
    } while (status.MPI_TAG != TAG_LAST);
}

static bool run_sizes(const struct nereus_task_run *run, MPI_Comm comm, int peer, bool measures)
{
    char *buffer = nereus_task_allocate(NEREUS_TASK_BYTES_MAX);
    bool good = nereus_task_check_pair(run, comm, peer);
    double time_s = 0; /* of the size before, half of this one */
    for (double bytes = NEREUS_TASK_BYTES_MIN; good && bytes <= NEREUS_TASK_BYTES_MAX; bytes *= 2) {
        if (run->bytes >= 0 && bytes != run->bytes)
            continue;
        if (!measures) {
            echo_messages(comm, peer, buffer, (int)bytes);
            continue;
        }
        int rounds;
        time_s = time_one_way(comm, peer, buffer, (int)bytes, 4 * time_s > long_s, &rounds);
        good = nereus_task_write_pingpong(run, bytes, time_s, rounds);
    }
    free(buffer);
    return good;
}

static bool run_task(struct nereus_task_run *run)
{
    MPI_Comm inter = run->parent;
    if (inter != MPI_COMM_NULL) {
        const bool good = run_sizes(run, inter, 0, false);
        nereus_task_disconnect(&inter);
        return good;
    }
    bool same_world = run->pair == NEREUS_PAIR_SAME_WORLD_SAME_NODE ||
                      run->pair == NEREUS_PAIR_SAME_WORLD_DIFFERENT_NODES;
    if (run->size != (same_world ? 2 : 1)) {
        fprintf(stderr, "nereus-calibrate: pingpong %s is started with mpiexec -n %d, not %d\n",
                nereus_pair_class_name(run->pair), same_world ? 2 : 1, run->size);
        return false;
    }
    if (same_world)
        return run_sizes(run, MPI_COMM_WORLD, 1 - run->rank, run->rank == 0);
    if (!nereus_task_spawn_copies(run, MPI_COMM_WORLD, 1, &inter))
        return false;
    const bool good = run_sizes(run, inter, 0, true);
    nereus_task_disconnect(&inter);
    return good;
}

const struct nereus_task nereus_task_pingpong = {
    .name = "pingpong",
    .help = "messages of 8 B to 16 MiB between two processes of a class (--pair)",
    .run = run_task,
};
