/**
 * @file progress_line.h
 * Sends progress records between hosts. /proc shows only the records of one host. A process that
 * has waited in the same call for long therefore sends its record to nereus-supervise, and reads
 * the records of other hosts there. Nothing is sent while iterations are shorter than half of
 * NEREUS_WATCHDOG, or if the job is on one host.
 */
#pragma once

#include "src/util/progress.h"

/** Does any rank of the job lack a record on this host? */
bool nereus_progress_needs_other_hosts(const struct nereus_progress *own_record,
                                       const struct nereus_progress *other_records, int64_t count);

/** Send nereus-supervise the record of this process. No effect without nereus-supervise. */
void nereus_progress_publish(const struct nereus_progress *own_record, double now_s);
/** Remove that record. */
void nereus_progress_withdraw(void);

/** Append the records of other hosts, with negative pids and `since_s` converted to the clock of
 * this host.
 * @return new number of records */
int64_t nereus_progress_append_remote(double now_s, struct nereus_progress **records,
                                      int64_t count);
