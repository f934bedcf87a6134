/**
 * @file draw.h
 * What a log does not say, drawn with a seed: named distributions, malleable jobs, and whole
 * workloads.
 */
#ifndef NEREUS_SIMULATE_DRAW_H
#define NEREUS_SIMULATE_DRAW_H

#include "workload.h"

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

struct nereus_draw_malleable {
    double share;                                     /**< of jobs, 0 to 1 */
    struct nereus_draw_distribution t_iter_s, serial; /**< drawn serial shares are cut to 0 to 1 */
    double shrink, grow; /**< least and most nodes as multiples of those asked for */
    int64_t seed;
};
/** Choose jobs to be malleable, after nereus_workload_prepare(). Jobs of an earlier draw are chosen
 * anew. @param nodes  of the machine. @return NEREUS_ERR_MEMORY */
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
