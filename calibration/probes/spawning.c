/**
 * @file spawning.c
 * Spawns that must work, with merge, messages, disconnect and leaving groups; and the
 * descriptors that they keep.
 */
#include <dirent.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "model/util/process.h"
#include "probe.h"
#include "src/mpi/mpi_library.h"

enum { GROUP = 2, LEAVE_SECONDS = 2, ROUNDS = 4 };

int nereus_probe_spawn_copies(const struct nereus_probe *probe, int copies, MPI_Comm *inter)
{
    return MPI_Comm_spawn(probe->self, probe->argv + 1, copies, MPI_INFO_NULL, 0, MPI_COMM_SELF,
                          inter, MPI_ERRCODES_IGNORE);
}

static void disconnect_together(MPI_Comm *comm)
{
    MPI_Barrier(*comm);
    MPI_Comm_disconnect(comm);
}

/* Merge both worlds, and sum a different contribution of each process.
 * @return false: no merged world, or a wrong size or sum */
static bool merge_and_add(MPI_Comm inter, int high)
{
    MPI_Comm merged;
    int rank, size, sum = 0;
    if (MPI_Intercomm_merge(inter, high, &merged) != MPI_SUCCESS)
        return false;
    MPI_Comm_rank(merged, &rank);
    MPI_Comm_size(merged, &size);
    rank += 3;
    MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, merged);
    MPI_Barrier(merged);
    nereus_mpi()->end_merged(&merged);
    return size == GROUP + 1 && sum == 3 + 4 + 5;
}

/* Has it ended? The launcher may not yet have collected it. */
static bool has_ended(long pid)
{
    struct nereus_process_stat process;
    return !nereus_process_read(pid, &process) || process.state == 'Z' || process.state == 'X';
}

/* Wait up to LEAVE_SECONDS for the end of all processes.
 * @return false: one still runs */
static bool await_end(const long *pids, int count)
{
    for (int wait_ms = 0; wait_ms <= LEAVE_SECONDS * 1000; wait_ms += 20) {
        int gone = 0;
        for (int i = 0; i < count; i++)
            gone += has_ended(pids[i]);
        if (gone == count)
            return true;
        usleep(20000);
    }
    return false;
}

/* System V segments of this user now: some transports keep one for each process. */
static double count_shm_segments(void)
{
    char line[512];
    int uid, count = 0;
    FILE *file = fopen("/proc/sysvipc/shm", "r");
    while (file && fgets(line, sizeof line, file))
        count += sscanf(line, "%*d %*d %*o %*u %*d %*d %*u %d", &uid) == 1 && uid == (int)getuid();
    if (file)
        fclose(file);
    return count;
}

static int run_new(struct nereus_probe *probe)
{
    long pid = (long)getpid();
    merge_and_add(probe->parent, 1);
    MPI_Gather(&pid, 1, MPI_LONG, NULL, 0, MPI_LONG, 0, probe->parent);
    disconnect_together(&probe->parent);
    return 0;
}

int nereus_probe_spawn(struct nereus_probe *probe)
{
    MPI_Comm inter;
    long pids[GROUP];
    if (probe->parent != MPI_COMM_NULL)
        return run_new(probe);
    double start = MPI_Wtime();
    int status = nereus_probe_spawn_copies(probe, GROUP, &inter);
    if (status != MPI_SUCCESS) {
        nereus_probe_print_error(probe, "spawn_error", status);
        return 1;
    }
    nereus_probe_print_number(probe, "spawn_s", MPI_Wtime() - start);
    nereus_probe_print(probe, "merge", merge_and_add(inter, 0) ? "yes" : "no");
    MPI_Gather(NULL, 0, MPI_LONG, pids, 1, MPI_LONG, MPI_ROOT, inter);
    nereus_probe_print_number(probe, "segments", count_shm_segments());
    disconnect_together(&inter);
    nereus_probe_print(probe, "disconnect", "yes");
    nereus_probe_print(probe, "leave", await_end(pids, GROUP) ? "yes" : "no");
    return 0;
}

static int count_descriptors(long pid)
{
    char path[64];
    int count = 0;
    snprintf(path, sizeof path, "/proc/%ld/fd", pid);
    DIR *folder = opendir(path);
    for (struct dirent *entry; folder && (entry = readdir(folder)) != NULL;)
        count += entry->d_name[0] != '.';
    if (folder)
        closedir(folder);
    return count;
}

/* The soft limit of open files of a process; 0: unknown. */
static double read_descriptor_limit(long pid)
{
    char path[64], line[256];
    double limit = 0;
    snprintf(path, sizeof path, "/proc/%ld/limits", pid);
    FILE *file = fopen(path, "r");
    while (file && fgets(line, sizeof line, file))
        if (sscanf(line, "Max open files %lf", &limit) == 1)
            break;
    if (file)
        fclose(file);
    return limit;
}

/* @return 0: there is no such process */
static long read_parent(long pid)
{
    struct nereus_process_stat process;
    return nereus_process_read(pid, &process) ? process.parent : 0;
}

/* The launcher's process that has started this one, or has started the nereus-guard over it. */
static long find_launcher_proxy(void)
{
    struct nereus_process_stat parent;
    const long pid = (long)getppid();
    return nereus_process_read(pid, &parent) && strcmp(parent.name, "nereus-guard") == 0
               ? parent.parent
               : pid;
}

int nereus_probe_descriptors(struct nereus_probe *probe)
{
    if (probe->parent != MPI_COMM_NULL) {
        disconnect_together(&probe->parent);
        return 0;
    }
    const long proxy = find_launcher_proxy(), mpiexec = read_parent(proxy);
    int before_proxy = 0, before_mpiexec = 0;
    for (int i = 0; i <= ROUNDS; i++) {
        MPI_Comm inter;
        if (nereus_probe_spawn_copies(probe, 1, &inter) != MPI_SUCCESS)
            return 1;
        disconnect_together(&inter);
        usleep(150000); /* the launcher notices the end of a process a little later */
        if (i == 0) {   /* the first spawn may open things that stay for good */
            before_proxy = count_descriptors(proxy);
            before_mpiexec = count_descriptors(mpiexec);
        }
    }
    nereus_probe_print_number(probe, "proxy_descriptors", before_proxy);
    nereus_probe_print_number(probe, "proxy_limit", read_descriptor_limit(proxy));
    nereus_probe_print_number(probe, "proxy_kept",
                              (double)(count_descriptors(proxy) - before_proxy) / ROUNDS);
    nereus_probe_print_number(probe, "mpiexec_descriptors", before_mpiexec);
    nereus_probe_print_number(probe, "mpiexec_limit", read_descriptor_limit(mpiexec));
    nereus_probe_print_number(probe, "mpiexec_kept",
                              (double)(count_descriptors(mpiexec) - before_mpiexec) / ROUNDS);
    return 0;
}
