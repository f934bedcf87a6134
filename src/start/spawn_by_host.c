/** @file spawn_by_host.c  Spawns one world with a command for each of its hosts. */
#include "spawn_by_host.h"

#include <stdlib.h>
#include <string.h>

/* One command for each host. */
struct commands {
    int count;
    char **commands, ***argvs;
    int *processes;
    MPI_Info *infos;
};

static void free_commands(struct commands *all)
{
    for (int i = 0; i < all->count; i++)
        if (all->infos[i] != MPI_INFO_NULL)
            MPI_Info_free(&all->infos[i]);
    free(all->commands);
    free(all->argvs);
    free(all->processes);
    free(all->infos);
}

static int allocate_commands(struct commands *all, size_t room)
{
    *all = (struct commands){.commands = calloc(room, sizeof *all->commands),
                             .argvs = calloc(room, sizeof *all->argvs),
                             .processes = calloc(room, sizeof *all->processes),
                             .infos = calloc(room, sizeof *all->infos)};
    return all->commands != NULL && all->argvs != NULL && all->processes != NULL &&
                   all->infos != NULL
               ? MPI_SUCCESS
               : MPI_ERR_NO_MEM;
}

static int add_command(struct commands *all, char *command, char **argv, int processes)
{
    const int i = all->count++;
    all->commands[i] = command;
    all->argvs[i] = argv;
    all->processes[i] = processes;
    all->infos[i] = MPI_INFO_NULL;
    return MPI_SUCCESS;
}

/* Add a command for a host with its processes, "host1:2". The text is modified. */
static int add_host(struct commands *all, char *command, char **argv, char *host,
                    const char *hosts_key)
{
    char *number = strrchr(host, ':');
    if (number != NULL)
        *number++ = '\0';
    add_command(all, command, argv, number != NULL ? atoi(number) : 1);
    MPI_Info *info = &all->infos[all->count - 1];
    const int code = MPI_Info_create(info);
    return code != MPI_SUCCESS ? code : MPI_Info_set(*info, hosts_key, host);
}

static int fill_commands(struct commands *all, char *command, char **argv,
                         const struct spawn_group *group, const char *hosts_key)
{
    if (group->hosts == NULL || group->hosts[0] == '\0')
        return add_command(all, command, argv, (int)group->count);
    char *copy = strdup(group->hosts), *rest = copy, *host;
    int code = copy != NULL ? MPI_SUCCESS : MPI_ERR_NO_MEM;
    while (code == MPI_SUCCESS && (host = strsep(&rest, ",")) != NULL)
        code = add_host(all, command, argv, host, hosts_key);
    free(copy);
    return code;
}

int nereus_spawn_by_host(char *command, char **argv, const struct spawn_group *group,
                         const char *hosts_key, MPI_Comm *inter)
{
    struct commands all;
    /* a host has at least one process */
    int code = allocate_commands(&all, (size_t)group->count + 1);
    if (code == MPI_SUCCESS)
        code = fill_commands(&all, command, argv, group, hosts_key);
    if (code == MPI_SUCCESS) {
        code = MPI_Comm_spawn_multiple(all.count, all.commands, all.argvs, all.processes, all.infos,
                                       0, group->comm, inter, MPI_ERRCODES_IGNORE);
    }
    free_commands(&all);
    return code;
}
