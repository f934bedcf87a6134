/** @file clock.h  Reads the monotonic clock of this host, and wall-clock time; sleeps. */
#pragma once

#include <time.h>

#include "model/util/base.h"

/** Seconds of a clock of clock_gettime(2), such as that of the CPU time of this thread. */
double nereus_read_clock_s(clockid_t clock);

/** CLOCK_MONOTONIC: never goes back; the same for all processes of a host. */
double nereus_monotonic_s(void);

/** Seconds since 1970: comparable between hosts as far as their clocks agree, and with times in
 * files. */
double nereus_wall_clock_s(void);

/** Sleep so long, or until a signal comes. */
void nereus_sleep_s(double seconds);
