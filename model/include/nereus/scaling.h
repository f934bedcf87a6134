/**
 * @file scaling.h
 * Describes the iteration time as a function of the number of processes: a law or a table.
 * Equations and sections are those of Martín-Álvarez et al. (2024a).
 *
 *   strong       T(n) = T(m) m / n                                  equation 8
 *   weak         T(n) = T(m)                                        section 4.4.2
 *   amdahl:F     T(n) = T(m) (F + (1 - F) / n) / (F + (1 - F) / m)  F: serial share on one process
 *   stages:LIST  compute:SECONDS of one process, divided by n, and the profile's collectives
 *   FILE.csv     n,t_iter_s: linear in log n, log T between the sizes of the table, nothing outside;
 *                times in s, or with a unit, as 90ms
 *   measured     measured times of sizes that a job has had; other sizes by the power law through
 *                the present size and the measured one nearest to n
 *
 * On an oversubscribed machine T(n) is multiplied by the load max(1, n / cores); tables are not
 * corrected.
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

struct nereus_scaling_stage {
    enum nereus_collective collective; /**< NEREUS_COLLECTIVE_NONE: computation */
    double amount; /**< computation: seconds on one process; collective: bytes of one process */
};

struct nereus_scaling {
    enum nereus_scaling_law law;
    double serial; /**< serial share of amdahl, 0 to 1 */
    struct nereus_scaling_point {
        int64_t n;
        double t_iter_s;
    } * points; /**< owned; table: by ascending n; measured: in any order */
    int64_t count;
    struct nereus_scaling_stage stages[NEREUS_SCALING_STAGES_MAX];
    int64_t stage_count;
    /** law stages: has the times of collectives; the caller's */
    const struct nereus_profile *profile;
    /** whose cores may be oversubscribed; the caller's. NULL: never oversubscribed */
    const struct nereus_machine *machine;
    char source[96]; /**< text that was parsed, for messages */
};

/**
 * Parse "strong" or "ideal" (the same), "weak", "amdahl:0.05",
 * "stages:compute:0.8,allreduce:8,allgather:65536", or the path of a table.
 * @param[out] scaling  to be freed with nereus_scaling_fini; profile and machine are the caller's
 *                      to set
 * @return NEREUS_ERR_PARSE, NEREUS_ERR_IO
 */
enum nereus_status nereus_scaling_parse(const char *text, struct nereus_scaling *scaling,
                                        struct nereus_error *err);
/** Free the points, and zero the struct. */
void nereus_scaling_fini(struct nereus_scaling *scaling);

/**
 * T(n) in seconds, scaled so that T(known) = known_s, tables too.
 * @param[out] t_iter_s  in seconds
 * @return NEREUS_ERR_NO_BASIS outside a table, or for `measured` with no other size
 */
enum nereus_status nereus_scaling_apply(const struct nereus_scaling *scaling, int64_t known,
                                        double known_s, int64_t n, double *t_iter_s,
                                        struct nereus_error *err);

/**
 * T(n) in seconds of a table or of stages.
 * @param[out] t_iter_s  in seconds
 * @return NEREUS_ERR_NO_BASIS outside a table, and for other laws
 */
enum nereus_status nereus_scaling_lookup(const struct nereus_scaling *scaling, int64_t n,
                                         double *t_iter_s, struct nereus_error *err);

NEREUS_END_C
#endif
