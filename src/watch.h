/*
 * A watch over a call that may never return: MPI_Comm_spawn on a host that does not answer hangs, and nothing in MPI bounds it.
 * When the time is over a thread says why and ends this process, and with it the job. Private to src/.
 */
#ifndef NEREUS_WATCH_H
#define NEREUS_WATCH_H

#include <pthread.h>
#include <stdbool.h>

struct nereus_watch {
    pthread_t thread;
    pthread_mutex_t lock;
    pthread_cond_t changed;
    double limit_s;
    const char *sentence; /* what is said; borrowed */
    bool over;            /* the call has returned */
    bool watched;         /* the thread could be started */
};

/* Begin and end: around one call, by the same thread. Without a thread to spare nothing is watched. */
void nereus_watch_begin(struct nereus_watch *watch, double limit_s, const char *sentence);
void nereus_watch_end(struct nereus_watch *watch);

#endif
