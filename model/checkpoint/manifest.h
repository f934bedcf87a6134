/** @file manifest.h  Lists the words of manifest.json, and makes the paths of its files, for its
 * reader and its writer. Private to model/checkpoint. */
#pragma once

#include "model/util/base.h"
#include "nereus/checkpoint.h"

#define NEREUS_MANIFEST_FORMAT "nereus-checkpoint"
#define NEREUS_MANIFEST_NAME   "manifest.json"

/** Words by enum nereus_data_kind, nereus_data_placement and nereus_data_shape; each list ends with
 * NULL. */
extern const char *const nereus_manifest_kinds[];
extern const char *const nereus_manifest_placements[];
extern const char *const nereus_manifest_shapes[];

/** Write "PATH/NAME" to file.
 * @return false: too long */
bool nereus_manifest_make_path(const char *path, const char *name, char *file);

/** Is this the name of a file in the folder: no '/', no '.' at its beginning? */
bool nereus_manifest_is_plain(const char *name);
