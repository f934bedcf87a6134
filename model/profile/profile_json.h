/** @file profile_json.h  Represents a profile as JSON: the keys of a profile file, and its value.
 * Private to model/, for files of profiles and `nereus profile diff`. */
#pragma once

#include "model/util/json_table.h"
#include "nereus/profile.h"

/** The members of the file's object. */
extern const struct nereus_json_table nereus_profile_table;

/** @param[in,out] profile  zeroed; to be freed with nereus_profile_fini, also after an error */
void nereus_profile_read_json(struct nereus_json_reader *reader, const json_t *root,
                              struct nereus_profile *profile);

/** @return what nereus_profile_write writes; to be released. NULL: no memory */
json_t *nereus_profile_json(const struct nereus_profile *profile);
