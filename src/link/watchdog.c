/**
 * @file watchdog.c
 * Implements the record of the main thread and the thread that examines it, under one lock.
 */
#include "watchdog.h"

#include <pthread.h>
#include <signal.h>
#include <time.h>
#include <unistd.h>

#include "progress_line.h"
#include "src/util/clock.h"
#include "src/util/error.h"
#include "src/util/guard_events.h"
#include "src/util/guard_link.h"
#include "src/util/progress.h"
#include "src/util/stall.h"
#include "src/util/watchdog_setting.h"
#include "supervise_requests.h"
#include "supervisor_lines.h"

/* Checks per time limit; longest interval between checks. */
static const double checks_per_limit = 4, longest_wait_s = 5;

struct nereus_watchdog {
    struct nereus_watchdog_setting setting;
    const int64_t *points;
    struct nereus_progress_page *page;
    pthread_t thread;
    pthread_mutex_t lock; /* protects all members below: main thread and watchdog */
    pthread_cond_t changed;
    bool over;
    struct nereus_progress own_record;
    double report_after_s;   /* report a wait of this length */
    double inform_after_s;   /* send the record to other hosts after this time */
    double informed_since_s; /* `since_s` of the record sent latest; below 0: none */
};

/* ---- the record of this process, under the lock ---------------------------------------------- */

/* Restart `since_s` and the reports. */
static void restart_wait(struct nereus_watchdog *watchdog, double now_s)
{
    watchdog->own_record.since_s = now_s;
    watchdog->report_after_s = watchdog->setting.after_s;
    watchdog->inform_after_s = watchdog->setting.after_s / 2; /* before other hosts read it */
}

/* Read the counter of points. */
static void read_points(struct nereus_watchdog *watchdog, double now_s)
{
    struct nereus_progress *own_record = &watchdog->own_record;
    const int64_t points = __atomic_load_n(watchdog->points, __ATOMIC_RELAXED);
    if (points == own_record->points)
        return;
    if (own_record->activity == NEREUS_COMPUTES &&
        now_s - own_record->since_s > own_record->longest_s)
        own_record->longest_s = now_s - own_record->since_s;
    own_record->points = points;
    own_record->joined_at = -1;
    if (own_record->activity == NEREUS_COMPUTES)
        restart_wait(watchdog, now_s);
}

static void publish_record(struct nereus_watchdog *watchdog)
{
    nereus_progress_write(watchdog->page, &watchdog->own_record);
}

/* ---- the thread ------------------------------------------------------------------------------ */

/* Not MPI_Abort: the main thread may hold MPI's locks. */
static void end_job(const char *sentence)
{
    char last[640];
    snprintf(last, sizeof last, "the job hangs and is ended: %.600s", sentence);
    if (strlen(sentence) > 600)
        nereus_log("%s", sentence); /* nereus-supervise accepts short lines only */
    nereus_supervise_end_job(last);
    if (getenv(NEREUS_LAUNCHER_NAME) == NULL)
        nereus_log("%s", last);
    sleep(1);
    _exit(EXIT_FAILURE);
}

/* Factor on the time limit if ranks have no record: they may not have sent it yet. */
static const double no_record_factor = 1.5;

/* @param remote  include records of other hosts, and report ranks without a record later */
static bool describe_stall(const struct nereus_progress *own_record, double limit_s, bool remote,
                           char *sentence)
{
    struct nereus_progress *other_records;
    int64_t count = nereus_progress_read_all(&other_records);
    if (remote && nereus_progress_needs_other_hosts(own_record, other_records, count)) {
        count = nereus_progress_append_remote(nereus_skewed_monotonic_s(), &other_records, count);
        if (nereus_progress_needs_other_hosts(own_record, other_records, count) &&
            nereus_skewed_monotonic_s() - own_record->since_s < no_record_factor * limit_s) {
            free(other_records);
            return false;
        }
    }
    const bool says = nereus_stall_describe(
        &(struct stall_view){own_record, other_records, count, nereus_skewed_monotonic_s()},
        limit_s, sentence, NEREUS_END_SENTENCE_MAX);
    free(other_records);
    return says;
}

/* Report this wait, unless another process reports it or the missing ranks are in an iteration of
 * usual length.
 * @return false: nothing reported */
static bool report_wait(const struct nereus_watchdog *watchdog,
                        const struct nereus_progress *own_record)
{
    char sentence[NEREUS_END_SENTENCE_MAX];
    if (!describe_stall(own_record, watchdog->setting.after_s, true, sentence))
        return false;
    if (watchdog->setting.aborts)
        end_job(sentence);
    nereus_log("%s", sentence);
    return true;
}

static bool needs_other_hosts(const struct nereus_progress *own_record)
{
    struct nereus_progress *other_records;
    const int64_t count = nereus_progress_read_all(&other_records);
    const bool remote = nereus_progress_needs_other_hosts(own_record, other_records, count);
    free(other_records);
    return remote;
}

/* Send the record to other hosts, again whenever its age has doubled, and remove it when the wait
 * is over. Called with the lock, which is released during the sending. */
static void inform_other_hosts(struct nereus_watchdog *watchdog, double now_s)
{
    const struct nereus_progress copy = watchdog->own_record;
    const bool stays = now_s - copy.since_s >= watchdog->inform_after_s,
               moved =
                   watchdog->informed_since_s >= 0 && watchdog->informed_since_s != copy.since_s;
    if (!stays && !moved)
        return;
    if (stays)
        watchdog->inform_after_s *= 2;
    pthread_mutex_unlock(&watchdog->lock);
    const bool informs = stays && needs_other_hosts(&copy);
    if (informs)
        nereus_progress_publish(&copy, now_s);
    else if (moved)
        nereus_progress_withdraw();
    pthread_mutex_lock(&watchdog->lock);
    watchdog->informed_since_s = informs ? copy.since_s : moved ? -1 : watchdog->informed_since_s;
}

/* Called with the lock, which is released while records of others are read. */
static void check_wait(struct nereus_watchdog *watchdog)
{
    const double now_s = nereus_skewed_monotonic_s();
    const struct nereus_progress *own_record = &watchdog->own_record;
    if (own_record->activity == NEREUS_COMPUTES)
        read_points(watchdog, now_s);
    publish_record(watchdog);
    inform_other_hosts(watchdog, now_s);
    if (now_s - own_record->since_s < watchdog->report_after_s ||
        (own_record->activity == NEREUS_COMPUTES && own_record->joined_at < 0))
        return;
    const struct nereus_progress copy = *own_record;
    pthread_mutex_unlock(&watchdog->lock);
    const bool reported = report_wait(watchdog, &copy);
    pthread_mutex_lock(&watchdog->lock);
    if (reported && own_record->since_s == copy.since_s)
        watchdog->report_after_s *= 2;
}

static void *run_watchdog(void *argument)
{
    struct nereus_watchdog *watchdog = argument;
    const double wanted_s = watchdog->setting.after_s / checks_per_limit,
                 wait_s = wanted_s < longest_wait_s ? wanted_s : longest_wait_s;
    pthread_mutex_lock(&watchdog->lock);
    while (!watchdog->over) {
        struct timespec until;
        clock_gettime(CLOCK_MONOTONIC, &until);
        const double end_s = (double)until.tv_nsec * 1e-9 + wait_s;
        until.tv_sec += (time_t)end_s;
        until.tv_nsec = (long)((end_s - (double)(time_t)end_s) * 1e9);
        if (watchdog->own_record.activity == NEREUS_SLEEPS)
            pthread_cond_wait(&watchdog->changed, &watchdog->lock);
        else if (pthread_cond_timedwait(&watchdog->changed, &watchdog->lock, &until) != 0 &&
                 !watchdog->over)
            check_wait(watchdog);
    }
    pthread_mutex_unlock(&watchdog->lock);
    return NULL;
}

/* ---- beginning and end ----------------------------------------------------------------------- */

/* Signals stay blocked in this thread: the program's threads handle them. */
static bool start_thread(struct nereus_watchdog *watchdog)
{
    sigset_t all_signals, old_mask;
    sigfillset(&all_signals);
    pthread_sigmask(SIG_SETMASK, &all_signals, &old_mask);
    const bool started = pthread_create(&watchdog->thread, NULL, run_watchdog, watchdog) == 0;
    pthread_sigmask(SIG_SETMASK, &old_mask, NULL);
    return started;
}

static void free_watchdog(struct nereus_watchdog *watchdog)
{
    nereus_progress_close(watchdog->page);
    pthread_cond_destroy(&watchdog->changed);
    pthread_mutex_destroy(&watchdog->lock);
    free(watchdog);
}

struct nereus_watchdog *nereus_watchdog_begin(const int64_t *points, const char *call)
{
    struct nereus_watchdog_setting setting;
    pthread_condattr_t monotonic;
    /* an invalid setting is reported once, by rank 0 (api/settings.c) */
    if (nereus_watchdog_setting_parse(getenv("NEREUS_WATCHDOG"), &setting, NULL) != NEREUS_OK ||
        setting.after_s <= 0)
        return NULL;
    struct nereus_watchdog *watchdog = calloc(1, sizeof *watchdog);
    if (watchdog == NULL)
        return NULL;
    watchdog->setting = setting;
    watchdog->points = points;
    watchdog->informed_since_s = -1;
    /* without a page other processes cannot read the record */
    watchdog->page = nereus_progress_open();
    watchdog->own_record = (struct nereus_progress){.launcher = nereus_launcher(),
                                                    .pid = getpid(),
                                                    .rank = -1,
                                                    .points = *points,
                                                    .joined_at = -1};
    pthread_mutex_init(&watchdog->lock, NULL);
    pthread_condattr_init(&monotonic);
    pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
    pthread_cond_init(&watchdog->changed, &monotonic);
    pthread_condattr_destroy(&monotonic);
    nereus_watchdog_enter(watchdog, call);
    if (start_thread(watchdog))
        return watchdog;
    free_watchdog(watchdog);
    return NULL;
}

void nereus_watchdog_end(struct nereus_watchdog *watchdog)
{
    if (watchdog == NULL)
        return;
    pthread_mutex_lock(&watchdog->lock);
    watchdog->over = true;
    pthread_cond_signal(&watchdog->changed);
    pthread_mutex_unlock(&watchdog->lock);
    pthread_join(watchdog->thread, NULL);
    if (watchdog->informed_since_s >= 0)
        nereus_progress_withdraw();
    free_watchdog(watchdog);
}

/* ---- called by the main thread --------------------------------------------------------------- */

void nereus_watchdog_set_identity(struct nereus_watchdog *watchdog, uint64_t job, int64_t rank,
                                  int64_t size, int64_t changes, bool left)
{
    if (watchdog == NULL)
        return;
    pthread_mutex_lock(&watchdog->lock);
    watchdog->own_record.job = job;
    watchdog->own_record.rank = rank;
    watchdog->own_record.size = size;
    watchdog->own_record.changes = changes;
    watchdog->own_record.left = left;
    publish_record(watchdog);
    pthread_mutex_unlock(&watchdog->lock);
}

void nereus_watchdog_count(struct nereus_watchdog *watchdog, int64_t points)
{
    if (watchdog != NULL)
        nereus_progress_count(watchdog->page, points);
}

void nereus_watchdog_set_joined(struct nereus_watchdog *watchdog)
{
    if (watchdog == NULL)
        return;
    pthread_mutex_lock(&watchdog->lock);
    watchdog->own_record.points = *watchdog->points;
    watchdog->own_record.joined_at = watchdog->own_record.points;
    pthread_mutex_unlock(&watchdog->lock);
}

/* @param call  NULL: as before */
static void set_activity(struct nereus_watchdog *watchdog, enum nereus_activity activity,
                         const char *call, const char *step)
{
    if (watchdog == NULL)
        return;
    pthread_mutex_lock(&watchdog->lock);
    struct nereus_progress *own_record = &watchdog->own_record;
    const bool wakes = own_record->activity == NEREUS_SLEEPS;
    const double now_s = nereus_skewed_monotonic_s();
    read_points(watchdog, now_s);
    restart_wait(watchdog, now_s);
    own_record->activity = activity;
    if (call != NULL)
        snprintf(own_record->call, sizeof own_record->call, "%s", call);
    snprintf(own_record->step, sizeof own_record->step, "%s", step);
    publish_record(watchdog);
    if (wakes)
        pthread_cond_signal(&watchdog->changed);
    pthread_mutex_unlock(&watchdog->lock);
}

void nereus_watchdog_enter(struct nereus_watchdog *watchdog, const char *call)
{
    set_activity(watchdog, NEREUS_WAITS, call, "");
}

void nereus_watchdog_step(struct nereus_watchdog *watchdog, const char *step)
{
    /* without the lock: only this thread changes the activity */
    if (watchdog != NULL && watchdog->own_record.activity != NEREUS_COMPUTES)
        set_activity(watchdog, NEREUS_WAITS, NULL, step);
}

void nereus_watchdog_leave(struct nereus_watchdog *watchdog)
{
    set_activity(watchdog, NEREUS_COMPUTES, "", "");
}

void nereus_watchdog_set_asleep(struct nereus_watchdog *watchdog)
{
    set_activity(watchdog, NEREUS_SLEEPS, NULL, "");
}

void nereus_watchdog_explain(struct nereus_watchdog *watchdog, struct nereus_error *err)
{
    char sentence[NEREUS_END_SENTENCE_MAX];
    if (watchdog == NULL)
        return;
    pthread_mutex_lock(&watchdog->lock);
    const struct nereus_progress own_record = watchdog->own_record;
    pthread_mutex_unlock(&watchdog->lock);
    if (describe_stall(&own_record, -1, false, sentence)) {
        const struct nereus_error failed = *err;
        nereus_fail(err, failed.status, "%.300s (%.200s)", sentence, failed.text);
    }
}
