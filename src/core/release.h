/* Giving nodes back, by their names. Private to src/. */
#ifndef NEREUS_SRC_RELEASE_H
#define NEREUS_SRC_RELEASE_H

#include "src/job/job.h"

/* May requests name nodes? Not where initial processes are elsewhere than the host file says. */
enum nereus_status nereus_check_placed(const nereus_job *job, struct nereus_error *err);

/* The request that gives these nodes back: the nodes, the processes that stay, the method (NULL:
 * the job's own). Local. */
enum nereus_status nereus_ask_for_release(const nereus_job *job, const char *const *nodes,
                                          int64_t count, const char *method,
                                          struct resize_request *wanted, struct nereus_error *err);

#endif
