/** @file absolute_path.h  Paths that stay valid in another folder. */
#ifndef NEREUS_SRC_UTIL_ABSOLUTE_PATH_H
#define NEREUS_SRC_UTIL_ABSOLUTE_PATH_H

/** "~/x" or a relative path from "/", without slashes at its end; to be freed. NULL: no memory. */
char *nereus_absolute_path(const char *text);

#endif
