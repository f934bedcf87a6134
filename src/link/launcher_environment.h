/* Which environment variables a launcher sets, so that they are not passed to new processes. No
 * MPI. */
#ifndef NEREUS_LAUNCHER_ENVIRONMENT_H
#define NEREUS_LAUNCHER_ENVIRONMENT_H

#include <stdbool.h>

/* "NAME=VALUE": set by a launcher for its processes; it must not be inherited by a launcher. */
bool nereus_is_launcher_variable(const char *setting);
/* The same, or valid only where the process was started (Slurm step, GPUs, launch). */
bool nereus_is_local_variable(const char *setting);
/* Remove from this process's environment all settings for which `keep` is false. */
void nereus_environment_keep(bool (*keep)(const char *setting));

#endif
