/** @file descriptors.h  Check of the launcher's file descriptors before a spawn. */
#ifndef NEREUS_SRC_START_DESCRIPTORS_H
#define NEREUS_SRC_START_DESCRIPTORS_H

#include "src/job/job.h"

/** Number of new processes of a request on this host. */
int64_t nereus_count_new_here(const nereus_job *job, const struct nereus_request *request);

/** Root, before a spawn: refuse it if the launcher would run out of descriptors. */
enum nereus_status nereus_check_descriptors(const nereus_job *job,
                                            const struct nereus_request *record,
                                            struct nereus_error *failure);

#endif
