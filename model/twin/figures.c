/** @file figures.c  Describes a run of a program, and one of its twin, by comparable numbers. */

#include "model/statistics/statistics.h"
#include "twin.h"

struct nereus_twin_figures nereus_twin_figures(const struct nereus_twin *twin)
{
    const double mean_s = twin->times.total_iterations_s / (double)twin->iterations;
    return (struct nereus_twin_figures){
        .iteration_s = twin->times.median_s,
        .total_s = twin->times.total_iterations_s,
        .mpi_share = 1 - twin->times.program_computing_s / (double)(twin->iterations - 1) / mean_s};
}

/* Places of the first and the last mark.
 * @return number of marks */
static int64_t find_marks(const struct nereus_calls *calls, int64_t *first, int64_t *last)
{
    int64_t count = 0;
    for (int64_t i = 0; i < calls->count; i++) {
        if (calls->items[i].kind != NEREUS_CALL_MARK)
            continue;
        *first = count++ == 0 ? i : *first;
        *last = i;
    }
    return count;
}

static double find_median_between_marks_s(const struct nereus_calls *calls, int64_t first,
                                          double *scratch)
{
    int count = 0;
    for (int64_t i = first + 1, previous = first; i < calls->count; i++) {
        if (calls->items[i].kind != NEREUS_CALL_MARK)
            continue;
        scratch[count++] = nereus_calls_span_s(calls, previous + 1, i - previous);
        previous = i;
    }
    return nereus_median(scratch, count);
}

enum nereus_status nereus_twin_figures_of_marks(const struct nereus_calls *ranks, int count,
                                                int64_t iterations,
                                                struct nereus_twin_figures *figures,
                                                struct nereus_error *err)
{
    double share = 0, mean_s = 0, median_s = 0;
    for (int r = 0; r < count; r++) {
        int64_t first = 0, last = 0;
        const int64_t marks = find_marks(&ranks[r], &first, &last);
        if (marks < 3)
            return nereus_fail(err, NEREUS_ERR_NO_BASIS, "the twin has fewer than 3 iterations");
        const double span_s = nereus_calls_span_s(&ranks[r], first + 1, last - first);
        share += 1 - nereus_calls_gaps_s(&ranks[r], first + 1, last - first) / span_s;
        if (r > 0)
            continue;
        double *scratch = malloc((size_t)marks * sizeof *scratch);
        NEREUS_TRY_MEMORY(scratch, err, "for %lld iterations", (long long)marks);
        median_s = find_median_between_marks_s(&ranks[0], first, scratch);
        free(scratch);
        mean_s = span_s / (double)(marks - 1);
    }
    *figures = (struct nereus_twin_figures){.iteration_s = median_s,
                                            .total_s = mean_s * (double)iterations,
                                            .mpi_share = share / count};
    return NEREUS_OK;
}
