/*
 * The line from a process to the guard that started it: one letter an event, on an inherited pipe. The guard
 * needs to know when MPI is reached (from then on it must not take the program's place), and how the process
 * ends: whether it left the job or is among those that finish it.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include "guard/guard_events.h"
#include "job.h"

/* Found once (main thread), and hidden from whatever the application starts itself. -1: no guard. */
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

void nereus_tell_guard(char event)
{
    const int fd = guard_fd();
    while (fd >= 0 && write(fd, &event, 1) < 0 && errno == EINTR)
        ;
}

/* A program may initialise MPI itself before nereus_init: MPI's profiling names let the guard hear of it all
 * the same. */
int MPI_Init(int *argc, char ***argv)
{
    nereus_set_mpi_environment();
    nereus_bind_look(true);
    nereus_tell_guard(GUARD_REACHED_MPI);
    return PMPI_Init(argc, argv);
}

int MPI_Init_thread(int *argc, char ***argv, int required, int *provided)
{
    nereus_set_mpi_environment();
    nereus_bind_look(true);
    nereus_tell_guard(GUARD_REACHED_MPI);
    return PMPI_Init_thread(argc, argv, required, provided);
}
