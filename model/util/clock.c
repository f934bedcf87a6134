/** @file clock.c  Seconds of the monotonic clock, which no correction of the time of day moves. */
#include "clock.h"

#include <time.h>

double nereus_clock_s(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}
