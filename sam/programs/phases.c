/*
 * Two phases, each a loop of its own with malleability points, and collectives before each: a
 * process that joins in phase 2 skips phase 1 and all start-up code. How it gets there:
 *
 * - the loops' counters are registered, so that the loop of a phase that is over ends at once;
 * - what has to be done once, by all processes that are there (collectives, first values), is done
 *   if its data is not received (nereus_is_received);
 * - what phase 2 needs is registered when phase 2 begins, in all processes alike.
 *
 * The last point of phase 1, the 20th, is the malleability point at the beginning of phase 2, which
 * has 25. Here phase 2 begins with 3 processes, one of which joined in phase 1, and goes on with 1,
 * 4 (with merge, one fell asleep in phase 1) and 2:
 *
 *     NEREUS_SCHEDULE=4@5,3@20,1@25,4@30,2@35 nereus-mpiexec -n 2 nereus-phases
 */
#include <mpi.h>
#include <nereus.h>
#include <stdint.h>
#include <stdlib.h>

#include "digest.h"
#include "example.h"

enum { VALUES = 50021, PHASE_1 = 20, PHASE_2 = 25 };

struct work {
    nereus_job *job;
    int x_id, sum_id;
    int64_t first_loop, second_loop; /* iterations done */
    double largest;                  /* largest value of phase 1, a parameter of phase 2 */
};

static double *get_part(const struct work *w, int id, int64_t *first, int64_t *count)
{
    void *part;
    example_check(w->job, nereus_local(w->job, id, &part, first, count));
    return part;
}

/* ---- phase 1: a chaotic map ------------------------------------------------------------------ */

static void begin_phase_1(struct work *w)
{
    int64_t first, count;
    int id;
    example_check(
        w->job, nereus_register_array(w->job, "x", MPI_DOUBLE, VALUES, NEREUS_VARIABLE, &w->x_id));
    example_check(w->job, nereus_register_replicated(w->job, "first loop", MPI_INT64_T, 1,
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
    double own_max = 0;
    int largest_id, id;
    example_check(w->job, nereus_register_array(w->job, "sum", MPI_DOUBLE, VALUES, NEREUS_VARIABLE,
                                                &w->sum_id));
    example_check(w->job, nereus_register_replicated(w->job, "second loop", MPI_INT64_T, 1,
                                                     NEREUS_VARIABLE, &w->second_loop, &id));
    example_check(w->job, nereus_register_replicated(w->job, "largest", MPI_DOUBLE, 1,
                                                     NEREUS_VARIABLE, &w->largest, &largest_id));
    if (nereus_is_received(w->job, largest_id))
        return;
    const double *x = get_part(w, w->x_id, NULL, &count);
    for (int64_t i = 0; i < count; i++)
        own_max = x[i] > own_max ? x[i] : own_max;
    MPI_Allreduce(&own_max, &w->largest, 1, MPI_DOUBLE, MPI_MAX, nereus_comm(w->job));
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
        example_check(w->job, nereus_point(w->job, &action));
    }
    if (action == NEREUS_LEAVE)
        return false;
    begin_phase_2(w);
    while (w->second_loop < PHASE_2 && action != NEREUS_LEAVE) {
        iterate_2(w);
        w->second_loop++;
        example_check(w->job, nereus_point(w->job, &action));
    }
    return action != NEREUS_LEAVE;
}

static void print_sums(const struct work *w)
{
    int64_t first, count;
    const double *sum = get_part(w, w->sum_id, &first, &count);
    example_print(w->job, digest(sum, first, count, nereus_comm(w->job)));
}

int main(int argc, char **argv)
{
    struct work w = {0};
    if (nereus_init(&argc, &argv, NULL, &w.job) != NEREUS_OK)
        return EXIT_FAILURE;
    if (run_loops(&w))
        print_sums(&w);
    return nereus_finalize(&w.job) == NEREUS_OK ? EXIT_SUCCESS : EXIT_FAILURE;
}
