/**
 * @file lookup.h
 * Measured reconfigurations: a measured value replaces the model; nearby ones correct it. Private
 * to model/.
 */
#ifndef NEREUS_LOOKUP_H
#define NEREUS_LOOKUP_H

#include "model/price/cost.h"
#include "model/profile/profile_machine.h"
#include "nereus/predict.h"

/** The reconfiguration to look up. */
struct nereus_lookup_key {
    int64_t ns, nt;
    struct nereus_nodes_key nodes;
    const struct nereus_method *method; /**< as asked, async or not */
    bool oversubscribed;
    double t_iter_ns_s; /**< used for asynchronous methods and overlaps only */
};

/** The key of a method in a scenario. */
struct nereus_lookup_key nereus_lookup_key_of(const struct nereus_profile *profile,
                                              const struct nereus_scenario *scenario,
                                              const struct nereus_method *method);

/** May measured rows be used? No row was measured with zombies that could be woken. */
bool nereus_lookup_applies(const struct nereus_scenario *scenario);

/**
 * The measured process part, without data. Rows with other ways to move data are pooled: without
 * data they do the same, and one row alone may be an outlier. @return false: nothing was measured
 */
bool nereus_lookup_process(const struct nereus_profile *profile,
                           const struct nereus_lookup_key *key, struct nereus_measured *measured);

/** A measured row that moved as many bytes (within 1 %) in the same way; NULL: none. */
const struct nereus_measured *nereus_lookup_data(const struct nereus_profile *profile,
                                                 const struct nereus_lookup_key *key, double bytes);

/** The measured reconfiguration with as many bytes, all of them constant and overlapped in the same
 * way with iterations of such a length; several rows are pooled. @return false: nothing was
 * measured */
bool nereus_lookup_overlapped(const struct nereus_profile *profile,
                              const struct nereus_lookup_key *key, double bytes,
                              struct nereus_measured *measured);

/** Correction factor of the model from nearby rows: exp of the kernel mean of log(measured / model)
 * over the rows of the method, weighted by the distance in log NS and log NT and shrunk towards 0.
 * 1 if there is no such row. */
double nereus_lookup_correction(const struct nereus_profile *profile,
                                const struct nereus_lookup_key *key, double model_s);

/**
 * The same for the iteration time during asynchronous reconfigurations (omega T_iter), from rows
 * with a similar T_iter and load of the sources' nodes, whatever their sizes. @param load_all L_all
 */
double nereus_lookup_slowed(const struct nereus_profile *profile,
                            const struct nereus_lookup_key *key, double load_all);

/** Estimate of the process part of a synchronous reconfiguration (for an asynchronous method: its
 * synchronous counterpart). */
struct nereus_process_estimate {
    struct nereus_cost_sum sum;
    bool measured;
    /** RT_sync as input of the asynchronous models: a measured value shrunk towards the model, else
     * sum.value_s */
    double expected_s;
};
/** @param[out] estimate undefined on error */
enum nereus_status nereus_lookup_estimate(const struct nereus_profile *profile,
                                          const struct nereus_scenario *scenario,
                                          const struct nereus_method *method,
                                          struct nereus_process_estimate *estimate,
                                          struct nereus_error *err);

/** Cache of estimates for many methods of one scenario: an asynchronous method has the process part
 * of its synchronous counterpart, and a merge that shrinks the same one with every strategy.
 * Profile and scenario must not change. For one thread. */
enum { NEREUS_ESTIMATES_MAX = 24 };
struct nereus_estimates {
    int count, next; /**< next: entry to replace when full */
    struct {
        struct nereus_method method; /**< the process part alone */
        struct nereus_process_estimate estimate;
    } of[NEREUS_ESTIMATES_MAX];
};
/** Empty the cache. */
void nereus_estimates_begin(struct nereus_estimates *known);
/** nereus_lookup_estimate with a cache. @param known NULL: no cache */
enum nereus_status nereus_lookup_estimate_once(const struct nereus_profile *profile,
                                               const struct nereus_scenario *scenario,
                                               const struct nereus_method *method,
                                               struct nereus_estimates *known,
                                               struct nereus_process_estimate *estimate,
                                               struct nereus_error *err);

/** Add a note to a prediction; one for which there is no room is left out. */
void nereus_prediction_add_note(struct nereus_prediction *prediction, struct nereus_note note);

/** Check a scenario, for any method. */
enum nereus_status nereus_predict_check(const struct nereus_scenario *scenario,
                                        struct nereus_error *err);

/** nereus_predict without nereus_predict_check, with a cache. @param known NULL: no cache */
enum nereus_status
nereus_predict_among(const struct nereus_profile *profile, const struct nereus_scenario *scenario,
                     const struct nereus_method *method, struct nereus_estimates *known,
                     struct nereus_prediction *prediction, struct nereus_error *err);

/** expected_s of the synchronous counterpart, for one initial world; NAN if there is none. */
double nereus_lookup_synchronous_s(const struct nereus_profile *profile,
                                   const struct nereus_machine *machine, int64_t ns, int64_t nt,
                                   const struct nereus_method *method);

/** A measured value as a sum. Its scatter is pooled from its repeats and the typical one of the
 * profile; if nothing was repeated, 4 % for medians (a published table), 25 % for single runs. */
struct nereus_cost_sum nereus_lookup_sum(const struct nereus_profile *profile,
                                         const struct nereus_measured *measured);

#endif
