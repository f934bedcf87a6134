/** @file program.c  Names the program of a checkpoint by this process' file, or its script. */
#include "program.h"

#include <mpi.h>
#include <unistd.h>

static const char *script_path; /* borrowed until the program ends */

void nereus_set_script(const char *path)
{
    script_path = path;
}

void nereus_checkpoint_program(struct nereus_checkpoint *checkpoint)
{
    char text[MPI_MAX_LIBRARY_VERSION_STRING] = "";
    int length = 0;
    const ssize_t bytes =
        readlink("/proc/self/exe", checkpoint->program, sizeof checkpoint->program - 1);
    checkpoint->program[bytes > 0 ? bytes : 0] = '\0';
    if (script_path != NULL)
        nereus_text_copy(script_path, checkpoint->program, sizeof checkpoint->program);
    snprintf(checkpoint->library, sizeof checkpoint->library, "nereus %s", NEREUS_VERSION);
    MPI_Get_library_version(text, &length);
    text[strcspn(text, "\n")] = '\0';
    snprintf(checkpoint->mpi, sizeof checkpoint->mpi, "%.*s", (int)sizeof checkpoint->mpi - 1,
             text);
}
