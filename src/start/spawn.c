/** @file spawn.c  Spawns a group with the info keys that place it, under a time limit. */

#include "spawn.h"

#include "model/layout/slurm.h"
#include "src/link/spawn_timeout.h"
#include "src/mpi/mpi_library.h"

/* Time for a guard to join in place of a program that was not ready in time. */
static const double replacement_margin_s = 5;

char **nereus_argv_prepend(char *word, char **argv)
{
    size_t count = 0;
    while (argv[count] != NULL)
        count++;
    char **longer = calloc(count + 2, sizeof *longer);
    if (longer == NULL)
        return NULL;
    longer[0] = word;
    memcpy(longer + 1, argv, count * sizeof *argv);
    return longer;
}

/* One command for each host. */
struct commands {
    int count;
    char **commands, ***argvs;
    int *processes;
    MPI_Info *infos;
};

static void free_commands(struct commands *commands)
{
    for (int i = 0; i < commands->count; i++)
        if (commands->infos[i] != MPI_INFO_NULL)
            MPI_Info_free(&commands->infos[i]);
    free(commands->commands);
    free(commands->argvs);
    free(commands->processes);
    free(commands->infos);
}

static int allocate_commands(struct commands *commands, size_t room)
{
    *commands = (struct commands){.commands = calloc(room, sizeof *commands->commands),
                                  .argvs = calloc(room, sizeof *commands->argvs),
                                  .processes = calloc(room, sizeof *commands->processes),
                                  .infos = calloc(room, sizeof *commands->infos)};
    return commands->commands != NULL && commands->argvs != NULL && commands->processes != NULL &&
                   commands->infos != NULL
               ? MPI_SUCCESS
               : MPI_ERR_NO_MEM;
}

static int add_command(struct commands *commands, char *command, char **argv, int processes)
{
    const int i = commands->count++;
    commands->commands[i] = command;
    commands->argvs[i] = argv;
    commands->processes[i] = processes;
    commands->infos[i] = MPI_INFO_NULL;
    return MPI_SUCCESS;
}

/* Add a command for a host with its processes, "host1:2". The text is modified. */
static int add_host(struct commands *commands, char *command, char **argv, char *host,
                    const char *hosts_key)
{
    char *number = strrchr(host, ':');
    if (number != NULL)
        *number++ = '\0';
    add_command(commands, command, argv, number != NULL ? atoi(number) : 1);
    MPI_Info *info = &commands->infos[commands->count - 1];
    const int code = MPI_Info_create(info);
    return code != MPI_SUCCESS ? code : MPI_Info_set(*info, hosts_key, host);
}

static int fill_commands(struct commands *commands, char *command, char **argv,
                         const struct spawn_group *group, const char *hosts_key)
{
    if (group->hosts == NULL || group->hosts[0] == '\0')
        return add_command(commands, command, argv, (int)group->count);
    char *copy = strdup(group->hosts), *rest = copy, *host;
    int code = copy != NULL ? MPI_SUCCESS : MPI_ERR_NO_MEM;
    while (code == MPI_SUCCESS && (host = strsep(&rest, ",")) != NULL)
        code = add_host(commands, command, argv, host, hosts_key);
    free(copy);
    return code;
}

/* Spawn with a command for each host, on an MPI whose info key for hosts takes no number of
 * processes for each host.
 * @return MPI's code; MPI_ERR_NO_MEM */
static int spawn_by_host(char *command, char **argv, const struct spawn_group *group,
                         MPI_Comm *inter)
{
    struct commands commands;
    /* a host has at least one process */
    int code = allocate_commands(&commands, (size_t)group->count + 1);
    if (code == MPI_SUCCESS)
        code = fill_commands(&commands, command, argv, group, nereus_mpi()->hosts_key);
    if (code == MPI_SUCCESS) {
        code = MPI_Comm_spawn_multiple(commands.count, commands.commands, commands.argvs,
                                       commands.processes, commands.infos, 0, group->comm, inter,
                                       MPI_ERRCODES_IGNORE);
    }
    free_commands(&commands);
    return code;
}

/* Spawn on the hosts of the group, in the way that this MPI takes them. */
static int spawn_on_hosts(char *command, char **argv, const struct spawn_group *group,
                          MPI_Comm *inter)
{
    const bool anywhere = group->hosts == NULL || group->hosts[0] == '\0';
    MPI_Info info = MPI_INFO_NULL;
    int code = MPI_SUCCESS;
    if (nereus_mpi()->spawns_by_host)
        return spawn_by_host(command, argv, group, inter);
    if (!anywhere && (code = MPI_Info_create(&info)) == MPI_SUCCESS)
        code = MPI_Info_set(info, nereus_mpi()->hosts_key, group->hosts);
    if (code == MPI_SUCCESS) {
        code = MPI_Comm_spawn(command, argv, (int)group->count, info, 0, group->comm, inter,
                              MPI_ERRCODES_IGNORE);
    }
    if (info != MPI_INFO_NULL)
        MPI_Info_free(&info);
    return code;
}

/* Spawn at the root of the spawn, with time limits by a thread of this process and by
 * nereus-supervise. */
static int spawn_watched(const struct start_spec *spec, const nereus_job *job,
                         const struct spawn_group *group, MPI_Comm *inter)
{
    struct nereus_spawn_timeout watch;
    char name[NEREUS_SPAWN_ID_MAX + 1] = "n";
    nereus_spawn_timeout_name(name + 1, sizeof name - 1);
    char **argv = nereus_argv_prepend(name, spec->argv);
    /* Guards answer within their own time limit; a host may not answer at all. */
    nereus_spawn_timeout_begin(
        &watch, job->settings.spawn_timeout_s + replacement_margin_s,
        "new processes were to be spawned, and their host or the launcher did not answer");
    if (argv != NULL)
        nereus_spawn_timeout_count_guards(&watch, name + 1, group->count,
                                          group->hosts != NULL ? group->hosts : "",
                                          job->settings.answer_timeout_s);
    const int code = spawn_on_hosts(spec->guard, argv != NULL ? argv : spec->argv, group, inter);
    nereus_spawn_timeout_end(&watch);
    free(argv);
    return code;
}

const char nereus_without_spawn[] = "a method with launch, as merge-launch, needs no spawn";

/* Reason: Slurm's plug-in for PMI 2 spawns by a separate srun. It chooses the hosts itself, and if
 * the job's step has all cores it waits for them until the job ends. */
const char *nereus_spawn_refusal_reason(void)
{
    const char *spawns = getenv("NEREUS_SPAWN");
    return nereus_slurm_has_started_process() && (spawns == NULL || strcmp(spawns, "yes") != 0)
               ? "srun, not nereus-mpiexec, has started the processes that would spawn them"
               : NULL;
}

/* Check a process that spawns alone: for rank 0 of all parents core/decide.c has checked before. */
static enum nereus_status check_starter(const nereus_job *job, const struct spawn_group *group,
                                        struct nereus_error *err)
{
    const char *why = group->comm == job->self ? nereus_spawn_refusal_reason() : NULL;
    return why == NULL ? NEREUS_OK
                       : nereus_fail(err, NEREUS_ERR_SPAWN, "no new processes can come in: %s; %s",
                                     why, nereus_without_spawn);
}

enum nereus_status nereus_spawn(const struct start_spec *spec, const nereus_job *job,
                                const struct spawn_group *group, MPI_Comm *inter,
                                struct nereus_error *err)
{
    static char no_program[] = ""; /* ignored except at the root of the spawn */
    NEREUS_TRY(check_starter(job, group, err));
    const int code = spec->guard != NULL ? spawn_watched(spec, job, group, inter)
                                         : spawn_on_hosts(no_program, MPI_ARGV_NULL, group, inter);
    if (code != MPI_SUCCESS) {
        *inter = MPI_COMM_NULL;
        nereus_mpi_failed(code, "MPI_Comm_spawn", err);
        return err->status = NEREUS_ERR_SPAWN; /* nothing was started: the job continues */
    }
    NEREUS_MPI(MPI_Comm_set_errhandler(*inter, MPI_ERRORS_RETURN), err);
    return NEREUS_OK;
}
