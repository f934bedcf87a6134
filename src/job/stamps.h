/**
 * @file stamps.h
 * Packs the stamps of this process at the steps of a plan for the root of the targets.
 */
#pragma once

#include "job.h"

/** Layout of packed times (doubles): PACKED_HEAD values, then for each step arrival, departure and
 * whether the process took part. */
enum packed_times {
    PACKED_START, /**< NAN: not a source */
    PACKED_END,   /**< NAN: not a target */
    PACKED_THREAD,
    PACKED_THREAD_CPU,
    PACKED_MOVED_BYTES,
    PACKED_KEPT_BYTES,
    PACKED_HEAD,
    PACKED_PER_STEP = 3
};

/** Clear the times, and allocate stamps for a plan. */
enum nereus_status nereus_stamps_begin(nereus_job *job, const struct nereus_plan *plan,
                                       struct nereus_error *err);
/** Number of doubles that nereus_stamps_pack writes. */
int64_t nereus_stamps_count_doubles(const struct nereus_plan *plan);
/** Pack the stamps, converted to the job's time. */
void nereus_stamps_pack(const nereus_job *job, const struct nereus_plan *plan,
                        double *packed_times);
