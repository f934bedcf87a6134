/*
 * The order of registrations: a number, a partition of that length, two arrays, and one more that
 * comes later.
 *
 *     NEREUS_SCHEDULE=3@5:merge/coll,4@15:merge/coll nereus-mpiexec -n 2 ./order
 */
#include <nereus.h>
#include <stdio.h>
#include <stdlib.h>

static void must_succeed(const nereus_job *job, enum nereus_status status)
{
    if (status == NEREUS_OK)
        return;
    fprintf(stderr, "order: %s\n", nereus_last_error(job));
    MPI_Abort(MPI_COMM_WORLD, EXIT_FAILURE);
}

/* Add the value of each element to its sum. */
static void add_to_sums(const nereus_job *job, int sums_id, int values_id)
{
    void *sums, *values;
    int64_t count;
    must_succeed(job, nereus_local(job, sums_id, &sums, NULL, &count));
    must_succeed(job, nereus_local(job, values_id, &values, NULL, NULL));
    for (int64_t i = 0; i < count; i++)
        ((double *)sums)[i] += ((double *)values)[i];
}

static void fill_array(const nereus_job *job, int id, double value)
{
    void *part;
    int64_t count;
    must_succeed(job, nereus_local(job, id, &part, NULL, &count));
    for (int64_t i = 0; i < count && !nereus_is_received(job, id); i++)
        ((double *)part)[i] = value;
}

static void print_sums(const nereus_job *job, int sums_id)
{
    void *part;
    int64_t count;
    double own_sum = 0, sum = 0;
    must_succeed(job, nereus_local(job, sums_id, &part, NULL, &count));
    for (int64_t i = 0; i < count; i++)
        own_sum += ((double *)part)[i];
    MPI_Allreduce(&own_sum, &sum, 1, MPI_DOUBLE, MPI_SUM, nereus_comm(job));
    if (nereus_rank(job) == 0)
        printf("sum %g on %d processes\n", sum, nereus_size(job));
}

int main(int argc, char **argv)
{
    nereus_job *job;
    if (nereus_init(&argc, &argv, NULL, &job) != NEREUS_OK)
        return EXIT_FAILURE;

    int64_t n = 0, iteration = 0;
    int n_id, iteration_id, elements, sums_id, values_id, later_id = -1;
    must_succeed(job,
                 nereus_register_replicated(job, "n", MPI_INT64_T, 1, NEREUS_CONSTANT, &n, &n_id));
    if (!nereus_is_received(job, n_id)) { /* a process that joins is alone here */
        n = nereus_rank(job) == 0 ? 1000 : 0;
        MPI_Bcast(&n, 1, MPI_INT64_T, 0, nereus_comm(job));
    }
    must_succeed(job, nereus_register_partition(job, "elements", n, &elements));
    must_succeed(job, nereus_register_array_in(job, "sums", MPI_DOUBLE, n, elements,
                                               NEREUS_VARIABLE, &sums_id));
    must_succeed(job, nereus_register_array_in(job, "values", MPI_DOUBLE, n, elements,
                                               NEREUS_CONSTANT, &values_id));
    must_succeed(job, nereus_register_replicated(job, "iteration", MPI_INT64_T, 1, NEREUS_VARIABLE,
                                                 &iteration, &iteration_id));
    fill_array(job, values_id, 1);

    enum nereus_action action = NEREUS_CONTINUE;
    while (iteration < 20 && action != NEREUS_LEAVE) {
        if (iteration >= 10 && later_id < 0) { /* a process that joins later has it */
            must_succeed(job, nereus_register_array_in(job, "later", MPI_DOUBLE, n, elements,
                                                       NEREUS_CONSTANT, &later_id));
            fill_array(job, later_id, 0.5);
        }
        add_to_sums(job, sums_id, later_id < 0 ? values_id : later_id);
        iteration++;
        must_succeed(job, nereus_point(job, &action));
    }
    if (action != NEREUS_LEAVE)
        print_sums(job, sums_id);
    return nereus_finalize(&job) == NEREUS_OK ? EXIT_SUCCESS : EXIT_FAILURE;
}
