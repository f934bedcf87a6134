/* What the application asks for at nereus_init. Private to src/. */
#ifndef NEREUS_SRC_SETTINGS_H
#define NEREUS_SRC_SETTINGS_H

#include "src/job/job.h"

/* Options that concern this process (callbacks), and those of the initial processes, parsed and
 * checked. */
void nereus_job_set_callbacks(nereus_job *job, const struct nereus_options *options);
enum nereus_status nereus_job_set_options(nereus_job *job, const struct nereus_options *options,
                                          struct nereus_error *err);

#endif
