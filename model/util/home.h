/** @file home.h  The user's home folder, and paths in it. */
#ifndef NEREUS_UTIL_HOME_H
#define NEREUS_UTIL_HOME_H

#include <stddef.h>

/** "" where the system knows none. @return folder */
char *nereus_home_folder(char *folder, size_t bytes);

/** "~/x" as a path: bash leaves it as it is in --profile=~/x. @return NULL: it is no such text, or
 * there is no home or memory; else to be freed */
char *nereus_home_path(const char *text);

#endif
