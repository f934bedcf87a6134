/* What the plan builders share. Private to model/. */
#ifndef NEREUS_PLAN_BUILD_H
#define NEREUS_PLAN_BUILD_H

#include "nereus/plan.h"

/*
 * All steps so far but the decision are behind: of an asynchronous method they are an auxiliary thread's, and then old and new wait
 * for each other. Of an overlap the constant data follows, beside the application too: allocate, agree, redistribute, and
 * all wait for each other. Nothing of all this otherwise.
 */
void nereus_plan_append_beside(const struct nereus_request *request, struct nereus_plan *plan, unsigned who);

/* What data is left, while the application stands still: allocate, agree, redistribute; of an overlap the rest of the data alone.
 * Nothing when there is no data. */
void nereus_plan_append_data(const struct nereus_request *request, struct nereus_plan *plan, unsigned who);

/* The commit: `incoming` processes have come in; old data of these bytes is freed. */
void nereus_plan_append_commit(const struct nereus_request *request, struct nereus_plan *plan, unsigned who,
                               int64_t incoming);

/* New processes come in, by the method's strategy: they are started, and joined until there is one
 * inter-communicator between `parents` (old_processes of them) and all the new ones, from compact rank first_new
 * on. Fails where the strategy does not allow the request's groups. */
enum nereus_status nereus_plan_append_gain(const struct nereus_request *request, struct nereus_plan *plan,
                                           unsigned parents, int64_t old_processes, int64_t first_new,
                                           struct nereus_error *err);

#endif
