/**
 * @file slurm_variables.c
 * Reads the Slurm variables of an allocation, passes them on to job steps, and finds fields in
 * scontrol's output.
 */

#include "host_list.h"
#include "slurm.h"

/* Variable that passes on the allocation's SLURM_TASKS_PER_NODE: in a job step SLURM_TASKS_PER_NODE
 * describes the launcher, one task a node. */
static const char *const tasks_variable = "NEREUS_SLURM_TASKS_PER_NODE";

/* Variable that passes on SLURM_JOB_ID of nereus-mpiexec: the job may grow into other Slurm jobs.
 */
static const char *const job_variable = "NEREUS_SLURM_JOB";

static bool is_in_step(void)
{
    return getenv("SLURM_STEP_ID") != NULL;
}

/* Were tasks requested? SLURM_TASKS_PER_NODE is always set, and may be one per node without a
 * request. A request for CPUs per task requests as many tasks as fit. */
static bool has_requested_tasks(void)
{
    return getenv("SLURM_NTASKS") != NULL || getenv("SLURM_NTASKS_PER_NODE") != NULL ||
           getenv("SLURM_CPUS_PER_TASK") != NULL;
}

/* @return 0: not set, or no number */
static int64_t read_number(const char *variable)
{
    const char *position = getenv(variable);
    const int64_t number = position != NULL ? nereus_host_list_number(&position) : 0;
    return number > 0 && *position == '\0' ? number : 0;
}

struct nereus_slurm nereus_slurm_environment(void)
{
    struct nereus_slurm slurm = {.nodes = getenv("SLURM_JOB_NODELIST"),
                                 .cpus_per_node = getenv("SLURM_JOB_CPUS_PER_NODE"),
                                 .cpus_on_node = getenv("SLURM_CPUS_ON_NODE"),
                                 .tasks_per_node = getenv(tasks_variable),
                                 .cpus_per_task = read_number("SLURM_CPUS_PER_TASK")};
    if (slurm.tasks_per_node == NULL && !is_in_step() && has_requested_tasks())
        slurm.tasks_per_node = getenv("SLURM_TASKS_PER_NODE");
    return slurm;
}

/* Was the process started by Hydra of MPICH or Intel MPI, or by PRRTE? (MPI_LOCALNRANKS is also set
 * by Intel's MPI_Init.) */
static bool was_started_by_launcher(void)
{
    return getenv("HYDI_CONTROL_FD") != NULL || getenv("HYDRA_BSTRAP_PROXY_ID") != NULL ||
           getenv("PRTE_LAUNCHED") != NULL;
}

/* Slurm's plug-ins name its job and step: PMI_JOBID is "41.0", PMIX_NAMESPACE "slurm.pmix.41.0". */
bool nereus_slurm_has_started_process(void)
{
    static const char pmix[] = "slurm.pmix.";
    const char *space = getenv("PMIX_NAMESPACE");
    return is_in_step() && !was_started_by_launcher() &&
           (getenv("PMI_JOBID") != NULL ||
            (space != NULL && strncmp(space, pmix, sizeof pmix - 1) == 0));
}

int64_t nereus_slurm_count_lone_processes(void)
{
    const int64_t processes = read_number("SLURM_STEP_NUM_TASKS");
    const bool known = was_started_by_launcher() || getenv("PMI_FD") != NULL ||
                       getenv("PMIX_RANK") != NULL || getenv("PMI_PORT") != NULL;
    return is_in_step() && !known && processes > 1 ? processes : 0;
}

int64_t nereus_slurm_job(void)
{
    return read_number(job_variable);
}

void nereus_slurm_export_environment(void)
{
    const char *tasks = getenv("SLURM_TASKS_PER_NODE"), *cpus = getenv("SLURM_JOB_CPUS_PER_NODE"),
               *job = getenv("SLURM_JOB_ID");
    setenv(job_variable, job != NULL ? job : "", 1);
    if (is_in_step()) /* keep the value of the outer nereus-mpiexec */
        return;
    unsetenv(tasks_variable); /* sbatch may have been called in another allocation */
    if (has_requested_tasks() && tasks != NULL)
        setenv(tasks_variable, tasks, 1);
    else if (cpus != NULL)
        setenv("SLURM_TASKS_PER_NODE", cpus, 1); /* Hydra fills nodes by this variable */
}

void nereus_slurm_field(const char *text, const char *name, char *value, size_t size)
{
    char word[40];
    snprintf(word, sizeof word, " %s=", name);
    const char *position = strstr(text, word);
    position = position != NULL ? position + strlen(word) : "";
    snprintf(value, size, "%.*s", (int)strcspn(position, " \n"), position);
}
