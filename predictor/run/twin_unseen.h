/** @file twin_unseen.h  Names what a program does and its twin does not. */
#ifndef NEREUS_PREDICTOR_RUN_TWIN_UNSEEN_H
#define NEREUS_PREDICTOR_RUN_TWIN_UNSEEN_H

#include "model/twin/twin.h"
#include "predictor/run/watched.h"

/** Print a line for each, if there is enough of it to matter. */
void nereus_twin_unseen_print(const struct nereus_watched *watched, const struct nereus_twin *twin);

#endif
