/* Starting a world of its own with mpiexec or srun. Private to src/guard. */
#ifndef NEREUS_LAUNCHER_H
#define NEREUS_LAUNCHER_H

#include <stddef.h>
#include <sys/types.h>

#include "output.h"

struct launcher_order {
    const char *host; /* empty: any; of several hosts as mpiexec takes them, and their number */
    int hosts;        /* 0: one */
    /* "slurm:1234": that it has to start in; empty: the job's own */
    const char *allocation;
    /* The launcher, with options, separated by blanks; empty: see launcher.c */
    const char *command;
    int processes;
    char **words; /* what each process runs, NULL-terminated */
};

/* Start it in a session of its own.
 * @param mpiexec the command that the job was started with
 * @param output  where it prints
 * @return its process, or -1 with one sentence */
pid_t launcher_start(const struct launcher_order *order, char **mpiexec,
                     const struct output *output, char *sentence, size_t size);

#endif
