/**
 * @file cost_operation.h
 * Which models price a step. Mostly one, that of its kind; of a redistribution whose operations are not those that
 * reconfigurations were measured with, what it is made of: moving, a window, fresh pages. Private to model/.
 */
#ifndef NEREUS_COST_OPERATION_H
#define NEREUS_COST_OPERATION_H

#include "cost.h"

enum { NEREUS_STEP_MODELS_MAX = 4 };

/** The models whose sum prices a step, with the input of their features. */
struct nereus_step_models {
    struct nereus_cost_input input;
    int count;
    struct {
        const struct nereus_linear_model *model; /**< NULL: `own` is meant */
        const struct nereus_linear_model
            *stand_in; /**< of `own`, where it is one: its name; it outlives this struct */
        const struct nereus_linear_model
            *measured; /**< what `own` has its range from, where it has one; it outlives this struct, too */
        enum nereus_step_kind kind;
        struct nereus_linear_model own; /**< made up for this step */
    } part[NEREUS_STEP_MODELS_MAX];
};

void nereus_step_models_make(const struct nereus_profile *profile, const struct nereus_cost_context *context,
                             const struct nereus_step *step, bool oversubscribed,
                             struct nereus_step_models *models);
const struct nereus_linear_model *nereus_step_model(const struct nereus_step_models *models, int i);

/** The refusal of a step kind of which nothing is known. */
enum nereus_status nereus_cost_no_basis(enum nereus_step_kind kind, struct nereus_error *err);

/** Add all of them; NEREUS_ERR_NO_BASIS names the kind that has no model. */
enum nereus_status nereus_step_models_add(const struct nereus_step_models *models,
                                          const struct nereus_cost_context *context,
                                          struct nereus_cost_sum *sum, struct nereus_error *err);

/** Do operations of their own move the data, so that the model of `redistribute`, which is of p2p and alltoallv, says nothing of
 * it? That is so of rma and shared, and of ialltoallv on an inter-communicator, which is not the pairwise exchange of alltoallv. */
bool nereus_cost_by_operation(enum nereus_data data, bool inter, bool beside);

/** Which of the measured redistributions (profile.h) are like this one: below NEREUS_MOVES_OVERSUBSCRIBED; -1: none. */
int nereus_cost_moves(const struct nereus_cost_context *context);

/** Seconds of an operation between two processes, where the sources and the targets of the context are; 0: not measured. */
double nereus_cost_operation_s(const struct nereus_cost_context *context, enum nereus_operation operation,
                               double bytes);

#endif
