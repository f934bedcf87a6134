/* Data that the application moves itself (options.mover), in the steps of a plan. Private to
 * src/. */
#ifndef NEREUS_SRC_MOVED_DATA_H
#define NEREUS_SRC_MOVED_DATA_H

#include "reconfiguration.h"

/* In the step allocate: the application makes room. A failure is this process' own, and agreed on
 * before anything moves. */
enum nereus_status nereus_moved_data_prepare(struct reconfiguration *rc, struct nereus_error *err);
/* In the last redistribution: the application moves its data; its failure is left in rc->failure.
 * Collective over sources and targets. */
enum nereus_status nereus_moved_data_move(struct reconfiguration *rc);
/* At the commit, or when all is put back. Nothing where prepare was not called. */
void nereus_moved_data_end(struct reconfiguration *rc, bool committed);

#endif
