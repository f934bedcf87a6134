/**
 * @file learn.h
 * NEREUS_LEARN=FILE: measured reconfigurations as samples for `nereus profile fit`.
 */
#ifndef NEREUS_SRC_CORE_LEARN_H
#define NEREUS_SRC_CORE_LEARN_H

#include "src/steps/reconfiguration.h"

/** Rank 0 of the targets, after the commit: append a row, if a file was named. A write error is
 * logged once, and the job continues. */
void nereus_learn_append_row(const struct reconfiguration *reconfig);

#endif
