/** @file host_resources.h  Checks this host's resources before new processes start. */
#pragma once

#include "model/util/base.h"

/** Free resources (of the host, or below a limit), and the need of one new process. Below 0:
 * unknown. */
struct nereus_host_resources {
    int64_t shm_bytes, shm_free_bytes; /* /dev/shm */
    int64_t tasks_free;                /* processes and threads */
    const char *tasks_by;              /* name of the limit */
    int64_t memory_free_bytes;         /* on the host or in a control group */
    int64_t shm_bytes_each, tasks_each, memory_bytes_each;
};

/** @param[out] failure  the need of the processes, and the free amount */
enum nereus_status nereus_host_resources_suffice(const struct nereus_host_resources *resources,
                                                 int64_t processes, struct nereus_error *failure);

/** Root, before processes start on this host. Other hosts are not checked. */
enum nereus_status nereus_check_host_resources(int64_t processes_here,
                                               struct nereus_error *failure);

/** Memory that is free on this host and in its control groups; caches count as free. */
int64_t nereus_memory_free_bytes(void);
