/** @file plan_transfer.h  What a redistribution of a plan moves: messages and bytes of a process, what stays, fresh pages. */
#ifndef NEREUS_PLAN_TRANSFER_H
#define NEREUS_PLAN_TRANSFER_H

#include <jansson.h>
#include <stdio.h>

#include "model/price/transfer.h"
#include "priced_plan.h"

/** Of one step, in bytes, as equal blocks (of keep: from them, where it can be priced); false: the step moves nothing, or memory lacks. */
bool nereus_plan_transfer(const struct nereus_plan *plan, const struct nereus_step *step,
                          struct nereus_transfer *transfer);

/** A line for each redistribution that moves something. */
void nereus_plan_transfers_print(const struct nereus_priced_plan *priced, FILE *stream);

/** An object, or NULL. */
json_t *nereus_plan_transfer_json(const struct nereus_plan *plan, const struct nereus_step *step,
                                  const struct nereus_step_price *price);

#endif
