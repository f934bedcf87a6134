/** @file request.h  Describes a requested change of size. */
#pragma once

#include "model/util/base.h"
#include "nereus/layout.h"
#include "nereus/method.h"
#include "nereus/price.h"
#include "nereus/request.h"

enum { RELEASE_MAX = 64, LAYOUT_MAX = 64, GAINS_MAX = 16 };

/** Load that rank 0 has measured for a redistribution at the same size (core/balance.c). Plain
 * data. */
struct balance_request {
    bool requested;           /**< false: carried out without comparison of gain and cost */
    bool too_early;           /**< too little was measured: powers are not updated */
    double slowest_s, mean_s; /**< compute time of an iteration: slowest process; all balanced */
};

/** Plain data, sent to other processes as bytes. */
struct resize_request {
    int64_t point; /**< scheduled request: the malleability point */
    int64_t nt;
    struct nereus_method method;
    /** no method was named, or auto: rank 0 chooses it when the request is carried out
     * (core/choose.c) */
    bool method_is_auto;
    bool by_model;                /**< chosen by the cost model (core/model_choice.c) */
    int64_t release[RELEASE_MAX]; /**< nodes to release, as indices in the machine */
    int64_t release_count;
    bool loses;                          /**< the machine loses the released nodes */
    struct nereus_node gains[GAINS_MAX]; /**< nodes that the machine gains, with their cores */
    int64_t gain_count;
    /** `machine_changes` of the job (job.h) for which the node indices are valid */
    int64_t machine_changes;
    /** processes by node afterwards, none elsewhere; layout_count 0: default placement */
    struct nereus_group layout[LAYOUT_MAX];
    int64_t layout_count;
    /** layout of one process per node in turn, computed for the machine at the time of execution */
    bool spread;
    struct balance_request balance;
    /** number of an external request (external_records.h); 0: the program's own */
    int64_t external;
    double deadline_s; /**< latest steady time at which it may begin; 0: none */
};

/** Reasons for the choice of a method, for trace and outcome. Plain data. */
struct method_choice {
    bool by_model; /**< false: by the rule of choose.c, for `reason` */
    /** profile, and how it was found; or why the model was not used */
    char reason[160];
    struct nereus_interval rt_s;     /**< predicted */
    double t_ex_s;                   /**< predicted from the decision on */
    double energy_j;                 /**< predicted with the goal energy, as t_ex_s */
    double t_iter_ns_s, t_iter_nt_s; /**< measured; predicted by `scaling` */
    const char *scaling;             /**< "measured", "power law", or the law's name */
    int candidates;                  /**< number of methods that could be predicted */
    double decided_s;                /**< duration of the choice */
};
