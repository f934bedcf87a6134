/**
 * @file goals.h
 * Simulates an application under both flex policies, each with several goals, and without changes,
 * as in Martín et al. (2015), figures 8 and 11 to 13.
 */
#pragma once

#include "model/policy/modelled_run.h"
#include "predictor/cli/output.h"
#include "predictor/picture/picture.h"

enum { NEREUS_GOALS_MAX = 8, NEREUS_GOAL_RUNS_MAX = 1 + 2 * NEREUS_GOALS_MAX };

struct nereus_goal_run {
    enum nereus_policy_kind kind; /**< NEREUS_POLICY_NONE: the run without changes */
    double time_goal;             /**< share */
    struct nereus_modelled_run run;
};

struct nereus_goal_runs {
    const struct nereus_application *application;
    int count;
    struct nereus_goal_run runs[NEREUS_GOAL_RUNS_MAX];
};

/** Parse goals such as "25,30,35", in percent, each above 0 and below 100.
 * @param[out] time_goal  shares
 * @return NEREUS_ERR_ARGUMENT, with an error message that begins with "--goals" */
enum nereus_status nereus_goals_parse(const char *text, double time_goal[NEREUS_GOALS_MAX],
                                      int *count, struct nereus_error *err);

/** Simulate the runs.
 * @param question  its policy's kind and goal are ignored, and nothing is logged
 * @param[out] runs  to be freed with nereus_goal_runs_fini, on NEREUS_OK */
enum nereus_status nereus_goal_runs_make(const struct nereus_modelled_question *question,
                                         const double *time_goal, int count,
                                         struct nereus_goal_runs *runs, struct nereus_error *err);
void nereus_goal_runs_fini(struct nereus_goal_runs *runs);

/** @return false: the stream cannot be written */
bool nereus_goal_runs_print(const struct nereus_goal_runs *runs, enum nereus_format format,
                            FILE *stream);
/** Draw times by part, processes, and cost.
 * @return as nereus_picture_write */
enum nereus_status nereus_goal_runs_draw(const struct nereus_goal_runs *runs,
                                         const struct nereus_picture_settings *settings,
                                         struct nereus_error *err);
