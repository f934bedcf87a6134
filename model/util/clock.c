/** @file clock.c  Sleeps, and reads seconds of the monotonic clock, which no correction of the time
 * of day moves. */
#include "clock.h"

double nereus_read_clock_s(clockid_t clock)
{
    struct timespec now;
    clock_gettime(clock, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

double nereus_monotonic_s(void)
{
    return nereus_read_clock_s(CLOCK_MONOTONIC);
}

double nereus_wall_clock_s(void)
{
    return nereus_read_clock_s(CLOCK_REALTIME);
}

void nereus_sleep_s(double seconds)
{
    const time_t whole_s = (time_t)seconds; /* without libm, which the guard does without */
    const struct timespec length = {whole_s, (long)((seconds - (double)whole_s) * 1e9)};
    nanosleep(&length, NULL);
}
