/**
 * @file twin.h
 * A configuration of the synthetic application that does in an iteration what a watched program
 * did: computes as long, process by process, and calls MPI with as many bytes.
 */
#ifndef NEREUS_TWIN_H
#define NEREUS_TWIN_H

#include <stdio.h>

#include "calls.h"

enum { NEREUS_TWIN_STAGES_MAX = 64, NEREUS_TWIN_RANKS_MAX = 64 };

/** A stage as the configuration file has it. */
struct nereus_twin_stage {
    const char *type;  /**< "pi", "allreduce", ... */
    int64_t bytes;     /**< communication */
    double compute_s;  /**< pi: mean over the processes */
    double *by_rank_s; /**< pi: of each process; owned */
};

struct nereus_twin {
    struct nereus_twin_stage stages[NEREUS_TWIN_STAGES_MAX];
    int stage_count;
    int processes;
    int64_t iterations; /**< that were seen */
    double quantile;    /**< that the times are */
    double iteration_s; /**< with its communication, by rank 0 */
    double compute_s;   /**< of it outside MPI, mean over the processes */
    double *total_s;    /**< the same of each process; owned */
    double coreless_s;  /**< of it waiting for a core, mean; left out of all computing */
    int64_t constant_bytes, variable_bytes; /**< registered with libnereus; 0 without it */
    int unlike; /**< processes whose calls are not those of rank 0: how long they compute is
                            known, not when */
};

/**
 * @param[in] ranks  of all processes, rank 0 first
 * @param[in] quantile  of the iterations, that times are: 0.5 for medians
 * @return NEREUS_ERR_NO_BASIS (no iteration repeats), NEREUS_ERR_UNSUPPORTED (too many stages),
 *     NEREUS_ERR_MEMORY; end with nereus_twin_fini in any case
 */
enum nereus_status nereus_twin_make(const struct nereus_calls *ranks, int count, double quantile,
                                    struct nereus_twin *twin, struct nereus_error *err);
void nereus_twin_fini(struct nereus_twin *twin);

/** What the application redistributes, and a reconfiguration to be tried. Zero: none. */
struct nereus_twin_job {
    int64_t constant_bytes, variable_bytes;
    int64_t iterations;       /**< before the change; 0: as many as were seen */
    int64_t iterations_after; /**< 0: as before */
    int64_t nt;
    const char *method;
    const struct nereus_twin *after; /**< the program watched with nt processes: its FactorS and its
                                       imbalance; NULL: ideal */
};

/** Write the configuration. @param[in] command  that was watched, for its first line */
void nereus_twin_write(const struct nereus_twin *twin, const struct nereus_twin_job *job,
                       const char *command, FILE *stream);

#endif
