/**
 * @file platform.h
 * Reads the properties of one cluster of equal nodes, from a SimGrid platform, that a workload
 * needs.
 */
#pragma once

#include "model/util/base.h"

struct nereus_platform {
    int64_t nodes;
    /** from the attribute core, or a property that Nereus writes, else 1; 0: no platform; below 0:
     * hosts differ */
    int64_t cores_per_node;
    double flops; /**< operations per second of a node */
    /** bytes a second of a node's link, and of the links to storage; 0: unknown */
    double link, storage_read, storage_write;
};

/**
 * Read a <cluster> of a platform file, else its <host>s, which must be equally fast (one that is a
 * master is left out), and the bandwidths of links whose name has "read" or "write" in it, to
 * storage; anything else is ignored.
 * @param[in] cluster  its id; NULL: there is one only
 * @return NEREUS_ERR_IO; NEREUS_ERR_PARSE: none or several clusters, or values that are not
 *         understood
 */
enum nereus_status nereus_platform_read(const char *path, const char *cluster,
                                        struct nereus_platform *platform, struct nereus_error *err);
void nereus_platform_write(const struct nereus_platform *platform, FILE *stream);
