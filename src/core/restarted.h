/* The first moments of a restarted job. */
#ifndef NEREUS_SRC_RESTARTED_H
#define NEREUS_SRC_RESTARTED_H

#include "src/checkpoint/restart.h"

/* Its data has been read, and the job is ready: report it, and call options.after. If the restart
 * carries out a reconfiguration, complete that. Collective over control. */
enum nereus_status nereus_restarted_go_on(nereus_job *job, struct restarted *restarted,
                                          struct nereus_error *err);

#endif
