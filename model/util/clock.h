/** @file clock.h  The clock of all measured times. */
#ifndef NEREUS_CLOCK_H
#define NEREUS_CLOCK_H

/** CLOCK_MONOTONIC: never goes back; the same for all processes of a host. */
double nereus_clock_s(void);

#endif
