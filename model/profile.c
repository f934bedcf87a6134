/** @file profile.c  What a profile owns. */
#include "profile.h"

#include <stdlib.h>
#include <string.h>

void nereus_profile_fini(struct nereus_profile *profile)
{
    free(profile->measured);
    free(profile->methods);
    free(profile->whole);
    memset(profile, 0, sizeof *profile);
}
