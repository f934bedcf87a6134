/*
 * The logistic map x -> r x (1 - x), iterated from many first values: an ordinary MPI program,
 * whose rank 0 reads the input and broadcasts it. Its argument is a file of three numbers: r, the
 * number of values, the number of iterations.
 */
#include <inttypes.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

#include "digest.h"

struct input {
    double r;
    int64_t values, iterations;
};

/* Prints why and ends the job. */
static void abort_job(const char *sentence)
{
    fprintf(stderr, "start: %s\n", sentence);
    MPI_Abort(MPI_COMM_WORLD, EXIT_FAILURE);
}

static void read_input(const char *path, struct input *input)
{
    FILE *file = path != NULL ? fopen(path, "r") : NULL;
    if (file == NULL || fscanf(file, "%lf %" SCNd64 " %" SCNd64, &input->r, &input->values,
                               &input->iterations) != 3)
        abort_job("the argument must be a file of three numbers: r, values, iterations");
    if (file != NULL)
        fclose(file);
}

static int get_rank(MPI_Comm comm)
{
    int rank;
    MPI_Comm_rank(comm, &rank);
    return rank;
}

/* The elements are distributed in blocks. */
static double *get_part(MPI_Comm comm, int64_t values, int64_t *first, int64_t *count)
{
    int size;
    MPI_Comm_size(comm, &size);
    *first = get_rank(comm) * values / size;
    *count = (get_rank(comm) + 1) * values / size - *first;
    double *x = calloc((size_t)*count + 1, sizeof *x);
    if (x == NULL)
        abort_job("no memory");
    return x;
}

static void fill_part(double *x, int64_t first, int64_t count, int64_t values)
{
    for (int64_t i = 0; i < count; i++)
        x[i] = ((double)(first + i) + 0.5) / (double)values;
}

static void iterate(double *x, int64_t count, double r)
{
    for (int64_t i = 0; i < count; i++)
        x[i] = r * x[i] * (1 - x[i]);
}

static void report(const double *x, int64_t first, int64_t count, MPI_Comm comm)
{
    int size;
    MPI_Comm_size(comm, &size);
    const uint64_t answer = digest(x, first, count, comm);
    if (get_rank(comm) == 0)
        printf("answer %016llx, processes %d\n", (unsigned long long)answer, size);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm comm;
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);

    struct input input = {0};
    if (get_rank(comm) == 0)
        read_input(argv[1], &input);
    MPI_Bcast(&input, sizeof input, MPI_BYTE, 0, comm);
    MPI_Barrier(comm);

    int64_t first, count, iteration = 0;
    double *x = get_part(comm, input.values, &first, &count);
    fill_part(x, first, count, input.values);
    while (iteration < input.iterations) {
        iterate(x, count, input.r);
        iteration++;
    }
    report(x, first, count, comm);
    free(x);
    MPI_Comm_free(&comm);
    MPI_Finalize();
    return EXIT_SUCCESS;
}
