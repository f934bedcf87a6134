/** @file settings.h  Options of nereus_init, checked and stored. */
#ifndef NEREUS_SRC_SETTINGS_H
#define NEREUS_SRC_SETTINGS_H

#include "src/job/job.h"

/** Callbacks concern each process; other options are parsed and checked in initial processes. */
void nereus_job_set_callbacks(nereus_job *job, const struct nereus_options *options);
enum nereus_status nereus_job_set_options(nereus_job *job, const struct nereus_options *options,
                                          struct nereus_error *err);

/** Parts of it. Private to src/api. */
enum nereus_status nereus_settings_machine(nereus_job *job, const struct nereus_options *options,
                                           struct nereus_error *err);
/** Default method */
enum nereus_status nereus_settings_method(nereus_job *job, const struct nereus_options *options,
                                          struct nereus_error *err);
/** Goal, policy, load balance, monitoring */
enum nereus_status nereus_settings_decisions(nereus_job *job, const struct nereus_options *options,
                                             struct nereus_error *err);
enum nereus_status nereus_settings_checkpoints(nereus_job *job,
                                               const struct nereus_options *options,
                                               struct nereus_error *err);

#endif
