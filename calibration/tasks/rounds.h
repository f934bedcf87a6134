/**
 * @file rounds.h
 * Repeats a short operation for a given time. Errors: MPI's error handler aborts the job.
 */
#pragma once

#include <mpi.h>

/** What is measured. */
struct nereus_rounds {
    MPI_Comm comm;             /**< of all participants, which start together */
    void (*round)(void *user); /**< timed until all have left it */
    void (*after)(void *user); /**< after a round, not timed; may be NULL */
    void *user;
    double seconds; /**< total time; but a few rounds at least */
};

/**
 * The median over rounds; the first round is a warm-up. Collective, the same in every process.
 * @param[out] done  how many
 */
double nereus_rounds_median_s(const struct nereus_rounds *rounds, int *done);
