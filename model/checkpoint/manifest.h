/** @file manifest.h  Makes the paths of a checkpoint's files. Private to model/checkpoint. */
#pragma once

#include "model/util/base.h"
#include "nereus/checkpoint.h"

#define NEREUS_MANIFEST_NAME "manifest.json"

/** Write "PATH/NAME" to file.
 * @return false: too long */
bool nereus_manifest_make_path(const char *path, const char *name, char *file);
