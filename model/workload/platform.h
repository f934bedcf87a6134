/**
 * @file platform.h
 * Reads the properties of one cluster of equal nodes, from a SimGrid platform, that a workload
 * needs.
 */
#pragma once

#include "model/util/base.h"

struct nereus_platform {
    int64_t nodes;
    int64_t cores_per_node; /**< 0: no platform was read; -1: hosts differ */
    double flop_per_s;      /**< of a node */
    /** of a node, and of the links to storage; 0: unknown */
    double link_bytes_per_s, storage_read_bytes_per_s, storage_write_bytes_per_s;
};

/**
 * Read a <cluster> of a platform file, else its <host>s, which must be equally fast (one that is a
 * master is left out), and the bandwidths of links whose name has "read" or "write" in it, to
 * storage; anything else is ignored. Cores are those of the property cores_per_node, which
 * nereus_platform_write writes, else of the attribute core, else 1.
 * @param[in] cluster  its id; NULL: there is one only
 * @return NEREUS_ERR_IO; NEREUS_ERR_PARSE: none or several clusters, or values that are not
 *         understood
 */
enum nereus_status nereus_platform_read(const char *path, const char *cluster,
                                        struct nereus_platform *platform, struct nereus_error *err);
void nereus_platform_write(const struct nereus_platform *platform, FILE *stream);
