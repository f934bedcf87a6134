/**
 * @file twin.h
 * A configuration of the synthetic application that computes as long in an iteration as a watched
 * program, process by process, and calls MPI with as many bytes.
 */
#ifndef NEREUS_MODEL_TWIN_TWIN_H
#define NEREUS_MODEL_TWIN_TWIN_H

#include <stdio.h>

#include "calls.h"

enum { NEREUS_TWIN_STAGES_MAX = 64, NEREUS_TWIN_RANKS_MAX = 64 };

struct nereus_twin_stage {
    const char *type; /**< "pi", "allreduce", ... */
    int64_t bytes;    /**< communication */
    double compute_s;
    double *by_rank_s; /**< indexed by process; owned */
};

struct nereus_twin {
    struct nereus_twin_stage stages[NEREUS_TWIN_STAGES_MAX];
    int stage_count;
    int processes;
    int64_t iterations;
    double quantile;                        /**< of the iterations, for all times */
    double iteration_s;                     /**< measured by rank 0 */
    double compute_s;                       /**< outside MPI, mean over the processes */
    double *total_s;                        /**< indexed by process; owned */
    double coreless_s;                      /**< waiting for a core, mean; in no computing time */
    int64_t constant_bytes, variable_bytes; /**< registered with libnereus */
    /** number of processes whose calls are not those of rank 0: how long they compute is known, but
     * not between which calls */
    int differing_processes;
};

/**
 * @param ranks     rank 0 first
 * @param quantile  of the iterations: 0.5 for medians
 * @return NEREUS_ERR_NO_BASIS: no iteration repeats; NEREUS_ERR_UNSUPPORTED: too many stages. End
 *     with nereus_twin_fini in any case
 */
enum nereus_status nereus_twin_make(const struct nereus_calls *ranks, int count, double quantile,
                                    struct nereus_twin *twin, struct nereus_error *err);
void nereus_twin_fini(struct nereus_twin *twin);

/** Redistributed data, and a reconfiguration; 0: none. */
struct nereus_twin_job {
    int64_t constant_bytes, variable_bytes;
    int64_t iterations;       /**< before the change; 0: as in the watched program */
    int64_t iterations_after; /**< 0: as before */
    int64_t nt;
    const char *method;
    /** the program watched with nt processes, for FactorS and imbalance; NULL: ideal */
    const struct nereus_twin *after;
};

/** @param command  the watched one, for the first line */
void nereus_twin_write(const struct nereus_twin *twin, const struct nereus_twin_job *job,
                       const char *command, FILE *stream);

#endif
