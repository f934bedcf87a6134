/**
 * @file profile_place.h
 * Finds the profile that is used. In this order:
 *
 *   1. what the caller names (--profile): a file, "-" (standard input), or an installed profile;
 *   2. $NEREUS_PROFILE, likewise;
 *   3. FOLDER/HERE.use, a link that `nereus profile use` has made;
 *   4. FOLDER/HERE.json, which `nereus calibrate` installs;
 *   5. /etc/nereus/profiles/HERE.json, the site's.
 *
 * FOLDER is nereus/profiles in $XDG_CONFIG_HOME, else in ~/.config. HERE is $SLURM_CLUSTER_NAME or,
 * outside of Slurm's jobs, the name of this host, as hosts may share a home directory.
 */
#ifndef NEREUS_PROFILE_PLACE_H
#define NEREUS_PROFILE_PLACE_H

#include <stdbool.h>

#include "profile.h"
#include "status.h"

NEREUS_BEGIN_C

enum { NEREUS_PROFILE_PATH_MAX = 1024, NEREUS_PROFILE_NAME_MAX = 128 };

enum nereus_profile_selection {
    NEREUS_PROFILE_NAMED,
    NEREUS_PROFILE_ENVIRONMENT,
    NEREUS_PROFILE_CHOSEN,
    NEREUS_PROFILE_INSTALLED,
    NEREUS_PROFILE_SITE
};

struct nereus_profile_place {
    enum nereus_profile_selection selection;
    char path[NEREUS_PROFILE_PATH_MAX];
};

/** What the search depends on; "": not set. */
struct nereus_profile_search {
    char variable[NEREUS_PROFILE_PATH_MAX];   /**< $NEREUS_PROFILE */
    char folder[NEREUS_PROFILE_PATH_MAX];     /**< the user's */
    char site[NEREUS_PROFILE_PATH_MAX];       /**< the site's */
    char here_words[NEREUS_PROFILE_NAME_MAX]; /**< HERE */
};

/**
 * Set the search from the environment. Not thread-safe against changes of the environment.
 * @param[out] search  texts that are too long are cut
 */
void nereus_profile_search_init(struct nereus_profile_search *search);

/**
 * Find the profile; its file is not read, and a named one need not exist.
 * @param[in]  named  NULL: nothing
 * @param[out] place  path, and how it was found
 * @return NEREUS_ERR_NO_BASIS: none; the message names the places. NEREUS_ERR_IO: the chosen
 * profile is gone
 */
enum nereus_status nereus_profile_find(const struct nereus_profile_search *search,
                                       const char *named, struct nereus_profile_place *place,
                                       struct nereus_error *err);

/** How a profile was selected, for people: "as $NEREUS_PROFILE says". */
const char *nereus_profile_selection_text(enum nereus_profile_selection selection);

/**
 * nereus_profile_find and nereus_profile_read; the error message says how the profile was
 * found. Thread-safe except for standard input.
 * @param[out] place    path, and how it was found
 * @param[out] profile  to be freed with nereus_profile_fini
 * @return as nereus_profile_find and nereus_profile_read
 */
enum nereus_status nereus_profile_read_default(const struct nereus_profile_search *search,
                                               const char *named,
                                               struct nereus_profile_place *place,
                                               struct nereus_profile *profile,
                                               struct nereus_error *err);

/**
 * Where a profile is installed, FOLDER/NAME.json; the folders are made.
 * @param[in]  name  without '/', not beginning with '.'; NULL: HERE
 * @param[out] path  NEREUS_PROFILE_PATH_MAX characters
 * @return NEREUS_ERR_ARGUMENT for another name or without a home; NEREUS_ERR_IO
 */
enum nereus_status nereus_profile_install_path(const struct nereus_profile_search *search,
                                               const char *name, char path[NEREUS_PROFILE_PATH_MAX],
                                               struct nereus_error *err);

/**
 * Use an existing profile from now on: FOLDER/HERE.use becomes a link to it. For HERE's own
 * profile, and for the site's if the user has none, the link is removed.
 * @return NEREUS_ERR_ARGUMENT without a home; NEREUS_ERR_IO
 */
enum nereus_status nereus_profile_use(const struct nereus_profile_search *search, const char *path,
                                      struct nereus_error *err);

NEREUS_END_C
#endif
