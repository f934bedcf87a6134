/**
 * @file price_parts.h
 * Prices a reconfiguration in its parts: processes, data, overlapped data. Private to model/.
 */
#pragma once

#include "cost.h"
#include "cost_sum.h"
#include "model/plan/emit.h"

/** The price of a reconfiguration: process part, and data part in up to two pieces. */
struct nereus_price_parts {
    struct nereus_cost_sum process;
    struct nereus_cost_sum data;       /**< data that moves with the application stopped */
    struct nereus_cost_sum overlapped; /**< overlapped data: its duration without the application */
    /** overlapped data as a synchronous method moves it, by blocking calls */
    struct nereus_cost_sum blocking;
};

/** Price a reconfiguration without making its plan (asynchronous: without the overlap). */
enum nereus_status nereus_price_all_parts(const struct nereus_profile *profile,
                                          const struct nereus_scenario *scenario,
                                          const struct nereus_method *method,
                                          struct nereus_price_parts *parts,
                                          struct nereus_error *err);

/** Price the process part alone.
 * @param[out] sum  undefined on error */
enum nereus_status nereus_price_process(const struct nereus_profile *profile,
                                        const struct nereus_scenario *scenario,
                                        const struct nereus_method *method,
                                        struct nereus_cost_sum *sum, struct nereus_error *err);

/** Price the data part alone; `process` is 0. */
enum nereus_status nereus_price_data(const struct nereus_profile *profile,
                                     const struct nereus_scenario *scenario,
                                     const struct nereus_method *method,
                                     struct nereus_price_parts *parts, struct nereus_error *err);

/** Price what the start-up of the profile's program adds to a reconfiguration; 0 if the profile has
 * no program or no process is started.
 * @param[out] sum  undefined on error */
enum nereus_status nereus_price_program(const struct nereus_profile *profile,
                                        const struct nereus_scenario *scenario,
                                        const struct nereus_method *method,
                                        struct nereus_cost_sum *sum, struct nereus_error *err);

/** Emit the steps of a reconfiguration (model/plan/emit.h).
 * @param method  with a definite shrink kind
 * @param wanted_parts  set of parts */
enum nereus_status nereus_price_emit(const struct nereus_scenario *scenario,
                                     const struct nereus_method *method, unsigned wanted_parts,
                                     struct nereus_step_sink *sink, struct nereus_error *err);

/** Does the method do nothing? Merge to the present size does, unless it moves data (load balance).
 */
static inline bool nereus_price_does_nothing(const struct nereus_scenario *scenario,
                                             const struct nereus_method *method)
{
    const bool has_data = scenario->constant_bytes + scenario->variable_bytes > 0;
    return scenario->ns == scenario->nt && nereus_method_resolve(method).process == NEREUS_MERGE &&
           !(has_data && nereus_method_rebalances(method, scenario->ns, scenario->nt));
}

/** Make the context of a scenario's steps. */
struct nereus_cost_context nereus_price_context(const struct nereus_profile *profile,
                                                const struct nereus_scenario *scenario,
                                                const struct nereus_method *method);

/** Add a step of a plan, with all its repetitions, to a sum; or refuse its kind by name. */
enum nereus_status nereus_price_step(const struct nereus_cost_context *context,
                                     const struct nereus_step *step, struct nereus_cost_sum *sum,
                                     struct nereus_error *err);

/** @return kind of unattributed time of a reconfiguration, by its name within the cores */
enum nereus_unattributed nereus_price_unattributed_of(const struct nereus_cost_context *context);
/** Add the unattributed time of a reconfiguration, if the profile has it. */
void nereus_price_add_unattributed(const struct nereus_cost_context *context,
                                   struct nereus_cost_sum *sum);

/** Do the youngest worlds add up to the processes that must leave? */
bool nereus_price_worlds_can_leave(const struct nereus_jobstate *state, int64_t leaving);

/** @return the method with the shrink kind that is priced: nereus_predicted_shrink_kind, or zs if
 * that leaves it open */
struct nereus_method nereus_priced_method(const struct nereus_profile *profile,
                                          const struct nereus_scenario *scenario,
                                          const struct nereus_method *method);

/** Make the input of a method that is priced as a whole. */
void nereus_price_whole_input(const struct nereus_machine *machine, int64_t ns, int64_t nt,
                              const struct nereus_method *method, struct nereus_cost_input *input);

/** Is a method priced by one linear model of its total time, if the profile has it? Termination
 * shrinks; strategies with several worlds where they start processes (`shrinks`: NT < NS). All
 * others are priced by steps. */
bool nereus_price_uses_one_model(const struct nereus_method *method, bool shrinks);

/**
 * List the terms of such a method, in the order in which a fit tries them.
 * @return their number
 */
int nereus_price_whole_terms(const struct nereus_method *method, const enum nereus_term **terms);

/** Do two methods have the same process part? With `shrinks`, a shrink left open equals zs. */
bool nereus_method_has_same_process(const struct nereus_method *a, const struct nereus_method *b,
                                    bool shrinks);

/** @return fitted model of a method that is priced as a whole; NULL: none */
const struct nereus_linear_model *nereus_price_whole_model(const struct nereus_profile *profile,
                                                           const struct nereus_method *method);
