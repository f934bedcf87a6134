/**
 * @file compare.h
 * Repeated runs of several methods at several pairs of sizes, and what the tests say about them.
 */
#ifndef NEREUS_COMPARE_H
#define NEREUS_COMPARE_H

#include <stdbool.h>
#include <stdint.h>

#include "model/statistics/conover.h"
#include "model/statistics/kruskal.h"
#include "nereus/method.h"
#include "nereus/samples.h"
#include "nereus/status.h"

enum {
    /** Methods are sets in 64 bits. */
    NEREUS_COMPARE_METHODS_MAX = 64,
    /** Fewer runs of a method are described, but not tested: Shapiro-Wilk has no value, and ranks
     * of two runs say nothing. */
    NEREUS_COMPARE_RUNS_MIN = 3
};

/** What is compared; the order of --value's choices. */
enum nereus_compare_value { NEREUS_COMPARE_RT, NEREUS_COMPARE_T_EX, NEREUS_COMPARE_CT };

/** How a tie is resolved on the map; the order of --ties' choices. */
enum nereus_tie_rule { NEREUS_TIE_NEAREST, NEREUS_TIE_REMAINING, NEREUS_TIE_MEDIAN };

/** As asked for. */
struct nereus_compare_options {
    enum nereus_compare_value value;
    enum nereus_correction correction;
    enum nereus_tie_rule ties;
    double significance;   /**< a smaller probability rejects a hypothesis */
    const char *cluster;   /**< NULL: the only one */
    double bytes;          /**< only rows of so many; NAN: all */
    double before, after;  /**< T_ex: iterations before the change and after its start */
    const char *reference; /**< NULL: none */
};

/** The runs of one method at a pair. */
struct nereus_compare_group {
    int method;                        /**< index among all */
    struct nereus_runs runs;           /**< ascending; owned */
    const struct nereus_sample *first; /**< row of the first run, in the samples */
    double median_s, mean_s;
    double sd_s;          /**< NAN of one run */
    double low_s, high_s; /**< 90 % interval of the median; NAN: too few runs */
    double w, p_normal;   /**< Shapiro-Wilk; NAN: no value */
    double speed_up;      /**< median of the reference / this median; NAN: no reference */
    uint64_t letters;     /**< of the sets of equivalent methods that it is in */
};

/** A pair of sizes. Its tested groups come first, by their medians. */
struct nereus_compare_pair {
    int64_t ns, nt;
    struct nereus_compare_group *groups; /**< owned */
    int count;
    int tested;         /**< groups in the tests; 0: see `untested` */
    char untested[160]; /**< why this pair has no tests; "": it has */
    struct nereus_kruskal kruskal;
    double *mean_rank;                     /**< of each tested group; owned */
    struct nereus_difference *differences; /**< tested x tested; owned; NULL: not carried out */
    uint64_t best;                         /**< methods (index among all) that tie for the best */
    int chosen;                            /**< method on the map; -1: none */
    double t_iter_ns_s, t_iter_nt_s;       /**< medians of its runs; NAN: unknown, or not needed */
};

struct nereus_compare {
    struct nereus_compare_options options;
    struct nereus_method methods[NEREUS_COMPARE_METHODS_MAX];
    int method_count;
    int reference;                     /**< index among the methods; -1: none */
    struct nereus_compare_pair *pairs; /**< by NS, then NT; owned */
    int64_t pair_count;
    int64_t other_bytes, statistics, without_value; /**< rows that were passed over */
};

/**
 * Sort the rows into pairs and groups.
 * @param[in] samples  are to outlive the result
 * @param[out] compare  to be freed with nereus_compare_fini, also after an error
 * @return NEREUS_ERR_ARGUMENT: several clusters, several amounts of data at a pair, runs of a
 *     method on different nodes, too many methods, no run
 */
enum nereus_status nereus_compare_collect(const struct nereus_samples *samples,
                                          const struct nereus_compare_options *options,
                                          struct nereus_compare *compare, struct nereus_error *err);
void nereus_compare_fini(struct nereus_compare *compare);

/**
 * Describe all groups, test each pair, and choose the methods of the map.
 * @return NEREUS_ERR_ARGUMENT: no pair can be tested, or the reference has no runs
 */
enum nereus_status nereus_compare_test(struct nereus_compare *compare, struct nereus_error *err);

/** The pair's group of a method; NULL: it has no runs there. */
const struct nereus_compare_group *nereus_compare_find(const struct nereus_compare_pair *pair,
                                                       int method);

#endif
