/**
 * @file cycles.c
 * Programs whose iterations are not simply one list of calls, to be watched by `nereus twin`:
 *
 *   cycles solver N      a conjugate gradient solver that is called N times, 50 to 52 iterations each
 *   cycles particles N   N steps with two equal exchanges; more work in each tenth one
 *   cycles neighbours N  N steps with 26 messages of three sizes from each process
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NEIGHBOURS = 26, BYTES = 20000 };

static int rank, size;
static char sent[BYTES], received[NEIGHBOURS][BYTES];
static volatile double sink;

/* A number of additions that depends on nothing: about 0.8 ns each. */
static void compute(double thousands)
{
    double x = 1.1;
    for (long i = 0; i < (long)(thousands * 1000); i++)
        x = x * 0.999999 + 0.000001;
    sink = x;
}

/* Messages to the processes `distances` behind this one, and back. */
static void exchange(const int *distances, const int *bytes, int count)
{
    MPI_Request requests[2 * NEIGHBOURS];
    for (int i = 0; i < count; i++) {
        const int to = (rank + distances[i]) % size,
                  from = (rank + distances[i] * (size - 1)) % size;
        MPI_Irecv(received[i], bytes[i], MPI_BYTE, from, i, MPI_COMM_WORLD, &requests[2 * i]);
        MPI_Isend(sent, bytes[i], MPI_BYTE, to, i, MPI_COMM_WORLD, &requests[2 * i + 1]);
    }
    MPI_Waitall(2 * count, requests, MPI_STATUSES_IGNORE);
}

static void exchange_with_two(int bytes)
{
    exchange((const int[]){1, size - 1}, (const int[]){bytes, bytes}, 2);
}

static void sum_up(int count)
{
    const double own_values[3] = {1, 2, 3};
    double sums[3];
    MPI_Allreduce(own_values, sums, count, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
}

static void solve(int number)
{
    compute(3750);
    MPI_Bcast(sent, 100, MPI_BYTE, 0, MPI_COMM_WORLD);
    exchange_with_two(4000);
    compute(1250);
    sum_up(1);
    for (int k = 0; k < 50 + number % 3; k++) {
        compute(250);
        sum_up(1);
        exchange_with_two(4000);
        compute(750);
        sum_up(1);
        compute(250);
        sum_up(1);
    }
    sum_up(3);
    compute(2500);
}

static void move_particles(int number)
{
    compute(10000);
    exchange_with_two(BYTES);
    compute(12);
    exchange_with_two(BYTES);
    if (number % 10 == 9)
        compute(25000);
}

static void step_with_neighbours(void)
{
    int distances[NEIGHBOURS], bytes[NEIGHBOURS];
    for (int i = 0; i < NEIGHBOURS; i++) {
        distances[i] = i + 1;
        bytes[i] = i < 6 ? BYTES : i < 18 ? 1600 : 64;
    }
    compute(5000);
    exchange(distances, bytes, NEIGHBOURS);
    compute(2500);
    sum_up(1);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    const int count = argc == 3 ? atoi(argv[2]) : 0;
    for (int i = 0; i < count; i++)
        if (strcmp(argv[1], "solver") == 0)
            solve(i);
        else if (strcmp(argv[1], "particles") == 0)
            move_particles(i);
        else
            step_with_neighbours();
    MPI_Finalize();
    return count > 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
