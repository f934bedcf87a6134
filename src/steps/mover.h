/**
 * @file mover.h
 * Data that the application moves itself (options.mover), within the steps of a plan.
 */
#ifndef NEREUS_SRC_MOVER_H
#define NEREUS_SRC_MOVER_H

#include "reconfiguration.h"

/** In the step allocate: the application allocates. A failure is this process' own, and agreed on
 * before anything moves. */
enum nereus_status nereus_mover_prepare(struct reconfiguration *reconfig, struct nereus_error *err);
/** In the last redistribution: the application moves its data; a failure is left in
 * reconfig->failure. Collective over sources and targets. */
enum nereus_status nereus_mover_move(struct reconfiguration *reconfig);
/** At the commit, or at the roll-back. No effect if prepare was not called. */
void nereus_mover_end(struct reconfiguration *reconfig, bool committed);

#endif
