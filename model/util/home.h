/** @file home.h  Finds the user's home folder and paths in it; temporary paths. */
#pragma once

#include "model/util/base.h"

/** Find the home folder; "": none is known.
 * @return folder */
char *nereus_home_folder(char *folder, size_t bytes);

/** Expand "~/x" to a path, to be freed; bash does not in --profile=~/x.
 * @return NULL: other text, no home, or no memory */
char *nereus_home_path(const char *text);

/** Convert "~/x" or a relative path to one that begins with "/", without slashes at its end, which
 * is valid in any folder. It stays relative if the current folder is unknown (getcwd).
 * @return to be freed; NULL: no memory */
char *nereus_absolute_path(const char *text);

/** Make "/tmp/NAME-XXXXXX", or one in $TMPDIR, for mkstemp and mkdtemp.
 * @return path */
char *nereus_temporary_path(const char *name, char *path, size_t bytes);
