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

/* Find the first and the last mark.
 * @param[out] times_s  of the iterations between marks; NULL: not wanted
 * @return number of marks */
static int64_t find_marks(const struct nereus_calls *calls, int64_t *first, int64_t *last,
                          double *times_s)
{
    int64_t count = 0;
    for (int64_t i = 0; i < calls->count; i++) {
        if (calls->items[i].kind != NEREUS_CALL_MARK)
            continue;
        if (count > 0 && times_s != NULL)
            times_s[count - 1] = nereus_calls_span_s(calls, *last + 1, i - *last);
        *first = count++ == 0 ? i : *first;
        *last = i;
    }
    return count;
}

enum nereus_status nereus_twin_figures_of_marks(const struct nereus_calls *ranks, int count,
                                                int64_t iterations,
                                                struct nereus_twin_figures *figures,
                                                struct nereus_error *err)
{
    double *times_s = malloc(((size_t)ranks[0].count + 1) * sizeof *times_s);
    enum nereus_status status = NEREUS_OK;
    NEREUS_TRY_MEMORY(times_s, err, "for %lld calls", (long long)ranks[0].count);
    struct nereus_twin_figures found = {0};
    for (int r = 0; r < count && status == NEREUS_OK; r++) {
        int64_t first = 0, last = 0;
        const int64_t marks = find_marks(&ranks[r], &first, &last, r == 0 ? times_s : NULL);
        if (marks < 3) {
            status = nereus_fail(err, NEREUS_ERR_NO_BASIS, "the twin has fewer than 3 iterations");
            continue;
        }
        const double span_s = nereus_calls_span_s(&ranks[r], first + 1, last - first),
                     gaps_s = nereus_calls_gaps_s(&ranks[r], first + 1, last - first);
        found.mpi_share += (1 - gaps_s / span_s) / count;
        if (r == 0) {
            found.iteration_s = nereus_median(times_s, (int)marks - 1);
            found.total_s = span_s / (double)(marks - 1) * (double)iterations;
        }
    }
    free(times_s);
    if (status == NEREUS_OK)
        *figures = found;
    return status;
}
