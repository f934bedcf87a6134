/**
 * @file external_records.h
 * Stores external requests (core/external.h) as plain data that is sent to a new rank 0.
 */
#pragma once

#include "model/util/base.h"
#include "nereus/job_client.h"

enum { EXTERNAL_KEPT = 8 };

/** Stages of an accepted request. */
enum external_stage {
    EXTERNAL_QUEUED = 1, /**< accepted, before a malleability point */
    EXTERNAL_TAKEN,      /**< pending, like a request of the program */
    EXTERNAL_UNDER_WAY,  /**< rank 0 is deciding on it or carrying it out */
    EXTERNAL_MEASURED,   /**< carried out; its RT is not known yet */
    EXTERNAL_OVER        /**< ended */
};

/** One external request. Plain data. */
struct external_record {
    int64_t number;
    int32_t stage, end; /**< enum external_stage, enum nereus_job_end */
    int32_t rt_traced;
    int64_t ns, nt;
    double rt_s; /**< below 0: unknown */
    /** Number of the machine change that has freed nodes for it (struct freed_node); 0: none */
    int64_t frees_at;
};

/** Ring buffer: request n is items[n % EXTERNAL_KEPT]. */
struct external_records {
    int64_t count;
    bool unserved; /**< rank 0 could not start its server: another job may have the name by now */
    struct external_record items[EXTERNAL_KEPT];
};
