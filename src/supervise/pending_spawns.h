/**
 * @file pending_spawns.h
 * Counts spawns under way: how many guards have reported that they run, and on which hosts none
 * has. MPI_Comm_spawn waits forever for a host that does not answer, and does not name it.
 *
 * A guard reports as soon as it runs, before its program: the limit is for hosts and launcher. The
 * start of a program has its own limit (guard.c). Every report extends the time, as many hosts may
 * start one after the other.
 */
#pragma once

#include "model/util/base.h"

struct spawn_host {
    char name[64];
    int missing_guards; /* guards that have not reported */
};

/** One call of MPI_Comm_spawn. */
struct pending_spawn {
    char id[120]; /* the spawn's name on the guards' command lines */
    int missing_guards, processes;
    double limit_s, deadline_s;
    struct spawn_host *hosts; /* empty: any host */
    size_t host_count;
};

/** @param hosts  "host1:2,host2:1", may be empty
 * @return NULL: no memory; to be freed with pending_spawn_free */
struct pending_spawn *pending_spawn_new(const char *id, int processes, double limit_s,
                                        const char *hosts);
/** Free a spawn; NULL: nothing is done. */
void pending_spawn_free(struct pending_spawn *spawn);
/** Count a guard that runs on this host. */
void pending_spawn_count_guard(struct pending_spawn *spawn, const char *host);
/** Has the time limit passed with guards missing? The message names the host. */
bool pending_spawn_has_expired(const struct pending_spawn *spawn, double now_s, char *sentence,
                               size_t size);
