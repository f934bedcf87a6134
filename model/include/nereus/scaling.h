/**
 * @file scaling.h
 * How the time of an application's iteration changes with its size: a law, or a table.
 *
 *   strong       T(n) = T(m) m / n (spawning-methods, equation 8)
 *   weak         T(n) = T(m) (spawning-methods 4.4.2)
 *   amdahl:F     T(n) = T(m) (F + (1 - F) / n) / (F + (1 - F) / m); F: serial share of the time on
 *                one process
 *   stages:LIST  compute:SECONDS of one process alone, divided, and the profile's collectives
 *                (scaling_stages.c)
 *   FILE.csv     n,t_iter_s: straight lines in log n, log T between the sizes of the table, no
 *                extrapolation
 */
#ifndef NEREUS_SCALING_H
#define NEREUS_SCALING_H

#include <stdbool.h>
#include <stdint.h>

#include "collective.h"
#include "status.h"

#ifdef __cplusplus
extern "C" {
#endif

enum nereus_scaling_law {
    NEREUS_SCALING_STRONG,
    NEREUS_SCALING_WEAK,
    NEREUS_SCALING_AMDAHL,
    NEREUS_SCALING_STAGES,
    NEREUS_SCALING_TABLE
};

enum { NEREUS_SCALING_STAGES_MAX = 16 };
struct nereus_machine;
struct nereus_profile;

/** A stage of an iteration. */
struct nereus_scaling_stage {
    enum nereus_collective collective; /**< NEREUS_COLLECTIVE_COUNT: it computes */
    double amount;                     /**< seconds of one process alone; bytes of one process' part */
};

/** Zero-initialised: strong scaling. */
struct nereus_scaling {
    enum nereus_scaling_law law;
    double serial; /**< of amdahl: 0 to 1 */
    struct nereus_scaling_point {
        int64_t n;
        double t_iter_s;
    } * points; /**< of a table, by ascending n; owned */
    int64_t count;
    struct nereus_scaling_stage stages[NEREUS_SCALING_STAGES_MAX];
    int64_t stage_count;
    /** of stages, set after parsing: profile with the times of the collectives; must outlive
     * this */
    const struct nereus_profile *profile;
    /** of stages, set after parsing: machine; must outlive this. NULL: nodes with the profile's
     * cores */
    const struct nereus_machine *machine;
    char source[96]; /**< as written by the user, for sentences */
};

/**
 * "strong", "weak", "amdahl:0.05", "stages:compute:0.8,allreduce:8", or the path of a table.
 * @param[out] scaling  to be freed with nereus_scaling_fini where NEREUS_OK is returned
 * @return NEREUS_ERR_PARSE with file and line; NEREUS_ERR_IO; NEREUS_ERR_MEMORY
 */
enum nereus_status nereus_scaling_parse(const char *text, struct nereus_scaling *scaling,
                                        struct nereus_error *err);
void nereus_scaling_fini(struct nereus_scaling *scaling);

/**
 * T(n) in seconds, given T(known) = known_s. A table is scaled to go through that point.
 * @return NEREUS_ERR_NO_BASIS where a table does not reach as far as n or known. Thread-safe.
 */
enum nereus_status nereus_scaling_apply(const struct nereus_scaling *scaling, int64_t known, double known_s,
                                        int64_t n, double *t_iter_s, struct nereus_error *err);

/** T(n) of a table or of stages. @return NEREUS_ERR_NO_BASIS outside a table's sizes, and for other
 * laws, which have no absolute times */
enum nereus_status nereus_scaling_lookup(const struct nereus_scaling *scaling, int64_t n, double *t_iter_s,
                                         struct nereus_error *err);

#ifdef __cplusplus
}
#endif
#endif
