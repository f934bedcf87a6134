/** @file clock.h  The clock that all times of measurements are taken with. */
#ifndef NEREUS_CLOCK_H
#define NEREUS_CLOCK_H

/** Seconds of CLOCK_MONOTONIC: it never goes back, and all processes of a host share it. */
double nereus_clock_s(void);

#endif
