/** @file orphans.c  Finds the children of this process in /proc. */
#include "orphans.h"

#include <ctype.h>
#include <dirent.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

/* /proc/PID/stat: "pid (name) state ppid ..."; the name may hold anything, also ')'. */
static bool is_living_child(const char *pid)
{
    char path[64], text[512];
    snprintf(path, sizeof path, "/proc/%s/stat", pid);
    FILE *file = fopen(path, "re");
    if (file == NULL) {
        return false;
    }
    size_t length = fread(text, 1, sizeof text - 1, file);
    fclose(file);
    text[length] = '\0';
    const char *rest = strrchr(text, ')');
    char state = 'Z';
    int parent = 0;
    return rest != NULL && sscanf(rest + 1, " %c %d", &state, &parent) == 2 && parent == getpid() &&
           state != 'Z';
}

int nereus_kill_children(void)
{
    int killed = 0;
    DIR *folder = opendir("/proc");
    if (folder == NULL) {
        return 0;
    }
    struct dirent *entry;
    while ((entry = readdir(folder)) != NULL) {
        if (isdigit((unsigned char)entry->d_name[0]) && is_living_child(entry->d_name)) {
            killed += kill((pid_t)atol(entry->d_name), SIGKILL) == 0 ? 1 : 0;
        }
    }
    closedir(folder);
    return killed;
}
