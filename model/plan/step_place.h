/**
 * @file step_place.h
 * Position of a step in the spawn tree, in words.
 */
#ifndef NEREUS_STEP_PLACE_H
#define NEREUS_STEP_PLACE_H

#include "nereus/plan.h"

/** " of level 2", " up", " in round 3", or "". @param[out] text  returned */
const char *nereus_step_place(enum nereus_step_kind kind, int64_t level, char text[32]);

#endif
