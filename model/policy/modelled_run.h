/**
 * @file modelled_run.h
 * Simulates a run under a policy, for `nereus policy run`: before each sampling interval the policy
 * decides, and the interval takes the modelled time multiplied by real / stated.
 */
#pragma once

#include "application.h"

struct nereus_modelled_interval {
    int64_t first, iterations;
    struct nereus_allocation allocation;
    bool changed;
    double power, work;
    double change_s, computation_s, communication_s;
    double elapsed_s;
    double price_per_hour;
};

struct nereus_modelled_run {
    int64_t count;
    struct nereus_modelled_interval *intervals; /**< owned */
    double without_s, without_cost;             /**< time and cost with the first allocation only */
    double goal_s;                              /**< INFINITY: none */
    double end_s, cost;
    double change_s, computation_s, communication_s;
    int64_t changes, max_processes;
};

struct nereus_modelled_question {
    const struct nereus_policy_settings *policy;
    const struct nereus_application *application;
    const struct nereus_profile *profile; /**< NULL: stated costs */
    const struct nereus_machine *machine; /**< used with a profile */
    FILE *log;                            /**< NULL: none */
};

enum nereus_status nereus_modelled_run_make(const struct nereus_modelled_question *question,
                                            struct nereus_modelled_run *run,
                                            struct nereus_error *err);
void nereus_modelled_run_fini(struct nereus_modelled_run *run);
