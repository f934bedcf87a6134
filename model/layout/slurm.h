/**
 * @file slurm.h
 * The nodes of a Slurm allocation, from the variables that Slurm sets.
 */
#ifndef NEREUS_MODEL_LAYOUT_SLURM_H
#define NEREUS_MODEL_LAYOUT_SLURM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "nereus/layout.h"
#include "nereus/status.h"

/** Variables of an allocation; NULL: not set. */
struct nereus_slurm {
    const char *nodes; /**< SLURM_JOB_NODELIST: "n[01-03,7],gpu2" */
    /** SLURM_JOB_CPUS_PER_NODE: "36(x2),24", in the order of the nodes */
    const char *cpus_per_node;
    const char *cpus_on_node; /**< SLURM_CPUS_ON_NODE: of this node, assumed for every node */
    /** SLURM_TASKS_PER_NODE; NULL: no tasks were asked for */
    const char *tasks_per_node;
    /** SLURM_CPUS_PER_TASK; 0: not set */
    int64_t cpus_per_task;
};

/** From the environment, also within a job of nereus-mpiexec. nodes NULL: no allocation. Tasks were
 * asked for if SLURM_NTASKS, SLURM_NTASKS_PER_NODE or SLURM_CPUS_PER_TASK is set. */
struct nereus_slurm nereus_slurm_environment(void);

/** Set the environment so that mpiexec and, in its job steps, the processes see the same
 * allocation, and number of the job. */
void nereus_slurm_hand_on(void);

/** Has srun itself started this process for MPI (--mpi=pmi2 or pmix)? Not if a launcher within the
 * step has. */
bool nereus_slurm_has_started_process(void);

/** Number of processes that srun has started without a word to MPI (--mpi=none), of which each is a
 * job of its own; 0: none, or one. */
int64_t nereus_slurm_lone_processes(void);

/** The value of " NAME=VALUE " in what `scontrol show job -o` prints; "": there is none. */
void nereus_slurm_field(const char *text, const char *name, char *value, size_t size);

/** Number of the Slurm job in which nereus-mpiexec runs, which has handed it on; 0: none. */
int64_t nereus_slurm_job(void);

/**
 * The allocation as a host file, "name:cores" a line; to be freed.
 * @param cores  of every node; 0: its tasks if tasks were asked for, else its CPUs, else one.
 * @return NEREUS_ERR_PARSE, naming the variable
 */
enum nereus_status nereus_slurm_hosts(const struct nereus_slurm *slurm, int64_t cores, char **text,
                                      struct nereus_error *err);

/**
 * The machine of a job without a host file: the nodes of an allocation of several, else this host.
 * Tasks that were asked for are declared slots. In an allocation each process takes the CPUs of a
 * task.
 * @param name, cores  of this host
 */
enum nereus_status nereus_machine_around(const struct nereus_slurm *slurm, const char *name,
                                         int64_t cores, struct nereus_machine *machine,
                                         struct nereus_error *err);

#endif
