/* The variables of a Slurm allocation: what they say here, and what the processes of a job are told of them. */
#include <stdbool.h>
#include <stdlib.h>

#include "slurm.h"

/* What nereus-mpiexec hands on to the processes of its job: they run in a step, whose variables are the launcher's, of one task a node. */
static const char *const handed_on = "NEREUS_SLURM_TASKS_PER_NODE";

static bool in_a_step(void)
{
    return getenv("SLURM_STEP_ID") != NULL;
}

/* Slurm says SLURM_TASKS_PER_NODE in any case: where nobody has asked for tasks it may be one a node, on nodes of many CPUs. A number of
 * CPUs for each task asks for as many tasks as find room. */
static bool tasks_asked_for(void)
{
    return getenv("SLURM_NTASKS") != NULL || getenv("SLURM_NTASKS_PER_NODE") != NULL ||
           getenv("SLURM_CPUS_PER_TASK") != NULL;
}

struct nereus_slurm nereus_slurm_environment(void)
{
    struct nereus_slurm slurm = {.nodes = getenv("SLURM_JOB_NODELIST"),
                                 .cpus_per_node = getenv("SLURM_JOB_CPUS_PER_NODE"),
                                 .cpus_on_node = getenv("SLURM_CPUS_ON_NODE"),
                                 .tasks_per_node = getenv(handed_on)};
    if (slurm.tasks_per_node == NULL && !in_a_step() && tasks_asked_for())
        slurm.tasks_per_node = getenv("SLURM_TASKS_PER_NODE");
    return slurm;
}

void nereus_slurm_hand_on(void)
{
    const char *tasks = getenv("SLURM_TASKS_PER_NODE"), *cpus = getenv("SLURM_JOB_CPUS_PER_NODE");
    if (in_a_step()) /* the variable is the step's; what an outer nereus-mpiexec has handed on stays */
        return;
    unsetenv(handed_on); /* of another allocation, in which sbatch was called */
    if (tasks_asked_for() && tasks != NULL) {
        setenv(handed_on, tasks, 1);
    } else if (cpus != NULL) {
        setenv("SLURM_TASKS_PER_NODE", cpus,
               1); /* Hydra fills nodes by it: so that it fills them as we say */
    }
}
