/**
 * @file profile_place.h
 * Where profiles lie, and which one is taken when none is named. In this order:
 *
 *   1. what the caller names (--profile): a file, "-" (standard input), or an installed profile;
 *   2. $NEREUS_PROFILE, likewise;
 *   3. FOLDER/HERE.use, a link that `nereus profile use` has made;
 *   4. FOLDER/HERE.json, which `nereus calibrate` installs;
 *   5. /etc/nereus/profiles/HERE.json, the site's.
 *
 * FOLDER is nereus/profiles in $XDG_CONFIG_HOME, else in ~/.config (of $HOME, else of the system's
 * list of users). HERE is the Slurm cluster ($SLURM_CLUSTER_NAME) or, outside of jobs of Slurm, the
 * name of this host: a home directory may be shared by several. All functions are local.
 */
#ifndef NEREUS_PROFILE_PLACE_H
#define NEREUS_PROFILE_PLACE_H

#include <stdbool.h>

#include "profile.h"
#include "status.h"

NEREUS_BEGIN_C

enum { NEREUS_PROFILE_PATH_MAX = 1024, NEREUS_PROFILE_NAME_MAX = 128 };

/** How a profile was found. */
enum nereus_profile_origin {
    NEREUS_PROFILE_NAMED,       /**< by the caller */
    NEREUS_PROFILE_ENVIRONMENT, /**< by $NEREUS_PROFILE */
    NEREUS_PROFILE_CHOSEN,      /**< by `nereus profile use` */
    NEREUS_PROFILE_INSTALLED,   /**< by `nereus calibrate` */
    NEREUS_PROFILE_SITE         /**< by the site */
};

struct nereus_profile_place {
    enum nereus_profile_origin origin;
    char path[NEREUS_PROFILE_PATH_MAX];
};

/** What the search depends on. Empty texts: not set. */
struct nereus_profile_search {
    char variable[NEREUS_PROFILE_PATH_MAX]; /**< $NEREUS_PROFILE */
    char folder[NEREUS_PROFILE_PATH_MAX];   /**< of the user; "": there is no home */
    char site[NEREUS_PROFILE_PATH_MAX];     /**< folder of the site */
    char here[NEREUS_PROFILE_NAME_MAX];     /**< name of this cluster or host */
};

/**
 * The search here and now, from the environment. Not thread-safe against changes of the
 * environment.
 */
void nereus_profile_search_here(struct nereus_profile_search *search);

/**
 * Find the profile to be used. The file is not read. Thread-safe.
 * @param[in]  named  what the caller names; NULL: nothing
 * @param[out] place  where it is; a named one need not exist
 * @return NEREUS_ERR_NO_BASIS where none is found: the sentence names the places that were looked
 *     at, and what to do; NEREUS_ERR_IO where the one that was chosen is gone
 */
enum nereus_status nereus_profile_find(const struct nereus_profile_search *search,
                                       const char *named, struct nereus_profile_place *place,
                                       struct nereus_error *err);

/** "as $NEREUS_PROFILE says", ...: how it was found, for people. */
const char *nereus_profile_origin_text(enum nereus_profile_origin origin);

/**
 * nereus_profile_find and nereus_profile_read; of a profile that was not named the sentence of an
 * error also says how it was found. Thread-safe but for standard input.
 * @param[out] profile  to be freed with nereus_profile_fini
 */
enum nereus_status nereus_profile_read_default(const struct nereus_profile_search *search,
                                               const char *named,
                                               struct nereus_profile_place *place,
                                               struct nereus_profile *profile,
                                               struct nereus_error *err);

/**
 * Path of the user's profile of a name, FOLDER/NAME.json; the folders are made.
 * @param[in] name  without '/', not beginning with '.'; NULL: HERE
 * @return NEREUS_ERR_ARGUMENT for another name or without a home; NEREUS_ERR_IO
 */
enum nereus_status nereus_profile_install_path(const struct nereus_profile_search *search,
                                               const char *name, char path[NEREUS_PROFILE_PATH_MAX],
                                               struct nereus_error *err);

/**
 * Use this profile here from now on: FOLDER/HERE.use becomes a link to it. For HERE's own profile,
 * and for the site's if the user has none, the link is removed instead.
 * @param[in] path  of a file that exists
 * @return NEREUS_ERR_ARGUMENT without a home; NEREUS_ERR_IO
 */
enum nereus_status nereus_profile_use(const struct nereus_profile_search *search, const char *path,
                                      struct nereus_error *err);

NEREUS_END_C
#endif
