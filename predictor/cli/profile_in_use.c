/** @file profile_in_use.c  See profile_in_use.h. */
#include "profile_in_use.h"

#include <stdlib.h>

const char *nereus_cli_profile_in_use(const char **source)
{
    const char *path = getenv("NEREUS_PROFILE");
    *source = "$NEREUS_PROFILE";
    return path != NULL && path[0] != '\0' ? path : NULL;
}
