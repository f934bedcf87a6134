/* The end of a reconfiguration in a source. Private to src/. */
#ifndef NEREUS_SRC_FINISH_H
#define NEREUS_SRC_FINISH_H

#include "src/steps/reconfiguration.h"

/* After the plan's last step, or after a step that failed with this status: what this process does
 * next. Frees rc. */
enum nereus_status nereus_rc_finish(struct reconfiguration *rc, enum nereus_status status,
                                    enum nereus_action *action, struct nereus_error *err);
/* What the last change has left for later points: processes are sent to sleep, then its times are
 * written. wait: all of it, before the next change or the end. Collective over control if it waits.
 */
enum nereus_status nereus_finish_rest(nereus_job *job, bool wait, struct nereus_error *err);
/* NULL: nothing. */
void nereus_rc_free(struct reconfiguration *rc);

#endif
