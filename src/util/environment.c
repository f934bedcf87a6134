/* The variables were chosen when the project was set up; what the user has set wins. */
#include "environment.h"

#include <stdlib.h>

#include "nereus_mpi_config.h"

void nereus_set_mpi_environment(void)
{
    static const char *const settings[] = NEREUS_MPI_ENVIRONMENT;
    for (size_t i = 0; settings[i] != NULL; i += 2)
        setenv(settings[i], settings[i + 1], 0);
}
