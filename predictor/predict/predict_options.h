/** @file predict_options.h  Reads the options of nereus predict, and refuses those that clash. */
#pragma once

#include "predictor/profile/profile_option.h"
#include "predictor/scenario/goal_options.h"
#include "predictor/scenario/predictions.h"

struct nereus_predict_settings {
    struct nereus_profile_settings machine;
    const char *cases, *methods, *sequence, *nt;
    bool explain;
    int goal, format;
    struct nereus_goal_settings best;
    struct nereus_picture_settings picture;
};

/** Is --nt a list or a range, or best? */
bool nereus_predict_has_several_sizes(const struct nereus_predict_settings *settings);

/**
 * Read the command line. A single --nt becomes a number of the scenario.
 * @return false: exit with *exit_status, as nereus_options_parse
 */
bool nereus_predict_options_parse(struct nereus_predict_settings *settings,
                                  struct nereus_settings *scenario, int argc, char **argv,
                                  int *exit_status);
