/* The decision on a request: rank 0 decides, all know the record afterwards. Private to src/. */
#ifndef NEREUS_SRC_DECIDE_H
#define NEREUS_SRC_DECIDE_H

#include "src/steps/reconfiguration.h"

/*
 * From rc->wanted, of rank 0, to rc->record and what rank 0 prepares; collective over control. At
 * the root rc->plan is made too, unless the record is not whole before all have settled the
 * partitions. rc->verdict: why the request cannot be carried out, the same everywhere. rc->failure:
 * of this process, to be agreed on.
 */
enum nereus_status nereus_decide(struct reconfiguration *rc, struct nereus_error *err);

/* Has the job that size already, so that nobody need look where its data lie? */
bool nereus_nothing_to_do(const nereus_job *job, const struct resize_request *wanted);

#endif
