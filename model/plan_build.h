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

/* Spawn (and connect, for the strategy single) `count` processes from compact rank `first_new` on, and let
 * them join. */
void nereus_plan_append_spawn(struct nereus_plan *plan, unsigned parents, int64_t old_processes,
                              int64_t count, int64_t first_new);

#endif
