/**
 * @file fit.h
 * Declares the parts of nereus_profile_fit. Each part reads the rows of one cluster and writes its
 * share of the profile, in the order of the declarations here. Private to model/.
 */
#pragma once

#include "fit_rows.h"
#include "nereus/profile.h"

/** A part of the fit: it sets its models of the profile from the rows. */
typedef enum nereus_status nereus_fit_part(const struct nereus_fit_rows *rows,
                                           struct nereus_profile *profile,
                                           struct nereus_error *err);

/** Fits Hockney pieces of every pair class (ping-pong rows), every operation and every collective.
 */
nereus_fit_part nereus_fit_pairs;
/** Fits what the processes of a node move together: the operations `node` and `node-memory`. */
nereus_fit_part nereus_fit_node;
/** Fits redistributions between nodes, and the rate of a node's link as the operation `node` where
 * no task measured the link. */
nereus_fit_part nereus_fit_between;
/** Sets T_op of stages that compute. */
nereus_fit_part nereus_fit_stages;
/** Fits iterations that share their cores with threads, by stage. */
nereus_fit_part nereus_fit_contention;
/** Fits the start-up of the program that was measured last. */
nereus_fit_part nereus_fit_program;
/** Fits all step kinds together, from step rows and synchronous reconfigurations; oversubscribed
 * rows have models of their own. */
nereus_fit_part nereus_fit_steps;
/** Fits the unattributed time of whole reconfigurations whose steps were all measured. */
nereus_fit_part nereus_fit_unattributed;
/** Fits one linear model for each method that is priced as a whole. */
nereus_fit_part nereus_fit_whole;
/** Sets a named prior for each model that was not measured, where there is one. */
void nereus_fit_set_unmeasured(struct nereus_profile *profile);
/** Fits RT_async, with models of their own for oversubscribed rows, and omega; without rows these
 * models are set to their priors. Needs profile->measurements (the synchronous counterparts) and
 * priors. */
nereus_fit_part nereus_fit_async;
/** Fits the factor measured / priced of redistributions by rma and shared. */
nereus_fit_part nereus_fit_moves;
/** Fits constant data that is overlapped with the application: its time, at points and by a thread,
 * and the iterations meanwhile. */
nereus_fit_part nereus_fit_overlapped;
