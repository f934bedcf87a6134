/**
 * @file rounds.h
 * A short thing, measured over and over for a moment.
 */
#ifndef NEREUS_CALIBRATION_ROUNDS_H
#define NEREUS_CALIBRATION_ROUNDS_H

#include <mpi.h>

/** What is measured. */
struct nereus_rounds {
    MPI_Comm comm;             /**< of all that take part: they arrive together */
    void (*round)(void *user); /**< its time counts until all have left it */
    void (*after)(void *user); /**< behind a round, and not of its time; may be NULL */
    void *user;
    double seconds; /**< so long, but some rounds at least */
};

/** The median over rounds; the first one warms up. Collective, the same in every process. @param[out] done  how many */
double nereus_rounds_median_s(const struct nereus_rounds *rounds, int *done);

#endif
