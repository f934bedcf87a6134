/** @file home.c  Finds the home folder, expands paths that begin with ~/, makes temporary ones. */
#include "home.h"

#include <pwd.h>
#include <unistd.h>

/* Without $HOME, as in cron or `env -i`, the user database has the folder. */
char *nereus_home_folder(char *folder, size_t bytes)
{
    const char *home = getenv("HOME");
    struct passwd user, *found = NULL;
    char text[4096];
    if ((home == NULL || home[0] == '\0') &&
        getpwuid_r(getuid(), &user, text, sizeof text, &found) == 0 && found != NULL)
        home = user.pw_dir;
    snprintf(folder, bytes, "%s", home != NULL ? home : "");
    return folder;
}

char *nereus_home_path(const char *text)
{
    char folder[4096], *path = NULL;
    if (strncmp(text, "~/", 2) != 0 || nereus_home_folder(folder, sizeof folder)[0] == '\0' ||
        asprintf(&path, "%s/%s", folder, text + 2) < 0)
        return NULL;
    return path;
}

char *nereus_absolute_path(const char *text)
{
    char folder[PATH_MAX] = "", *path = nereus_home_path(text), *whole = NULL;
    const char *name = path != NULL ? path : text;
    if (name[0] == '/' || getcwd(folder, sizeof folder) == NULL)
        folder[0] = '\0';
    const size_t bytes = strlen(folder) + strlen(name) + 2;
    whole = malloc(bytes);
    if (whole != NULL)
        snprintf(whole, bytes, "%s%s%s", folder, folder[0] != '\0' ? "/" : "", name);
    for (size_t length = whole != NULL ? strlen(whole) : 0; length > 1 && whole[length - 1] == '/';
         length--)
        whole[length - 1] = '\0';
    free(path);
    return whole;
}

char *nereus_temporary_path(const char *name, char *path, size_t bytes)
{
    const char *folder = getenv("TMPDIR");
    snprintf(path, bytes, "%s/%s-XXXXXX", folder != NULL && folder[0] != '\0' ? folder : "/tmp",
             name);
    return path;
}
