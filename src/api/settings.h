/** @file settings.h  Checks and stores the options of nereus_init. */
#pragma once

#include "src/job/job.h"

/** Store the callbacks, which each process has. */
void nereus_job_set_callbacks(nereus_job *job, const struct nereus_options *options);
/** Parse and check all other options. Only in initial processes. */
enum nereus_status nereus_job_set_options(nereus_job *job, const struct nereus_options *options,
                                          struct nereus_error *err);

/** Default method. This and the next function are parts of nereus_job_set_options, private to
 * src/api. */
enum nereus_status nereus_settings_read_method(nereus_job *job,
                                               const struct nereus_options *options,
                                               struct nereus_error *err);
/** Goal, policy, load balance and monitoring. */
enum nereus_status nereus_settings_read_decisions(nereus_job *job,
                                                  const struct nereus_options *options,
                                                  struct nereus_error *err);
