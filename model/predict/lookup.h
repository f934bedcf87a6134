/**
 * @file lookup.h
 * What was measured comes first; what was measured nearby corrects the model. Private to model/.
 */
#ifndef NEREUS_LOOKUP_H
#define NEREUS_LOOKUP_H

#include "model/price/cost.h"
#include "nereus/predict.h"

/** Which whole reconfiguration is asked for. */
struct nereus_lookup_key {
    int64_t ns, nt, cores_per_node;
    const struct nereus_method *method; /**< async or not: as asked */
    bool oversubscribed;
    double t_iter_ns_s; /**< matters to asynchronous methods and overlaps only */
};

/** The key of a scenario. */
struct nereus_lookup_key nereus_lookup_key_of(const struct nereus_scenario *scenario,
                                              const struct nereus_method *method);

/** May measured rows answer? Zombies that could be woken make it another reconfiguration than any that was measured. */
bool nereus_lookup_applies(const struct nereus_scenario *scenario);

/**
 * What was measured of the same process part without data. Where several rows were, by other ways to move data, they are one: without data
 * these do the same, and each alone may be a good or a bad run. @return false: nothing was measured
 */
bool nereus_lookup_process(const struct nereus_profile *profile, const struct nereus_lookup_key *key,
                           struct nereus_measured *measured);

/** A measured row that moved as many bytes (within 1 %) in the same way; NULL: none. */
const struct nereus_measured *nereus_lookup_data(const struct nereus_profile *profile,
                                                 const struct nereus_lookup_key *key, double bytes);

/**
 * What was measured of the same reconfiguration with as many bytes, all of them constant and moved beside iterations of such a length in
 * the same way; several rows are one. @return false: nothing was
 */
bool nereus_lookup_beside(const struct nereus_profile *profile, const struct nereus_lookup_key *key,
                          double bytes, struct nereus_measured *measured);

/**
 * By how much the model is off where the same method was measured nearby: the mean of log(measured / model)
 * over the rows of that method, weighted by the distance in log NS and log NT and shrunk towards none. 1
 * where there is no such row.
 */
double nereus_lookup_correction(const struct nereus_profile *profile, const struct nereus_lookup_key *key,
                                double model_s);

/**
 * The same of iterations beside asynchronous reconfigurations by this method, omega T_iter: of rows with such a T_iter at such a load of
 * the sources' nodes, whatever their sizes. @param load_all  L_all
 */
double nereus_lookup_slowed(const struct nereus_profile *profile, const struct nereus_lookup_key *key,
                            double load_all);

/** The process part of a synchronous reconfiguration (of an asynchronous method: of its synchronous twin). */
struct nereus_process_estimate {
    struct nereus_cost_sum sum;
    bool measured;
    double
        expected_s; /**< what the asynchronous models take for RT_sync: a measured one drawn towards the model, else that of sum */
};
/** @param[out] estimate  unfinished where it fails */
enum nereus_status nereus_lookup_estimate(const struct nereus_profile *profile,
                                          const struct nereus_scenario *scenario,
                                          const struct nereus_method *method,
                                          struct nereus_process_estimate *estimate, struct nereus_error *err);

/**
 * Estimates of one scenario that were made already, for whoever asks for many methods of it: asynchronous methods have the
 * process part of their synchronous twin, and a merge that shrinks has the same one by every strategy. The
 * scenario and the profile must stay the same. For one thread.
 */
enum { NEREUS_ESTIMATES_MAX = 24 };
struct nereus_estimates {
    int count, next; /**< next: to be forgotten once it is full */
    struct {
        struct nereus_method twin; /**< the process part alone */
        struct nereus_process_estimate estimate;
    } of[NEREUS_ESTIMATES_MAX];
    struct nereus_step_values values; /**< of steps */
};
/** Nothing is known yet. */
void nereus_estimates_begin(struct nereus_estimates *known);
/**
 * nereus_lookup_estimate, each process part once. @param known  NULL: nothing is kept
 * @param[in] room  for it, where nothing is kept @param[out] estimate  in the room or among those known: until the next one is made
 */
enum nereus_status
nereus_lookup_estimate_once(const struct nereus_profile *profile, const struct nereus_scenario *scenario,
                            const struct nereus_method *method, struct nereus_estimates *known,
                            struct nereus_process_estimate *room,
                            const struct nereus_process_estimate **estimate, struct nereus_error *err);

/** Add a note to a prediction; one for which there is no room is left out. */
void nereus_prediction_add_note(struct nereus_prediction *prediction, struct nereus_note note);

/** Is it a question at all? Of any method. */
enum nereus_status nereus_predict_check(const struct nereus_scenario *scenario, struct nereus_error *err);

/** nereus_predict as one of many methods of a scenario, which is one (nereus_predict_check). @param known  NULL: by itself */
enum nereus_status nereus_predict_among(const struct nereus_profile *profile,
                                        const struct nereus_scenario *scenario,
                                        const struct nereus_method *method, struct nereus_estimates *known,
                                        struct nereus_prediction *prediction, struct nereus_error *err);

/** Its expected_s alone, for the first state of a job; NAN where it cannot be had. */
double nereus_lookup_twin_s(const struct nereus_profile *profile, const struct nereus_machine *machine,
                            int64_t ns, int64_t nt, const struct nereus_method *method);

/**
 * A measured value as a sum: its spread is that of its repeats and, as a few say little of it, that of what else
 * was measured again and again in the profile. Where nothing was: 4 % for medians (a published table), 25 % and as few repeats for single runs.
 */
struct nereus_cost_sum nereus_lookup_sum(const struct nereus_profile *profile,
                                         const struct nereus_measured *measured);

#endif
