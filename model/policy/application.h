/**
 * @file application.h
 * An iterative application with stated work, from a file, for `nereus policy run`.
 */
#ifndef NEREUS_MODEL_POLICY_APPLICATION_H
#define NEREUS_MODEL_POLICY_APPLICATION_H

#include "nereus/policy.h"

struct nereus_application {
    char name[NEREUS_POLICY_PATH_MAX];
    int64_t iterations;
    double work;    /**< of an iteration, on average: unit of the powers x seconds */
    double start_s; /**< before the first iteration, not counted as cost */
    double bytes;
    double real_computation, real_communication; /**< / stated */
    struct nereus_work_shape shape;
    int call_count;
    struct nereus_monitored_call calls[NEREUS_MONITORED_CALLS_MAX];
};

/** @return as nereus_keys_read */
enum nereus_status nereus_application_read(const char *path, struct nereus_application *application,
                                           struct nereus_error *err);

/** Stated work of iterations `first` on. */
double nereus_application_work(const struct nereus_application *application, int64_t first,
                               int64_t iterations);

#endif
