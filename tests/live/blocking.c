/**
 * @file blocking.c
 * Blocking calls that sleep (src/util/blocking_calls.h), under mpiexec -n 2: rank 1 waits inside
 * MPI_Recv for a message that rank 0 sends half a second later. Between begin and end it yields its
 * core again and again (voluntary context switches); before and afterwards it spins. It also yields
 * if only another of its threads has called begin; the end of that thread does not end its own.
 */
#include <mpi.h>
#include <pthread.h>
#include <semaphore.h>
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
    getrusage(RUSAGE_THREAD, &before);
    MPI_Recv(&word, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    getrusage(RUSAGE_THREAD, &after);
    return after.ru_nvcsw - before.ru_nvcsw;
}

static sem_t has_begun, may_end;

static void *begin_and_end(void *nothing)
{
    nereus_blocking_calls_begin();
    sem_post(&has_begun);
    sem_wait(&may_end);
    nereus_blocking_calls_end();
    return nothing;
}

/* Another thread has begun, alone or before this one, and ends. */
static int beside_another(int rank)
{
    pthread_t other;
    if (pthread_create(&other, NULL, begin_and_end, NULL) != 0)
        return 1;
    sem_wait(&has_begun);
    const long spinning = switches_while_waiting(rank);
    nereus_blocking_calls_begin();
    sem_post(&may_end);
    pthread_join(other, NULL);
    const long asleep = switches_while_waiting(rank);
    nereus_blocking_calls_end();
    if (rank == 1)
        printf("beside another thread: %ld, then %ld\n", spinning, asleep);
    return rank == 1 && (spinning > FEW || asleep < MANY);
}

static void *wait_asleep(void *comm)
{
    nereus_blocking_calls_begin();
    sem_post(&has_begun);
    MPI_Barrier(*(MPI_Comm *)comm);
    nereus_blocking_calls_end();
    return comm;
}

/* Another thread sleeps inside MPI: the calls of this one come through. */
static int beside_a_sleeper(int rank)
{
    enum { EXCHANGES = 300 };
    MPI_Comm comm;
    pthread_t other;
    int one = 1, sum = 0;
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    if (rank == 1 && pthread_create(&other, NULL, wait_asleep, &comm) != 0)
        MPI_Abort(MPI_COMM_WORLD, 1);
    if (rank == 1)
        sem_wait(&has_begun);
    const double start_s = MPI_Wtime();
    for (int i = 0; i < EXCHANGES; i++)
        MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    if (rank == 1)
        printf("beside one that sleeps inside MPI: %.0f us an exchange\n",
               1e6 * (MPI_Wtime() - start_s) / EXCHANGES);
    if (rank == 0)
        MPI_Barrier(comm);
    else
        pthread_join(other, NULL);
    MPI_Comm_free(&comm);
    return sum != 2;
}

int main(int argc, char **argv)
{
    int rank, level, errors = 0;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int round = 0; round < 2; round++) { /* a second time as well as a first */
        const long spinning = switches_while_waiting(rank);
        nereus_blocking_calls_begin();
        const long asleep = switches_while_waiting(rank);
        nereus_blocking_calls_end();
        const long again = switches_while_waiting(rank);
        errors += rank == 1 && (spinning > FEW || asleep < MANY || again > FEW);
        if (rank == 1)
            printf("voluntary context switches: %ld before, %ld between, %ld after\n", spinning,
                   asleep, again);
    }
    sem_init(&has_begun, 0, 0);
    sem_init(&may_end, 0, 0);
    errors += beside_another(rank);
    errors += beside_a_sleeper(rank);
    MPI_Finalize();
    return errors > 0;
}
