/*
 * A watch over a call that may never return: MPI_Comm_spawn on a host that does not answer hangs, and nothing in MPI bounds it.
 * When the time is over a thread says why and ends this process, and with it the job. Private to src/.
 *
 * nereus-supervise knows sooner when a host does not answer: it counts the guards that run (guard/starts.h). What it has to know is
 * said before the call; a job without nereus-supervise has the long limit only.
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
    const char *sentence; /* what is said; borrowed */
    bool over;            /* the call has returned */
    bool watched;         /* the thread could be started */
    int line;             /* to nereus-supervise, as long as the call lasts; -1: none */
};

enum { NEREUS_SPAWN_ID_MAX = 100 };
/* A name for a call of MPI_Comm_spawn, told to its guards: plain characters only. */
void nereus_watch_name(char *id, size_t size);

/* Begin and end: around one call, by the same thread. Without a thread to spare nothing is watched. */
void nereus_watch_begin(struct nereus_watch *watch, double limit_s, const char *sentence);
/* These processes are to run their guards on the hosts ("host1:2,host2:1"; empty: wherever) before limit_s have passed without a further
 * one. After begin. */
void nereus_watch_guards(struct nereus_watch *watch, const char *id, int64_t processes, const char *hosts,
                         double limit_s);
void nereus_watch_end(struct nereus_watch *watch);

#endif
