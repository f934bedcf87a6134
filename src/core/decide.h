/** @file decide.h  Rank 0 decides on a request; afterwards all processes have the record. */
#ifndef NEREUS_SRC_CORE_DECIDE_H
#define NEREUS_SRC_CORE_DECIDE_H

#include "src/steps/reconfiguration.h"

/** Make reconfig->record from rank 0's reconfig->wanted, and prepare what rank 0 needs. Collective
 * over control. The root also makes reconfig->plan, unless the record is complete only after
 * partitions are computed. reconfig->verdict: why the request cannot be carried out, the same in
 * all processes. reconfig->failure: this process' failure, to be agreed on. */
enum nereus_status nereus_decide(struct reconfiguration *reconfig, struct nereus_error *err);

/** Is the job of that size already, and does no data have to move? */
bool nereus_request_changes_nothing(const nereus_job *job, const struct resize_request *wanted);

#endif
