/** @file spawn_timeout.c  Runs the thread that waits for the time limit or for the end of the
 * spawn. */
#include "spawn_timeout.h"

#include <signal.h>
#include <time.h>
#include <unistd.h>

#include "connection.h"
#include "src/util/guard_events.h"
#include "supervise_requests.h"
#include "supervisor_lines.h"

static void *run_watch(void *argument)
{
    struct nereus_spawn_timeout *watch = argument;
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
    nereus_snprintf(sentence, sizeof sentence,
                    "the job cannot go on and is ended: %s (within %.0f s)", watch->sentence,
                    watch->limit_s);
    nereus_supervise_end_job(sentence); /* not mpiexec, which may hang, too */
    sleep(1);
    kill(getpid(), SIGKILL); /* not MPI_Abort: the spawning thread may hold MPI's locks */
    return NULL;
}

void nereus_spawn_timeout_begin(struct nereus_spawn_timeout *watch, double limit_s,
                                const char *sentence)
{
    pthread_condattr_t monotonic;
    memset(watch, 0, sizeof *watch);
    watch->limit_s = limit_s;
    watch->connection = -1;
    watch->sentence = sentence;
    pthread_mutex_init(&watch->lock, NULL);
    pthread_condattr_init(&monotonic);
    pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
    pthread_cond_init(&watch->changed, &monotonic);
    pthread_condattr_destroy(&monotonic);
    watch->watched = pthread_create(&watch->thread, NULL, run_watch, watch) == 0;
}

void nereus_spawn_timeout_name(char *id, size_t size)
{
    static _Atomic int number; /* main and auxiliary threads may spawn */
    char host[64] = "";
    gethostname(host, sizeof host - 1);
    snprintf(id, size, "%s-%d-%d", host, (int)getpid(), ++number);
}

void nereus_spawn_timeout_count_guards(struct nereus_spawn_timeout *watch, const char *id,
                                       int64_t processes, const char *hosts, double limit_s)
{
    static const double answer_limit_s = 2;
    struct nereus_connection connection;
    char limit[32], count[24];
    nereus_snprintf(limit, sizeof limit, "%g", limit_s);
    snprintf(count, sizeof count, "%lld", (long long)processes);
    if (!nereus_connection_open(
            &connection, getenv(NEREUS_LAUNCHER_NAME),
            (const char *const[]){NEREUS_LETTER(REQUEST_SPAWN), id, count, limit, hosts, NULL},
            answer_limit_s))
        return;
    /* wait for the answer: a guard's report before it would not be counted */
    if (nereus_connection_wait_line(&connection, answer_limit_s) != NULL) {
        watch->connection = connection.fd;
        connection.fd = -1;
    }
    nereus_connection_fini(&connection);
}

void nereus_spawn_timeout_end(struct nereus_spawn_timeout *watch)
{
    if (watch->connection >= 0)
        close(watch->connection);
    pthread_mutex_lock(&watch->lock);
    watch->over = true;
    pthread_cond_signal(&watch->changed);
    pthread_mutex_unlock(&watch->lock);
    if (watch->watched)
        pthread_join(watch->thread, NULL);
    pthread_cond_destroy(&watch->changed);
    pthread_mutex_destroy(&watch->lock);
}
