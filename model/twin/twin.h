/**
 * @file twin.h
 * Makes a configuration of the synthetic application that computes as long in an iteration as a
 * watched program, process by process, and calls MPI with as many bytes (a twin).
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
    double quantile;    /**< quantile of the iterations that all times are */
    double iteration_s; /**< time of an iteration, measured by rank 0 */
    /** computing time outside MPI, mean over the processes */
    double compute_s;
    double *total_s; /**< indexed by process; owned */
    /** mean time of waiting for a core, which no computing time contains */
    double coreless_s;
    int64_t constant_bytes, variable_bytes; /**< registered with libnereus */
    /** number of processes whose calls differ from those of rank 0: their computing time is known,
     * but not between which calls they compute */
    int differing_processes;
};

/**
 * @param ranks     rank 0 first
 * @param quantile  quantile of the iterations: 0.5 for medians
 * @return NEREUS_ERR_NO_BASIS: no iteration repeats; NEREUS_ERR_UNSUPPORTED: too many stages. End
 *     with nereus_twin_fini in any case
 */
enum nereus_status nereus_twin_make(const struct nereus_calls *ranks, int count, double quantile,
                                    struct nereus_twin *twin, struct nereus_error *err);
void nereus_twin_fini(struct nereus_twin *twin);

/** Redistributed data and a reconfiguration of the twin; 0: none. */
struct nereus_twin_job {
    int64_t constant_bytes, variable_bytes;
    /** iterations before the change; 0: as many as in the watched program */
    int64_t iterations;
    int64_t iterations_after; /**< 0: as many as before */
    int64_t nt;
    const char *method;
    /** the program watched with nt processes, for FactorS and imbalance; NULL: ideal */
    const struct nereus_twin *after;
};

/** Write the configuration. @param command  watched command, for the first line */
void nereus_twin_write(const struct nereus_twin *twin, const struct nereus_twin_job *job,
                       const char *command, FILE *stream);

#endif
