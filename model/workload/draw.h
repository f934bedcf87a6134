/**
 * @file draw.h
 * Draws with a seed what a log lacks: malleable jobs and their numbers; and whole workloads.
 */
#pragma once

#include "model/util/base.h"
#include "nereus/workload.h"

enum nereus_draw_kind {
    NEREUS_DRAW_CONSTANT,    /**< constant:VALUE */
    NEREUS_DRAW_UNIFORM,     /**< uniform:LOW:HIGH */
    NEREUS_DRAW_EXPONENTIAL, /**< exponential:MEAN */
    NEREUS_DRAW_LOGNORMAL    /**< lognormal:MEDIAN:LOG-SD, the SD of ln x */
};
struct nereus_draw_distribution {
    enum nereus_draw_kind kind;
    double a, b;
};
/** Parse a distribution, such as "uniform:0.1:10".
 * @param what  begins a message */
enum nereus_status nereus_draw_parse(const char *what, const char *text,
                                     struct nereus_draw_distribution *distribution,
                                     struct nereus_error *err);

/** Parse bytes, "64MB", or a distribution. */
enum nereus_status nereus_draw_parse_bytes(const char *what, const char *text,
                                           struct nereus_draw_distribution *distribution,
                                           struct nereus_error *err);

struct nereus_draw_jobs {
    double share; /**< share of malleable jobs, 0 to 1 */
    /** serial shares are limited to 0 to 1 */
    struct nereus_draw_distribution t_iter_s, serial, bytes_per_process;
    double shrink, grow; /**< least and largest number of nodes / nodes requested */
};

struct nereus_draw_class {
    char name[64];
    double share; /**< share of the jobs without a class in the log */
    struct nereus_draw_jobs jobs;
};

struct nereus_draw_malleable {
    struct nereus_draw_jobs jobs;            /**< jobs without a class */
    const struct nereus_draw_class *classes; /**< owned by the caller */
    int32_t class_count;
    int64_t seed;
};
/** Draw classes, malleable jobs and their numbers, after nereus_workload_prepare.
 * @param nodes  number of the machine's nodes */
enum nereus_status nereus_draw_malleable_jobs(const struct nereus_draw_malleable *draw,
                                              int32_t nodes, struct nereus_workload *workload,
                                              struct nereus_error *err);

/** Draw a workload by Lublin and Feitelson (2003), without classes of jobs. Requested times are
 * unknown. */
enum nereus_status nereus_draw_lublin(int64_t jobs, int64_t processors, int64_t seed,
                                      struct nereus_workload *workload, struct nereus_error *err);
