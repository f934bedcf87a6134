/**
 * @file called.c
 * Ways to call MPI that nereus twin has to know: the argument is one of them.
 *
 *   called WAY [ITERATIONS]
 *       persistent   persistent sends and receives, to both neighbours in a ring
 *       polled       messages, for which MPI_Testall is called until they have arrived
 *       begun        an MPI_Iallreduce, computing, and its wait
 *       pairs        an MPI_Allreduce in groups of two processes, and one of each process alone
 *       columns      an MPI_Allreduce in two groups of every other process
 *       working      messages, and 0.2 ms of work between tests until they have arrived
 *       random       computing that varies at random, in each process in another way
 *       fortran      PMPI calls, as the bindings of mpi_f08 make them
 *       start        a persistent collective that is not known
 * Each iteration computes for 1 ms; rank 0 of `polled` for 3 ms, before it sends.
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DOUBLES = 500 };

static double sent[2][DOUBLES], received[2][DOUBLES];
static int rank, size, left, right;

static void compute(double seconds)
{
    const double end_s = MPI_Wtime() + seconds;
    while (MPI_Wtime() < end_s)
        ;
}

static void run_persistent(int iterations)
{
    MPI_Request requests[4];
    MPI_Recv_init(received[0], DOUBLES, MPI_DOUBLE, left, 0, MPI_COMM_WORLD, &requests[0]);
    MPI_Recv_init(received[1], DOUBLES, MPI_DOUBLE, right, 1, MPI_COMM_WORLD, &requests[1]);
    MPI_Send_init(sent[0], DOUBLES, MPI_DOUBLE, right, 0, MPI_COMM_WORLD, &requests[2]);
    MPI_Send_init(sent[1], DOUBLES, MPI_DOUBLE, left, 1, MPI_COMM_WORLD, &requests[3]);
    for (int i = 0; i < iterations; i++) {
        compute(1e-3);
        MPI_Startall(4, requests);
        MPI_Waitall(4, requests, MPI_STATUSES_IGNORE);
    }
    for (int i = 0; i < 4; i++)
        MPI_Request_free(&requests[i]);
}

static void run_polled(int iterations)
{
    for (int i = 0; i < iterations; i++) {
        MPI_Request requests[2];
        int done = 0;
        compute(rank == 0 ? 3e-3 : 1e-3);
        MPI_Irecv(received[0], DOUBLES, MPI_DOUBLE, left, 0, MPI_COMM_WORLD, &requests[0]);
        MPI_Isend(sent[0], DOUBLES, MPI_DOUBLE, right, 0, MPI_COMM_WORLD, &requests[1]);
        while (!done)
            MPI_Testall(2, requests, &done, MPI_STATUSES_IGNORE);
    }
}

static void run_begun(int iterations)
{
    for (int i = 0; i < iterations; i++) {
        MPI_Request request;
        MPI_Iallreduce(sent[0], received[0], DOUBLES, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD,
                       &request);
        compute(1e-3);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
}

static void run_pairs(int iterations)
{
    MPI_Comm pair;
    MPI_Comm_split(MPI_COMM_WORLD, rank / 2, rank, &pair);
    for (int i = 0; i < iterations; i++) {
        compute(1e-3);
        MPI_Allreduce(sent[0], received[0], DOUBLES, MPI_DOUBLE, MPI_SUM, pair);
        MPI_Allreduce(sent[0], received[0], DOUBLES, MPI_DOUBLE, MPI_SUM, MPI_COMM_SELF);
    }
    MPI_Comm_free(&pair);
}

static void run_columns(int iterations)
{
    MPI_Comm column;
    MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &column);
    for (int i = 0; i < iterations; i++) {
        compute(1e-3);
        MPI_Allreduce(sent[0], received[0], DOUBLES, MPI_DOUBLE, MPI_SUM, column);
    }
    MPI_Comm_free(&column);
}

static void run_working(int iterations)
{
    for (int i = 0; i < iterations; i++) {
        MPI_Request requests[2];
        int done = 0;
        compute(rank == 0 ? 3e-3 : 1e-3);
        MPI_Irecv(received[0], DOUBLES, MPI_DOUBLE, left, 0, MPI_COMM_WORLD, &requests[0]);
        MPI_Isend(sent[0], DOUBLES, MPI_DOUBLE, right, 0, MPI_COMM_WORLD, &requests[1]);
        MPI_Testall(2, requests, &done, MPI_STATUSES_IGNORE);
        while (!done) {
            compute(2e-4);
            MPI_Testall(2, requests, &done, MPI_STATUSES_IGNORE);
        }
    }
}

static void run_random(int iterations)
{
    srand((unsigned)rank + 1);
    for (int i = 0; i < iterations; i++) {
        compute(10e-3 * rand() / RAND_MAX);
        MPI_Barrier(MPI_COMM_WORLD);
    }
}

static void run_fortran(int iterations)
{
    for (int i = 0; i < iterations; i++) {
        MPI_Request requests[2];
        compute(1e-3);
        MPI_Irecv(received[0], DOUBLES, MPI_DOUBLE, left, 0, MPI_COMM_WORLD, &requests[0]);
        MPI_Isend(sent[0], DOUBLES, MPI_DOUBLE, right, 0, MPI_COMM_WORLD, &requests[1]);
        PMPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
        compute(1e-3);
        PMPI_Barrier(MPI_COMM_WORLD);
    }
    PMPI_Finalize();
}

static void run_start(int iterations)
{
#if MPI_VERSION >= 4
    MPI_Request request;
    MPI_Barrier_init(MPI_COMM_WORLD, MPI_INFO_NULL, &request);
    for (int i = 0; i < iterations; i++) {
        compute(1e-3);
        MPI_Start(&request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        MPI_Allreduce(sent[0], received[0], 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    }
    MPI_Request_free(&request);
#else
    (void)iterations;
    puts("no persistent collectives");
#endif
}

int main(int argc, char **argv)
{
    static const struct {
        const char *name;
        void (*run)(int iterations);
    } ways[] = {{"persistent", run_persistent}, {"polled", run_polled},   {"begun", run_begun},
                {"pairs", run_pairs},           {"random", run_random},   {"start", run_start},
                {"fortran", run_fortran},       {"columns", run_columns}, {"working", run_working}};
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    left = (rank + size - 1) % size;
    right = (rank + 1) % size;
    for (size_t i = 0; i < sizeof ways / sizeof *ways && argc > 1; i++)
        if (strcmp(argv[1], ways[i].name) == 0)
            ways[i].run(argc > 2 ? atoi(argv[2]) : 100);
    int over;
    MPI_Finalized(&over);
    return over ? 0 : MPI_Finalize();
}
