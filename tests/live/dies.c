/**
 * @file dies.c
 * Linked into a spawned program: ends the process in or after MPI_Init, as NEREUS_TEST_DIES says, if
 * a guard has started it.
 *
 *   before    before any call of MPI
 *   in        inside MPI_Init, before it has reached the launcher
 *   after     when MPI_Init is complete
 *   killed    as after, by SIGKILL
 *   quietly   as after, with status 0
 *
 * "WORD:NUMBER": only the process of that rank in its world.
 */
#include <dlfcn.h>
#include <mpi.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int chosen(const char *word)
{
    const char *text = getenv("NEREUS_TEST_DIES"), *rank = getenv("PMI_RANK");
    const size_t length = strlen(word);
    if (text == NULL || getenv("NEREUS_TEST_SPAWNED") == NULL || strncmp(text, word, length) != 0)
        return 0;
    return text[length] == '\0' ||
           (text[length] == ':' && rank != NULL && strcmp(rank, text + length + 1) == 0);
}

/* Called by libnereus' MPI_Init_thread: the guard has been told by then that MPI is reached. */
int PMPI_Init_thread(int *argc, char ***argv, int required, int *provided)
{
    int (*real)(int *, char ***, int, int *);
    *(void **)&real = dlsym(RTLD_NEXT, "PMPI_Init_thread");
    if (chosen("in"))
        _exit(3);
    const int code = real(argc, argv, required, provided);
    if (chosen("after"))
        _exit(3);
    if (chosen("quietly"))
        _exit(0);
    if (chosen("killed"))
        raise(SIGKILL);
    return code;
}

/* A process that no guard has started has none of its descriptors; the library hides the variable
 * later. */
__attribute__((constructor)) static void look(void)
{
    unsetenv("NEREUS_TEST_SPAWNED");
    if (getenv("NEREUS_GUARD_FD") != NULL)
        setenv("NEREUS_TEST_SPAWNED", "1", 1);
    if (chosen("before"))
        _exit(3);
}
