/**
 * @file shared_files.c
 * By their names nobody can tell whose they are, and other jobs may run on this host: a file counts only if one of our own
 * processes was seen to have it mapped.
 */
#include "shared_files.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Deeper than mpiexec, its proxies and guards will ever be. */
enum { DEPTH_MAX = 12 };

static const char mine[] = "/dev/shm/mpich_";

static bool is_noted(const struct nereus_shared_files *files, pid_t owner)
{
    for (int i = 0; i < files->count; i++) {
        if (files->owners[i] == owner) {
            return true;
        }
    }
    return false;
}

static void note_mapped(struct nereus_shared_files *files, pid_t owner)
{
    char path[64], line[512];
    snprintf(path, sizeof path, "/proc/%ld/maps", (long)owner);
    FILE *maps = is_noted(files, owner) ? NULL : fopen(path, "re");
    while (maps != NULL && files->count < NEREUS_SHARED_FILES_MAX && fgets(line, sizeof line, maps) != NULL) {
        const char *name = strstr(line, mine);
        if (name != NULL && strcspn(name, " \n") < NEREUS_SHARED_NAME_MAX) {
            snprintf(files->paths[files->count], NEREUS_SHARED_NAME_MAX, "%.*s", (int)strcspn(name, " \n"),
                     name);
            files->owners[files->count++] = owner;
            break; /* one for each process */
        }
    }
    if (maps != NULL) {
        fclose(maps);
    }
}

/* NOLINTNEXTLINE(misc-no-recursion): as deep as processes start each other */
static void look_below(struct nereus_shared_files *files, pid_t parent, int depth)
{
    char path[64];
    long child;
    snprintf(path, sizeof path, "/proc/%ld/task/%ld/children", (long)parent, (long)parent);
    FILE *children = depth < DEPTH_MAX ? fopen(path, "re") : NULL;
    while (children != NULL && fscanf(children, "%ld", &child) == 1) {
        note_mapped(files, (pid_t)child);
        look_below(files, (pid_t)child, depth + 1);
    }
    if (children != NULL) {
        fclose(children);
    }
}

void nereus_shared_files_look(struct nereus_shared_files *files)
{
    look_below(files, getpid(), 0);
}

int nereus_shared_files_remove(struct nereus_shared_files *files)
{
    int removed = 0;
    for (int i = 0; i < files->count; i++) {
        removed += unlink(files->paths[i]) == 0;
    }
    files->count = 0;
    return removed;
}
