/**
 * @file slurm.h
 * The nodes of a Slurm allocation, from the variables that Slurm sets.
 */
#ifndef NEREUS_SLURM_H
#define NEREUS_SLURM_H

#include <stdint.h>

#include "nereus/layout.h"
#include "nereus/status.h"

/** What an allocation's variables say; NULL where one is not set. */
struct nereus_slurm {
    const char *nodes;         /**< SLURM_JOB_NODELIST: "n[01-03,7],gpu2" */
    const char *cpus_per_node; /**< SLURM_JOB_CPUS_PER_NODE: "36(x2),24", in the order of the nodes */
    const char *cpus_on_node; /**< SLURM_CPUS_ON_NODE: of the node that we are on; taken to be every node's */
    const char
        *tasks_per_node; /**< SLURM_TASKS_PER_NODE: as cpus_per_node; NULL where no tasks were asked for */
};

/**
 * From the environment, also within a job that nereus-mpiexec has started there. nodes: NULL outside an allocation. Tasks were asked for where
 * Slurm says SLURM_NTASKS, SLURM_NTASKS_PER_NODE or SLURM_CPUS_PER_TASK.
 */
struct nereus_slurm nereus_slurm_environment(void);

/** For what nereus-mpiexec is about to start: the environment then says the same to its mpiexec and, within its steps, to the processes. */
void nereus_slurm_hand_on(void);

/**
 * The allocation as a host file: a line "name:cores" a node. Pure: no scontrol, no Slurm.
 * @param cores  of every node; 0: its tasks where tasks were asked for, else its CPUs; one if no variable says either
 * @param[out] text  to be freed by the caller
 * @return NEREUS_ERR_PARSE with a sentence that names the variable
 */
enum nereus_status nereus_slurm_hosts(const struct nereus_slurm *slurm, int64_t cores, char **text,
                                      struct nereus_error *err);

/**
 * Where a job runs that no host file is given for. An allocation of several nodes, of the cores that nereus_slurm_hosts says; tasks that
 * were asked for are the declared slots, CPUs are none. Else this host, without slots.
 * @param name, cores  of this host
 */
enum nereus_status nereus_machine_around(const struct nereus_slurm *slurm, const char *name, int64_t cores,
                                         struct nereus_machine *machine, struct nereus_error *err);

#endif
