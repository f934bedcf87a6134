/**
 * @file zombies.c
 * Zombies: many cycles 4 -> 2 -> 4 in one job keep the same four processes and open no further
 * descriptors, and sleeping processes use no CPU. The latter is checked some points after the
 * shrink, when all sleepers have reported to rank 0.
 *
 *   zombies CYCLES
 */
#include <dirent.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "nereus/nereus.h"

/* The second change comes at point PAUSE; points before it are quick where two processes sleep. */
enum { PROCESSES = 4, KEPT = 2, PAUSE = 100 };

static int compare(const void *a, const void *b)
{
    return *(const int *)a - *(const int *)b;
}

static void gather_pids(nereus_job *job, int *pids)
{
    const int own_pid = getpid();
    MPI_Allgather(&own_pid, 1, MPI_INT, pids, 1, MPI_INT, nereus_comm(job));
    qsort(pids, PROCESSES, sizeof *pids, compare);
}

static int open_descriptors(void)
{
    int count = 0;
    DIR *folder = opendir("/proc/self/fd");
    while (folder != NULL && readdir(folder) != NULL)
        count++;
    closedir(folder);
    return count;
}

/* How often the main thread of a process has been given a core, and its state. -1: there is no such
 * process */
static long long turns_of(int pid, char *state)
{
    char path[64], line[256];
    long long turns = 0, more;
    snprintf(path, sizeof path, "/proc/%d/status", pid);
    FILE *file = fopen(path, "r");
    if (file == NULL)
        return -1;
    while (fgets(line, sizeof line, file) != NULL) {
        sscanf(line, "State: %c", state);
        if (sscanf(line, "voluntary_ctxt_switches: %lld", &more) == 1 ||
            sscanf(line, "nonvoluntary_ctxt_switches: %lld", &more) == 1)
            turns += more;
    }
    fclose(file);
    return turns;
}

/* Is a process asleep, and not scheduled for that long? One that polls or spins never is. */
static bool is_asleep(int pid)
{
    enum { QUIET_US = 500000 };
    char state = '?';
    const long long before = turns_of(pid, &state);
    usleep(QUIET_US);
    return before >= 0 && turns_of(pid, &state) == before && state == 'S';
}

/*
 * Rank 0, at each point before PAUSE, while two sleep. The entry of a process that was found asleep
 * becomes 0.
 * @return how many are not asleep at point TRIES
 */
static int look_at_sleepers(nereus_job *job, int *sleepers)
{
    enum { TRIES = 40 };
    int errors = 0;
    for (int i = 0; i < PROCESSES - KEPT && nereus_rank(job) == 0; i++)
        if (sleepers[i] != 0 && is_asleep(sleepers[i])) {
            sleepers[i] = 0;
        } else if (sleepers[i] != 0 && nereus_points(job) == TRIES) {
            fprintf(stderr, "zombies: process %d does not fall asleep\n", sleepers[i]);
            errors++;
        }
    return errors;
}

/* Processes that are no longer in the communicator. */
static void find_sleepers(nereus_job *job, const int *pids, int *sleepers)
{
    int active[KEPT], count = 0;
    const int own_pid = getpid();
    MPI_Allgather(&own_pid, 1, MPI_INT, active, 1, MPI_INT, nereus_comm(job));
    for (int i = 0; i < PROCESSES; i++)
        if (pids[i] != active[0] && pids[i] != active[1] && count < PROCESSES - KEPT)
            sleepers[count++] = pids[i];
}

int main(int argc, char **argv)
{
    struct nereus_options options = NEREUS_OPTIONS_INIT;
    struct nereus_resize schedule[512];
    const int cycles = argc > 1 ? atoi(argv[1]) : 100;
    int64_t point = 0;
    int id, pids[PROCESSES], current_pids[PROCESSES], sleepers[PROCESSES - KEPT] = {0}, errors = 0,
                                                                           descriptors = 0;
    enum nereus_action action = NEREUS_CONTINUE;
    nereus_job *job;
    for (int i = 0; i < 2 * cycles; i++)
        schedule[i] = (struct nereus_resize){i == 0 ? 1 : PAUSE + i, i % 2 == 0 ? KEPT : PROCESSES,
                                             "merge/coll"};
    options.schedule = schedule;
    options.schedule_count = 2 * cycles;
    if (nereus_init(&argc, &argv, &options, &job) != NEREUS_OK)
        return 7;
    nereus_register_replicated(job, "point", MPI_INT64_T, 1, NEREUS_VARIABLE, &point, &id);
    nereus_register_array(job, "x", MPI_DOUBLE, 1001, NEREUS_VARIABLE, &id);
    gather_pids(job, pids);
    while (point < PAUSE + 2 * cycles && action != NEREUS_LEAVE) {
        point++;
        if (nereus_point(job, &action) != NEREUS_OK)
            return 8;
        /* Up to PAUSE, and after an even point, two are active; the others stay within this very
         * call, and come back from it at an odd one. */
        if (action == NEREUS_RESIZED && nereus_size(job) == PROCESSES) {
            gather_pids(job, current_pids);
            errors += memcmp(pids, current_pids, sizeof pids) != 0;
            if (nereus_points(job) == PAUSE + 19)
                descriptors = open_descriptors();
        } else if (action == NEREUS_RESIZED && point == 1) {
            find_sleepers(job, pids, sleepers);
        } else if (point < PAUSE) {
            errors += look_at_sleepers(job, sleepers);
        }
        point = nereus_points(job);
    }
    if (action != NEREUS_LEAVE && descriptors != open_descriptors()) {
        fprintf(stderr, "zombies: %d descriptors after 10 cycles, %d at the end\n", descriptors,
                open_descriptors());
        errors++;
    }
    if (action != NEREUS_LEAVE && nereus_rank(job) == 0)
        printf("%lld points, %d processes, wrong %d\n", (long long)nereus_points(job),
               nereus_size(job), errors);
    if (nereus_finalize(&job) != NEREUS_OK)
        return 6;
    return errors != 0;
}
