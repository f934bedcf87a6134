/* A watch over a call that may never return: see watch.h. */
#include "watch.h"

#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "guard/guard_events.h"
#include "job.h"
#include "launch.h"

static void *run_watch(void *argument)
{
    struct nereus_watch *watch = argument;
    struct timespec until;
    clock_gettime(CLOCK_MONOTONIC, &until);
    until.tv_sec += (time_t)ceil(watch->limit_s);
    int code = 0;
    pthread_mutex_lock(&watch->lock);
    while (!watch->over && code == 0)
        code = pthread_cond_timedwait(&watch->changed, &watch->lock, &until);
    const bool over = watch->over;
    pthread_mutex_unlock(&watch->lock);
    if (over)
        return NULL;
    char sentence[256];
    snprintf(sentence, sizeof sentence, "the job cannot go on and is ended: %s (within %.0f s)",
             watch->sentence, watch->limit_s);
    nereus_launch_end_job(sentence); /* mpiexec may hang as well */
    if (getenv(NEREUS_LAUNCHER_NAME) == NULL)
        nereus_say("%s", sentence);
    sleep(1);
    kill(getpid(), SIGKILL); /* MPI is in the call and may hold its locks: not by MPI_Abort */
    return NULL;
}

void nereus_watch_begin(struct nereus_watch *watch, double limit_s, const char *sentence)
{
    pthread_condattr_t monotonic;
    memset(watch, 0, sizeof *watch);
    watch->limit_s = limit_s;
    watch->sentence = sentence;
    pthread_mutex_init(&watch->lock, NULL);
    pthread_condattr_init(&monotonic);
    pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
    pthread_cond_init(&watch->changed, &monotonic);
    pthread_condattr_destroy(&monotonic);
    watch->watched = pthread_create(&watch->thread, NULL, run_watch, watch) == 0;
}

void nereus_watch_end(struct nereus_watch *watch)
{
    pthread_mutex_lock(&watch->lock);
    watch->over = true;
    pthread_cond_signal(&watch->changed);
    pthread_mutex_unlock(&watch->lock);
    if (watch->watched)
        pthread_join(watch->thread, NULL);
    pthread_cond_destroy(&watch->changed);
    pthread_mutex_destroy(&watch->lock);
}
