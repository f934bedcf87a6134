/** @file clock.h  The clock of measured times, and that of the wall. */
#ifndef NEREUS_MODEL_UTIL_CLOCK_H
#define NEREUS_MODEL_UTIL_CLOCK_H

/** CLOCK_MONOTONIC: never goes back; the same for all processes of a host. */
double nereus_clock_s(void);

/** Seconds since 1970: comparable between hosts as far as their clocks agree, and with times in
 * files. */
double nereus_wall_clock_s(void);

#endif
