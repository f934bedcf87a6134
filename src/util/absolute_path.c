/**
 * @file absolute_path.c
 * Paths are made absolute before they are sent, as a new process may start in another folder.
 */
#include "absolute_path.h"

#include <unistd.h>

#include "model/util/home.h"

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
