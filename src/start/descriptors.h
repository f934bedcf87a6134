/* The launcher's descriptors. Private to src/. */
#ifndef NEREUS_SRC_DESCRIPTORS_H
#define NEREUS_SRC_DESCRIPTORS_H

#include "src/job/job.h"

/* New processes that a request starts on this host. */
int64_t nereus_count_new_here(const nereus_job *job, const struct nereus_request *request);

/* Root, before anything is spawned: refused where the launcher would run out of descriptors. */
enum nereus_status nereus_check_descriptors(const nereus_job *job,
                                            const struct nereus_request *record,
                                            struct nereus_error *failure);

#endif
