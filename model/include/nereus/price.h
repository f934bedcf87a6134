/**
 * @file price.h
 * A question to the predictor, and the price of a plan and of each of its steps. All functions are
 * local and thread-safe.
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

NEREUS_BEGIN_C

enum { NEREUS_POWERS_MAX = 1 << 16 };

/** A question to the predictor. */
struct nereus_scenario {
    const struct nereus_machine *machine;
    const struct nereus_jobstate *state; /**< NULL: one initial world */
    int64_t ns, nt;
    /** >= 0, together at most NEREUS_BYTES_MAX (samples.h) */
    double constant_bytes, variable_bytes;
    /** of one copy, which new processes receive by a broadcast; limits as above */
    double replicated_bytes;
    /** computing powers for the distribution weighted: rank r has powers[r % power_count]; above 0,
     * at most NEREUS_POWERS_MAX of them; the caller's. NULL: equal */
    const double *powers;
    int64_t power_count;
    /** by which the data lie before it, power_count of them. NULL: equal blocks in a job of one
     * world, else as by `powers` */
    const double *powers_before;
    double t_iter_ns_s, t_iter_nt_s; /**< seconds of one iteration on NS and on NT processes */
    double iterations_before, iterations_after;
    /** what iterations do; used for asynchronous methods (contention.h) */
    enum nereus_stage stage;
    /** true: no intervals (low and high are the value) and no source; same ranks, half the time */
    bool values_only;
};

struct nereus_interval {
    double value, low, high; /**< 90 % interval */
};

/** The price of one step, term by term. */
struct nereus_step_price {
    struct nereus_interval time_s;
    double start_s, end_s; /**< relative to the plan's start */
    int terms;
    struct {
        char name[24];
        double feature, coefficient, seconds;
    } term[NEREUS_TERMS_MAX];
    enum nereus_basis basis;
    char stand_in[64]; /**< "" if there is none */
    bool extrapolated;
    /** outside the measured range: "measured with 1 to 120 targets, not 900"; "" if nothing is */
    char beyond[96];
};

/**
 * Price every step of a plan.
 * @param[out] prices  plan->step_count entries (may be NULL)
 * @param[out] rt_s    their sum with the unattributed time (nereus_price_unattributed)
 * @return NEREUS_ERR_NO_BASIS, naming the step kind, if the profile cannot price a step
 */
enum nereus_status nereus_price_plan(const struct nereus_profile *profile,
                                     const struct nereus_scenario *scenario,
                                     const struct nereus_plan *plan,
                                     struct nereus_step_price *prices, struct nereus_interval *rt_s,
                                     struct nereus_error *err);

/** The same price without a plan: steps are priced as they are generated. Methods measured as a
 * whole are priced as that (as nereus_predict does). For an asynchronous method it is the sum of
 * its steps, without what overlapping changes. @param[out] rt_s seconds */
enum nereus_status nereus_price_question(const struct nereus_profile *profile,
                                         const struct nereus_scenario *scenario,
                                         const struct nereus_method *method, double *rt_s,
                                         struct nereus_error *err);

/**
 * Unattributed time: by how much reconfigurations take longer than the sum of the median steps.
 * Included in both prices. It is more than measured waits: mostly the tails of steps.
 * @return false (and 0) if the profile has none: only a calibration of single steps does
 */
bool nereus_price_unattributed(const struct nereus_profile *profile,
                               const struct nereus_scenario *scenario,
                               const struct nereus_method *method,
                               struct nereus_interval *beyond_s);

/** The kind of a merge shrink that is left open, for predictions and plans: ts if whole worlds add
 * up to the leaving processes and the measured runtime ends worlds (this library, or rows of
 * terminations); zs if the profile has no ending worlds, as plain merge was zs there; else left
 * open (some end, some sleep). Any other method's own kind. */
enum nereus_shrink nereus_predicted_shrink(const struct nereus_profile *profile,
                                           const struct nereus_scenario *scenario,
                                           const struct nereus_method *method);

NEREUS_END_C
#endif
