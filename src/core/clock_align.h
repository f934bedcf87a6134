/**
 * @file clock_align.h
 * Alignment of the clocks of several hosts, for time stamps of different processes.
 */
#ifndef NEREUS_SRC_CORE_CLOCK_ALIGN_H
#define NEREUS_SRC_CORE_CLOCK_ALIGN_H

#include "src/job/job.h"

/** Set the job's time in all active processes; nothing to do if they are on one host. Collective
 * over control. */
enum nereus_status nereus_clock_align(nereus_job *job, struct nereus_error *err);

#endif
