/**
 * @file guard_link.c
 * Events are letters on an inherited socket. The guard needs to know when MPI is reached (from then
 * on nereus-guard-join must not replace the program), and whether the process left the job or
 * finished it.
 */
#include "guard_link.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "model/util/process.h"
#include "src/mpi/process_manager.h"

struct link {
    int fd; /* -1: no guard */
    bool initial;
    long launcher; /* pid of the guard's parent */
};

static bool read_link(const char *name, struct link *link)
{
    const char *text = getenv(name);
    const int read = text == NULL ? 0 : sscanf(text, "%d:%ld", &link->fd, &link->launcher);
    unsetenv(name);
    /* inherited variable without the channel */
    if (read < 1 || fcntl(link->fd, F_SETFD, FD_CLOEXEC) != 0)
        *link = (struct link){.fd = -1};
    return link->fd >= 0;
}

/* Read once, by the main thread, and removed from the environment of programs that the application
 * starts. */
static const struct link *guard_link(void)
{
    static struct link link = {.fd = -2};
    if (link.fd == -2 && !read_link(NEREUS_GUARD_FD_NAME, &link))
        link.initial = read_link(NEREUS_INITIAL_FD_NAME, &link);
    return &link;
}

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

/* Only wrappers are between it and the guard. A process that the job starts without the launcher's
 * variables on purpose is a separate job. */
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

bool nereus_has_guard(void)
{
    return guard_link()->fd >= 0 && !guard_link()->initial;
}

int64_t nereus_launcher(void)
{
    return guard_link()->initial ? guard_link()->launcher : getppid();
}

void nereus_notify_guard(enum guard_event event)
{
    const char letter = (char)event;
    const int fd = guard_link()->fd;
    while (fd >= 0 && send(fd, &letter, 1, MSG_NOSIGNAL) < 0 && errno == EINTR)
        ;
}
