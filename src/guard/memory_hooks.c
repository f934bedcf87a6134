/**
 * @file memory_hooks.c
 * Looks for devices that need the hooks, and sets UCX's variable accordingly.
 */
#include "memory_hooks.h"

#include <glob.h>
#include <limits.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

/* InfiniBand, RoCE, Omni-Path and EFA; Slingshot; NVIDIA's, AMD's and Intel's GPUs. */
static const char *const devices[] = {"/sys/class/infiniband/*", "/sys/class/cxi/*",
                                      "/dev/nvidiactl", "/dev/kfd", "/dev/dri/renderD*"};

bool memory_hooks_needed(const char *root)
{
    char pattern[PATH_MAX];
    for (size_t i = 0; i < sizeof devices / sizeof *devices; i++) {
        glob_t found;
        snprintf(pattern, sizeof pattern, "%s%s", root, devices[i]);
        const int code = glob(pattern, GLOB_NOSORT, NULL, &found);
        globfree(&found);
        if (code != GLOB_NOMATCH)
            return true; /* also if the directory cannot be read */
    }
    return false;
}

void memory_hooks_choose(const char *root)
{
    if (getenv(MEMORY_HOOKS_NAME) != NULL || memory_hooks_needed(root))
        return;
    setenv(MEMORY_HOOKS_NAME, "none", 1);
    setenv(NEREUS_HOOKS_NAME, "none",
           1); /* marks the guard's choice, which holds for this host only */
}
