/**
 * @file blocking.c
 * Blocking calls that sleep (src/util/blocking_calls.h), under mpiexec -n 2: rank 1 waits inside
 * MPI_Recv for a message of rank 0. Between begin and end it yields its core again and again
 * (voluntary context switches), and rank 0 sends when it has done so; before and afterwards it
 * spins for half a second. It also yields if only another of its threads has called begin; the end
 * of that thread does not end its own.
 */
#include <mpi.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdbool.h>
#include <stdio.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include "src/util/blocking_calls.h"

enum { FEW = 20, MANY = 30 }; /* in half a second with pauses of 0.1 ms there are 3000 */

/* Of the main thread of a process. */
static long switches_of(long pid)
{
    char path[64], line[256];
    long switches = 0;
    snprintf(path, sizeof path, "/proc/%ld/status", pid);
    FILE *file = fopen(path, "r");
    while (file != NULL && fgets(line, sizeof line, file) != NULL)
        if (sscanf(line, "voluntary_ctxt_switches: %ld", &switches) == 1)
            break;
    if (file != NULL)
        fclose(file);
    return switches;
}

/* Rank 0 waits before it sends: as long as rank 1 takes for so many switches, or half a second. */
static void await_waiting(bool sleeps)
{
    const struct timespec half = {0, 500000000}, some = {0, 1000000};
    long waiting[2]; /* process id and switches of rank 1 */
    MPI_Recv(waiting, 2, MPI_LONG, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (!sleeps)
        nanosleep(&half, NULL);
    while (sleeps && switches_of(waiting[0]) < waiting[1] + MANY)
        nanosleep(&some, NULL);
}

/* Of rank 1; 0 at rank 0. */
static long switches_while_waiting(int rank, bool sleeps)
{
    struct rusage before, after;
    int word = rank;
    if (rank == 0) {
        await_waiting(sleeps);
        MPI_Send(&word, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
        return 0;
    }
    getrusage(RUSAGE_THREAD, &before);
    MPI_Send((long[]){getpid(), before.ru_nvcsw}, 2, MPI_LONG, 0, 0, MPI_COMM_WORLD);
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
    const long spinning = switches_while_waiting(rank, false);
    nereus_blocking_calls_begin();
    sem_post(&may_end);
    pthread_join(other, NULL);
    const long asleep = switches_while_waiting(rank, true);
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
        const long spinning = switches_while_waiting(rank, false);
        nereus_blocking_calls_begin();
        const long asleep = switches_while_waiting(rank, true);
        nereus_blocking_calls_end();
        const long again = switches_while_waiting(rank, false);
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
