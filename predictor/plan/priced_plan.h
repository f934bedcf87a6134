/**
 * @file priced_plan.h
 * Makes a plan with the price of each step, which `plan` prints and `validate` compares with
 * measured times.
 */
#pragma once

#include <jansson.h>

#include "nereus/plan.h"
#include "nereus/predict.h"
#include "predictor/plan/tree.h"
#include "predictor/scenario/scenario.h"

/** A part of RT that belongs to no step. */
struct nereus_correction {
    const char *what, *why;
    double time_s;
};
enum { NEREUS_CORRECTIONS_MAX = 3 };

struct nereus_priced_plan {
    struct nereus_method method;   /**< method requested (plan.method: carried out) */
    struct nereus_request request; /**< with the groups and their nodes; owned */
    struct nereus_plan plan;
    struct nereus_step_price *prices;      /**< plan.step_count entries; owned */
    struct nereus_interval rt_s;           /**< RT as `predict` gives it */
    bool has_unattributed;                 /**< the profile has a model of unattributed time */
    struct nereus_interval unattributed_s; /**< part of rt_s */
    int correction_count;
    /** parts of RT that are neither steps nor unattributed time */
    struct nereus_correction corrections[NEREUS_CORRECTIONS_MAX];
    char start_up[NEREUS_PROGRAM_MAX + 80]; /**< why, in the correction "start-up" */
    bool extrapolated;        /**< beyond what the profile was fitted to, or with priors */
    char extrapolations[400]; /**< sentences about these; "": none */
    struct nereus_prediction prediction;
};

/** Make a plan and price it. A method without a data part gets coll. Free with
 * nereus_priced_plan_fini. */
enum nereus_status nereus_priced_plan_make(const struct nereus_profile *profile,
                                           const struct nereus_question *question,
                                           const struct nereus_method *method,
                                           struct nereus_priced_plan *priced,
                                           struct nereus_error *err);
void nereus_priced_plan_fini(struct nereus_priced_plan *priced);

/** @return view of its spawn tree */
static inline struct nereus_tree_view
nereus_priced_plan_tree(const struct nereus_priced_plan *priced,
                        const struct nereus_question *question)
{
    return (struct nereus_tree_view){&priced->plan.tree, &priced->request, &question->machine};
}

/** @param bars  with the time line of nereus_plan_print_bars */
bool nereus_priced_plan_print(const struct nereus_priced_plan *priced,
                              const struct nereus_question *question, bool bars, FILE *stream);
json_t *nereus_priced_plan_json(const struct nereus_priced_plan *priced,
                                const struct nereus_question *question);

/** Print the totals only. */
bool nereus_plan_summary_print(const struct nereus_priced_plan *priced,
                               const struct nereus_question *question, FILE *stream);
json_t *nereus_plan_summary_json(const struct nereus_priced_plan *priced,
                                 const struct nereus_question *question);

/** @return word of one role (enum nereus_role); NULL: none */
const char *nereus_role_name(unsigned role);
/** Print a set of roles: "staying+spawned".
 * @return text */
char *nereus_roles_text(unsigned roles, char text[64]);
/** Print the label of a step: "spawn of level 2 (thread) x 6".
 * @return text */
char *nereus_step_label(const struct nereus_step *step, char text[96]);

/** @return basis of a step's price: "fitted", "extrapolated", "prior", "contained", "none" */
const char *nereus_step_price_basis(const struct nereus_step_price *price);
