/**
 * @file memory_hooks.c
 * Looks for devices that need the hooks, and sets MPI's variable (src/mpi) accordingly.
 */
#include "memory_hooks.h"

#include <glob.h>

#include "src/mpi/process_manager.h"
#include "src/util/guard_events.h"

/* Devices of InfiniBand, RoCE, Omni-Path and EFA; of Slingshot; GPUs of three manufacturers. */
static const char *const devices[] = {"/sys/class/infiniband/*", "/sys/class/cxi/*",
                                      "/dev/nvidiactl", "/dev/kfd", "/dev/dri/renderD*"};

/* Callback of glob: stop at a directory that exists and cannot be read. */
static int is_unreadable(const char *path, int code)
{
    (void)path;
    return code != ENOENT && code != ENOTDIR;
}

bool memory_hooks_are_needed(const char *root)
{
    char pattern[PATH_MAX];
    for (size_t i = 0; i < sizeof devices / sizeof *devices; i++) {
        glob_t found;
        snprintf(pattern, sizeof pattern, "%s%s", root, devices[i]);
        const int code = glob(pattern, GLOB_NOSORT, is_unreadable, &found);
        globfree(&found);
        /* GLOB_ABORTED, a directory that cannot be read: it may have devices */
        if (code != GLOB_NOMATCH)
            return true;
    }
    return false;
}

void memory_hooks_choose(const char *root)
{
    const struct nereus_process_manager *manager = nereus_process_manager();
    if (getenv(manager->hooks) != NULL || memory_hooks_are_needed(root))
        return;
    setenv(manager->hooks, manager->no_hooks, 1);
    setenv(NEREUS_HOOKS_NAME, manager->hooks, 1);
}
