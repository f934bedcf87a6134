/**
 * @file task_spawn.c
 * spawn: all processes of the first world spawn --new copies together, and the two worlds merge.
 *
 * Two rows a repeat: spawn (from the last source's arrival at MPI_Comm_spawn until every source has
 * returned and every new process has left MPI_Init) and merge (MPI_Intercomm_merge over all). Then
 * they disconnect, so that each repeat starts with the same number of processes.
 */
#include "model/util/clock.h"
#include "step_time.h"
#include "task.h"

/* The last departure among the new processes if they are on this host. Otherwise clocks differ
 * and they are left out: MPI_Comm_spawn returns at the sources only when they have connected. */
static double find_last_departure_s(MPI_Comm inter, double departure_s)
{
    double host = nereus_hash_host(), own[3] = {departure_s, host, -host}, others[3];
    MPI_Allreduce(own, others, 3, MPI_DOUBLE, MPI_MAX, inter);
    return others[1] == host && others[2] == -host ? others[0] : 0.0;
}

static double measure_merge_s(MPI_Comm inter, int high)
{
    MPI_Comm merged;
    MPI_Barrier(inter);
    struct nereus_step_interval interval = {.arrival_s = nereus_monotonic_s()};
    MPI_Intercomm_merge(inter, high, &merged);
    interval.departure_s = nereus_monotonic_s();
    double time_s = nereus_step_compute_time_s(interval, merged);
    MPI_Barrier(merged);
    MPI_Comm_free(&merged);
    return time_s;
}

static bool run_new(const struct nereus_task_run *run)
{
    MPI_Comm parent = run->parent;
    find_last_departure_s(parent, nereus_monotonic_s());
    measure_merge_s(parent, 1);
    nereus_task_disconnect(&parent);
    return true;
}

static bool run_old(const struct nereus_task_run *run)
{
    MPI_Comm inter;
    MPI_Barrier(MPI_COMM_WORLD);
    struct nereus_step_interval interval = {.arrival_s = nereus_monotonic_s()};
    if (!nereus_task_spawn_copies(run, MPI_COMM_WORLD, run->new_processes, &inter))
        return false;
    interval.departure_s = nereus_monotonic_s();
    double new_departure_s = find_last_departure_s(inter, interval.departure_s);
    if (new_departure_s > interval.departure_s)
        interval.departure_s = new_departure_s;
    double spawn_s = nereus_step_compute_time_s(interval, MPI_COMM_WORLD),
           merge_s = measure_merge_s(inter, 0);
    nereus_task_disconnect(&inter);
    const bool written =
        nereus_task_write_step(run, NEREUS_STEP_SPAWN, run->size, run->new_processes, spawn_s, 1);
    return written && nereus_task_write_step(run, NEREUS_STEP_MERGE, run->size, run->new_processes,
                                             merge_s, 1);
}

static bool run_task(struct nereus_task_run *run)
{
    if (run->parent != MPI_COMM_NULL)
        return run_new(run);
    for (int i = 0; i < run->repeats; i++)
        if (!run_old(run))
            return false;
    return true;
}

const struct nereus_task nereus_task_spawn = {
    .name = "spawn",
    .help = "spawn --new processes from all that mpiexec started, and merge the two worlds",
    .run = run_task,
};
