/* The environment that is handed on to new processes: which variables a launcher sets. No MPI. */
#ifndef NEREUS_HANDED_ON_H
#define NEREUS_HANDED_ON_H

#include <stdbool.h>

/* "NAME=VALUE": given by a launcher to its own processes. A launcher that finds them takes itself
 * for one of them. */
bool nereus_is_of_launcher(const char *setting);
/* That, or right only in the place where a process was started (its Slurm step, its launch): a new
 * process has its own. */
bool nereus_is_of_place(const char *setting);
/* Remove settings from this process's environment, but for those of which this is true. */
void nereus_environment_keep(bool (*keep)(const char *setting));

#endif
