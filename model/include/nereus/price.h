/**
 * @file price.h
 * A question to the predictor, and what a plan costs: the price of each step and of the whole.
 */
#ifndef NEREUS_PRICE_H
#define NEREUS_PRICE_H

#include <stdbool.h>
#include <stdint.h>

#include "jobstate.h"
#include "layout.h"
#include "plan.h"
#include "profile.h"
#include "status.h"

#ifdef __cplusplus
extern "C" {
#endif

/** A question to the predictor. */
struct nereus_scenario {
    const struct nereus_machine *machine;
    const struct nereus_jobstate *state; /**< NULL: initial */
    int64_t ns, nt;
    double constant_bytes, variable_bytes; /**< 0 or more, together at most NEREUS_BYTES_MAX (samples.h) */
    double replicated_bytes;         /**< of one copy, which new processes get by a broadcast; as these */
    double t_iter_ns_s, t_iter_nt_s; /**< seconds of one iteration on NS and on NT processes */
    double iterations_before, iterations_after;
    enum nereus_stage stage; /**< what iterations do; matters beside an asynchronous change (contention.h) */
    bool
        values_only; /**< true: no intervals (low and high are the value) and no source; ranks are the same, in half the time */
};

struct nereus_interval {
    double value, low, high; /**< 90 % */
};

/** The price of one step, explained term by term. */
struct nereus_step_price {
    struct nereus_interval time_s;
    double start_s, end_s; /**< on the plan's own clock: steps follow one another */
    int terms;
    struct {
        char name[24];
        double feature, coefficient, seconds;
    } term[NEREUS_TERMS_MAX];
    enum nereus_basis basis;
    char stand_in[64]; /**< "" if it has none */
    bool extrapolated;
    char beyond
        [96]; /**< what lies beyond the measured: "measured with 1 to 120 targets, not 900"; "" if nothing */
};

/**
 * Price every step of a plan.
 * @param[out] prices  plan->step_count entries (may be NULL)
 * @param[out] rt_s    their sum, with what lies beyond the steps (nereus_price_beyond_steps)
 * @return NEREUS_ERR_NO_BASIS, naming the step kind, where the profile knows nothing of a step
 */
enum nereus_status nereus_price_walk(const struct nereus_profile *profile,
                                     const struct nereus_scenario *scenario, const struct nereus_plan *plan,
                                     struct nereus_step_price *prices, struct nereus_interval *rt_s,
                                     struct nereus_error *err);

/**
 * The same price, of the same steps, without a plan: they are priced as they are generated. Methods that were measured as a whole are priced
 * as that (nereus_predict says so). Of an asynchronous method it is the price of its synchronous counterpart.
 */
enum nereus_status nereus_price_closed(const struct nereus_profile *profile,
                                       const struct nereus_scenario *scenario,
                                       const struct nereus_method *method, double *rt_s,
                                       struct nereus_error *err);

/**
 * What an RT holds beyond its steps: by how much reconfigurations took longer than the sum of the medians of their steps. Part of both forms of
 * the price. It is no measured wait: those of heavy-tailed steps are the least of it.
 * @return false (and 0) where the profile knows nothing of it: only a calibration of single steps does
 */
bool nereus_price_beyond_steps(const struct nereus_profile *profile, const struct nereus_scenario *scenario,
                               const struct nereus_method *method, struct nereus_interval *beyond_s);

/**
 * What a merge shrink that is left open means to a prediction and to a plan: ts where whole worlds add up to what has to go and who was
 * measured ends worlds (this library, or rows of terminations); zs where the profile knows no ending worlds, as plain merge was zs on such a
 * cluster; left open (some end, some sleep) else. Any other method's own kind.
 */
enum nereus_shrink nereus_predicted_shrink(const struct nereus_profile *profile,
                                           const struct nereus_scenario *scenario,
                                           const struct nereus_method *method);

#ifdef __cplusplus
}
#endif
#endif
