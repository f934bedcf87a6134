/**
 * @file cost_operation.h
 * Finds the models that price a step: mostly one, the model of its kind. A redistribution by
 * operations that the model of `redistribute` does not cover is the sum of its parts: moving, a
 * window, first touch of pages. Private to model/.
 */
#pragma once

#include "cost.h"
#include "cost_sum.h"

enum { NEREUS_STEP_MODELS_MAX = 4 };

/** The models that are added to price a step, and the input of their features. */
struct nereus_step_models {
    struct nereus_cost_input input;
    int count;
    struct {
        const struct nereus_linear_model *model; /**< NULL: `own` */
        /** has the name of the prior in `own`; outlives this struct */
        const struct nereus_linear_model *prior;
        /** the model that gives `own` its range; outlives this struct */
        const struct nereus_linear_model *measured;
        enum nereus_step_kind kind;
        struct nereus_linear_model own; /**< made for this step */
    } part[NEREUS_STEP_MODELS_MAX];
};

void nereus_step_models_make(const struct nereus_cost_context *context,
                             const struct nereus_step *step, struct nereus_step_models *models);
const struct nereus_linear_model *nereus_step_model(const struct nereus_step_models *models, int i);

/** Add all models to a sum.
 * @return NEREUS_ERR_NO_BASIS names the kind without a model */
enum nereus_status nereus_step_models_add(const struct nereus_step_models *models,
                                          const struct nereus_cost_context *context,
                                          struct nereus_cost_sum *sum, struct nereus_error *err);

/** Do operations move the data that the model of `redistribute` (p2p and alltoallv) does not cover?
 * True for rma and shared. */
bool nereus_cost_is_by_operation(enum nereus_data data);

/** @return class of measured redistributions (profile.h) to which this one belongs, below
 * NEREUS_MOVES_OVERSUBSCRIBED; -1: none */
int nereus_cost_find_move_class(const struct nereus_cost_context *context);
