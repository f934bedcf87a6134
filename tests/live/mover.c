/**
 * @file mover.c
 * Data that the application moves itself (round_robin.h); a change that fails in one of its
 * functions must be rolled back, and the next one must find the data as it was.
 *
 *   mover METHOD           changes to 4, 1 and 3 processes
 *   mover METHOD WHAT:RANK the first change fails: prepare, move or write in that rank of the
 *                          sources (a new process: +rank among the targets, also in read), or bytes
 *                          in that rank
 *   mover lacks            new processes have no mover: only the change to 1 can be carried out
 *   mover unfinished       a struct without functions: nereus_init fails
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "nereus/nereus.h"
#include "round_robin.h"

enum { NUMBERS = 10007, LAST = 16 };

struct state {
    nereus_job *job;
    struct round_robin data;
    int64_t iteration;
};

/* @return false: this process is no longer needed */
static bool loop(struct state *s)
{
    enum nereus_action action = NEREUS_CONTINUE;
    while (s->iteration < LAST) {
        round_robin_iterate(&s->data);
        s->iteration++;
        if (nereus_point(s->job, &action) != NEREUS_OK)
            MPI_Abort(MPI_COMM_WORLD, EXIT_FAILURE);
        if (action == NEREUS_LEAVE)
            return false;
        round_robin_check(&s->data, s->iteration);
        if (s->iteration == 6)
            s->data.failing = 0;
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
    round_robin_fill(&s->data);
}

int main(int argc, char **argv)
{
    const struct nereus_resize schedule[] = {
        {.point = 4, .nt = 4}, {.point = 8, .nt = 1}, {.point = 12, .nt = 3}};
    struct state s = {.data = {.numbers = NUMBERS, .fails = argc > 2 ? argv[2] : ""}};
    struct nereus_mover mover = round_robin_mover(&s.data);
    struct nereus_options options = NEREUS_OPTIONS_INIT;
    const bool lacks = argc > 1 && strcmp(argv[1], "lacks") == 0;
    if (argc < 2)
        return EXIT_FAILURE;
    if (strcmp(argv[1], "unfinished") == 0)
        mover.end = NULL;
    /* The first change is over at iteration 6, whoever joins or not. */
    const bool is_new = nereus_will_join() || getenv("NEREUS_RESTART") != NULL;
    s.data.failing = s.data.fails[0] != '\0' && !(is_new && strchr(s.data.fails, '+') == NULL);
    options.schedule = schedule;
    options.schedule_count = 3;
    options.method = lacks || !mover.end ? "merge/coll" : argv[1];
    options.mover = lacks && nereus_will_join() ? NULL : &mover;
    if (nereus_init(&argc, &argv, &options, &s.job) != NEREUS_OK)
        return EXIT_FAILURE;
    s.data.job = s.job;
    register_all(&s);
    const bool stays = loop(&s);
    const int64_t expected = lacks ? 1 : 3 - (s.data.fails[0] != '\0');
    s.data.errors += s.data.prepared != s.data.ended;
    s.data.errors += stays && nereus_reconfigurations(s.job) != expected;
    if (stays && nereus_rank(s.job) == 0)
        printf("%d processes, %d reconfigurations, %" PRId64 " prepared, wrong %" PRId64 "\n",
               nereus_size(s.job), (int)nereus_reconfigurations(s.job), s.data.prepared,
               s.data.errors);
    free(s.data.own_numbers);
    return nereus_finalize(&s.job) == NEREUS_OK && s.data.errors == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
