/**
 * @file mover.h
 * Data that the application moves itself (options.mover), within the steps of a plan.
 */
#ifndef NEREUS_SRC_STEPS_MOVER_H
#define NEREUS_SRC_STEPS_MOVER_H

#include "reconfiguration.h"

/** Let the application allocate, in the step allocate. A failure is this process' own, and agreed
 * on before anything moves. */
enum nereus_status nereus_mover_prepare(struct reconfiguration *reconfig, struct nereus_error *err);
/** Let the application move its data, in the last redistribution; a failure is left in
 * reconfig->failure. Collective over sources and targets. */
enum nereus_status nereus_mover_move(struct reconfiguration *reconfig);
/** End the move, at the commit or at the roll-back. No effect if prepare was not called. */
void nereus_mover_end(struct reconfiguration *reconfig, bool committed);

#endif
