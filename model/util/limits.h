/**
 * @file limits.h
 * What control groups (of a container, a service, a step of a scheduler) leave this process of its
 * host: processor time, processors, memory, processes. Both versions, also mounted together; the
 * limits of all groups above the process' own that can be seen here count.
 */
#ifndef NEREUS_UTIL_LIMITS_H
#define NEREUS_UTIL_LIMITS_H

#include <stdint.h>

enum { NEREUS_LIMIT_PLACE_MAX = 256 };

/** One limit. The least of all groups counts, and so does the least that is free. */
struct nereus_limit {
    double most;                        /**< INFINITY: no limit */
    double left;                        /**< not in use yet; INFINITY: not known, or no limit */
    char place[NEREUS_LIMIT_PLACE_MAX]; /**< the file that says `most`, for sentences */
};

struct nereus_limits {
    struct nereus_limit processors; /**< seconds of processor time per second: 0.5 is half a core */
    struct nereus_limit cpuset;     /**< processors that may be used */
    struct nereus_limit bytes;      /**< memory; caches that the kernel can drop count as free */
    struct nereus_limit processes;  /**< with their threads */
};

/**
 * Read /proc/self/cgroup, /proc/self/mountinfo and the files of the groups. What is missing or
 * cannot be read limits nothing.
 * @param[in] root  a folder that stands for "/", for tests; NULL: $NEREUS_TEST_ROOT, else "/"
 */
void nereus_limits_read(const char *root, struct nereus_limits *limits);

/**
 * Processes that can compute at the same time on `count` cores under these limits: of 2.5 cores'
 * time two, of half a core's one.
 */
int64_t nereus_limits_cores(const struct nereus_limits *limits, int64_t count);

/** nereus_limits_cores of what holds here. */
int64_t nereus_cores_within_limits(int64_t count);

/** Cores that a program started here may use, by its affinity and the limits; at least 1. */
int64_t nereus_cores_usable(void);

/** "0.5 cores", "1 core", "2.25 cores". @return text */
char *nereus_cores_text(double cores, char text[32]);

#endif
