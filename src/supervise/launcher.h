/**
 * @file launcher.h
 * Starts a separate world with mpiexec or srun (launcher.c); translates the options that
 * nereus-mpiexec has with every MPI into the launcher's own (own_options.c).
 */
#pragma once

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
 * @param ends  receive the launcher's standard output and standard error; -1: unchanged
 * @return its pid; -1: failed, with one sentence */
pid_t launcher_start(const struct launcher_order *order, char **mpiexec, const int ends[2],
                     char *sentence, size_t size);

/** The command line with the launcher's options, an owned list of owned words. NULL: no memory. */
char **own_options_translate(char *const *mpiexec);
