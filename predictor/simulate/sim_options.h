/**
 * @file sim_options.h
 * The options of a simulation: cluster, workload, prices, malleable jobs, failures.
 */
#pragma once

#include "model/workload/classes.h"
#include "predictor/profile/profile_option.h"
#include "report.h"

struct nereus_sim_options {
    int64_t nodes, cores_per_node; /**< 0: not given */
    int64_t seed;
    struct nereus_profile_settings profile;
    const char *generate, *method, *t_iter, *serial, *bytes_per_process;
    const char *classes; /**< a file; NULL: none */
    const char *latency; /**< NULL: none */
    int scheduler, policy;
    double share, shrink, grow, price_scale;
    double arrival_scale, offered_load; /**< below 0: not given */
    struct nereus_node_power power;     /**< busy_w, resize_w below 0: not given */
    double node_mtbf_s;                 /**< 0: not given */
    double node_repair_s;
    const char *node_failures, *checkpoint; /**< NULL: none */
    int on_failure;                         /**< enum nereus_sim_on_failure */
    int64_t restarts;
};

#define NEREUS_SIM_OPTIONS_INIT                                                                    \
    {                                                                                              \
        .seed = 1, .method = "best", .t_iter = "lognormal:1:1", .serial = "constant:0",            \
        .bytes_per_process = "0", .power = {-1, 0, -1}, .scheduler = 1, .policy = -1,              \
        .arrival_scale = -1, .offered_load = -1, .shrink = 0.25, .grow = 2, .price_scale = 1,      \
        .node_repair_s = 3600, .on_failure = NEREUS_SIM_RESTART, .restarts = 10                    \
    }

/** The policy of --policy; without it `both`. */
const struct nereus_sim_policy *nereus_sim_policy_of(const struct nereus_sim_options *options);

/** Tables of these options, whose storage is a struct nereus_sim_options; the options of the
 * profile are in profile_option.h. */
extern const struct nereus_option nereus_sim_machine_options[], nereus_sim_malleable_options[],
    nereus_sim_failure_options[];
extern const size_t nereus_sim_machine_option_count, nereus_sim_malleable_option_count,
    nereus_sim_failure_option_count;

/** Can nodes fail? */
bool nereus_sim_has_failures(const struct nereus_sim_options *options);

/** Values that nereus_sim_options_check reads from texts. */
struct nereus_sim_drawn {
    struct nereus_draw_malleable malleable;
    int64_t jobs;      /**< jobs to generate; 0: they come from a file */
    double interval_s; /**< interval between checkpoints, as in struct nereus_sim_failures */
    struct nereus_sim_latency latency;
};
/** Check the options before any file is read.
 * @param file  a workload is named */
enum nereus_status nereus_sim_options_check(const struct nereus_sim_options *options, bool file,
                                            struct nereus_sim_drawn *drawn,
                                            struct nereus_error *err);
