/** @file orphans.c  Finds the children of this process in /proc. */
#include "orphans.h"

#include <ctype.h>
#include <dirent.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <sys/types.h>
#include <unistd.h>

#include "model/util/process.h"

static bool is_living_child(const char *pid)
{
    struct nereus_process_stat process;
    return nereus_process_look(atol(pid), &process) && process.parent == getpid() &&
           process.state != 'Z';
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
