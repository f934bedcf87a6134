/**
 * @file application.h
 * Describes an iterative application with stated work, read from a file, on which `nereus policy
 * run` tries a policy.
 */
#pragma once

#include "model/util/base.h"
#include "nereus/policy.h"

struct nereus_application {
    char name[NEREUS_POLICY_PATH_MAX];
    int64_t iterations;
    double work;    /**< mean work of an iteration, in units of the powers x seconds */
    double start_s; /**< time before the first iteration, which does not count as cost */
    double bytes;
    double real_computation, real_communication; /**< real / stated times */
    struct nereus_work_shape shape;
    int call_count;
    struct nereus_monitored_call calls[NEREUS_MONITORED_CALLS_MAX];
};

/** @return NEREUS_ERR_IO; else as nereus_ini_keys_read */
enum nereus_status nereus_application_read(const char *path, struct nereus_application *application,
                                           struct nereus_error *err);

/** @return stated work of the iterations from `first` on */
double nereus_application_work(const struct nereus_application *application, int64_t first,
                               int64_t iterations);
