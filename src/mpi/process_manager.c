/**
 * @file process_manager.c
 * Finds the row of the process manager that an environment variable names.
 */
#include "process_manager.h"

#include <stddef.h>
#include <stdlib.h>
#include <strings.h>

const struct nereus_process_manager *const nereus_process_managers[] = {
    &nereus_manager_hydra, &nereus_manager_prrte, NULL};

const struct nereus_process_manager *nereus_process_manager(void)
{
    const char *name = getenv(NEREUS_PROCESS_MANAGER_NAME);
    if (name == NULL || *name == '\0')
        return getenv("PRTE_LAUNCHED") != NULL ? &nereus_manager_prrte : &nereus_manager_hydra;
    const struct nereus_process_manager *const *manager = nereus_process_managers;
    while (*manager != NULL && strcasecmp((*manager)->name, name) != 0)
        manager++;
    return *manager != NULL ? *manager : &nereus_manager_hydra;
}
