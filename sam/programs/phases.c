/*
 * Two phases, each a loop of its own with malleability points, and collectives before each: a
 * process that joins in phase 2 skips phase 1 and all start-up code. How it gets there:
 *
 * - the loops' counters are registered, so that the loop of a phase that is over ends at once;
 * - what has to be done once, by all processes that are there (collectives, first values), is done
 *   if its data is not received (nereus_is_received);
 * - what phase 2 needs is registered when phase 2 begins, in all processes alike.
 *
 * The last point of phase 1 is the malleability point at the beginning of phase 2. Argument: the
 * method of the changes of size, or "none". Phase 1 takes 20 iterations and continues with 4
 * processes after 5; phase 2 begins with 3, one of which joined in phase 1, and continues with 1, 4
 * (with merge, one fell asleep in phase 1) and 2.
 */
#include <mpi.h>
#include <nereus.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "digest.h"

enum { VALUES = 50021, PHASE_1 = 20, PHASE_2 = 25 };

struct work {
    nereus_job *job;
    int x_id, sum_id;
    int64_t first_loop, second_loop; /* iterations done */
    double largest;                  /* largest value of phase 1, a parameter of phase 2 */
};

static void must_succeed(const struct work *w, enum nereus_status status)
{
    if (status == NEREUS_OK)
        return;
    fprintf(stderr, "phases: %s\n", nereus_last_error(w->job));
    MPI_Abort(MPI_COMM_WORLD, EXIT_FAILURE);
}

static double *get_part(const struct work *w, int id, int64_t *first, int64_t *count)
{
    void *part;
    must_succeed(w, nereus_local(w->job, id, &part, first, count));
    return part;
}

/* ---- phase 1: a chaotic map ------------------------------------------------------------------ */

static void begin_phase_1(struct work *w)
{
    int64_t first, count;
    int id;
    must_succeed(w,
                 nereus_register_array(w->job, "x", MPI_DOUBLE, VALUES, NEREUS_VARIABLE, &w->x_id));
    must_succeed(w, nereus_register_replicated(w->job, "first loop", MPI_INT64_T, 1,
                                               NEREUS_VARIABLE, &w->first_loop, &id));
    if (nereus_is_received(w->job, w->x_id))
        return;
    double *x = get_part(w, w->x_id, &first, &count);
    for (int64_t i = 0; i < count; i++)
        x[i] = ((double)(first + i) + 0.5) / VALUES;
    MPI_Barrier(nereus_comm(w->job));
}

static void iterate_1(const struct work *w)
{
    int64_t count;
    double *x = get_part(w, w->x_id, NULL, &count);
    for (int64_t i = 0; i < count; i++)
        x[i] = 3.9 * x[i] * (1 - x[i]);
}

/* ---- phase 2: sums of it, with a parameter that only all processes together know ------------- */

static void begin_phase_2(struct work *w)
{
    int64_t count;
    double mine = 0;
    int largest_id, id;
    must_succeed(
        w, nereus_register_array(w->job, "sum", MPI_DOUBLE, VALUES, NEREUS_VARIABLE, &w->sum_id));
    must_succeed(w, nereus_register_replicated(w->job, "second loop", MPI_INT64_T, 1,
                                               NEREUS_VARIABLE, &w->second_loop, &id));
    must_succeed(w, nereus_register_replicated(w->job, "largest", MPI_DOUBLE, 1, NEREUS_VARIABLE,
                                               &w->largest, &largest_id));
    if (nereus_is_received(w->job, largest_id))
        return;
    const double *x = get_part(w, w->x_id, NULL, &count);
    for (int64_t i = 0; i < count; i++)
        mine = x[i] > mine ? x[i] : mine;
    MPI_Allreduce(&mine, &w->largest, 1, MPI_DOUBLE, MPI_MAX, nereus_comm(w->job));
}

static void iterate_2(const struct work *w)
{
    int64_t count;
    double *x = get_part(w, w->x_id, NULL, &count), *sum = get_part(w, w->sum_id, NULL, &count);
    for (int64_t i = 0; i < count; i++) {
        x[i] = 3.7 * x[i] * (1 - x[i] / w->largest);
        sum[i] += x[i];
    }
}

/* ---- both ------------------------------------------------------------------------------------ */

/* @return false: this process is no longer needed */
static bool run_loops(struct work *w)
{
    enum nereus_action action = NEREUS_CONTINUE;
    begin_phase_1(w);
    while (w->first_loop < PHASE_1 && action != NEREUS_LEAVE) {
        iterate_1(w);
        w->first_loop++;
        must_succeed(w, nereus_point(w->job, &action));
    }
    if (action == NEREUS_LEAVE)
        return false;
    begin_phase_2(w);
    while (w->second_loop < PHASE_2 && action != NEREUS_LEAVE) {
        iterate_2(w);
        w->second_loop++;
        must_succeed(w, nereus_point(w->job, &action));
    }
    return action != NEREUS_LEAVE;
}

static void print_sums(const struct work *w)
{
    int64_t first, count;
    const double *sum = get_part(w, w->sum_id, &first, &count);
    const uint64_t answer = digest(sum, first, count, nereus_comm(w->job));
    if (nereus_rank(w->job) == 0)
        printf("answer %016llx, processes %d, changes of size %d\n", (unsigned long long)answer,
               nereus_size(w->job), (int)nereus_reconfigurations(w->job));
}

int main(int argc, char **argv)
{
    const struct nereus_resize schedule[] = {{.point = 5, .nt = 4},
                                             {.point = PHASE_1, .nt = 3},
                                             {.point = PHASE_1 + 5, .nt = 1},
                                             {.point = PHASE_1 + 10, .nt = 4},
                                             {.point = PHASE_1 + 15, .nt = 2}};
    const bool resizes = argc < 2 || strcmp(argv[1], "none") != 0;
    struct nereus_options options = NEREUS_OPTIONS_INIT;
    struct work w = {0};
    options.schedule = schedule;
    options.schedule_count = resizes ? 5 : 0;
    options.method = resizes && argc > 1 ? argv[1] : NULL;
    if (nereus_init(&argc, &argv, &options, &w.job) != NEREUS_OK)
        return EXIT_FAILURE;
    if (run_loops(&w))
        print_sums(&w);
    return nereus_finalize(&w.job) == NEREUS_OK ? EXIT_SUCCESS : EXIT_FAILURE;
}
