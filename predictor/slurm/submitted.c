/** @file submitted.c  Writes the configurations and batch scripts of jobs, submits them at their
 * times, and waits for them by the files that they leave. */
#include "submitted.h"

#include <unistd.h>

#include "model/util/clock.h"
#include "model/util/file.h"
#include "model/util/values.h"
#include "predictor/cli/command.h"
#include "predictor/run/child.h"
#include "predictor/run/interrupt.h"
#include "predictor/slurm/slurm_queue.h"

/* Seconds between two checks of the jobs' files; every n-th check also queries Slurm. */
static const double poll_s = 0.1;
enum { ASK_SLURM = 20, CANCELLED_AT_ONCE = 100 };

/* ---- the files of a job ---------------------------------------------------------------------- */

/* Refuse characters that have a meaning in #SBATCH lines: quoting does not help against all. */
static enum nereus_status check_path(const char *what, const char *path, struct nereus_error *err)
{
    return strpbrk(path, " \t\n'\"\\#%") == NULL
               ? NEREUS_OK
               : nereus_fail(err, NEREUS_ERR_IO,
                             "the %s '%s' cannot be written in a batch script: it has a blank or "
                             "one of ' \" \\ # %%",
                             what, path);
}

enum nereus_status nereus_submitted_init(const struct nereus_workload *workload,
                                         int32_t cores_per_node, const char *folder,
                                         struct nereus_submitted *submitted,
                                         struct nereus_error *err)
{
    char resolved[PATH_MAX];
    *submitted = (struct nereus_submitted){.workload = workload, .cores_per_node = cores_per_node};
    NEREUS_TRY(nereus_file_make_folder(folder, err));
    if (realpath(folder, resolved) == NULL)
        return nereus_fail(err, NEREUS_ERR_IO, "the folder '%s' cannot be used: %s", folder,
                           strerror(errno));
    NEREUS_TRY(check_path("folder", resolved, err));
    if (strlen(resolved) >= sizeof submitted->folder) {
        return nereus_fail(err, NEREUS_ERR_ARGUMENT,
                           "the name of the folder '%.80s...' is too long", resolved);
    }
    memcpy(submitted->folder, resolved, strlen(resolved) + 1);
    NEREUS_TRY(nereus_program_find(NEREUS_PROGRAM_BIN, "nereus", submitted->nereus, err));
    NEREUS_TRY(check_path("program", submitted->nereus, err));
    submitted->jobs = calloc((size_t)workload->count, sizeof *submitted->jobs);
    NEREUS_TRY_MEMORY(submitted->jobs, err, "for %lld jobs", (long long)workload->count);
    return NEREUS_OK;
}

void nereus_submitted_fini(struct nereus_submitted *submitted)
{
    free(submitted->jobs);
    submitted->jobs = NULL;
}

/* Write iterations of about the workload's length, or of about a second, as many as take the run
 * time. With Stage_Time_Capped a stage ends after its time also on shared cores. */
static void print_configuration(const struct nereus_sim_job *job, FILE *stream)
{
    const double run_s = nereus_max_real(1e-3, job->run_s);
    const double iterations =
        nereus_max_real(1, job->t_iter_s > 0 ? round(run_s / job->t_iter_s) : ceil(run_s));
    const double serial = job->serial;
    const double one_s = run_s / iterations / (serial + (1 - serial) / (double)job->processors);
    char numbers[2][32];
    fprintf(stream,
            "[general]\nscaling = amdahl:%s\nvariable_bytes = %.0f\n\n"
            "[stage0]\ntype = pi\ntime_s = %s\nStage_Time_Capped = yes\n\n"
            "[group0]\niterations = %.0f\nprocesses = %lld\n",
            nereus_format_real(serial, numbers[0]),
            job->bytes_per_process * (double)job->processors, nereus_format_real(one_s, numbers[1]),
            iterations, (long long)job->processors);
}

/* Write the name under which a malleable job answers, and which its comment has for a broker. */
static void print_malleable(const struct nereus_submitted *submitted, int64_t number, FILE *stream)
{
    const struct nereus_sim_job *job = &submitted->workload->jobs[number];
    fprintf(stream,
            "#SBATCH --comment=\"nereus job-%lld-%%j\"\n"
            "export NEREUS_SIZES=minimum=%lld,maximum=%lld\n"
            "[ -d \"${XDG_RUNTIME_DIR-}\" ] || unset XDG_RUNTIME_DIR\n",
            (long long)number, (long long)((int64_t)job->min * submitted->cores_per_node),
            (long long)((int64_t)job->max * submitted->cores_per_node));
}

static void print_script(const struct nereus_submitted *submitted, int64_t number, FILE *stream)
{
    const struct nereus_sim_job *job = &submitted->workload->jobs[number];
    /* Slurm counts minutes; it would end a job whose start-up takes longer than its estimate. */
    const double limit_min = ceil((job->estimate_s + 60) / 60);
    char name[48] = "";
    fprintf(stream,
            "#!/bin/sh\n#SBATCH --job-name=job-%lld\n#SBATCH --nodes=%d\n"
            "#SBATCH --ntasks-per-node=%d\n#SBATCH --exclusive\n#SBATCH --time=%.0f\n"
            "#SBATCH --output=%s/job-%lld.out\n",
            (long long)number, job->nodes, submitted->cores_per_node, limit_min, submitted->folder,
            (long long)number);
    if (job->malleable) {
        snprintf(name, sizeof name, " --job job-%lld-$SLURM_JOB_ID", (long long)number);
        print_malleable(submitted, number, stream);
    }
    fprintf(stream,
            "cd '%s' || exit 1\n"
            "date +%%s.%%N >job-%lld.start\n"
            "'%s' run%s job-%lld.ini\n"
            "status=$?\n"
            "{ date +%%s.%%N; echo $status; } >job-%lld.ending\n"
            "mv job-%lld.ending job-%lld.end\n"
            "exit $status\n",
            submitted->folder, (long long)number, submitted->nereus, name, (long long)number,
            (long long)number, (long long)number, (long long)number);
}

static const char *make_path(const struct nereus_submitted *submitted, int64_t job,
                             const char *ending, char path[PATH_MAX])
{
    snprintf(path, PATH_MAX, "%s/job-%lld%s", submitted->folder, (long long)job, ending);
    return path;
}

enum nereus_status nereus_submitted_write(const struct nereus_submitted *submitted, int64_t job,
                                          struct nereus_error *err)
{
    struct nereus_file_replace replace;
    char path[PATH_MAX];
    unlink(make_path(submitted, job, ".start", path));
    unlink(make_path(submitted, job, ".end", path));
    NEREUS_TRY(nereus_file_replace_begin(make_path(submitted, job, ".ini", path), &replace, err));
    print_configuration(&submitted->workload->jobs[job], replace.stream);
    replace.transient = true;
    NEREUS_TRY(nereus_file_replace_commit(&replace, err));
    NEREUS_TRY(nereus_file_replace_begin(make_path(submitted, job, ".sh", path), &replace, err));
    print_script(submitted, job, replace.stream);
    replace.transient = true;
    return nereus_file_replace_commit(&replace, err);
}

/* ---- submitting and waiting ------------------------------------------------------------------ */

static enum nereus_status submit(struct nereus_submitted *submitted, int64_t number,
                                 struct nereus_error *err)
{
    struct nereus_submitted_job *job = &submitted->jobs[number];
    struct nereus_slurm_command sbatch = {.argv = {"sbatch", "--parsable", "--"}};
    struct nereus_error why;
    nereus_slurm_add_word(&sbatch, "%s/job-%lld.sh", submitted->folder, (long long)number);
    const double now_s = nereus_wall_clock_s();
    const enum nereus_status status = nereus_slurm_submit(&sbatch, job->id, &why);
    if (status != NEREUS_OK) {
        return nereus_fail(err, status, "job %lld was not submitted: %.300s",
                           (long long)submitted->workload->jobs[number].number, why.text);
    }
    job->submit_s = now_s - submitted->begin_s;
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
static void cancel_known(const struct nereus_submitted *submitted,
                         const struct nereus_slurm_queue *own)
{
    for (int64_t i = 0; i < submitted->workload->count;) {
        struct nereus_slurm_command scancel = {.argv = {"scancel", "--"}, .ignores_signals = true};
        int count = 0;
        for (; i < submitted->workload->count && count < CANCELLED_AT_ONCE; i++) {
            if (has_not_ended(&submitted->jobs[i]) &&
                nereus_slurm_find_job_by_id(own, submitted->jobs[i].id) != NULL) {
                nereus_slurm_add_word(&scancel, "%s", submitted->jobs[i].id);
                count++;
            }
        }
        if (count > 0)
            cancel_listed(&scancel);
    }
}

static void cancel(const struct nereus_submitted *submitted)
{
    int64_t left = 0;
    for (int64_t i = 0; i < submitted->workload->count; i++)
        left += has_not_ended(&submitted->jobs[i]);
    if (left == 0)
        return;
    const int interrupt = nereus_interrupt_clear(); /* otherwise no command would run */
    struct nereus_slurm_queue own;
    if (query_slurm(&own) != NULL)
        cancel_known(submitted, &own);
    else
        nereus_cli_note("jobs of Slurm may be left: squeue does not say which there are");
    nereus_slurm_queue_fini(&own);
    nereus_interrupt_restore(interrupt);
}

/* Update the state of a job.
 * @return it has changed */
static bool check_job(struct nereus_submitted *submitted, int64_t number)
{
    struct nereus_submitted_job *job = &submitted->jobs[number];
    const enum nereus_submitted_state before = job->state;
    char path[PATH_MAX];
    FILE *file;
    double time_s;
    if (job->state == NEREUS_SUBMITTED_WAITING &&
        (file = fopen(make_path(submitted, number, ".start", path), "r")) != NULL) {
        if (fscanf(file, "%lf", &time_s) == 1) {
            job->start_s = time_s - submitted->begin_s;
            job->state = NEREUS_SUBMITTED_RUNNING;
        }
        fclose(file);
    }
    if (job->state == NEREUS_SUBMITTED_RUNNING &&
        (file = fopen(make_path(submitted, number, ".end", path), "r")) != NULL) {
        if (fscanf(file, "%lf %d", &time_s, &job->status) == 2) {
            job->end_s = time_s - submitted->begin_s;
            job->state = job->status == 0 ? NEREUS_SUBMITTED_ENDED : NEREUS_SUBMITTED_FAILED;
        }
        fclose(file);
    }
    return job->state != before;
}

/* Has a job left Slurm without writing its end? It was cancelled or killed. */
static bool was_removed(struct nereus_submitted *submitted, int64_t number,
                        const struct nereus_slurm_queue *known)
{
    struct nereus_submitted_job *job = &submitted->jobs[number];
    if (job->state >= NEREUS_SUBMITTED_ENDED || is_known(known, job) ||
        check_job(submitted, number))
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
static int64_t check_all(struct nereus_submitted *submitted, int64_t submitted_count, bool ask,
                         bool *changed)
{
    struct nereus_slurm_queue own = {.count = 0};
    const struct nereus_slurm_queue *known = ask ? query_slurm(&own) : NULL;
    int64_t left = 0;
    *changed = false;
    for (int64_t i = 0; i < submitted_count; i++) {
        if (submitted->jobs[i].state < NEREUS_SUBMITTED_ENDED) {
            *changed |= check_job(submitted, i) || was_removed(submitted, i, known);
            left += submitted->jobs[i].state < NEREUS_SUBMITTED_ENDED;
        }
    }
    nereus_slurm_queue_fini(&own);
    return left;
}

static enum nereus_status write_all(const struct nereus_submitted *submitted,
                                    struct nereus_error *err)
{
    for (int64_t i = 0; i < submitted->workload->count; i++)
        NEREUS_TRY(nereus_submitted_write(submitted, i, err));
    return NEREUS_OK;
}

/* Submit the jobs that are due. */
static enum nereus_status submit_due(struct nereus_submitted *submitted, int64_t *submitted_count,
                                     struct nereus_error *err)
{
    const struct nereus_sim_job *jobs = submitted->workload->jobs;
    while (*submitted_count < submitted->workload->count &&
           nereus_wall_clock_s() - submitted->begin_s >=
               jobs[*submitted_count].submit_s - jobs[0].submit_s) {
        const enum nereus_status status = submit(submitted, *submitted_count, err);
        if (status == NEREUS_ERR_CANCELLED) {
            submitted->interrupted = true;
            return NEREUS_OK;
        }
        NEREUS_TRY(status);
        ++*submitted_count;
    }
    return NEREUS_OK;
}

static enum nereus_status run_all(struct nereus_submitted *submitted,
                                  void (*on_change)(void *user,
                                                    const struct nereus_submitted *submitted),
                                  void *user, struct nereus_error *err)
{
    int64_t submitted_count = 0, left = 0;
    for (int64_t polls = 1; submitted_count < submitted->workload->count || left > 0; polls++) {
        bool changed;
        NEREUS_TRY(submit_due(submitted, &submitted_count, err));
        left = check_all(submitted, submitted_count, polls % ASK_SLURM == 0, &changed);
        if (changed && on_change != NULL)
            on_change(user, submitted);
        if (submitted->interrupted || nereus_interrupted() != 0) {
            submitted->interrupted = true;
            return NEREUS_OK;
        }
        nereus_sleep_s(poll_s);
    }
    return NEREUS_OK;
}

enum nereus_status nereus_submitted_run(struct nereus_submitted *submitted,
                                        void (*on_change)(void *user,
                                                          const struct nereus_submitted *submitted),
                                        void *user, struct nereus_error *err)
{
    NEREUS_TRY(write_all(submitted, err));
    nereus_interrupt_watch();
    submitted->begin_s = nereus_wall_clock_s();
    const enum nereus_status status = run_all(submitted, on_change, user, err);
    if (status != NEREUS_OK || submitted->interrupted)
        cancel(submitted);
    nereus_interrupt_end();
    return status;
}
