/**
 * @file scaling.h
 * Iteration time as a function of the number of processes: a law or a table.
 *
 *   strong       T(n) = T(m) m / n                                  spawning-methods, equation 8
 *   weak         T(n) = T(m)                                        spawning-methods 4.4.2
 *   amdahl:F     T(n) = T(m) (F + (1 - F) / n) / (F + (1 - F) / m)  F: serial share on one process
 *   stages:LIST  compute:SECONDS of one process, divided by n, and the profile's collectives
 *   FILE.csv     n,t_iter_s: linear in log n, log T between the sizes of the table, nothing outside
 *   measured     sizes that a job has had, as they were; else by the power law through the known
 *                size and the other one that is nearest to n
 *
 * On a machine of so many cores, processes above them take turns: T(n) is the law's, multiplied by
 * the load max(1, n / cores). A table says what it is about, and is taken as it is.
 */
#ifndef NEREUS_SCALING_H
#define NEREUS_SCALING_H

#include <stdbool.h>
#include <stdint.h>

#include "collective.h"
#include "status.h"

NEREUS_BEGIN_C

enum nereus_scaling_law {
    NEREUS_SCALING_STRONG,
    NEREUS_SCALING_WEAK,
    NEREUS_SCALING_AMDAHL,
    NEREUS_SCALING_STAGES,
    NEREUS_SCALING_TABLE,
    NEREUS_SCALING_MEASURED
};

enum { NEREUS_SCALING_STAGES_MAX = 16 };
struct nereus_machine;
struct nereus_profile;

/** A stage of an iteration. */
struct nereus_scaling_stage {
    enum nereus_collective collective; /**< NEREUS_COLLECTIVE_COUNT: computation */
    /** seconds of one process alone; bytes of one process' part */
    double amount;
};

/** Zero-initialised: strong scaling. */
struct nereus_scaling {
    enum nereus_scaling_law law;
    double serial; /**< of amdahl: 0 to 1 */
    struct nereus_scaling_point {
        int64_t n;
        double t_iter_s;
    } * points; /**< of a table, in ascending order of n; measured: in any order; owned */
    int64_t count;
    struct nereus_scaling_stage stages[NEREUS_SCALING_STAGES_MAX];
    int64_t stage_count;
    /** stages: profile with the collectives, set by the caller; must outlive this */
    const struct nereus_profile *profile;
    /** machine on which processes share cores, set by the caller; must outlive this. NULL: each
     * process has a core; stages: on nodes as the profile's */
    const struct nereus_machine *machine;
    char source[96]; /**< as given, for messages */
};

/**
 * Parse "strong" or "ideal" (the same), "weak", "amdahl:0.05", "stages:compute:0.8,allreduce:8", or
 * the path of a table.
 * @param[out] scaling  free with nereus_scaling_fini after NEREUS_OK
 * @return NEREUS_ERR_PARSE with file and line; NEREUS_ERR_IO; NEREUS_ERR_MEMORY
 */
enum nereus_status nereus_scaling_parse(const char *text, struct nereus_scaling *scaling,
                                        struct nereus_error *err);
void nereus_scaling_fini(struct nereus_scaling *scaling);

/**
 * T(n) in seconds, if T(known) = known_s. Of a table only the shape is used, so that a measured
 * time is kept. Thread-safe.
 * @return NEREUS_ERR_NO_BASIS if n or known is outside a table; of `measured` without a size other
 *     than `known`
 */
enum nereus_status nereus_scaling_apply(const struct nereus_scaling *scaling, int64_t known,
                                        double known_s, int64_t n, double *t_iter_s,
                                        struct nereus_error *err);

/** T(n) in seconds of a table or of stages. @return NEREUS_ERR_NO_BASIS outside a table, and for
 * other laws, which have no times */
enum nereus_status nereus_scaling_lookup(const struct nereus_scaling *scaling, int64_t n,
                                         double *t_iter_s, struct nereus_error *err);

NEREUS_END_C
#endif
