/**
 * @file launcher_environment.h
 * Knows the environment variables that a launcher sets, and that must not be passed to new
 * processes. No MPI.
 */
#pragma once

#include "model/util/base.h"

/** Is "NAME=VALUE" set by a launcher for its processes, so that another launcher must not inherit
 * it? */
bool nereus_is_launcher_variable(const char *setting);
/** Is "NAME=VALUE" set by a launcher, or valid only for this process (Slurm step, GPUs, launch)? */
bool nereus_is_local_variable(const char *setting);
/** Remove all variables for which `keep` is false from this process' environment. */
void nereus_environment_keep(bool (*keep)(const char *setting));
/** Tell the launcher that this process has finalised MPI: some launchers treat an exit without that
 * message as a failure, and kill the other processes. A second call does nothing. */
void nereus_finalise_launcher(void);
