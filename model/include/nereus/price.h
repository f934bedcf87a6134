/**
 * @file price.h
 * Describes a reconfiguration to be predicted, and prices a plan and each of its steps.
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

/** Input of a prediction: the job, the change and the application. */
struct nereus_scenario {
    const struct nereus_machine *machine;
    const struct nereus_jobstate *state; /**< NULL: one initial world */
    int64_t ns, nt;
    /** >= 0, in total at most NEREUS_BYTES_MAX (samples.h) */
    double constant_bytes, variable_bytes;
    /** bytes of one copy, which new processes get by a broadcast */
    double replicated_bytes;
    /** computing powers for the distribution weighted: rank r has powers[r % power_count], > 0; the
     * caller's. NULL: equal */
    const double *powers;
    int64_t power_count;
    /** powers of the present partition. NULL: equal blocks in a job of one world, else `powers` */
    const double *powers_before;
    double t_iter_ns_s, t_iter_nt_s;
    double iterations_before, iterations_after;
    /** what an iteration does; used for asynchronous methods (contention.h) */
    enum nereus_stage stage;
    /** the data are fields of this grid; `processes` is its present process grid, if it is one of
     * ns processes. The caller's. NULL: arrays */
    const struct nereus_grid *grid;
    /** leave out intervals and source, which takes half the time; ranks are the same */
    bool values_only;
};

struct nereus_interval {
    double value, low, high; /**< 90 % interval */
};

struct nereus_step_price {
    struct nereus_interval time_s;
    double start_s, end_s; /**< from the start of the plan */
    int terms;
    struct {
        char name[24];
        double feature, coefficient, seconds;
    } term[NEREUS_TERMS_MAX];
    enum nereus_basis basis;
    char source[64];
    int64_t rows; /**< to which the step's (first) model was fitted */
    bool extrapolated;
    /** "measured with 1 to 120 targets, not 900"; "": within the range */
    char extrapolation[96];
};

enum { NEREUS_RESTART_COSTS_TEXT = 768 };

/** What a restart was measured to cost, with 90 % intervals of the fitted coefficients. */
struct nereus_restart_costs {
    int64_t processes;             /**< the cores of a node */
    struct nereus_interval sync_s; /**< to write no data: fsync, and the manifest */
    /** bytes a second, and seconds until MPI_Init is done, of one process; of one on each core of a
     * node together */
    struct nereus_interval write[2], read[2], start_s[2];
};

/**
 * The measured costs of a restart on the profile's machine.
 * @param[out] costs  bytes a second, and seconds
 * @return false: no restart was measured
 */
bool nereus_restart_costs_find(const struct nereus_profile *profile,
                               struct nereus_restart_costs *costs);
/**
 * Format the costs of a restart.
 * @param[out] text  NEREUS_RESTART_COSTS_TEXT characters; returned
 */
const char *nereus_restart_costs_text(const struct nereus_restart_costs *costs, char *text);

/**
 * Price every step of a plan.
 * @param[out] prices  plan->step_count entries, or NULL
 * @param[out] rt_s    sum of the prices, with the unattributed time
 * @return NEREUS_ERR_NO_BASIS, naming the step kind
 */
enum nereus_status nereus_price_plan(const struct nereus_profile *profile,
                                     const struct nereus_scenario *scenario,
                                     const struct nereus_plan *plan,
                                     struct nereus_step_price *prices, struct nereus_interval *rt_s,
                                     struct nereus_error *err);

/**
 * Unattributed time: RT - sum of the median times of the steps, mostly caused by the tails of their
 * distributions.
 * @param[out] unattributed_s  90 % interval
 * @return false, and 0: the profile has none
 */
bool nereus_price_unattributed_time(const struct nereus_profile *profile,
                                    const struct nereus_scenario *scenario,
                                    const struct nereus_method *method,
                                    struct nereus_interval *unattributed_s);

/** The kind of a merge shrink that is left open: ts if whole worlds add up to the leaving processes
 * and the measured runtime ends worlds; zs if the profile has no ending worlds; else open, as some
 * end and some sleep. */
enum nereus_shrink nereus_predicted_shrink_kind(const struct nereus_profile *profile,
                                                const struct nereus_scenario *scenario,
                                                const struct nereus_method *method);

NEREUS_END_C
#endif
