/** @file own_launcher.c  Searches the environment and the parents of this process for a launcher of
 * MPI. */
#include "own_launcher.h"

#include <fcntl.h>
#include <unistd.h>

#include "model/util/process.h"
#include "src/mpi/process_manager.h"

static bool has_variable(const char *name)
{
    return name != NULL && getenv(name) != NULL;
}

bool nereus_has_launcher(void)
{
    bool has = false;
    for (const struct nereus_process_manager *const *manager = nereus_process_managers;
         *manager != NULL; manager++)
        has = has || has_variable((*manager)->rank) || has_variable((*manager)->connection) ||
              has_variable((*manager)->address);
    return has;
}

static bool uses_mpi(long pid)
{
    char path[64], line[512];
    bool found = false;
    snprintf(path, sizeof path, "/proc/%ld/maps", pid);
    FILE *maps = fopen(path, "re");
    while (maps != NULL && !found && fgets(line, sizeof line, maps) != NULL)
        found = strstr(line, "/libmpi") != NULL || strstr(line, "/libnereus") != NULL;
    if (maps != NULL)
        fclose(maps);
    return found;
}

bool nereus_has_closed_launcher(void)
{
    const char *name = nereus_process_manager()->connection,
               *text = name != NULL ? getenv(name) : NULL;
    int fd;
    return text != NULL && sscanf(text, "%d", &fd) == 1 && fcntl(fd, F_GETFD) < 0;
}

/* Walk up the parents to nereus-guard. Only wrappers may be in between: a parent that has loaded
 * MPI has started this process as a separate job. */
bool nereus_has_lost_launcher(void)
{
    struct nereus_process_stat process;
    if (nereus_has_launcher())
        return false;
    for (long pid = getppid(); pid > 1 && nereus_process_read(pid, &process);
         pid = process.parent) {
        if (strcmp(process.name, "nereus-guard") == 0)
            return true;
        if (uses_mpi(pid))
            return false;
    }
    return false;
}
