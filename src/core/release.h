/** @file release.h  Release of nodes by name. */
#ifndef NEREUS_SRC_CORE_RELEASE_H
#define NEREUS_SRC_CORE_RELEASE_H

#include "src/job/job.h"

/** Refuse requests that name nodes if initial processes are on other hosts than in the host
 * file. */
enum nereus_status nereus_check_placed(const nereus_job *job, struct nereus_error *err);

/** Make the request that releases these nodes: the nodes, the processes that stay, the method
 * (NULL: the job's own). Local. */
enum nereus_status nereus_make_release_request(const nereus_job *job, const char *const *nodes,
                                               int64_t count, const char *method,
                                               struct resize_request *wanted,
                                               struct nereus_error *err);

#endif
