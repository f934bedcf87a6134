/**
 * @file sent.h
 * What all processes send in an iteration, of a program and of its twin.
 */
#ifndef NEREUS_MODEL_TWIN_SENT_H
#define NEREUS_MODEL_TWIN_SENT_H

#include "twin.h"

/** Add `share` of each call of a process that sends. */
void nereus_sent_add_calls(struct nereus_twin *twin, const struct nereus_call *calls, int64_t count,
                           double share);
/** Add a stage of the twin that runs so often in an iteration. */
void nereus_sent_add_stage(struct nereus_twin *twin, const struct nereus_twin_stage *stage,
                           double runs);

#endif
