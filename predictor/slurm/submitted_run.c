/** @file submitted_run.c  Submits jobs at their times, and waits for them. */
#include <time.h>

#include "predictor/cli/command.h"
#include "predictor/run/interrupt.h"
#include "predictor/slurm/slurm_queue.h"
#include "submitted.h"

/* Seconds between two checks of the jobs' files; every n-th check also queries Slurm. */
static const double poll_s = 0.1;
enum { ASK_SLURM = 20, CANCELLED_AT_ONCE = 100 };

static double get_clock_s(void)
{
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static void sleep_s(double seconds)
{
    const struct timespec time = {0, (long)(seconds * 1e9)};
    nanosleep(&time, NULL);
}

static FILE *open_file(const struct nereus_submitted *live, int64_t job, const char *ending)
{
    char path[PATH_MAX];
    snprintf(path, sizeof path, "%s/job-%lld%s", live->folder, (long long)job, ending);
    return fopen(path, "r");
}

static enum nereus_status submit(struct nereus_submitted *live, int64_t number,
                                 struct nereus_error *err)
{
    struct nereus_submitted_job *job = &live->jobs[number];
    struct nereus_slurm_command sbatch = {.argv = {"sbatch", "--parsable", "--"}};
    struct nereus_error why;
    nereus_slurm_add_word(&sbatch, "%s/job-%lld.sh", live->folder, (long long)number);
    const double now_s = get_clock_s();
    const enum nereus_status status = nereus_slurm_submit(&sbatch, job->id, &why);
    if (status != NEREUS_OK) {
        return nereus_fail(err, status, "job %lld was not submitted: %.300s",
                           (long long)live->workload->jobs[number].number, why.text);
    }
    job->submit_s = now_s - live->begin_s;
    return NEREUS_OK;
}

/* Query Slurm for the user's jobs; NULL: squeue failed.
 * @param[out] own  free it with nereus_slurm_queue_fini */
static const struct nereus_slurm_queue *query_slurm(struct nereus_slurm_queue *own)
{
    *own = (struct nereus_slurm_queue){.count = 0};
    return nereus_slurm_queue_read_own(NULL, NULL, own, NULL) == NEREUS_OK ? own : NULL;
}

/* Is the job listed? A line that could not be read may be the job. */
static bool is_known(const struct nereus_slurm_queue *own, const struct nereus_submitted_job *job)
{
    return own == NULL || own->left_out.count > 0 ||
           nereus_slurm_find_job_by_id(own, job->id) != NULL;
}

static bool has_not_ended(const struct nereus_submitted_job *job)
{
    return job->id[0] != '\0' && job->state < NEREUS_SUBMITTED_ENDED;
}

static void cancel_listed(const struct nereus_slurm_command *scancel)
{
    struct nereus_error err;
    if (nereus_slurm_run(scancel, NULL, &err) != NEREUS_OK)
        nereus_cli_note("jobs of Slurm may be left: %s", err.text);
}

/* Cancel jobs that Slurm still lists as this user's, several per scancel; an old number may belong
 * to another job. */
static void cancel_known(const struct nereus_submitted *live, const struct nereus_slurm_queue *own)
{
    for (int64_t i = 0; i < live->workload->count;) {
        struct nereus_slurm_command scancel = {.argv = {"scancel", "--"}, .ignores_signals = true};
        int count = 0;
        for (; i < live->workload->count && count < CANCELLED_AT_ONCE; i++) {
            if (has_not_ended(&live->jobs[i]) &&
                nereus_slurm_find_job_by_id(own, live->jobs[i].id) != NULL) {
                nereus_slurm_add_word(&scancel, "%s", live->jobs[i].id);
                count++;
            }
        }
        if (count > 0)
            cancel_listed(&scancel);
    }
}

static void cancel(const struct nereus_submitted *live)
{
    int64_t left = 0;
    for (int64_t i = 0; i < live->workload->count; i++)
        left += has_not_ended(&live->jobs[i]);
    if (left == 0)
        return;
    const int interrupt = nereus_interrupt_clear(); /* otherwise no command would run */
    struct nereus_slurm_queue own;
    if (query_slurm(&own) != NULL)
        cancel_known(live, &own);
    else
        nereus_cli_note("jobs of Slurm may be left: squeue does not say which there are");
    nereus_slurm_queue_fini(&own);
    nereus_interrupt_restore(interrupt);
}

/* Update the state of a job.
 * @return it has changed */
static bool check_job(struct nereus_submitted *live, int64_t number)
{
    struct nereus_submitted_job *job = &live->jobs[number];
    const enum nereus_submitted_state before = job->state;
    FILE *file;
    double time_s;
    if (job->state == NEREUS_SUBMITTED_WAITING &&
        (file = open_file(live, number, ".start")) != NULL) {
        if (fscanf(file, "%lf", &time_s) == 1) {
            job->start_s = time_s - live->begin_s;
            job->state = NEREUS_SUBMITTED_RUNNING;
        }
        fclose(file);
    }
    if (job->state == NEREUS_SUBMITTED_RUNNING &&
        (file = open_file(live, number, ".end")) != NULL) {
        if (fscanf(file, "%lf %d", &time_s, &job->status) == 2) {
            job->end_s = time_s - live->begin_s;
            job->state = job->status == 0 ? NEREUS_SUBMITTED_ENDED : NEREUS_SUBMITTED_FAILED;
        }
        fclose(file);
    }
    return job->state != before;
}

/* Has a job left Slurm without writing its end? It was cancelled or killed. */
static bool was_removed(struct nereus_submitted *live, int64_t number,
                        const struct nereus_slurm_queue *known)
{
    struct nereus_submitted_job *job = &live->jobs[number];
    if (job->state >= NEREUS_SUBMITTED_ENDED || is_known(known, job) || check_job(live, number))
        return false;
    job->state = NEREUS_SUBMITTED_FAILED;
    job->status = -1;
    return true;
}

/*
 * Update all jobs.
 * @param ask  query Slurm, too
 * @return number of submitted jobs that have not ended
 */
static int64_t check_all(struct nereus_submitted *live, int64_t submitted, bool ask, bool *changed)
{
    struct nereus_slurm_queue own = {.count = 0};
    const struct nereus_slurm_queue *known = ask ? query_slurm(&own) : NULL;
    int64_t left = 0;
    *changed = false;
    for (int64_t i = 0; i < submitted; i++) {
        if (live->jobs[i].state < NEREUS_SUBMITTED_ENDED) {
            *changed |= check_job(live, i) || was_removed(live, i, known);
            left += live->jobs[i].state < NEREUS_SUBMITTED_ENDED;
        }
    }
    nereus_slurm_queue_fini(&own);
    return left;
}

static enum nereus_status write_all(const struct nereus_submitted *live, struct nereus_error *err)
{
    for (int64_t i = 0; i < live->workload->count; i++)
        NEREUS_TRY(nereus_submitted_write(live, i, err));
    return NEREUS_OK;
}

/* Submit the jobs that are due. */
static enum nereus_status submit_due(struct nereus_submitted *live, int64_t *submitted,
                                     struct nereus_error *err)
{
    const struct nereus_sim_job *jobs = live->workload->jobs;
    while (*submitted < live->workload->count &&
           get_clock_s() - live->begin_s >= jobs[*submitted].submit_s - jobs[0].submit_s) {
        const enum nereus_status status = submit(live, *submitted, err);
        if (status == NEREUS_ERR_CANCELLED) {
            live->interrupted = true;
            return NEREUS_OK;
        }
        NEREUS_TRY(status);
        ++*submitted;
    }
    return NEREUS_OK;
}

static enum nereus_status run_all(struct nereus_submitted *live,
                                  void (*on_change)(void *user,
                                                    const struct nereus_submitted *live),
                                  void *user, struct nereus_error *err)
{
    int64_t submitted = 0, left = 0;
    for (int64_t polls = 1; submitted < live->workload->count || left > 0; polls++) {
        bool changed;
        NEREUS_TRY(submit_due(live, &submitted, err));
        left = check_all(live, submitted, polls % ASK_SLURM == 0, &changed);
        if (changed && on_change != NULL)
            on_change(user, live);
        if (live->interrupted || nereus_interrupted() != 0) {
            live->interrupted = true;
            return NEREUS_OK;
        }
        sleep_s(poll_s);
    }
    return NEREUS_OK;
}

enum nereus_status nereus_submitted_run(struct nereus_submitted *live,
                                        void (*on_change)(void *user,
                                                          const struct nereus_submitted *live),
                                        void *user, struct nereus_error *err)
{
    NEREUS_TRY(write_all(live, err));
    nereus_interrupt_watch();
    live->begin_s = get_clock_s();
    const enum nereus_status status = run_all(live, on_change, user, err);
    if (status != NEREUS_OK || live->interrupted)
        cancel(live);
    nereus_interrupt_end();
    return status;
}
