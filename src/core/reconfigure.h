/** @file reconfigure.h  Entry point of a reconfiguration, at a malleability point. */
#ifndef NEREUS_SRC_CORE_RECONFIGURE_H
#define NEREUS_SRC_CORE_RECONFIGURE_H

#include "src/job/job.h"

/** Carry out a request at this point. Collective over the active processes. */
enum nereus_status nereus_reconfigure(nereus_job *job, const struct resize_request *wanted,
                                      enum nereus_action *action, struct nereus_error *err);
/** Warn, once in a job, that the size exceeds the cores. */
void nereus_warn_oversubscribed(nereus_job *job, int64_t nt);

#endif
