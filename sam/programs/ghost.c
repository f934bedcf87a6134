/*
 * Ghosts (halos): smooths 1000 numbers; the neighbours' numbers are fetched in each iteration.
 *
 *     NEREUS_SCHEDULE=3@10:merge/coll-keep nereus-mpiexec -n 2 ./ghost
 */
#include <nereus.h>
#include <stdio.h>
#include <stdlib.h>

enum { NUMBERS = 1000, LAST = 20 };

/* The rank that owns an element; MPI_PROC_NULL beyond the ends. */
static int find_owner(const nereus_job *job, int id, int64_t element)
{
    int rank;
    return nereus_owner_of(job, id, element, &rank) == NEREUS_OK ? rank : MPI_PROC_NULL;
}

/* One iteration, from u to next; what lies beyond the ends is 0. */
static void smooth_once(const nereus_job *job, int u_id, int next_id)
{
    void *u_part, *next_part;
    int64_t first, count;
    double left = 0, right = 0; /* the ghosts */
    nereus_local(job, u_id, &u_part, &first, &count);
    nereus_local(job, next_id, &next_part, NULL, NULL);
    double *u = u_part, *next = next_part;
    if (count == 0)
        return;
    const int down = find_owner(job, u_id, first - 1), up = find_owner(job, u_id, first + count);
    MPI_Sendrecv(&u[0], 1, MPI_DOUBLE, down, 0, &right, 1, MPI_DOUBLE, up, 0, nereus_comm(job),
                 MPI_STATUS_IGNORE);
    MPI_Sendrecv(&u[count - 1], 1, MPI_DOUBLE, up, 1, &left, 1, MPI_DOUBLE, down, 1,
                 nereus_comm(job), MPI_STATUS_IGNORE);
    for (int64_t i = 0; i < count; i++)
        next[i] = ((i > 0 ? u[i - 1] : left) + u[i] + (i + 1 < count ? u[i + 1] : right)) / 3;
}

static void print_digest(const nereus_job *job, int u_id)
{
    void *part;
    int64_t count;
    double own_sum = 0, sum = 0;
    nereus_local(job, u_id, &part, NULL, &count);
    for (int64_t i = 0; i < count; i++)
        own_sum += ((double *)part)[i];
    MPI_Allreduce(&own_sum, &sum, 1, MPI_DOUBLE, MPI_SUM, nereus_comm(job));
    if (nereus_rank(job) == 0)
        printf("sum %.3f on %d processes\n", sum, nereus_size(job));
}

int main(int argc, char **argv)
{
    nereus_job *job;
    if (nereus_init(&argc, &argv, NULL, &job) != NEREUS_OK)
        return EXIT_FAILURE;
    int u_id, next_id, id;
    int64_t iteration = 0, first, count;
    if (nereus_register_array(job, "u", MPI_DOUBLE, NUMBERS, NEREUS_VARIABLE, &u_id) ||
        nereus_register_array(job, "next", MPI_DOUBLE, NUMBERS, NEREUS_VARIABLE, &next_id) ||
        nereus_register_replicated(job, "iteration", MPI_INT64_T, 1, NEREUS_VARIABLE, &iteration,
                                   &id))
        return EXIT_FAILURE;
    void *part;
    nereus_local(job, u_id, &part, &first, &count);
    for (int64_t i = 0; i < count && !nereus_is_received(job, u_id); i++)
        ((double *)part)[i] = (double)(first + i);
    enum nereus_action action = NEREUS_CONTINUE;
    while (iteration < LAST && action != NEREUS_LEAVE) {
        smooth_once(job, u_id, next_id);
        nereus_swap(job, u_id, next_id);
        iteration++;
        if (nereus_point(job, &action) != NEREUS_OK)
            return EXIT_FAILURE;
    }
    if (action != NEREUS_LEAVE)
        print_digest(job, u_id);
    return nereus_finalize(&job) == NEREUS_OK ? EXIT_SUCCESS : EXIT_FAILURE;
}
