/**
 * @file slurm.h
 * The nodes of a Slurm allocation, from the variables that Slurm sets.
 */
#ifndef NEREUS_SLURM_H
#define NEREUS_SLURM_H

#include <stdint.h>

#include "nereus/layout.h"
#include "nereus/status.h"

/** The variables of an allocation; NULL where one is not set. */
struct nereus_slurm {
    const char *nodes; /**< SLURM_JOB_NODELIST: "n[01-03,7],gpu2" */
    /** SLURM_JOB_CPUS_PER_NODE: "36(x2),24", in the order of the nodes */
    const char *cpus_per_node;
    const char *cpus_on_node; /**< SLURM_CPUS_ON_NODE: of this node; taken for every node */
    /** SLURM_TASKS_PER_NODE: as cpus_per_node; NULL where no tasks were asked for */
    const char *tasks_per_node;
    /** SLURM_CPUS_PER_TASK: cores that each process takes; 0: not set */
    int64_t cpus_per_task;
};

/**
 * From the environment, also within a job that nereus-mpiexec started. nodes: NULL outside an
 * allocation. Tasks were asked for if SLURM_NTASKS, SLURM_NTASKS_PER_NODE or SLURM_CPUS_PER_TASK is
 * set.
 */
struct nereus_slurm nereus_slurm_environment(void);

/** Set the environment of what nereus-mpiexec starts, so that mpiexec and, within its job steps,
 * the processes see the same allocation. */
void nereus_slurm_hand_on(void);

/**
 * The allocation as a host file: a line "name:cores" a node. Pure: no scontrol, no Slurm.
 * @param cores  of every node; 0: its tasks where tasks were asked for, else its CPUs; one if no
 *    variable says either
 * @param[out] text  to be freed by the caller
 * @return NEREUS_ERR_PARSE with a sentence that names the variable
 */
enum nereus_status nereus_slurm_hosts(const struct nereus_slurm *slurm, int64_t cores, char **text,
                                      struct nereus_error *err);

/**
 * The machine of a job without a host file. In an allocation of several nodes: these, with the
 * cores of nereus_slurm_hosts; tasks that were asked for are the declared slots, CPUs are not. Else
 * this host, without slots. In an allocation each process takes the CPUs of a task, and a single
 * node has Slurm's name.
 * @param name, cores  of this host
 */
enum nereus_status nereus_machine_around(const struct nereus_slurm *slurm, const char *name,
                                         int64_t cores, struct nereus_machine *machine,
                                         struct nereus_error *err);

#endif
