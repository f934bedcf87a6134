/**
 * @file plan_transfer.h
 * What a redistribution moves: messages and bytes of a process, bytes that stay, bytes of newly
 * touched pages.
 */
#ifndef NEREUS_PLAN_TRANSFER_H
#define NEREUS_PLAN_TRANSFER_H

#include <jansson.h>
#include <stdio.h>

#include "model/price/transfer.h"
#include "priced_plan.h"

/** Print a line for each redistribution that moves data. */
void nereus_plan_transfers_print(const struct nereus_priced_plan *priced, FILE *stream);

/** An object, or NULL. */
json_t *nereus_plan_transfer_json(const struct nereus_plan *plan, const struct nereus_step *step,
                                  const struct nereus_step_price *price);

#endif
