/**
 * @file hangs.c
 * Programs that hang by a mistake of users, which is the argument.
 *
 *   hangs MISTAKE   points, points-root   rank 1, or rank 0, passes two points in an iteration
 *                   early, early-root     rank 1, or rank 0, leaves the loop early
 *                   early-alone           rank 0 does, and iterations have no communication
 *                   bcast, barrier        a collective between nereus_init and the loop
 *                   dup                   the same, and iterations have no communication
 *                   forgets               a joined process does not register the iteration counter
 *                   differs               rank 1 registers an array of another length
 *                   init                  rank 1 does not call nereus_init
 *                   slow FILE             the same, but rank 0 waits in its third one, for a file
 *                   none
 * Two processes become three at point 4.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "nereus/nereus.h"

enum { ITERATIONS = 8, EARLY = 2, LENGTH = 100 };

static const char *mistake;

static int is(const char *name)
{
    return strcmp(mistake, name) == 0;
}

/* What an ordinary MPI program does before its loop: here in joined processes, too, and alone. */
static void start_up(nereus_job *job)
{
    static MPI_Comm own;
    double input = 1;
    if (is("bcast"))
        MPI_Bcast(&input, 1, MPI_DOUBLE, 0, nereus_comm(job));
    if (is("barrier"))
        MPI_Barrier(nereus_comm(job));
    if (is("dup"))
        MPI_Comm_dup(nereus_comm(job), &own);
}

static void compute(const nereus_job *job, int64_t iteration, const char *file)
{
    double one = 1, sum;
    if (is("slow") && nereus_rank(job) == 0 && iteration == 2)
        while (access(file, F_OK) != 0)
            usleep(10000);
    if (!is("early-alone") && !is("slow") && !is("dup"))
        MPI_Allreduce(&one, &sum, 1, MPI_DOUBLE, MPI_SUM, nereus_comm(job));
}

static int leaves_early(const nereus_job *job, int64_t iteration)
{
    const int early = is("early") ? 1 : is("early-root") || is("early-alone") ? 0 : -1;
    return nereus_rank(job) == early && iteration == EARLY;
}

static int doubles_points(const nereus_job *job)
{
    return nereus_rank(job) == (is("points") ? 1 : is("points-root") ? 0 : -1);
}

static int run(nereus_job *job, int64_t *iteration, const char *file)
{
    enum nereus_action action = NEREUS_CONTINUE;
    while (*iteration < ITERATIONS && action != NEREUS_LEAVE && !leaves_early(job, *iteration)) {
        compute(job, *iteration, file);
        ++*iteration;
        if (nereus_point(job, &action) != NEREUS_OK)
            return 3;
        if (doubles_points(job) && nereus_point(job, &action) != NEREUS_OK)
            return 3;
    }
    return 0;
}

int main(int argc, char **argv)
{
    const struct nereus_resize schedule[] = {{.point = 4, .nt = 3, .method = "merge/coll"}};
    struct nereus_options options = NEREUS_OPTIONS_INIT;
    nereus_job *job;
    int64_t iteration = 0;
    int id, x, rank;
    mistake = argc > 1 ? argv[1] : "none";
    options.schedule = schedule;
    options.schedule_count = 1;
    if (is("init")) {
        MPI_Init(&argc, &argv);
        MPI_Comm_rank(MPI_COMM_WORLD, &rank);
        if (rank == 1)
            pause();
    }
    if (nereus_init(&argc, &argv, &options, &job) != NEREUS_OK)
        return 2;
    const int64_t length = is("differs") && nereus_rank(job) == 1 ? LENGTH + 1 : LENGTH;
    if (nereus_register_array(job, "x", MPI_DOUBLE, length, NEREUS_VARIABLE, &x) != NEREUS_OK)
        return 2;
    if ((!is("forgets") || !nereus_is_joined(job)) &&
        nereus_register_replicated(job, "iteration", MPI_INT64_T, 1, NEREUS_VARIABLE, &iteration,
                                   &id) != NEREUS_OK)
        return 2;
    start_up(job);
    const int status = run(job, &iteration, argc > 2 ? argv[2] : "");
    const char *sentence;
    if (is("differs") && nereus_last_outcome(job, &sentence) == NEREUS_OUTCOME_FAILED &&
        nereus_rank(job) == 0)
        fprintf(stderr, "outcome: %s\n", sentence);
    return nereus_finalize(&job) == NEREUS_OK ? status : 4;
}
