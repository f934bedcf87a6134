/**
 * @file launcher_environment.c
 * Lists the variables that a launcher sets for its processes. Not in the lists: users' settings for
 * a launcher (SLURM_JOB_ID and others), and SLURM_TASKS_PER_NODE, without which mpiexec does not
 * recognise a Slurm allocation and uses ssh.
 */
#include "launcher_environment.h"

#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include "src/mpi/process_manager.h"
#include "src/util/guard_events.h"

extern char **environ;

enum { ANSWER_MS = 3000 };

static bool begins_with(const char *setting, const char *const *prefixes)
{
    for (; *prefixes != NULL; prefixes++)
        if (nereus_text_begins_with(setting, *prefixes))
            return true;
    return false;
}

bool nereus_is_launcher_variable(const char *setting)
{
    static const char *const prefixes[] = {"SLURM_STEP",
                                           "SLURM_PROCID=",
                                           "SLURM_LOCALID=",
                                           "SLURM_NODEID=",
                                           "SLURM_GTIDS=",
                                           "SLURM_TASK_",
                                           "SLURM_SRUN_COMM",
                                           "SLURM_LAUNCH_NODE_IPADDR=",
                                           "SLURM_CPU_BIND",
                                           "SLURM_DISTRIBUTION=",
                                           "SLURM_PMI",
                                           NEREUS_GUARD_FD_NAME "=",
                                           NEREUS_INITIAL_FD_NAME "=",
                                           NULL};
    const struct nereus_process_manager *const *manager = nereus_process_managers;
    while (*manager != NULL && !begins_with(setting, (*manager)->variables))
        manager++;
    return *manager != NULL || begins_with(setting, prefixes);
}

bool nereus_is_local_variable(const char *setting)
{
    static const char *const prefixes[] = {
        "SLURM_", NEREUS_LAUNCHER_NAME "=", NEREUS_LAUNCH_NAME "=", NEREUS_HOOKS_NAME "=",
        /* GPUs assigned to the process by mpiexec or srun */
        "CUDA_VISIBLE_DEVICES=", "HIP_VISIBLE_DEVICES=", "ROCR_VISIBLE_DEVICES=",
        "ZE_AFFINITY_MASK=", "GPU_DEVICE_ORDINAL=", NULL};
    return nereus_is_launcher_variable(setting) || begins_with(setting, prefixes);
}

void nereus_environment_keep(bool (*keep)(const char *setting))
{
    char **to = environ;
    for (char **from = environ; from != NULL && *from != NULL; from++)
        if (keep(*from))
            *to++ = *from;
    if (to != NULL)
        *to = NULL;
}

/* Waits for the launcher's answer, with a time limit: a launcher with another protocol may not
 * answer. */
void nereus_finalise_launcher(void)
{
    const struct nereus_process_manager *manager = nereus_process_manager();
    const char *text = manager->end_request != NULL ? getenv(manager->connection) : NULL;
    char byte = 0;
    int fd;
    if (text == NULL || sscanf(text, "%d", &fd) != 1 ||
        send(fd, manager->end_request, strlen(manager->end_request), MSG_NOSIGNAL) !=
            (ssize_t)strlen(manager->end_request))
        return;
    struct pollfd answer = {.fd = fd, .events = POLLIN};
    while (byte != '\n' && poll(&answer, 1, ANSWER_MS) == 1 && read(fd, &byte, 1) == 1)
        ;
}
