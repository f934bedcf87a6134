/* NEREUS_LEARN=FILE: what reconfigurations have cost, as samples for `nereus profile fit`. Private
 * to src/. */
#ifndef NEREUS_SRC_LEARN_H
#define NEREUS_SRC_LEARN_H

#include "src/steps/reconfiguration.h"

/* Rank 0 of the targets, after the commit: append a row, if a file was named. What cannot be written
 * is said once; the job goes on. */
void nereus_learn(const struct reconfiguration *rc);

#endif
