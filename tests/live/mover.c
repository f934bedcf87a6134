/*
 * Data that the application moves itself: round-robin numbers, so no ranges; a change that fails in
 * one of its functions must be taken back, and the next one must find the data as it was.
 *
 *   mover METHOD           changes to 4, 1 and 3 processes
 *   mover METHOD WHAT:RANK the first change fails: prepare or move in that rank of the sources (a
 *                          new process: +rank among the targets), or bytes in that rank
 *   mover lacks            new processes have no mover: only the change to 1 can be carried out
 *   mover unfinished       a struct without functions: nereus_init fails
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "nereus/nereus.h"

enum { NUMBERS = 10007, LAST = 16 };

struct state {
    nereus_job *job;
    int64_t *mine, *coming;           /* numbers rank, rank + size, ... of all */
    int64_t prepared, ended, changes; /* calls in this process; changes that were committed */
    const char *fails;                /* "prepare:1", or "" */
    int failing;                      /* 1 until the first change is over */
    int64_t iteration, wrong;
};

static int64_t count_of(int rank, int size)
{
    return rank < 0 ? 0 : (NUMBERS - rank + size - 1) / size;
}

static int fails_here(struct state *s, const char *what, const struct nereus_regroup *group)
{
    char wanted[40];
    if (group->source >= 0)
        snprintf(wanted, sizeof wanted, "%s:%d", what, group->source);
    else
        snprintf(wanted, sizeof wanted, "%s:+%d", what, group->target);
    return s->failing && strcmp(wanted, s->fails) == 0;
}

static int64_t bytes(void *user, int ns, int nt)
{
    const struct state *s = user;
    if (s->failing && strncmp(s->fails, "bytes:", 6) == 0 &&
        atoi(s->fails + 6) == nereus_rank(s->job))
        return -1;
    return ns > 0 && nt > 0 ? (int64_t)NUMBERS * 8 : -1;
}

static enum nereus_status prepare(void *user, const struct nereus_regroup *group)
{
    struct state *s = user;
    s->prepared++;
    s->wrong += group->comm != MPI_COMM_NULL || s->coming != NULL;
    if (fails_here(s, "prepare", group))
        return NEREUS_ERR_MEMORY;
    s->coming = calloc(NUMBERS + 1, sizeof *s->coming);
    return s->coming == NULL ? NEREUS_ERR_MEMORY : NEREUS_OK;
}

/* Each number by itself: number k is of source k mod ns, and of target k mod nt. */
static enum nereus_status move(void *user, const struct nereus_regroup *group)
{
    struct state *s = user;
    MPI_Request *requests = malloc(2 * (NUMBERS + 1) * sizeof *requests);
    int count = 0;
    if (requests == NULL)
        MPI_Abort(MPI_COMM_WORLD, EXIT_FAILURE);
    for (int k = group->target; group->target >= 0 && k < NUMBERS; k += group->nt)
        MPI_Irecv(&s->coming[k / group->nt], 1, MPI_INT64_T, k % group->ns, 1, group->comm,
                  &requests[count++]);
    for (int k = group->source; group->source >= 0 && k < NUMBERS; k += group->ns)
        MPI_Isend(&s->mine[k / group->ns], 1, MPI_INT64_T, group->target_ranks[k % group->nt], 1,
                  group->comm, &requests[count++]);
    MPI_Waitall(count, requests, MPI_STATUSES_IGNORE);
    free(requests);
    return fails_here(s, "move", group) ? NEREUS_ERR_IO : NEREUS_OK;
}

static void end(void *user, const struct nereus_regroup *group, bool committed)
{
    struct state *s = user;
    s->ended++;
    if (committed) {
        free(s->mine);
        s->mine = group->target >= 0 ? s->coming : NULL;
        s->changes++;
    }
    if (!committed || group->target < 0)
        free(s->coming);
    s->coming = NULL;
}

static void check(struct state *s)
{
    const int rank = nereus_rank(s->job), size = nereus_size(s->job);
    const int64_t count = count_of(rank, size);
    for (int64_t i = 0; i < count; i++)
        if (s->mine[i] != 100 * (rank + i * size) + s->iteration) {
            if (s->wrong++ < 3)
                fprintf(stderr,
                        "mover: rank %d of %d, iteration %" PRId64 ": %" PRId64 " at %" PRId64 "\n",
                        rank, size, s->iteration, s->mine[i], i);
            return;
        }
}

static void iterate(struct state *s)
{
    const int64_t count = count_of(nereus_rank(s->job), nereus_size(s->job));
    for (int64_t i = 0; i < count; i++)
        s->mine[i]++;
    s->iteration++;
}

/* @return false: this process is no longer needed */
static bool loop(struct state *s)
{
    enum nereus_action action = NEREUS_CONTINUE;
    while (s->iteration < LAST) {
        iterate(s);
        if (nereus_point(s->job, &action) != NEREUS_OK)
            MPI_Abort(MPI_COMM_WORLD, EXIT_FAILURE);
        if (action == NEREUS_LEAVE)
            return false;
        check(s);
        if (s->iteration == 6)
            s->failing = 0;
    }
    return true;
}

static void register_all(struct state *s)
{
    int id;
    if (nereus_register_replicated(s->job, "iteration", MPI_INT64_T, 1, NEREUS_VARIABLE,
                                   &s->iteration, &id) != NEREUS_OK)
        MPI_Abort(MPI_COMM_WORLD, EXIT_FAILURE);
    if (nereus_is_received(s->job, id))
        return;
    s->mine = calloc(NUMBERS + 1, sizeof *s->mine);
    for (int64_t i = 0; i < count_of(nereus_rank(s->job), nereus_size(s->job)); i++)
        s->mine[i] = 100 * (nereus_rank(s->job) + i * nereus_size(s->job));
}

int main(int argc, char **argv)
{
    const struct nereus_resize schedule[] = {
        {.point = 4, .nt = 4}, {.point = 8, .nt = 1}, {.point = 12, .nt = 3}};
    struct state s = {.fails = argc > 2 ? argv[2] : ""};
    struct nereus_mover mover = {sizeof mover, bytes, prepare, move, end, &s};
    struct nereus_options options = NEREUS_OPTIONS_INIT;
    const bool lacks = argc > 1 && strcmp(argv[1], "lacks") == 0;
    if (argc < 2)
        return EXIT_FAILURE;
    if (strcmp(argv[1], "unfinished") == 0)
        mover.end = NULL;
    /* The first change is over at iteration 6, whoever joins or not. */
    s.failing = s.fails[0] != '\0' && !(nereus_will_join() && strchr(s.fails, '+') == NULL);
    options.schedule = schedule;
    options.schedule_count = 3;
    options.method = lacks || !mover.end ? "merge/coll" : argv[1];
    options.mover = lacks && nereus_will_join() ? NULL : &mover;
    if (nereus_init(&argc, &argv, &options, &s.job) != NEREUS_OK)
        return EXIT_FAILURE;
    register_all(&s);
    const bool stays = loop(&s);
    const int64_t expected = lacks ? 1 : 3 - (s.fails[0] != '\0');
    s.wrong += s.prepared != s.ended;
    s.wrong += stays && nereus_reconfigurations(s.job) != expected;
    if (stays && nereus_rank(s.job) == 0)
        printf("%d processes, %d reconfigurations, %" PRId64 " prepared, wrong %" PRId64 "\n",
               nereus_size(s.job), (int)nereus_reconfigurations(s.job), s.prepared, s.wrong);
    free(s.mine);
    return nereus_finalize(&s.job) == NEREUS_OK && s.wrong == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
