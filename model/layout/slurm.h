/**
 * @file slurm.h
 * Reads the nodes of a Slurm allocation from the variables that Slurm sets.
 */
#pragma once

#include "model/util/base.h"
#include "nereus/layout.h"

/** Variables of an allocation; NULL: not set. */
struct nereus_slurm {
    const char *nodes; /**< SLURM_JOB_NODELIST: "n[01-03,7],gpu2" */
    /** SLURM_JOB_CPUS_PER_NODE: "36(x2),24", in the order of the nodes */
    const char *cpus_per_node;
    const char *cpus_on_node; /**< SLURM_CPUS_ON_NODE: CPUs of this node, assumed for every node */
    /** SLURM_TASKS_PER_NODE; NULL: no tasks were requested */
    const char *tasks_per_node;
    /** SLURM_CPUS_PER_TASK; 0: not set */
    int64_t cpus_per_task;
};

/** Read the variables, also within a job of nereus-mpiexec. `nodes` is NULL without an allocation.
 * Tasks were requested if SLURM_NTASKS, SLURM_NTASKS_PER_NODE or SLURM_CPUS_PER_TASK is set. */
struct nereus_slurm nereus_slurm_environment(void);

/** Set the environment so that mpiexec and, in its job steps, the processes see the same allocation
 * and job number. */
void nereus_slurm_export_environment(void);

/** Did srun itself start this process for MPI (--mpi=pmi2 or pmix), and not a launcher within the
 * step? */
bool nereus_slurm_has_started_process(void);

/** Number of processes that srun has started without MPI (--mpi=none), each of which is a job of
 * its own; 0: none, or one. */
int64_t nereus_slurm_count_lone_processes(void);

/** Find the value of " NAME=VALUE " in the output of `scontrol show job -o`; "": there is none. */
void nereus_slurm_field(const char *text, const char *name, char *value, size_t size);

/** @return Slurm job in which nereus-mpiexec runs (nereus_slurm_export_environment); 0: none */
int64_t nereus_slurm_job(void);

/** Write the allocation as the text of a host file, "name:cores" a line, which the caller frees.
 * @param cores  cores of every node; 0: its tasks if tasks were requested, else its CPUs, else one
 * @return NEREUS_ERR_PARSE, naming the variable */
enum nereus_status nereus_slurm_hosts(const struct nereus_slurm *slurm, int64_t cores, char **text,
                                      struct nereus_error *err);

/** Make the machine of a job without a host file: the nodes of the allocation if it has several,
 * else this host. Tasks that were requested become declared slots. In an allocation each process
 * takes the CPUs of a task.
 * @param name, cores name and cores of this host */
enum nereus_status nereus_machine_from_environment(const struct nereus_slurm *slurm,
                                                   const char *name, int64_t cores,
                                                   struct nereus_machine *machine,
                                                   struct nereus_error *err);
