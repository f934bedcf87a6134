/** @file rounds.c  Repeats rounds until a time is over, the same number in every process. */
#include "rounds.h"

#include <gsl/gsl_statistics_double.h>

#include "model/util/clock.h"
#include "step_time.h"

enum { ROUNDS_MIN = 3, ROUNDS_MAX = 200 };

double nereus_rounds_median_s(const struct nereus_rounds *rounds, int *done)
{
    double times_s[ROUNDS_MAX], sum_s = 0;
    int count = -1; /* all processes have the same times, so that they end together */
    while (count < ROUNDS_MIN || (count < ROUNDS_MAX && sum_s < rounds->seconds)) {
        MPI_Barrier(rounds->comm);
        struct nereus_step_interval interval = {.arrival_s = nereus_monotonic_s()};
        rounds->round(rounds->user);
        interval.departure_s = nereus_monotonic_s();
        const double time_s = nereus_step_compute_time_s(interval, rounds->comm);
        if (rounds->after != NULL)
            rounds->after(rounds->user);
        if (count >= 0) {
            times_s[count] = time_s;
            sum_s += time_s;
        }
        count++;
    }
    *done = count;
    return gsl_stats_median(times_s, 1, (size_t)count);
}
