/**
 * @file platform.h
 * Reads a SimGrid platform that is one cluster of equal nodes, as far as a workload needs it.
 */
#ifndef NEREUS_PREDICTOR_SIMULATE_PLATFORM_H
#define NEREUS_PREDICTOR_SIMULATE_PLATFORM_H

#include <stdint.h>
#include <stdio.h>

#include "nereus/status.h"

struct nereus_platform {
    int64_t nodes;
    int64_t cores_per_node; /**< from a property that Nereus writes; 0: none */
    double flops;           /**< operations per second of a node */
};

/**
 * Read the one <cluster> of a platform file; anything else in it (storage, links) is ignored.
 * @return NEREUS_ERR_IO; NEREUS_ERR_PARSE: no cluster or several, or values that are not understood
 */
enum nereus_status nereus_platform_read(const char *path, struct nereus_platform *platform,
                                        struct nereus_error *err);
void nereus_platform_write(const struct nereus_platform *platform, FILE *stream);

#endif
