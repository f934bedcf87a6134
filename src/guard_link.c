/*
 * The line from a process to the guard that started it: one letter an event, on an inherited pipe. The guard
 * needs to know when MPI is reached (from then on it must not take the program's place), and how the process
 * ends: whether it left the job or is among those that finish it.
 */
#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include "job.h"

void nereus_tell_guard(char event)
{
    const char *text = getenv("NEREUS_GUARD_FD");
    if (text == NULL)
        return;
    const int fd = atoi(text);
    while (write(fd, &event, 1) < 0 && errno == EINTR)
        ;
}

/* A program may initialise MPI itself before nereus_init: MPI's profiling names let the guard hear of it all
 * the same. */
int MPI_Init(int *argc, char ***argv)
{
    nereus_set_mpi_environment();
    nereus_tell_guard('M');
    return PMPI_Init(argc, argv);
}

int MPI_Init_thread(int *argc, char ***argv, int required, int *provided)
{
    nereus_set_mpi_environment();
    nereus_tell_guard('M');
    return PMPI_Init_thread(argc, argv, required, provided);
}
