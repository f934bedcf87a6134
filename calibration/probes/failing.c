/**
 * @file failing.c
 * Failures in a job: failing spawns, killed processes, worlds with different exit statuses.
 */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "probe.h"

/* If MPI reports the failure the job continues, and "survived" is the last line; otherwise it
 * hangs or ends. */
static int try_spawn(struct nereus_probe *probe, const char *program, char **arguments,
                     const char *host)
{
    MPI_Comm inter = MPI_COMM_NULL;
    MPI_Info info = MPI_INFO_NULL;
    int code = MPI_SUCCESS;
    if (host) {
        MPI_Info_create(&info);
        MPI_Info_set(info, "host", host);
    }
    nereus_probe_print(probe, "trying", program);
    int status = MPI_Comm_spawn(program, arguments, 1, info, 0, MPI_COMM_SELF, &inter, &code);
    nereus_probe_print(probe, "returned",
                       status == MPI_SUCCESS && code == MPI_SUCCESS ? "success" : "an error");
    if (status != MPI_SUCCESS)
        nereus_probe_print_error(probe, "error", status);
    nereus_probe_print(probe, "survived", "yes");
    return 0;
}

int nereus_probe_missing_program(struct nereus_probe *probe)
{
    return try_spawn(probe, "/nowhere/no-such-program", MPI_ARGV_NULL, NULL);
}

int nereus_probe_dies_early(struct nereus_probe *probe)
{
    return try_spawn(probe, "/bin/false", MPI_ARGV_NULL, NULL);
}

int nereus_probe_unknown_host(struct nereus_probe *probe)
{
    return try_spawn(probe, probe->self, probe->argv + 1, "no-such-host.invalid");
}

/* Communicate until the job is ended from outside. */
static int exchange_forever(MPI_Comm comm)
{
    for (;;)
        if (MPI_Barrier(comm) != MPI_SUCCESS)
            return 1;
}

static void kill_this_process(void)
{
    usleep(50000);
    raise(SIGKILL);
}

int nereus_probe_killed(struct nereus_probe *probe)
{
    MPI_Barrier(MPI_COMM_WORLD);
    nereus_probe_print(probe, "killing", "a rank of the first world");
    if (probe->rank == 1)
        kill_this_process();
    return exchange_forever(MPI_COMM_WORLD);
}

int nereus_probe_killed_spawned(struct nereus_probe *probe)
{
    MPI_Comm inter = probe->parent;
    if (inter == MPI_COMM_NULL && nereus_probe_spawn_copies(probe, 1, &inter) != MPI_SUCCESS)
        return 1;
    MPI_Barrier(inter);
    nereus_probe_print(probe, "killing", "a spawned process");
    if (probe->parent != MPI_COMM_NULL)
        kill_this_process();
    return exchange_forever(inter);
}

int nereus_probe_exit_status(struct nereus_probe *probe)
{
    MPI_Comm inter = probe->parent;
    if (inter == MPI_COMM_NULL && nereus_probe_spawn_copies(probe, 1, &inter) != MPI_SUCCESS)
        return 1;
    MPI_Barrier(inter);
    MPI_Comm_disconnect(&inter);
    return probe->parent == MPI_COMM_NULL ? 0 : 5;
}
