/** @file profile_json.h  Represents a profile as JSON: the keys of a profile file, and its value.
 * Private to model/, for the writer, the reader and `nereus profile diff`. */
#pragma once

#include "model/util/json_make.h"
#include "nereus/profile.h"

enum { NEREUS_PROFILE_KEY_COUNT = 27, NEREUS_PROFILE_NEEDED_KEY_COUNT = 10 };

/** Keys of the file's object; the needed ones come first. */
extern const char *const nereus_profile_keys[NEREUS_PROFILE_KEY_COUNT];

/** @return what nereus_profile_write writes; to be released */
json_t *nereus_profile_json(const struct nereus_profile *profile);
