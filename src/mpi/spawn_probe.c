/**
 * @file spawn_probe.c
 * Tests whether this MPI can spawn. The probe is started as one process, and repeats the calls that
 * Nereus needs: spawn two processes, merge, exchange messages between the two worlds, disconnect,
 * finalise. An MPI that cannot do this fails or hangs here, under the caller's time limit, not
 * later in an application.
 *
 * spawn_probe [ROUNDS [PINGPONGS]] prints "spawn_ms=X pingpong_us=Y bandwidth_us=Z" (medians; Z is
 * for 1 MiB) spawn_probe --library prints the MPI library's version string and starts nothing
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "large_counts.h"
#include "mpi_library.h"

enum { CHILDREN = 2, LARGE_BYTES = 1 << 20, LARGE_REPEATS = 20, MAX_REPEATS = 100000 };

static double samples_spawn[MAX_REPEATS], samples_small[MAX_REPEATS], samples_large[MAX_REPEATS];

static int compare_doubles(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double compute_median(double *values, int count)
{
    qsort(values, (size_t)count, sizeof *values, compare_doubles);
    return count % 2 ? values[count / 2] : 0.5 * (values[count / 2 - 1] + values[count / 2]);
}

/* Barrier that sleeps between tests: waiting ranks must not slow down the two that are timed. */
static void barrier_without_spinning(MPI_Comm comm)
{
    MPI_Request request;
    int done = 0;
    MPI_Ibarrier(comm, &request);
    while (!done) {
        MPI_Test(&request, &done, MPI_STATUS_IGNORE);
        if (!done)
            usleep(500);
    }
}

/* Round trips between ranks 0 and 1 of the merged communicator, which are in different worlds. By
 * the calls with large counts, which Nereus needs. */
static void time_ping_pong(MPI_Comm merged, int rank, char *buffer, MPI_Count bytes, int repeats,
                           double *times)
{
    for (int i = 0; i < repeats && rank < 2; i++) {
        double start = MPI_Wtime();
        if (rank == 0)
            MPI_Send_c(buffer, bytes, MPI_CHAR, 1, 0, merged);
        MPI_Recv_c(buffer, bytes, MPI_CHAR, 1 - rank, 0, merged, MPI_STATUS_IGNORE);
        if (rank == 1)
            MPI_Send_c(buffer, bytes, MPI_CHAR, 0, 0, merged);
        times[i] = 0.5 * (MPI_Wtime() - start);
    }
    barrier_without_spinning(merged);
}

/* Returns 0 if every rank contributed to a sum over the merged communicator and the messages
 * arrived unchanged. */
static int exchange_messages(MPI_Comm inter, int is_child, int pings, double *small, double *large)
{
    static char buffer[LARGE_BYTES];
    MPI_Comm merged;
    int rank, size, one = 1, sum = 0;
    MPI_Intercomm_merge(inter, is_child, &merged);
    MPI_Comm_rank(merged, &rank);
    MPI_Comm_size(merged, &size);
    MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, merged);
    memset(buffer, rank == 0 ? 'p' : 'x', sizeof buffer);
    time_ping_pong(merged, rank, buffer, 8, pings, small);
    time_ping_pong(merged, rank, buffer, LARGE_BYTES, LARGE_REPEATS, large);
    int wrong = sum != size || size != CHILDREN + 1 || (rank < 2 && buffer[LARGE_BYTES - 1] != 'p');
    barrier_without_spinning(merged);
    nereus_mpi()->end_merged(&merged);
    MPI_Barrier(inter);
    MPI_Comm_disconnect(&inter);
    return wrong;
}

int main(int argc, char **argv)
{
    if (argc > 1 && strcmp(argv[1], "--library") == 0) {
        char text[MPI_MAX_LIBRARY_VERSION_STRING];
        int length;
        MPI_Get_library_version(text, &length);
        puts(text);
        return 0;
    }
    int rounds = argc > 1 ? atoi(argv[1]) : 3, pings = argc > 2 ? atoi(argv[2]) : 200;
    if (rounds < 1 || pings < 1 || rounds > 100 || pings > 1000) {
        fprintf(stderr, "usage: spawn_probe [ROUNDS 1..100 [PINGPONGS 1..1000]] | --library\n");
        return 2;
    }
    MPI_Comm parent, inter;
    int wrong = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_get_parent(&parent);
    if (parent != MPI_COMM_NULL) {
        wrong = exchange_messages(parent, 1, pings, samples_small, samples_large);
        MPI_Finalize();
        return wrong;
    }
    char count_rounds[16], count_pings[16], *child_argv[] = {count_rounds, count_pings, NULL};
    snprintf(count_rounds, sizeof count_rounds, "%d", rounds);
    snprintf(count_pings, sizeof count_pings, "%d", pings);
    for (int i = 0; i < rounds; i++) {
        double start = MPI_Wtime();
        MPI_Comm_spawn(argv[0], child_argv, CHILDREN, MPI_INFO_NULL, 0, MPI_COMM_SELF, &inter,
                       MPI_ERRCODES_IGNORE);
        samples_spawn[i] = MPI_Wtime() - start;
        wrong |= exchange_messages(inter, 0, pings, samples_small + (size_t)i * (size_t)pings,
                                   samples_large + (size_t)i * LARGE_REPEATS);
    }
    if (wrong)
        fprintf(stderr, "spawn_probe: messages between the two worlds were lost or changed\n");
    else
        printf("spawn_ms=%.2f pingpong_us=%.2f bandwidth_us=%.0f\n",
               1e3 * compute_median(samples_spawn, rounds),
               1e6 * compute_median(samples_small, rounds * pings),
               1e6 * compute_median(samples_large, rounds * LARGE_REPEATS));
    MPI_Finalize();
    return wrong;
}
