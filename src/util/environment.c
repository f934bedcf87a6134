/* The values were chosen when the project was set up; the user's settings take precedence. */
#include "environment.h"

#include <stdlib.h>
#include <string.h>

#include "nereus_mpi_config.h"

void nereus_set_mpi_environment(void)
{
    static const char *const settings[] = NEREUS_MPI_ENVIRONMENT;
    for (size_t i = 0; settings[i] != NULL; i += 2)
        setenv(settings[i], settings[i + 1], 0);
    static const char *const by_module[] = NEREUS_MPI_MODULE_ENVIRONMENT;
    const char *module = getenv("MPIR_CVAR_CH4_NETMOD");
    for (size_t i = 0; module != NULL && by_module[i] != NULL; i += 3)
        if (strcmp(module, by_module[i]) == 0)
            setenv(by_module[i + 1], by_module[i + 2], 0);
}
