/** @file finish.h  End of a reconfiguration in its sources. */
#ifndef NEREUS_SRC_CORE_FINISH_H
#define NEREUS_SRC_CORE_FINISH_H

#include "src/steps/reconfiguration.h"

/** End of a reconfiguration in a source, after its last step or after a step that failed with this
 * status. Frees reconfig. */
enum nereus_status nereus_reconfig_finish(struct reconfiguration *reconfig,
                                          enum nereus_status status, enum nereus_action *action,
                                          struct nereus_error *err);
/** Complete the latest reconfiguration, of which two parts take place at later points: send
 * processes to sleep, then write its times. wait: until all is complete, as before the next change
 * or the end. Collective over control if it waits. */
enum nereus_status nereus_finish_pending(nereus_job *job, bool wait, struct nereus_error *err);
/** Free a reconfiguration and its parts. */
void nereus_reconfig_free(struct reconfiguration *reconfig);

#endif
