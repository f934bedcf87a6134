/**
 * @file profile_place.c
 * Finds a profile by name in the folders of the user and of the installation.
 */
#include "nereus/profile_place.h"

#include <sys/stat.h>
#include <unistd.h>

#include "model/util/file.h"
#include "model/util/home.h"

static const char site_folder[] = "/etc/nereus/profiles";

static const char *get_environment(const char *name)
{
    const char *value = getenv(name);
    return value != NULL ? value : "";
}

/* A relative path in an XDG variable is ignored, as its specification demands. */
static void set_folder(struct nereus_profile_search *search)
{
    char home[NEREUS_PROFILE_PATH_MAX - 64];
    const char *config = get_environment("XDG_CONFIG_HOME");
    nereus_home_folder(home, sizeof home);
    if (config[0] == '/')
        snprintf(search->folder, sizeof search->folder, "%s/nereus/profiles", config);
    else if (home[0] == '/')
        snprintf(search->folder, sizeof search->folder, "%s/.config/nereus/profiles", home);
}

static bool is_name(const char *name)
{
    return name[0] != '\0' && name[0] != '.' && strchr(name, '/') == NULL &&
           strlen(name) < NEREUS_PROFILE_NAME_MAX;
}

void nereus_profile_search_init(struct nereus_profile_search *search)
{
    const char *cluster = get_environment("SLURM_CLUSTER_NAME");
    memset(search, 0, sizeof *search);
    set_folder(search);
    char *in_home = nereus_home_path(get_environment("NEREUS_PROFILE"));
    snprintf(search->variable, sizeof search->variable, "%s",
             in_home != NULL ? in_home : get_environment("NEREUS_PROFILE"));
    free(in_home);
    snprintf(search->site, sizeof search->site, "%s", site_folder);
    if (is_name(cluster))
        snprintf(search->here_words, sizeof search->here_words, "%s", cluster);
    else if (gethostname(search->here_words, sizeof search->here_words - 1) != 0)
        search->here_words[0] = '\0';
}

/* Make a path.
 * @return false: no folder or name, or too long */
static bool join_path(const char *folder, const char *name, const char *ending,
                      char path[NEREUS_PROFILE_PATH_MAX])
{
    return folder[0] != '\0' && is_name(name) &&
           snprintf(path, NEREUS_PROFILE_PATH_MAX, "%s/%s.%s", folder, name, ending) <
               NEREUS_PROFILE_PATH_MAX;
}

static bool is_file(const char *path)
{
    return access(path, F_OK) == 0;
}

/* Find an installed profile, if no file has this name. */
static void find_named(const struct nereus_profile_search *search, const char *named,
                       char path[NEREUS_PROFILE_PATH_MAX])
{
    if (strcmp(named, "-") != 0 && !is_file(named) &&
        ((join_path(search->folder, named, "json", path) && is_file(path)) ||
         (join_path(search->site, named, "json", path) && is_file(path))))
        return;
    snprintf(path, NEREUS_PROFILE_PATH_MAX, "%s", named);
}

/* Read the link that `nereus profile use` sets.
 * @return false: there is none */
static bool find_chosen(const struct nereus_profile_search *search,
                        char path[NEREUS_PROFILE_PATH_MAX])
{
    char link[NEREUS_PROFILE_PATH_MAX];
    if (!join_path(search->folder, search->here_words, "use", link))
        return false;
    const ssize_t length = readlink(link, path, NEREUS_PROFILE_PATH_MAX - 1);
    if (length > 0)
        path[length] = '\0';
    return length > 0;
}

static enum nereus_status fail_none(const struct nereus_profile_search *search,
                                    struct nereus_error *err)
{
    char folder[NEREUS_PROFILE_PATH_MAX + 8] = "";
    if (search->folder[0] != '\0')
        snprintf(folder, sizeof folder, "%s or ", search->folder);
    return nereus_fail(
        err, NEREUS_ERR_NO_BASIS,
        "no profile: none is named with --profile or $NEREUS_PROFILE, and no %.127s.json is in "
        "%s%s; "
        "`nereus calibrate` measures this machine and installs one, `nereus profile list` shows "
        "others, --synthetic \"nodes:16 cores:20 latency:1.5us bandwidth:12GB/s\" makes one up",
        search->here_words, folder, search->site);
}

enum nereus_status nereus_profile_find(const struct nereus_profile_search *search,
                                       const char *named, struct nereus_profile_place *place,
                                       struct nereus_error *err)
{
    struct nereus_profile_place found = {.selection = NEREUS_PROFILE_NAMED};
    if (named != NULL) {
        find_named(search, named, found.path);
    } else if (search->variable[0] != '\0') {
        found.selection = NEREUS_PROFILE_ENVIRONMENT;
        find_named(search, search->variable, found.path);
    } else if (find_chosen(search, found.path)) {
        found.selection = NEREUS_PROFILE_CHOSEN;
        if (!is_file(found.path))
            return nereus_fail(
                err, NEREUS_ERR_IO,
                "the profile %.200s, which `nereus profile use` has chosen, is gone: "
                "`nereus profile use NAME` chooses another one",
                found.path);
    } else if (join_path(search->folder, search->here_words, "json", found.path) &&
               is_file(found.path)) {
        found.selection = NEREUS_PROFILE_INSTALLED;
    } else if (join_path(search->site, search->here_words, "json", found.path) &&
               is_file(found.path)) {
        found.selection = NEREUS_PROFILE_SITE;
    } else {
        return fail_none(search, err);
    }
    *place = found;
    return NEREUS_OK;
}

const char *nereus_profile_selection_text(enum nereus_profile_selection selection)
{
    static const char *const texts[] = {
        [NEREUS_PROFILE_NAMED] = "named on the command line",
        [NEREUS_PROFILE_ENVIRONMENT] = "named by $NEREUS_PROFILE",
        [NEREUS_PROFILE_CHOSEN] = "chosen by `nereus profile use`",
        [NEREUS_PROFILE_INSTALLED] = "installed for this host or cluster",
        [NEREUS_PROFILE_SITE] = "the site's for this host or cluster"};
    return texts[selection];
}

enum nereus_status nereus_profile_read_default(const struct nereus_profile_search *search,
                                               const char *named,
                                               struct nereus_profile_place *place,
                                               struct nereus_profile *profile,
                                               struct nereus_error *err)
{
    struct nereus_profile_place found;
    struct nereus_error why;
    NEREUS_TRY(nereus_profile_find(search, named, &found, err));
    const enum nereus_status status = nereus_profile_read(found.path, profile, &why);
    if (status != NEREUS_OK && found.selection == NEREUS_PROFILE_NAMED)
        return nereus_fail(err, status, "%s%s", why.text,
                           strchr(found.path, '/') != NULL || strstr(found.path, ".json") != NULL ||
                                   is_file(found.path)
                               ? ""
                               : "; `nereus profile list` shows those that are installed");
    if (status != NEREUS_OK)
        return nereus_fail(err, status, "%.400s (%s)", why.text,
                           nereus_profile_selection_text(found.selection));
    *place = found;
    return NEREUS_OK;
}

static enum nereus_status check_folder(const struct nereus_profile_search *search,
                                       struct nereus_error *err)
{
    if (search->folder[0] == '\0')
        return nereus_fail(
            err, NEREUS_ERR_ARGUMENT,
            "no profile can be installed: neither $HOME nor $XDG_CONFIG_HOME is an absolute path");
    return nereus_file_make_folder(search->folder, err);
}

enum nereus_status nereus_profile_install_path(const struct nereus_profile_search *search,
                                               const char *name, char path[NEREUS_PROFILE_PATH_MAX],
                                               struct nereus_error *err)
{
    char joined[NEREUS_PROFILE_PATH_MAX];
    NEREUS_TRY(check_folder(search, err));
    if (!join_path(search->folder, name != NULL ? name : search->here_words, "json", joined))
        return nereus_fail(err, NEREUS_ERR_ARGUMENT,
                           "'%.100s' is no name of a profile: it must be short, have no '/', and "
                           "not begin with '.'",
                           name != NULL ? name : search->here_words);
    memcpy(path, joined, sizeof joined);
    return NEREUS_OK;
}

static bool is_usual(const struct nereus_profile_search *search, const char *path)
{
    char usual[NEREUS_PROFILE_PATH_MAX];
    if (join_path(search->folder, search->here_words, "json", usual) && is_file(usual))
        return strcmp(usual, path) == 0;
    return join_path(search->site, search->here_words, "json", usual) && strcmp(usual, path) == 0;
}

enum nereus_status nereus_profile_use(const struct nereus_profile_search *search, const char *path,
                                      struct nereus_error *err)
{
    char link[NEREUS_PROFILE_PATH_MAX];
    NEREUS_TRY(check_folder(search, err));
    char *resolved = realpath(path, NULL);
    if (resolved == NULL)
        return nereus_fail(err, NEREUS_ERR_IO, "profile '%.200s' cannot be used: %s", path,
                           strerror(errno));
    enum nereus_status status = NEREUS_OK;
    if (!join_path(search->folder, search->here_words, "use", link))
        status = nereus_fail(err, NEREUS_ERR_ARGUMENT, "this host has no name to choose it for");
    else if ((unlink(link) != 0 && errno != ENOENT) ||
             (!is_usual(search, path) && symlink(resolved, link) != 0))
        status =
            nereus_fail(err, NEREUS_ERR_IO, "%.200s cannot be changed: %s", link, strerror(errno));
    free(resolved);
    return status;
}
