/* The job's time, in all active processes. Private to src/. */
#ifndef NEREUS_SRC_CLOCK_ALIGN_H
#define NEREUS_SRC_CLOCK_ALIGN_H

#include "src/job/job.h"

/* All active processes learn the job's time; nothing where they are on one host. Collective over
 * control. */
enum nereus_status nereus_clock_align(nereus_job *job, struct nereus_error *err);

#endif
