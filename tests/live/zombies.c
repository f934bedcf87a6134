/*
 * Zombies: many cycles 4 -> 2 -> 4 in one job keep the same four processes, open no further
 * descriptors, and who sleeps uses no CPU.
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

enum { PROCESSES = 4, KEPT = 2 };

static int compare(const void *a, const void *b)
{
    return *(const int *)a - *(const int *)b;
}

static void gather_pids(nereus_job *job, int *pids)
{
    const int mine = getpid();
    MPI_Allgather(&mine, 1, MPI_INT, pids, 1, MPI_INT, nereus_comm(job));
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

/* Waits until a process sleeps and is given no core for so long; who naps and looks, or spins,
 * never gets there. */
static bool falls_asleep(int pid)
{
    enum { QUIET_US = 500000, TRIES = 40 };
    char state = '?';
    long long before = turns_of(pid, &state), now;
    for (int i = 0; i < TRIES && before >= 0; i++, before = now) {
        usleep(QUIET_US);
        now = turns_of(pid, &state);
        if (now == before && state == 'S')
            return true;
    }
    fprintf(stderr, "zombies: process %d does not fall asleep: state %c\n", pid, state);
    return false;
}

/* Rank 0 while two sleep: those of the four that are not in the communicator. */
static int check_sleepers(nereus_job *job, const int *all)
{
    int active[KEPT], wrong = 0;
    const int mine = getpid();
    MPI_Allgather(&mine, 1, MPI_INT, active, 1, MPI_INT, nereus_comm(job));
    if (nereus_rank(job) != 0)
        return 0;
    for (int i = 0; i < PROCESSES; i++)
        if (all[i] != active[0] && all[i] != active[1])
            wrong += !falls_asleep(all[i]);
    return wrong;
}

int main(int argc, char **argv)
{
    struct nereus_options options = NEREUS_OPTIONS_INIT;
    struct nereus_resize schedule[512];
    const int cycles = argc > 1 ? atoi(argv[1]) : 100;
    int64_t point = 0;
    int id, pids[PROCESSES], now[PROCESSES], wrong = 0, descriptors = 0;
    enum nereus_action action = NEREUS_CONTINUE;
    nereus_job *job;
    for (int i = 0; i < 2 * cycles; i++)
        schedule[i] = (struct nereus_resize){i + 1, i % 2 == 0 ? KEPT : PROCESSES, "merge/coll"};
    options.schedule = schedule;
    options.schedule_count = 2 * cycles;
    if (nereus_init(&argc, &argv, &options, &job) != NEREUS_OK)
        return 7;
    nereus_register_replicated(job, "point", MPI_INT64_T, 1, NEREUS_VARIABLE, &point, &id);
    nereus_register_array(job, "x", MPI_DOUBLE, 1001, NEREUS_VARIABLE, &id);
    gather_pids(job, pids);
    while (point < 2 * cycles && action != NEREUS_LEAVE) {
        point++;
        if (nereus_point(job, &action) != NEREUS_OK)
            return 8;
        /* After an odd point two are active; the others are asleep within this very call, and come
         * back from it at an even one. */
        if (action == NEREUS_RESIZED && nereus_size(job) == PROCESSES) {
            gather_pids(job, now);
            wrong += memcmp(pids, now, sizeof pids) != 0;
            if (nereus_points(job) == 20)
                descriptors = open_descriptors();
        } else if (action == NEREUS_RESIZED && point == 1) {
            wrong += check_sleepers(job, pids);
        }
        point = nereus_points(job);
    }
    if (action != NEREUS_LEAVE && descriptors != open_descriptors()) {
        fprintf(stderr, "zombies: %d descriptors after 10 cycles, %d at the end\n", descriptors,
                open_descriptors());
        wrong++;
    }
    if (action != NEREUS_LEAVE && nereus_rank(job) == 0)
        printf("%lld points, %d processes, wrong %d\n", (long long)nereus_points(job),
               nereus_size(job), wrong);
    if (nereus_finalize(&job) != NEREUS_OK)
        return 6;
    return wrong != 0;
}
