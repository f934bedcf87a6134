/* One letter an event, on an inherited pipe. The guard needs to know when MPI is reached (from then
 * on it must not take the program's place), and how the process ends: whether it left the job or is
 * among those that finish it. */
#include "guard_link.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

/* Looked up once (main thread), and hidden from programs that the application starts. -1: no guard.
 */
static int guard_fd(void)
{
    static int fd = -2;
    if (fd != -2)
        return fd;
    const char *text = getenv(NEREUS_GUARD_FD_NAME);
    fd = text != NULL ? atoi(text) : -1;
    if (fd >= 0 && fcntl(fd, F_SETFD, FD_CLOEXEC) != 0)
        fd = -1; /* the variable was inherited, the pipe was not */
    unsetenv(NEREUS_GUARD_FD_NAME);
    return fd;
}

bool nereus_has_guard(void)
{
    return guard_fd() >= 0;
}

void nereus_tell_guard(enum guard_event event)
{
    const char letter = (char)event;
    const int fd = guard_fd();
    while (fd >= 0 && write(fd, &letter, 1) < 0 && errno == EINTR)
        ;
}
