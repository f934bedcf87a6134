/**
 * @file probe.h
 * What the modes of nereus-probe share.
 *
 * Errors: a mode prints what MPI answered and returns the exit status of its process; an MPI error
 * that no mode expects aborts the job.
 */
#pragma once

#include <mpi.h>

struct nereus_probe {
    char **argv;
    char self[4096];   /**< path of this program */
    const char *guard; /**< path of nereus-guard to spawn through; NULL: spawn plainly */
    int thread_level;  /**< thread level that MPI provides */
    MPI_Comm parent;   /**< MPI_COMM_NULL in the first world */
    int rank, size;    /**< in this process' world */
};

/* A mode runs in each process of the first world and, where it spawns this program, in the new
 * ones; it returns the process' exit status. */

/** Version, thread level, port names, network module. */
int nereus_probe_facts(struct nereus_probe *probe);
/** Spawn, merge, communicate, disconnect; check that leaving processes end. */
int nereus_probe_spawn(struct nereus_probe *probe);
/** Descriptors that mpiexec and its proxies keep per spawned process that has ended. */
int nereus_probe_descriptors(struct nereus_probe *probe);
/** Spawn a program that does not exist. */
int nereus_probe_missing_program(struct nereus_probe *probe);
/** Spawn a program that ends before MPI_Init. */
int nereus_probe_dies_early(struct nereus_probe *probe);
/** Spawn on a host that does not exist. */
int nereus_probe_unknown_host(struct nereus_probe *probe);
/** Kill rank 1 of the first world while the others communicate. */
int nereus_probe_killed(struct nereus_probe *probe);
/** Kill a spawned process while the others communicate. */
int nereus_probe_killed_spawned(struct nereus_probe *probe);
/** The first world ends with 0, a spawned one with 5. */
int nereus_probe_exit_status(struct nereus_probe *probe);

/** Print "key=value" from rank 0 of the first world. */
void nereus_probe_print(const struct nereus_probe *probe, const char *key, const char *value);
/** Print "key=value" of a number, with all its digits. */
void nereus_probe_print_number(const struct nereus_probe *probe, const char *key, double value);
/** Print the first line of MPI's sentence. */
void nereus_probe_print_error(const struct nereus_probe *probe, const char *key, int mpi_status);

/**
 * Spawn copies of this program in the same mode, from this process alone.
 * @return what MPI_Comm_spawn returned
 */
int nereus_probe_spawn_copies(const struct nereus_probe *probe, int copies, MPI_Comm *inter);
