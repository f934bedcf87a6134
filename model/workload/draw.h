/**
 * @file draw.h
 * What a log does not say, drawn with a seed: named distributions, malleable jobs, and whole
 * workloads.
 */
#ifndef NEREUS_SIMULATE_DRAW_H
#define NEREUS_SIMULATE_DRAW_H

#include "nereus/workload.h"

enum nereus_draw_kind {
    NEREUS_DRAW_CONSTANT,    /**< constant:VALUE */
    NEREUS_DRAW_UNIFORM,     /**< uniform:LOW:HIGH */
    NEREUS_DRAW_EXPONENTIAL, /**< exponential:MEAN */
    NEREUS_DRAW_LOGNORMAL    /**< lognormal:MEDIAN:SD, the standard deviation of ln x */
};
struct nereus_draw_distribution {
    enum nereus_draw_kind kind;
    double a, b;
};
/** Parse "uniform:0.1:10". @param what  begins a sentence. @return NEREUS_ERR_PARSE */
enum nereus_status nereus_draw_parse(const char *what, const char *text,
                                     struct nereus_draw_distribution *distribution,
                                     struct nereus_error *err);

/** Parse bytes, as "64MB", or a distribution of them. @return NEREUS_ERR_PARSE */
enum nereus_status nereus_draw_parse_bytes(const char *what, const char *text,
                                           struct nereus_draw_distribution *distribution,
                                           struct nereus_error *err);

/** What jobs are drawn from. */
struct nereus_draw_jobs {
    double share; /**< malleable ones of them, 0 to 1 */
    /** drawn serial shares are cut to 0 to 1 */
    struct nereus_draw_distribution t_iter_s, serial, bytes_per_process;
    double shrink, grow; /**< least and most nodes as multiples of those asked for */
};

/** A class of applications (classes.h). */
struct nereus_draw_class {
    char name[64];
    double share; /**< of the jobs that the log gives no class */
    struct nereus_draw_jobs jobs;
};

struct nereus_draw_malleable {
    struct nereus_draw_jobs jobs;            /**< of no class */
    const struct nereus_draw_class *classes; /**< the caller's */
    int32_t class_count;
    int64_t seed;
};
/**
 * Draw what the log does not say, after nereus_workload_prepare(): classes, malleable jobs, and
 * their numbers. The same seed draws the same.
 * @param nodes  of the machine. @return NEREUS_ERR_MEMORY
 */
enum nereus_status nereus_draw_malleable(const struct nereus_draw_malleable *draw, int32_t nodes,
                                         struct nereus_workload *workload,
                                         struct nereus_error *err);

/**
 * A workload after Lublin and Feitelson (2003), their model without classes of jobs, for a machine
 * of so many processors. Requested times are unknown.
 */
enum nereus_status nereus_draw_lublin(int64_t jobs, int64_t processors, int64_t seed,
                                      struct nereus_workload *workload, struct nereus_error *err);

#endif
