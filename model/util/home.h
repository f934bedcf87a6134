/** @file home.h  The user's home folder, and paths in it. */
#ifndef NEREUS_MODEL_UTIL_HOME_H
#define NEREUS_MODEL_UTIL_HOME_H

#include <stddef.h>

/** Find the home folder; "": none is known. @return folder */
char *nereus_home_folder(char *folder, size_t bytes);

/** Expand "~/x" to a path, to be freed; bash does not in --profile=~/x. @return NULL: other text,
 * no home, or no memory */
char *nereus_home_path(const char *text);

#endif
