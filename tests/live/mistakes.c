/**
 * @file mistakes.c
 * Programs that are wrong after a change of size, without a word; NEREUS_CHECK=1 finds the mistake,
 * which is the argument.
 *
 *   mistakes MISTAKE [METHOD]
 *                      part       uses a part that it asked for before
 *                      constant   writes constant data while it moves (the outcome is said)
 *                      world, copy   a sum over MPI_COMM_WORLD, or over a duplicate of it
 *                      points     rank 1 passes one point more at the end
 *                      pack       packs more than `bytes` has said (the outcome is said)
 *                      beyond     writes behind the end of its part, before the change
 *                      later      the same after the change
 *                      field      a field of another type in rank 1, whose halo is exchanged (without
 *                                 NEREUS_CHECK, too)
 *                      apart      rank 1 is at a point while the others exchange a halo
 *                      none
 * Two processes become three at point 4; the sums of the others are checked.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "nereus/nereus.h"

enum { ITERATIONS = 20, LENGTH = 1000 };

static const char *mistake;
static MPI_Comm copy = MPI_COMM_NULL;

static int is(const char *name)
{
    return strcmp(mistake, name) == 0;
}

static int64_t bytes_of_list(void *user, int64_t first, int64_t count)
{
    (void)user;
    return first < 0 ? -1 : 8 * count;
}

static void pack_list(void *user, int64_t first, int64_t count, void *buffer, int64_t bytes)
{
    (void)user;
    (void)first;
    memset(buffer, 7, (size_t)(bytes + (is("pack") && count > 0 ? 8 : 0)));
}

static enum nereus_status unpack_list(void *user, int64_t first, int64_t count, const void *buffer,
                                      int64_t bytes)
{
    (void)user;
    (void)buffer;
    return first >= 0 && bytes == 8 * count ? NEREUS_OK : NEREUS_ERR_MISMATCH;
}

static enum nereus_status register_list(nereus_job *job)
{
    struct nereus_custom calls = NEREUS_CUSTOM_INIT;
    int id;
    calls.bytes = bytes_of_list;
    calls.pack = pack_list;
    calls.unpack = unpack_list;
    return nereus_register_custom(job, "list", LENGTH, NEREUS_BY_LENGTH, &calls, NEREUS_VARIABLE,
                                  &id);
}

static double sum_of(const nereus_job *job, double *part, int64_t count)
{
    const MPI_Comm comm = is("world") ? MPI_COMM_WORLD : is("copy") ? copy : nereus_comm(job);
    double own_sum = 0, sum = 0;
    for (int64_t i = 0; i < count; i++)
        own_sum += part[i];
    MPI_Allreduce(&own_sum, &sum, 1, MPI_DOUBLE, MPI_SUM, comm);
    return sum;
}

static void fill(const nereus_job *job, int x)
{
    void *part;
    int64_t first, count;
    nereus_local(job, x, &part, &first, &count);
    for (int64_t i = 0; i < count; i++)
        ((double *)part)[i] = (double)(first + i);
}

/*
 * Iterates until the reconfiguration is complete, and some more.
 * @return 0, or 1: a sum differs
 */
static int run(nereus_job *job, int x, int64_t *iteration)
{
    const double expected = LENGTH * (LENGTH - 1) / 2.0;
    enum nereus_action action = NEREUS_CONTINUE;
    void *part;
    int64_t count;
    int failed = 0;
    nereus_local(job, x, &part, NULL, &count);
    while (action != NEREUS_LEAVE &&
           (*iteration < ITERATIONS || nereus_last_outcome(job, NULL) == NEREUS_OUTCOME_PENDING)) {
        const double sum = sum_of(job, part, count);
        failed = failed || (sum != expected && !is("world") && !is("copy") && !is("constant"));
        if (is("constant") && count > 0)
            ((double *)part)[0] += 1;
        if ((is("beyond") || (is("later") && *iteration > 10)) && nereus_rank(job) == 1)
            ((double *)part)[count] = 1;
        ++*iteration;
        if (nereus_point(job, &action) != NEREUS_OK)
            return 1;
        if (action == NEREUS_RESIZED && !is("part"))
            nereus_local(job, x, &part, NULL, &count);
    }
    return failed;
}

/* @return 0: both processes get the error */
static int exchange_differently(nereus_job *job)
{
    struct nereus_grid grid = NEREUS_GRID_INIT;
    int id, field;
    grid.dimensions = 1;
    grid.n[0] = LENGTH;
    grid.halo[0] = 1;
    if (nereus_register_grid(job, "space", &grid, &id) != NEREUS_OK ||
        nereus_register_field(job, "u",
                              is("field") && nereus_rank(job) == 1 ? MPI_FLOAT : MPI_DOUBLE, id,
                              NEREUS_VARIABLE, &field) != NEREUS_OK)
        return 2;
    enum nereus_action action;
    const enum nereus_status status = is("apart") && nereus_rank(job) == 1
                                          ? nereus_point(job, &action)
                                          : nereus_grid_exchange(job, field);
    fprintf(stderr, "exchange: %s\n", nereus_last_error(job));
    nereus_finalize(&job);
    return status == NEREUS_ERR_MISMATCH ? 0 : 1;
}

int main(int argc, char **argv)
{
    struct nereus_resize schedule[] = {{.point = 4, .nt = 3, .method = "merge/coll"}};
    struct nereus_options options = NEREUS_OPTIONS_INIT;
    nereus_job *job;
    int64_t iteration = 0;
    int id, x;
    const char *sentence;
    mistake = argc > 1 ? argv[1] : "none";
    if (is("constant"))
        schedule[0].method = "merge/coll-waittargets";
    if (argc > 2)
        schedule[0].method = argv[2];
    options.schedule = schedule;
    options.schedule_count = 1;
    MPI_Init(&argc, &argv);
    MPI_Comm_dup(MPI_COMM_WORLD, &copy);
    const enum nereus_status begun = nereus_init(&argc, &argv, &options, &job);
    if (begun != NEREUS_OK) {
        MPI_Finalize();
        return begun == NEREUS_ERR_CANCELLED ? 0 : 2;
    }
    if (nereus_register_array(job, "x", MPI_DOUBLE, LENGTH,
                              is("constant") ? NEREUS_CONSTANT : NEREUS_VARIABLE,
                              &x) != NEREUS_OK ||
        nereus_register_replicated(job, "iteration", MPI_INT64_T, 1, NEREUS_VARIABLE, &iteration,
                                   &id) != NEREUS_OK ||
        register_list(job) != NEREUS_OK)
        return 2;
    if (is("field") || is("apart")) {
        const int told = exchange_differently(job);
        MPI_Finalize();
        return told;
    }
    if (!nereus_is_joined(job))
        fill(job, x);
    const int failed = run(job, x, &iteration);
    if (nereus_last_outcome(job, &sentence) == NEREUS_OUTCOME_FAILED && nereus_rank(job) == 0)
        fprintf(stderr, "outcome: %s\n", sentence);
    enum nereus_action action;
    if (is("points") && nereus_rank(job) == 1)
        nereus_point(job, &action);
    const int status = nereus_finalize(&job) == NEREUS_OK ? failed : 4;
    MPI_Comm_free(&copy);
    MPI_Finalize();
    return status;
}
