/*
 * Spawns under way: how many guards have reported that they run, and on which hosts none has.
 * MPI_Comm_spawn waits without end for a host that does not answer, and does not tell which.
 * Private to src/guard.
 *
 * A guard reports as soon as it runs, before its program: the limit is for hosts and launcher, not
 * for the start of a program, which has its own (guard.c). Every report extends the time, as many
 * hosts may start one after the other.
 */
#ifndef NEREUS_STARTS_H
#define NEREUS_STARTS_H

#include <stdbool.h>
#include <stddef.h>

struct start_host {
    char name[64];
    int missing; /* guards that have not reported */
};

/* One call of MPI_Comm_spawn. */
struct start {
    char id[120]; /* as on the guards' command lines */
    int missing, processes;
    double limit_s, until_s;
    struct start_host *hosts; /* none named: any */
    size_t host_count;
};

/* @param hosts "host1:2,host2:1", may be empty
 * @return NULL: no memory; to be freed with start_free */
struct start *start_new(const char *id, int processes, double limit_s, const char *hosts);
void start_free(struct start *start);
/* A guard on this host runs. */
void start_answered(struct start *start, const char *host);
/* Has the time passed without a report of all? The sentence names the host. */
bool start_is_late(const struct start *start, double now_s, char *sentence, size_t size);

#endif
