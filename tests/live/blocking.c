/*
 * Blocking calls that sleep (src/util/blocking_calls.h), under mpiexec -n 2: rank 1 waits inside
 * MPI_Recv for what rank 0 sends half a second later. Between begin and end it gives its core away
 * again and again, as the system counts (voluntary context switches); before and afterwards it
 * spins, and does not.
 */
#include <mpi.h>
#include <stdio.h>
#include <sys/resource.h>
#include <time.h>

#include "src/util/blocking_calls.h"

enum { FEW = 20, MANY = 30 }; /* with pauses of 0.1 ms there are 3000, on a busy machine fewer */

/* Of rank 1; 0 at rank 0. */
static long switches_while_waiting(int rank)
{
    const struct timespec half = {0, 500000000};
    struct rusage before, after;
    int word = rank;
    if (rank == 0) {
        nanosleep(&half, NULL);
        MPI_Send(&word, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
        return 0;
    }
    getrusage(RUSAGE_SELF, &before);
    MPI_Recv(&word, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    getrusage(RUSAGE_SELF, &after);
    return after.ru_nvcsw - before.ru_nvcsw;
}

int main(int argc, char **argv)
{
    int rank, wrong = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int round = 0; round < 2; round++) { /* a second time as well as a first */
        const long spinning = switches_while_waiting(rank);
        nereus_blocking_calls_begin();
        const long asleep = switches_while_waiting(rank);
        nereus_blocking_calls_end();
        const long again = switches_while_waiting(rank);
        wrong += rank == 1 && (spinning > FEW || asleep < MANY || again > FEW);
        if (rank == 1)
            printf("voluntary context switches: %ld before, %ld between, %ld after\n", spinning,
                   asleep, again);
    }
    MPI_Finalize();
    return wrong > 0;
}
