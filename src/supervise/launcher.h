/** @file launcher.h  Start of a separate world with mpiexec or srun. */
#ifndef NEREUS_SRC_SUPERVISE_LAUNCHER_H
#define NEREUS_SRC_SUPERVISE_LAUNCHER_H

#include <stddef.h>
#include <sys/types.h>

#include "output.h"

struct launcher_order {
    const char *host;       /* one host, or a list as mpiexec takes it; empty: any */
    int hosts;              /* number of hosts in the list; 0: one */
    const char *allocation; /* "slurm:1234": the allocation to start in; empty: the job's own */
    /* The launcher with its options, separated by blanks; empty: the default (launcher.c) */
    const char *command;
    int processes;
    char **argv; /* command line of each process, NULL-terminated */
};

/** Start the launcher in a session of its own.
 * @param mpiexec the command that started the job
 * @param output  receives the launcher's output
 * @return its pid; -1: failed, with one sentence */
pid_t launcher_start(const struct launcher_order *order, char **mpiexec,
                     const struct output *output, char *sentence, size_t size);

#endif
