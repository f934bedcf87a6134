/** @file absolute_path.h  Makes paths that stay valid in another folder. */
#pragma once

#include "model/util/base.h"

/** Convert "~/x" or a relative path to one that begins with "/", without slashes at its end.
 * A relative path stays relative if the current folder is unknown (getcwd).
 * @return to be freed; NULL: no memory */
char *nereus_absolute_path(const char *text);
