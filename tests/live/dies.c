/**
 * @file dies.c
 * Linked to a program that is spawned: dies in MPI_Init or behind it, as NEREUS_TEST_DIES says, if
 * it was started by a guard.
 *
 *   before   before anything of MPI     in   inside MPI_Init, before it has reached the launcher
 *   after    when MPI_Init is complete  killed   then, too, but by SIGKILL  quietly  then, too, but
 *   with status 0
 *
 * "WORD:NUMBER" only in the process of that rank in its world.
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

/* What libnereus calls from its own MPI_Init_thread: the guard has been told by then that MPI is
 * reached. */
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

/* Who was not started by a guard has none of its descriptors; the library hides the variable later.
 */
__attribute__((constructor)) static void look(void)
{
    unsetenv("NEREUS_TEST_SPAWNED");
    if (getenv("NEREUS_GUARD_FD") != NULL)
        setenv("NEREUS_TEST_SPAWNED", "1", 1);
    if (chosen("before"))
        _exit(3);
}
