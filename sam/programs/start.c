/*
 * The logistic map x -> r x (1 - x), iterated from many first values: start_plain.c made
 * malleable. Its argument is a file of three numbers: r, the number of values, the number of
 * iterations. NEREUS_SCHEDULE says when it goes on with how many processes.
 */
#include <inttypes.h>
#include <mpi.h>
#include <nereus.h>
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

static void must_succeed(const nereus_job *job, enum nereus_status status)
{
    if (status != NEREUS_OK)
        abort_job(nereus_last_error(job));
}

static int get_rank(MPI_Comm comm)
{
    int rank;
    MPI_Comm_rank(comm, &rank);
    return rank;
}

static double *get_part(const nereus_job *job, int id, int64_t *first, int64_t *count)
{
    void *x;
    must_succeed(job, nereus_local(job, id, &x, first, count));
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

static void report(const double *x, int64_t first, int64_t count, const nereus_job *job)
{
    const uint64_t answer = digest(x, first, count, nereus_comm(job));
    if (nereus_rank(job) == 0)
        printf("answer %016llx, processes %d, changes of size %d\n", (unsigned long long)answer,
               nereus_size(job), (int)nereus_reconfigurations(job));
}

int main(int argc, char **argv)
{
    nereus_job *job;
    if (nereus_init(&argc, &argv, NULL, &job) != NEREUS_OK)
        return EXIT_FAILURE;
    MPI_Comm comm = nereus_comm(job); /* a duplicate already */

    int id, x_id;
    struct input input = {0};
    must_succeed(job, nereus_register_replicated(job, "input", MPI_BYTE, sizeof input,
                                                 NEREUS_VARIABLE, &input, &id));
    if (!nereus_is_received(job, id)) {
        if (get_rank(comm) == 0)
            read_input(argv[1], &input);
        MPI_Bcast(&input, sizeof input, MPI_BYTE, 0, comm);
        MPI_Barrier(comm);
    }

    int64_t first, count, iteration = 0;
    must_succeed(job, nereus_register_replicated(job, "iteration", MPI_INT64_T, 1, NEREUS_VARIABLE,
                                                 &iteration, &id));
    must_succeed(job,
                 nereus_register_array(job, "x", MPI_DOUBLE, input.values, NEREUS_VARIABLE, &x_id));
    double *x = get_part(job, x_id, &first, &count);
    if (!nereus_is_received(job, x_id))
        fill_part(x, first, count, input.values);
    enum nereus_action action = NEREUS_CONTINUE;
    while (iteration < input.iterations && action != NEREUS_LEAVE) {
        iterate(x, count, input.r);
        iteration++;
        must_succeed(job, nereus_point(job, &action));
        if (action == NEREUS_RESIZED)
            x = get_part(job, x_id, &first, &count);
    }
    if (action != NEREUS_LEAVE)
        report(x, first, count, job);
    return nereus_finalize(&job) == NEREUS_OK ? EXIT_SUCCESS : EXIT_FAILURE;
}
