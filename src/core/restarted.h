/** @file restarted.h  The first moments of a restarted job. */
#ifndef NEREUS_SRC_CORE_RESTARTED_H
#define NEREUS_SRC_CORE_RESTARTED_H

#include "src/checkpoint/restart.h"

/** Complete a restart whose data has been read, when the job is ready: report the restart, call
 * options.after, and complete the reconfiguration if the restart carries out one. Collective over
 * control. */
enum nereus_status nereus_restarted_complete(nereus_job *job, struct restarted *restarted,
                                             struct nereus_error *err);

#endif
