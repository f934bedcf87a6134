/**
 * @file lookup.h
 * Looks up measured reconfigurations, for predictions: a measured value replaces the model's, and
 * measured values nearby correct it. Private to model/.
 */
#pragma once

#include "model/price/cost_sum.h"
#include "model/profile/profile_machine.h"
#include "nereus/predict.h"

/** What a measured row must match to replace or to correct the model's value. */
struct nereus_lookup_key {
    int64_t ns, nt;
    struct nereus_nodes_key nodes;
    const struct nereus_method *method;
    bool oversubscribed;
    double t_iter_ns_s; /**< used by asynchronous methods and overlaps */
};

struct nereus_lookup_key nereus_lookup_key_make(const struct nereus_profile *profile,
                                                const struct nereus_scenario *scenario,
                                                const struct nereus_method *method);

/** Can measured rows be used? Not with zombies that could be woken: no row was measured with
 * zombies. */
bool nereus_lookup_is_possible(const struct nereus_scenario *scenario);

/** Does the method start no process? It is then a merge that shrinks or only wakes zombies. */
bool nereus_lookup_starts_no_process(const struct nereus_scenario *scenario,
                                     const struct nereus_method *method);

/** Find the process part without data. Rows of all ways to move data are pooled, because one row
 * may be an outlier.
 * @return false: not measured */
bool nereus_lookup_find_process(const struct nereus_profile *profile,
                                const struct nereus_lookup_key *key,
                                struct nereus_measurement *measurements);

/** Find a row with equal bytes (within 1 %), moved in the same way.
 * @return NULL: none */
const struct nereus_measurement *nereus_lookup_find_data(const struct nereus_profile *profile,
                                                         const struct nereus_lookup_key *key,
                                                         double bytes);

/** Find and pool rows with equal bytes, all constant, overlapped in the same way with equally long
 * iterations.
 * @return false: not measured */
bool nereus_lookup_find_overlapped(const struct nereus_profile *profile,
                                   const struct nereus_lookup_key *key, double bytes,
                                   struct nereus_measurement *measurements);

/** @return correction factor from nearby rows: exp of the kernel mean of log(measured / model), by
 * the distance in log NS and log NT, shrunk towards 0 */
double nereus_lookup_correction(const struct nereus_profile *profile,
                                const struct nereus_lookup_key *key, double model_s);

/** As nereus_lookup_correction, for omega T_iter, from rows with a similar T_iter and load of the
 * sources' nodes.
 * @param load_all  L_all */
double nereus_lookup_slowdown(const struct nereus_profile *profile,
                              const struct nereus_lookup_key *key, double load_all);

/** The process part of the synchronous counterpart. */
struct nereus_process_estimate {
    struct nereus_cost_sum sum;
    bool measured;
    /** input of the asynchronous models: a measured value is shrunk towards the model */
    double expected_s;
};
enum nereus_status nereus_lookup_estimate(const struct nereus_profile *profile,
                                          const struct nereus_scenario *scenario,
                                          const struct nereus_method *method,
                                          struct nereus_process_estimate *estimate,
                                          struct nereus_error *err);

/** Cache of estimates for many methods of one scenario, many of which share the process part; for
 * one thread. */
enum { NEREUS_ESTIMATES_MAX = 24 };
struct nereus_estimates {
    int count, next; /**< next: entry to replace */
    struct {
        struct nereus_method method;
        struct nereus_process_estimate estimate;
    } items[NEREUS_ESTIMATES_MAX];
};
void nereus_estimates_init(struct nereus_estimates *estimates);
/** Estimate the process part, or take it from the cache `estimates` (NULL: no cache). */
enum nereus_status nereus_lookup_estimate_once(const struct nereus_profile *profile,
                                               const struct nereus_scenario *scenario,
                                               const struct nereus_method *method,
                                               struct nereus_estimates *estimates,
                                               struct nereus_process_estimate *estimate,
                                               struct nereus_error *err);

/** Add a note, if there is room. */
void nereus_prediction_add_note(struct nereus_prediction *prediction, struct nereus_note note);

enum nereus_status nereus_predict_check(const struct nereus_scenario *scenario,
                                        struct nereus_error *err);

/** nereus_predict without nereus_predict_check.
 * @param estimates  NULL: no cache */
enum nereus_status nereus_predict_unchecked(const struct nereus_profile *profile,
                                            const struct nereus_scenario *scenario,
                                            const struct nereus_method *method,
                                            struct nereus_estimates *estimates,
                                            struct nereus_prediction *prediction,
                                            struct nereus_error *err);

/** @return nereus_process_estimate.expected_s for one initial world; NAN: none */
double nereus_lookup_synchronous_s(const struct nereus_profile *profile,
                                   const struct nereus_machine *machine, int64_t ns, int64_t nt,
                                   const struct nereus_method *method);

/** @return a measured row as a sum. Its scatter is pooled from its repeats and the typical scatter;
 * without repeats the scatter is 4 % for medians (a published table), 25 % for single runs. */
struct nereus_cost_sum nereus_lookup_make_sum(const struct nereus_profile *profile,
                                              const struct nereus_measurement *measurements);
