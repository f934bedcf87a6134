/* What the plan builders share. Private to model/. */
#ifndef NEREUS_PLAN_BUILD_H
#define NEREUS_PLAN_BUILD_H

#include "plan.h"

/* Allocate, agree, redistribute, agree: the part of the transaction that brings the data to `targets` while
 * `who` takes part. Nothing is appended but the last agreement when there is no data. */
void nereus_plan_append_data(const struct nereus_request *request, struct nereus_plan *plan, unsigned who,
                             unsigned targets);

/* The commit: `incoming` processes have come in; old data of these bytes is freed. */
void nereus_plan_append_commit(const struct nereus_request *request, struct nereus_plan *plan, unsigned who,
                               int64_t incoming);

/* New processes come in, by the method's strategy: they are started, and joined until there is one
 * inter-communicator between `parents` (old_processes of them) and all the new ones, from compact rank first_new
 * on. Fails where the strategy does not allow the request's groups. */
enum nereus_status nereus_plan_append_gain(const struct nereus_request *request, struct nereus_plan *plan,
                                           unsigned parents, int64_t old_processes, int64_t first_new,
                                           struct nereus_error *err);

/* Asynchronous methods: all steps so far but the decision are an auxiliary thread's, and then old and new wait for each
 * other. Nothing for the others. */
void nereus_plan_hand_to_thread(struct nereus_plan *plan, unsigned who);

#endif
