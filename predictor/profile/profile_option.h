/**
 * @file profile_option.h
 * Chooses the machine that a command predicts for: the options --profile and --synthetic, and the
 * default profile without them (nereus/profile_place.h).
 */
#pragma once

#include "nereus/profile_place.h"
#include "predictor/cli/options.h"

struct nereus_profile_settings {
    const char *profile, *synthetic; /**< NULL: not given */
};

/** Table of the options; its storage is a struct nereus_profile_settings. */
extern const struct nereus_option nereus_profile_options[];
extern const size_t nereus_profile_option_count;

/** Check the options, before any file is read.
 * @return NEREUS_ERR_ARGUMENT, NEREUS_ERR_PARSE */
enum nereus_status nereus_profile_settings_check(const struct nereus_profile_settings *settings,
                                                 struct nereus_error *err);

/**
 * Read the profile, or make a synthetic one. A note names the profile that was found if none was
 * named.
 * @param[out] path     path of the file; "" if it is synthetic. NULL: not needed
 * @param[out] profile  to be freed with nereus_profile_fini
 */
enum nereus_status nereus_profile_open(const struct nereus_profile_settings *settings,
                                       char path[NEREUS_PROFILE_PATH_MAX],
                                       struct nereus_profile *profile, struct nereus_error *err);
