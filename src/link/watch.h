/*
 * A watch over MPI_Comm_spawn, which never returns if a host does not answer, and which nothing in
 * MPI bounds. When the time is over a thread prints why and ends this process, and with it the job.
 * Private to src/.
 *
 * nereus-supervise knows sooner that a host does not answer: it counts the guards that run
 * (guard/pending_spawns.h). What it has to know is sent before the call; a job without
 * nereus-supervise has the long limit only.
 */
#ifndef NEREUS_WATCH_H
#define NEREUS_WATCH_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

struct nereus_watch {
    pthread_t thread;
    pthread_mutex_t lock;
    pthread_cond_t changed;
    double limit_s;
    const char *sentence; /* what is printed; borrowed */
    bool over;            /* the call has returned */
    bool watched;         /* the thread could be started */
    int line;             /* to nereus-supervise, as long as the call lasts; -1: none */
};

enum { NEREUS_SPAWN_ID_MAX = 100 };
/* Name of a call of MPI_Comm_spawn, passed to its guards: plain characters only. */
void nereus_watch_name(char *id, size_t size);

/* Begin and end: around one call, by the same thread. If no thread can be started nothing is
 * watched. */
void nereus_watch_begin(struct nereus_watch *watch, double limit_s, const char *sentence);
/* Expect this number of guards on the hosts ("host1:2,host2:1"; empty: any), with at most limit_s
 * between two of them. After begin. */
void nereus_watch_guards(struct nereus_watch *watch, const char *id, int64_t processes,
                         const char *hosts, double limit_s);
void nereus_watch_end(struct nereus_watch *watch);

#endif
