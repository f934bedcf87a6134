/**
 * @file limits.h
 * Reads the limits that control groups (of a container, a service, a job step) set for this
 * process: processor time, processors, memory, processes. Versions 1 and 2; the process' own group
 * and all groups above it that are visible count.
 */
#pragma once

#include "model/util/base.h"

enum { NEREUS_LIMIT_PLACE_MAX = 256 };

/** The least limit of all groups. */
struct nereus_limit {
    double max;                         /**< INFINITY: no limit */
    double remaining;                   /**< INFINITY: unknown, or no limit */
    char place[NEREUS_LIMIT_PLACE_MAX]; /**< the file with `max` */
};

struct nereus_limits {
    struct nereus_limit processors; /**< seconds per second */
    struct nereus_limit cpuset;
    struct nereus_limit bytes;     /**< caches that the kernel can drop are free */
    struct nereus_limit processes; /**< with threads */
};

/** Read the limits. Files that are missing or unreadable set none.
 * @param root  folder in place of "/"; NULL: $NEREUS_TEST_ROOT, else "/" */
void nereus_limits_read(const char *root, struct nereus_limits *limits);

/** @return processes that can compute at the same time on `count` cores: two with the time of 2.5
 * cores, one with that of 0.5 */
int64_t nereus_limits_cores(const struct nereus_limits *limits, int64_t count);

/** nereus_limits_cores by this process' limits. */
int64_t nereus_cores_within_limits(int64_t count);

/** Cores that this process may use, by affinity and limits; at least 1. */
int64_t nereus_cores_usable(void);

/** "0.5 cores", "1 core".
 * @return text */
char *nereus_cores_text(double cores, char text[32]);
