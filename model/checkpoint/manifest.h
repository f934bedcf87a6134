/** @file manifest.h  Words of manifest.json, and paths. Private to model/checkpoint. */
#ifndef NEREUS_MODEL_CHECKPOINT_MANIFEST_H
#define NEREUS_MODEL_CHECKPOINT_MANIFEST_H

#include "nereus/checkpoint.h"

#define NEREUS_MANIFEST_FORMAT "nereus-checkpoint"
#define NEREUS_MANIFEST_NAME   "manifest.json"

/** Ends with NULL. By enum nereus_data_kind, nereus_data_placement, nereus_data_shape. */
extern const char *const nereus_manifest_kinds[];
extern const char *const nereus_manifest_placements[];
extern const char *const nereus_manifest_shapes[];

/** "PATH/NAME". @return false: too long */
bool nereus_manifest_path(const char *path, const char *name, char *file);

/** Is it the name of a file in a folder: no '/', no '.' at its beginning? */
bool nereus_manifest_is_plain(const char *name);

#endif
