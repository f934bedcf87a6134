/** @file version.c  Prints `nereus --version`. */

#include "command.h"
#include "nereus/profile_place.h"
#include "nereus_commit.h"
#include "nereus_mpi_config.h"

void nereus_version_print(void)
{
    struct nereus_profile_place place;
    struct nereus_profile_search search;
    printf("nereus %s\n", NEREUS_VERSION);
    printf("commit: %s\n", NEREUS_COMMIT[0] != '\0' ? NEREUS_COMMIT : "unknown (no git checkout)");
    printf("MPI: %s\n", NEREUS_HAVE_MPI ? NEREUS_MPI_VERSION_STRING : "none (predictions only)");
    nereus_profile_search_init(&search);
    if (nereus_profile_find(&search, NULL, &place, NULL) == NEREUS_OK)
        printf("profile: %s (%s)\n", place.path, nereus_profile_selection_text(place.selection));
    else
        puts("profile: none (`nereus calibrate` installs one)");
}
