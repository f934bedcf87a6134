/**
 * @file price_parts.h
 * The closed price in its parts. Private to model/.
 */
#ifndef NEREUS_PRICE_PARTS_H
#define NEREUS_PRICE_PARTS_H

#include "cost.h"

/** A reconfiguration's price: what moves processes, and what moves data, of an overlap in two parts. */
struct nereus_price_parts {
    struct nereus_cost_sum process;
    struct nereus_cost_sum data;   /**< with the application stopped */
    struct nereus_cost_sum beside; /**< beside it: as long as it would take by itself */
    struct nereus_cost_sum
        twin; /**< what is beside it, as a synchronous method does it: by a call that blocks */
};

/** Price a reconfiguration without building its plan (of an asynchronous method: without the overlap). */
enum nereus_status nereus_price_parts(const struct nereus_profile *profile,
                                      const struct nereus_scenario *scenario,
                                      const struct nereus_method *method, struct nereus_price_parts *parts,
                                      struct nereus_error *err);

/** What moves processes alone. @param values  of steps, for who asks for many methods of a scenario; NULL: none
 *  @param[out] sum  unfinished where it fails */
enum nereus_status nereus_price_process(const struct nereus_profile *profile,
                                        const struct nereus_scenario *scenario,
                                        const struct nereus_method *method, struct nereus_step_values *values,
                                        struct nereus_cost_sum *sum, struct nereus_error *err);

/** The data parts alone; process is empty. */
enum nereus_status nereus_price_data(const struct nereus_profile *profile,
                                     const struct nereus_scenario *scenario,
                                     const struct nereus_method *method, struct nereus_price_parts *parts,
                                     struct nereus_error *err);

/** The context of a scenario's steps. */
struct nereus_cost_context nereus_price_context(const struct nereus_profile *profile,
                                                const struct nereus_scenario *scenario,
                                                const struct nereus_method *method);

/** Add a step of a plan, all that it stands for, to a sum; or refuse the step kind by name. */
enum nereus_status nereus_price_step(const struct nereus_profile *profile,
                                     const struct nereus_cost_context *context,
                                     const struct nereus_step *step, bool oversubscribed,
                                     struct nereus_cost_sum *sum, struct nereus_error *err);

/** Which of them a reconfiguration has, within the cores. */
enum nereus_beyond_steps nereus_price_beyond_steps_of(const struct nereus_cost_context *context);
/** Add what a reconfiguration takes beyond its steps, where the profile knows of it. */
void nereus_price_add_beyond_steps(const struct nereus_profile *profile,
                                   const struct nereus_cost_context *context, bool oversubscribed,
                                   struct nereus_cost_sum *sum);

/** Do whole worlds from the end of the job add up to the processes that have to go? */
bool nereus_price_worlds_can_leave(const struct nereus_jobstate *state, int64_t leaving);

/** The shrink kind whose price a method has here: nereus_predicted_shrink, and zs where that leaves it open. */
enum nereus_shrink nereus_price_shrink(const struct nereus_profile *profile,
                                       const struct nereus_scenario *scenario,
                                       const struct nereus_method *method);

/** Inputs of a method that is priced as a whole. */
void nereus_price_whole_input(const struct nereus_machine *machine, int64_t ns, int64_t nt,
                              const struct nereus_method *method, struct nereus_cost_input *input);

/** Priced as a whole where the profile has it: termination shrink; strategies with several worlds where they start
 * processes (`shrinks`: NT < NS). Else by the steps of their plans. */
bool nereus_price_is_whole(const struct nereus_method *method, bool shrinks);

/** Features of such a method, in the order in which a fit takes them in. @return how many */
int nereus_price_whole_terms(const struct nereus_method *method, const enum nereus_feature **terms);

/** Same process part (a shrink that is left open and zs are the same where `shrinks`). */
bool nereus_same_process(const struct nereus_method *a, const struct nereus_method *b, bool shrinks);

/** The fitted model of a method that is priced as a whole, or NULL. */
const struct nereus_linear_model *nereus_price_whole_model(const struct nereus_profile *profile,
                                                           const struct nereus_method *method);

#endif
