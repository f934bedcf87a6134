/**
 * @file running.h
 * The running jobs in order of their estimated ends (equal ends by job), for schedulers.
 */
#pragma once

#include "model/util/base.h"

struct nereus_running {
    struct nereus_running_job {
        double end_s; /**< estimated end */
        int32_t job;
    } * items; /**< owned */
    int32_t count;
};

/** @param capacity  largest number of running jobs: the nodes of the machine */
enum nereus_status nereus_running_init(int32_t capacity, struct nereus_running *running,
                                       struct nereus_error *err);
void nereus_running_fini(struct nereus_running *running);
void nereus_running_add(struct nereus_running *running, int32_t job, double end_s);
/** @param end_s  the estimated end with which the job was added */
void nereus_running_remove(struct nereus_running *running, int32_t job, double end_s);
