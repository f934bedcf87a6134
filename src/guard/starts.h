/*
 * Spawns under way: how many guards have said that they run, and on which hosts none has. MPI_Comm_spawn waits for ever for
 * a host that does not answer, and tells nobody which. Private to src/guard.
 *
 * A guard calls as soon as it runs, before its program: what is bounded here is the answer of hosts and launcher, not the start of
 * a program, which has its own limit (guard.c). Every answer lengthens the time, as many hosts may take long one after the other.
 */
#ifndef NEREUS_STARTS_H
#define NEREUS_STARTS_H

#include <stdbool.h>
#include <stddef.h>

struct start_host {
    char name[64];
    int missing; /* guards that have not called */
};

/* One call of MPI_Comm_spawn. */
struct start {
    char id[120]; /* as it stands on the guards' command lines */
    int missing, processes;
    double limit_s, until_s;
    struct start_host *hosts; /* none named: wherever the launcher likes */
    size_t host_count;
};

/* @param hosts  "host1:2,host2:1", may be empty
 * @return NULL: no memory; to be freed with start_free */
struct start *start_new(const char *id, int processes, double limit_s, const char *hosts);
void start_free(struct start *start);
/* A guard on this host runs. */
void start_answered(struct start *start, const char *host);
/* Has the time passed, and is somebody missing? The sentence says who. */
bool start_is_late(const struct start *start, double now_s, char *sentence, size_t size);

#endif
