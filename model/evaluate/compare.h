/**
 * @file compare.h
 * Groups repeated runs of several methods at several pairs of sizes, and tests them statistically,
 * for nereus study compare.
 */
#pragma once

#include "model/statistics/conover.h"
#include "model/statistics/kruskal.h"
#include "nereus/method.h"
#include "nereus/samples.h"

enum {
    NEREUS_COMPARE_METHODS_MAX = 64,
    /** groups with fewer runs are described, but not tested */
    NEREUS_COMPARE_RUNS_MIN = 3
};

/** In the order of --value. */
enum nereus_compare_value { NEREUS_COMPARE_RT, NEREUS_COMPARE_T_EX, NEREUS_COMPARE_CT };

/** In the order of --ties. */
enum nereus_tie_rule { NEREUS_TIE_NEAREST, NEREUS_TIE_REMAINING, NEREUS_TIE_MEDIAN };

struct nereus_compare_options {
    enum nereus_compare_value value;
    enum nereus_correction correction;
    enum nereus_tie_rule ties;
    double significance; /**< a hypothesis with a smaller probability is rejected */
    const char *cluster; /**< NULL: the only cluster */
    double bytes;        /**< only rows with these bytes; NAN: all rows */
    double iterations_before,
        iterations_after;  /**< iterations before the change and after its start, for T_ex */
    const char *reference; /**< method that speed-ups refer to; NULL: none */
};

struct nereus_compare_group {
    int method;              /**< index in nereus_compare.methods */
    struct nereus_runs runs; /**< ascending; owned */
    const struct nereus_sample *first;
    double median_s, mean_s;
    double sd_s;
    double low_s, high_s; /**< 90 % interval of the median; NAN: too few runs */
    double w, p_normal;   /**< Shapiro-Wilk; NAN: no value */
    double speed_up;      /**< median of the reference / median; NAN: none */
    uint64_t letters;     /**< bit k: in the kth set of equivalent methods */
};

/** A pair of sizes; its tested groups come first, by their medians. */
struct nereus_compare_pair {
    int64_t ns, nt;
    struct nereus_compare_group *groups; /**< owned */
    int count;
    int tested_groups;      /**< number of tested groups */
    char why_untested[160]; /**< why the pair has no tests; "": it has tests */
    struct nereus_kruskal kruskal;
    double *mean_rank;                     /**< owned; one per tested group */
    struct nereus_difference *differences; /**< tested x tested; owned; NULL: not tested */
    uint64_t best_set;                     /**< set of methods that tie for the best */
    int chosen_method;                     /**< method that the map shows; -1: none */
    double t_iter_ns_s, t_iter_nt_s;       /**< medians; NAN: unknown, or not needed */
};

struct nereus_compare {
    struct nereus_compare_options options;
    struct nereus_method methods[NEREUS_COMPARE_METHODS_MAX];
    int method_count;
    int reference;                     /**< index in `methods`; -1: none */
    struct nereus_compare_pair *pairs; /**< sorted by NS, then NT; owned */
    int64_t pair_count;
    int64_t other_bytes, statistics, without_value; /**< rows that were skipped */
};

/** Sort rows into pairs and groups.
 * @param[in] samples   must outlive the result
 * @param[out] compare  to be freed with nereus_compare_fini, also after an error
 * @return NEREUS_ERR_ARGUMENT: several clusters, several amounts of data at a pair, runs of a
 *     method on different nodes, too many methods, no run */
enum nereus_status nereus_compare_collect(const struct nereus_samples *samples,
                                          const struct nereus_compare_options *options,
                                          struct nereus_compare *compare, struct nereus_error *err);
void nereus_compare_fini(struct nereus_compare *compare);

/** Describe groups, test pairs, choose the methods of the map.
 * @return NEREUS_ERR_ARGUMENT: no pair can be tested, or the reference has no runs */
enum nereus_status nereus_compare_test(struct nereus_compare *compare, struct nereus_error *err);

/** @return the group of a method at a pair; NULL: it has no runs there */
const struct nereus_compare_group *nereus_compare_find(const struct nereus_compare_pair *pair,
                                                       int method);
