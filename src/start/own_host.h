/** @file own_host.h  The host of this process, by the names of a layout. Main thread only. */
#ifndef NEREUS_SRC_START_OWN_HOST_H
#define NEREUS_SRC_START_OWN_HOST_H

#include "src/job/job.h"

/** Is this the host of a node? node_name: "host" or "host/node" */
bool nereus_is_this_host(const char *node_name);
/** Is this process on the host that the layout gives for it? */
bool nereus_is_on_node(const nereus_job *job);

#endif
