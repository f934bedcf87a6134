/**
 * @file goal_options.h
 * Parses the options that define "best" in addition to --goal, for predict and map.
 */
#pragma once

#include "answer.h"

/** The options as given on the command line. */
struct nereus_goal_settings {
    const char *weights;            /**< NULL: not given */
    struct nereus_node_power power; /**< busy_w, resize_w below 0: not given */
    double system_threshold;
    int64_t later_shrink, later_iterations; /**< 0, -1: not given */
    int later_nodes;                        /**< 1: any */
};
/** @return the defaults */
struct nereus_goal_settings nereus_goal_settings_default(void);

/** Table of these options; its storage is a struct nereus_goal_settings. */
extern const struct nereus_option nereus_goal_options[];
extern const size_t nereus_goal_option_count;

/** Make the ranking for a goal.
 * @return NEREUS_ERR_ARGUMENT, NEREUS_ERR_PARSE for options that do not go together or cannot be
 *         parsed */
enum nereus_status nereus_goal_ranking(const struct nereus_goal_settings *settings,
                                       enum nereus_goal goal, struct nereus_ranking *ranking,
                                       struct nereus_error *err);

/**
 * Can the later shrink follow? It needs an expansion to more processes than its own target. True
 * where none was requested.
 */
bool nereus_goal_allows_later_shrink(const struct nereus_goal_settings *settings, int64_t ns,
                                     int64_t nt);

/** Add the later shrink to the question, if one was requested. */
enum nereus_status nereus_goal_add_later(const struct nereus_goal_settings *settings,
                                         struct nereus_question *question,
                                         struct nereus_error *err);

/** Make a question with the later shrink, if one was requested.
 * @param[out] question  to be ended with nereus_question_fini when NEREUS_OK is returned */
enum nereus_status nereus_goal_question(const struct nereus_goal_settings *goal_settings,
                                        const struct nereus_settings *settings,
                                        const struct nereus_profile *profile,
                                        struct nereus_question *question, struct nereus_error *err);
