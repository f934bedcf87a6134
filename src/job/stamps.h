/* Stamps of this process: taken at the steps of a plan, packed to be sent to the root of the
 * targets. Private to src/. */
#ifndef NEREUS_SRC_STAMPS_H
#define NEREUS_SRC_STAMPS_H

#include "job.h"

/* The layout of packed times, doubles: these, and then arrival, departure and whether it took part
 * of each step. */
enum packed_times {
    PACKED_START, /* NAN: not a source */
    PACKED_END,   /* NAN: not a target */
    PACKED_THREAD,
    PACKED_THREAD_CPU,
    PACKED_MOVED_BYTES,
    PACKED_KEPT_BYTES,
    PACKED_HEAD,
    PACKED_PER_STEP = 3
};

/* Forget the times of the reconfiguration before, and make room for those of a plan. */
enum nereus_status nereus_stamps_begin(nereus_job *job, const struct nereus_plan *plan,
                                       struct nereus_error *err);
/* Doubles that nereus_stamps_pack writes. */
int64_t nereus_stamps_doubles(const struct nereus_plan *plan);
/* In the job's time. */
void nereus_stamps_pack(const nereus_job *job, const struct nereus_plan *plan, double *packed);

#endif
