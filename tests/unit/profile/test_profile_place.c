/** @file test_profile_place.c  The search for a profile: each place, in its order. */
#include <criterion/criterion.h>
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "model/util/arith.h"
#include "nereus/profile_place.h"

static char folder[] = "/tmp/nereus-place-XXXXXX";
static struct nereus_profile_search search;

static char *in(const char *name)
{
    static char path[4][256];
    static int next;
    char *position = path[next++ % 4];
    snprintf(position, sizeof path[0], "%s/%s", folder, name);
    return position;
}

static void touch(const char *path)
{
    FILE *file = fopen(path, "w");
    cr_assert_not_null(file, "%s", path);
    fputs("x", file);
    fclose(file);
}

static void make_places(void)
{
    cr_assert_not_null(mkdtemp(folder));
    mkdir(in("user"), 0777);
    mkdir(in("site"), 0777);
    search = (struct nereus_profile_search){.here_words = "here"};
    snprintf(search.folder, sizeof search.folder, "%s", in("user"));
    snprintf(search.site, sizeof search.site, "%s", in("site"));
    touch(in("site/here.json"));
    touch(in("site/other.json"));
    touch(in("user/here.json"));
    touch(in("user/mine.json"));
    touch(in("a.json"));
}

static void remove_places(void)
{
    char command[300];
    snprintf(command, sizeof command, "rm -r '%s'", folder);
    cr_expect_eq(system(command), 0);
}

static void expect(const char *named, enum nereus_profile_selection selection, const char *path)
{
    struct nereus_profile_place place = {.path = ""};
    struct nereus_error err = {.text = ""};
    cr_expect_eq(nereus_profile_find(&search, named, &place, &err), NEREUS_OK, "%s", err.text);
    cr_expect_str_eq(place.path, path);
    cr_expect_eq(place.selection, selection, "%s is %s", path,
                 nereus_profile_selection_text(place.selection));
}

Test(profile_place, order, .init = make_places, .fini = remove_places)
{
    expect(in("a.json"), NEREUS_PROFILE_NAMED, in("a.json"));
    expect("mine", NEREUS_PROFILE_NAMED, in("user/mine.json"));
    expect("other", NEREUS_PROFILE_NAMED, in("site/other.json"));
    expect("nobody", NEREUS_PROFILE_NAMED, "nobody");
    expect("-", NEREUS_PROFILE_NAMED, "-");
    expect(NULL, NEREUS_PROFILE_INSTALLED, in("user/here.json"));
    cr_expect_eq(nereus_profile_use(&search, in("a.json"), NULL), NEREUS_OK);
    expect(NULL, NEREUS_PROFILE_CHOSEN, in("a.json"));
    snprintf(search.variable, sizeof search.variable, "mine");
    expect(NULL, NEREUS_PROFILE_ENVIRONMENT, in("user/mine.json"));
    search.variable[0] = '\0';
    /* The usual one again: no link is left. */
    cr_expect_eq(nereus_profile_use(&search, in("user/here.json"), NULL), NEREUS_OK);
    expect(NULL, NEREUS_PROFILE_INSTALLED, in("user/here.json"));
    cr_expect_neq(access(in("user/here.use"), F_OK), 0);
    unlink(in("user/here.json"));
    expect(NULL, NEREUS_PROFILE_SITE, in("site/here.json"));
}

/* Another host of the same home directory is not affected. */
Test(profile_place, another_host, .init = make_places, .fini = remove_places)
{
    struct nereus_error err = {.text = ""};
    struct nereus_profile_place place = {.path = "kept"};
    cr_expect_eq(nereus_profile_use(&search, in("a.json"), NULL), NEREUS_OK);
    snprintf(search.here_words, sizeof search.here_words, "other");
    expect(NULL, NEREUS_PROFILE_SITE, in("site/other.json"));
    snprintf(search.here_words, sizeof search.here_words, "third");
    cr_expect_eq(nereus_profile_find(&search, NULL, &place, &err), NEREUS_ERR_NO_BASIS);
    cr_expect(strstr(err.text, "no third.json is in ") != NULL, "%s", err.text);
    cr_expect(strstr(err.text, in("user")) != NULL, "%s", err.text);
    cr_expect(strstr(err.text, in("site")) != NULL, "%s", err.text);
    cr_expect(strstr(err.text, "nereus calibrate") != NULL, "%s", err.text);
    cr_expect_str_eq(place.path, "kept");
}

Test(profile_place, names, .init = make_places, .fini = remove_places)
{
    static const struct {
        const char *name;
        enum nereus_status status;
    } rows[] = {{"cluster-b", NEREUS_OK},         {"a/b", NEREUS_ERR_ARGUMENT},
                {".hidden", NEREUS_ERR_ARGUMENT}, {"", NEREUS_ERR_ARGUMENT},
                {"..", NEREUS_ERR_ARGUMENT},      {NULL, NEREUS_OK}};
    for (size_t i = 0; i < NEREUS_COUNT_OF(rows); i++) {
        char path[NEREUS_PROFILE_PATH_MAX] = "kept";
        cr_expect_eq(nereus_profile_install_path(&search, rows[i].name, path, NULL), rows[i].status,
                     "row %zu", i);
        cr_expect_eq(strcmp(path, "kept") == 0, rows[i].status != NEREUS_OK, "row %zu", i);
    }
    search.folder[0] = '\0';
    char path[NEREUS_PROFILE_PATH_MAX];
    cr_expect_eq(nereus_profile_install_path(&search, "a", path, NULL), NEREUS_ERR_ARGUMENT);
    cr_expect_eq(nereus_profile_use(&search, in("a.json"), NULL), NEREUS_ERR_ARGUMENT);
}

/* The environment: XDG before HOME, if it is an absolute path; Slurm's cluster before the host. */
Test(profile_place, environment)
{
    struct nereus_profile_search found;
    setenv("HOME", "/h", 1);
    setenv("XDG_CONFIG_HOME", "/x", 1);
    setenv("SLURM_CLUSTER_NAME", "nasp", 1);
    setenv("NEREUS_PROFILE", "p.json", 1);
    nereus_profile_search_init(&found);
    cr_expect_str_eq(found.folder, "/x/nereus/profiles");
    cr_expect_str_eq(found.here_words, "nasp");
    cr_expect_str_eq(found.variable, "p.json");
    cr_expect_str_eq(found.site, "/etc/nereus/profiles");
    setenv("XDG_CONFIG_HOME", "x", 1);
    unsetenv("SLURM_CLUSTER_NAME");
    unsetenv("NEREUS_PROFILE");
    char host[256] = "";
    gethostname(host, sizeof host - 1);
    nereus_profile_search_init(&found);
    cr_expect_str_eq(found.folder, "/h/.config/nereus/profiles");
    cr_expect_str_eq(found.here_words, host);
    cr_expect_str_eq(found.variable, "");
    setenv("HOME", "h", 1);
    nereus_profile_search_init(&found);
    cr_expect_str_eq(found.folder, "");
    /* As a scheduler or cron may start it: the home that the list of users has. */
    const struct passwd *user = getpwuid(getuid());
    char wanted[300] = "";
    if (user != NULL && user->pw_dir[0] == '/')
        snprintf(wanted, sizeof wanted, "%s/.config/nereus/profiles", user->pw_dir);
    unsetenv("HOME");
    nereus_profile_search_init(&found);
    cr_expect_str_eq(found.folder, wanted);
}
