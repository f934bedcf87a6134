/** @file profile_in_use.c  See profile_in_use.h. */
#include "profile_in_use.h"

#include "nereus/profile_place.h"

const char *nereus_cli_profile_in_use(const char **source)
{
    static struct nereus_profile_place place; /* main's thread asks, once */
    struct nereus_profile_search search;
    nereus_profile_search_here(&search);
    if (nereus_profile_find(&search, NULL, &place, NULL) != NEREUS_OK) {
        return NULL;
    }
    *source = nereus_profile_origin_text(place.origin);
    return place.path;
}
