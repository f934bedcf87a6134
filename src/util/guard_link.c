/**
 * @file guard_link.c
 * Sends events to the guard. They are single characters on an inherited socket. The guard needs to
 * know when MPI is reached (from then on nereus-guard-join must not replace the program), and
 * whether the process left the job or finished it.
 */
#include "guard_link.h"

#include <fcntl.h>
#include <sys/socket.h>
#include <unistd.h>

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

/* Get the link, which the main thread reads once. The variable is removed, so that programs started
 * by the application do not inherit it. */
static const struct link *get_guard_link(void)
{
    static struct link link = {.fd = -2};
    if (link.fd == -2 && !read_link(NEREUS_GUARD_FD_NAME, &link))
        link.initial = read_link(NEREUS_INITIAL_FD_NAME, &link);
    return &link;
}

bool nereus_has_guard(void)
{
    return get_guard_link()->fd >= 0 && !get_guard_link()->initial;
}

int64_t nereus_launcher(void)
{
    return get_guard_link()->initial ? get_guard_link()->launcher : getppid();
}

void nereus_notify_guard(enum guard_event event)
{
    const char letter = (char)event;
    const int fd = get_guard_link()->fd;
    while (fd >= 0 && send(fd, &letter, 1, MSG_NOSIGNAL) < 0 && errno == EINTR)
        ;
}
