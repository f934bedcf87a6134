/** @file added_allocation.c  Adds Slurm allocations to a running job, waits for them, and gives
 * them back (added_allocation.h). */
#include "added_allocation.h"

#include <strings.h>
#include <time.h>
#include <unistd.h>

#include "batch_script.h"
#include "model/util/clock.h"
#include "predictor/cli/command.h"
#include "predictor/run/interrupt.h"
#include "slurm_command.h"

/* Between two calls of squeue while allocations wait. */
static const struct timespec poll_interval = {.tv_nsec = 250000000};

/* Seconds between two calls of squeue by the batch job that holds an added allocation. */
#define HOLD_POLL_S "5"

/* Shell script that holds an added allocation: it sleeps while squeue lists the main job as
 * running, also while slurmctld does not answer. It ends when that job ends or is requeued, as it
 * then starts with its own nodes. squeue may list all tasks of an array, so that the job's number
 * is compared. */
#define HOLD_SCRIPT                                                                                \
    "for v in $(env | sed -n 's/^\\(SQUEUE_[A-Z_]*\\)=.*/\\1/p'); do unset $v; done; "             \
    "while :; do t=$(squeue -h --jobs=%s -o '|%%A|%%T|' 2>&1); case $t in "                        \
    "''|*Invalid?job*) exit 0 ;; *'|%s|'*) t=${t##*'|%s|'}; case ${t%%%%|*} in " HOLD_END_STATES   \
    ") exit 0 ;; esac ;; '|'*) exit 0 ;; esac; sleep " HOLD_POLL_S "; done"
#define HOLD_END_STATES NEREUS_SLURM_END_STATES "|" NEREUS_SLURM_WAITING_STATES

/* Columns of squeue that an added allocation takes from the main job, and the options of sbatch for
 * them. */
#define MAIN_COLUMNS "%A|%P|%L|%q|%v|%a"
static const char *const main_options[] = {
    "--partition=", "--time=", "--qos=", "--reservation=", "--account="};

/* Is it a value, and none of Slurm's words for no value ("(null)", "N/A", "UNLIMITED", "INVALID",
 * "NOT_SET")? */
static bool is_set(const char *option, const char *value)
{
    return value[0] != '\0' && value[0] != '(' && strcasecmp(value, "n/a") != 0 &&
           (strcmp(option, "--time=") != 0 || (value[0] >= '0' && value[0] <= '9'));
}

static void add_options(char *const *fields, struct nereus_slurm_command *sbatch)
{
    for (size_t i = 0; i < NEREUS_COUNT_OF(main_options); i++)
        if (is_set(main_options[i], fields[i + 1]))
            nereus_slurm_add_word(sbatch, "%s%s", main_options[i], fields[i + 1]);
}

/* Get the columns MAIN_COLUMNS of a job; squeue may list other tasks of its array before it.
 * @param[out] row  row of the job; free it with nereus_slurm_rows_fini */
static enum nereus_status find_main(const char *main_id, struct nereus_slurm_rows *row,
                                    struct nereus_error *err)
{
    struct nereus_slurm_command squeue = {.argv = {"squeue", "-h", "--noconvert", "--me"}};
    nereus_slurm_add_word(&squeue, "--jobs=%s", main_id);
    NEREUS_TRY(nereus_slurm_query(&squeue, MAIN_COLUMNS, row, err));
    while (nereus_slurm_rows_next(row))
        if (strcmp(row->fields[0], main_id) == 0)
            return NEREUS_OK;
    nereus_slurm_rows_fini(row);
    return nereus_fail(err, NEREUS_ERR_STATE, "Slurm job %s has ended, or is another user's",
                       main_id);
}

static enum nereus_status submit_one(const char *name, const char *main_id, char *const *like,
                                     struct nereus_added *added, struct nereus_error *err)
{
    struct nereus_slurm_command sbatch = {.argv = {"sbatch", "--parsable", "--nodes=1",
                                                   "--ntasks=1", "--exclusive", "--no-requeue",
                                                   "--output=/dev/null"},
                                          .is_complete = true};
    nereus_slurm_add_word(&sbatch, "--job-name=%s+", name);
    nereus_slurm_add_word(&sbatch, "--comment=" NEREUS_SLURM_COMMENT_ADDED "%s %s", name, main_id);
    add_options(like, &sbatch);
    nereus_slurm_add_word(&sbatch, "--wrap");
    nereus_slurm_add_word(&sbatch, HOLD_SCRIPT, main_id, main_id, main_id);
    *added = (struct nereus_added){.cores = 0};
    return nereus_slurm_submit(&sbatch, added->id, err);
}

enum nereus_status nereus_added_submit(const char *name, const char *main_id, int64_t count,
                                       struct nereus_added *added, struct nereus_error *err)
{
    struct nereus_slurm_rows like;
    enum nereus_status status = find_main(main_id, &like, err);
    NEREUS_TRY(status);
    int64_t submitted = 0;
    while (submitted < count && status == NEREUS_OK) {
        status = submit_one(name, main_id, like.fields, &added[submitted], err);
        submitted += status == NEREUS_OK;
    }
    if (status != NEREUS_OK)
        nereus_added_cancel(added, submitted, main_id);
    nereus_slurm_rows_fini(&like);
    return status;
}

/* ---- waiting --------------------------------------------------------------------------------- */

static bool has_not_ended(const struct nereus_slurm_job *job)
{
    return job != NULL && job->state != NEREUS_SLURM_ENDED;
}

/* @param ids  numbers of all, and of `main_id` before them */
static enum nereus_status read_started(struct nereus_added *added, int64_t count,
                                       const char *main_id, const char *ids,
                                       struct nereus_error *err)
{
    struct nereus_slurm_queue own;
    NEREUS_TRY(nereus_slurm_queue_read_own(ids, NULL, &own, err));
    const char *ended = has_not_ended(nereus_slurm_find_job_by_id(&own, main_id)) ? NULL : main_id;
    for (int64_t i = 0; i < count; i++) {
        const struct nereus_slurm_job *job = nereus_slurm_find_job_by_id(&own, added[i].id);
        ended = ended == NULL && !has_not_ended(job) ? added[i].id : ended;
        if (job != NULL && job->state == NEREUS_SLURM_RUNNING && job->cpus > 0) {
            snprintf(added[i].node, sizeof added[i].node, "%s", job->host);
            added[i].cores = job->cpus;
        }
    }
    nereus_slurm_queue_fini(&own);
    return ended == NULL ? NEREUS_OK
                         : nereus_fail(err, NEREUS_ERR_STATE,
                                       ended == main_id ? "Slurm job %s, the job's own, has ended"
                                                        : "an allocation (Slurm job %s) was ended "
                                                          "before all had started",
                                       ended);
}

static int64_t count_started(const struct nereus_added *added, int64_t count)
{
    int64_t there = 0;
    for (int64_t i = 0; i < count; i++)
        there += added[i].node[0] != '\0';
    return there;
}

static void list_ids(const struct nereus_added *added, int64_t count, const char *main_id,
                     char *ids, size_t capacity)
{
    size_t at = (size_t)snprintf(ids, capacity, "%s", main_id);
    for (int64_t i = 0; i < count; i++)
        at += (size_t)snprintf(ids + at, capacity - at, ",%s", added[i].id);
}

static enum nereus_status fail_late(const struct nereus_added *added, int64_t count, double limit_s,
                                    struct nereus_error *err)
{
    const int there = (int)count_started(added, count);
    return nereus_fail(err, NEREUS_ERR_STATE,
                       "%d of %d further node%s %s there at the deadline (%g s)", there, (int)count,
                       nereus_plural_s((int)count), nereus_choose_plural(there, "was", "were"),
                       limit_s);
}

enum nereus_status nereus_added_wait(struct nereus_added *added, int64_t count, const char *main_id,
                                     double limit_s, struct nereus_error *err)
{
    char ids[(NEREUS_ADDED_MAX + 1) * (NEREUS_SLURM_ID_MAX + 1)];
    const double began_s = nereus_monotonic_s();
    list_ids(added, count, main_id, ids, sizeof ids);
    for (;;) {
        const enum nereus_status status = read_started(added, count, main_id, ids, err);
        const bool is_late = nereus_monotonic_s() - began_s >= limit_s;
        if (status != NEREUS_OK && (status != NEREUS_ERR_IO || is_late))
            return status;
        if (status == NEREUS_OK && count_started(added, count) == count)
            return NEREUS_OK;
        if (is_late)
            return fail_late(added, count, limit_s, err);
        if (nereus_interrupted() != 0)
            return nereus_fail(err, NEREUS_ERR_CANCELLED, "interrupted");
        nanosleep(&poll_interval, NULL);
    }
}

/* Count steps such as "42.0" in the allocation; "42.batch" is the script that holds it. */
static enum nereus_status count_steps(const char *id, const char *nodes, int *count,
                                      struct nereus_error *err)
{
    struct nereus_slurm_command squeue = {.argv = {"squeue", "-h", "--noconvert", "-s", "--me"}};
    struct nereus_slurm_rows rows;
    nereus_slurm_add_word(&squeue, "--jobs=%s", id);
    nereus_slurm_add_word(&squeue, "--nodelist=%s", nodes);
    NEREUS_TRY(nereus_slurm_query(&squeue, "%i", &rows, err));
    *count = 0;
    while (nereus_slurm_rows_next(&rows)) {
        const char *dot = strchr(rows.fields[0], '.');
        *count += dot != NULL && dot[1] >= '0' && dot[1] <= '9';
    }
    nereus_slurm_rows_fini(&rows);
    return NEREUS_OK;
}

enum nereus_status nereus_allocation_wait_empty(const char *id, const char *nodes, double limit_s,
                                                struct nereus_error *err)
{
    const double began_s = nereus_monotonic_s();
    for (;;) {
        int count;
        const enum nereus_status status = count_steps(id, nodes, &count, err);
        if (status == NEREUS_OK && count == 0)
            return NEREUS_OK;
        if (nereus_monotonic_s() - began_s >= limit_s || nereus_interrupted() != 0) {
            return status != NEREUS_OK
                       ? status
                       : nereus_fail(err, NEREUS_ERR_STATE,
                                     "processes that have left the job are still running there");
        }
        nanosleep(&poll_interval, NULL);
    }
}

/* ---- giving back ----------------------------------------------------------------------------- */

/*
 * Check that Slurm job `id` may be ended or shrunk: it belongs to this user, is no array task or
 * part, and was added to job `main_id`; or the user has offered it (with the nodes `given`) and it
 * is no malleable job.
 * @param[out] is_there  false, without an error: an added one that has ended
 */
static enum nereus_status check_own(const char *id, const char *main_id, const char *given,
                                    bool *is_there, struct nereus_error *err)
{
    struct nereus_slurm_queue own;
    NEREUS_TRY(nereus_slurm_queue_read_own(id, given, &own, err));
    const struct nereus_slurm_job *job = nereus_slurm_find_job_by_id(&own, id);
    const bool was_added = job != NULL && strcmp(job->added_to, main_id) == 0;
    const bool was_offered = job != NULL && given != NULL && job->added_to[0] == '\0' &&
                             job->name[0] == '\0' && strcmp(id, main_id) != 0;
    const bool may_be_ended = job != NULL && job->is_plain && (was_added || was_offered);
    *is_there = job != NULL || own.left_out.count >
                                   0; /* a line of squeue that could not be read may be this job */
    nereus_slurm_queue_fini(&own);
    return may_be_ended || (!*is_there && given == NULL)
               ? NEREUS_OK
               : nereus_fail(err, NEREUS_ERR_STATE,
                             "it is no allocation of yours that was added to Slurm job %s%s%s",
                             main_id, given != NULL ? " with " : "", given != NULL ? given : "");
}

bool nereus_added_cancel(const struct nereus_added *added, int64_t count, const char *main_id)
{
    const int interrupt = nereus_interrupt_clear(); /* otherwise no command would run */
    bool are_ended = true;
    for (int64_t i = 0; i < count; i++) {
        struct nereus_error err;
        if (nereus_allocation_shrink(added[i].id, main_id, NULL, "", &err) == NEREUS_OK)
            continue;
        nereus_cli_note("Slurm job %s may be left: %s", added[i].id, err.text);
        are_ended = false;
    }
    nereus_interrupt_restore(interrupt);
    return are_ended;
}

/* Remove the scripts that scontrol leaves in the working folder for shells within the allocation.
 */
static void remove_resize_scripts(const char *id)
{
    static const char *const endings[] = {"sh", "csh"};
    for (size_t i = 0; i < NEREUS_COUNT_OF(endings); i++) {
        char path[96];
        snprintf(path, sizeof path, "slurm_job_%s_resize.%s", id, endings[i]);
        unlink(path);
    }
}

enum nereus_status nereus_allocation_shrink(const char *id, const char *main_id, const char *given,
                                            const char *rest, struct nereus_error *err)
{
    struct nereus_slurm_command cancel = {.argv = {"scancel", "--"}, .ignores_signals = true},
                                update = {.argv = {"scontrol", "--", "update"},
                                          .ignores_signals = true};
    bool is_there;
    NEREUS_TRY(check_own(id, main_id, given, &is_there, err));
    if (!is_there)
        return NEREUS_OK;
    nereus_slurm_add_word(&cancel, "%s", id);
    nereus_slurm_add_word(&update, "JobId=%s", id);
    nereus_slurm_add_word(&update, "NodeList=%s", rest);
    if (rest[0] == '\0')
        return nereus_slurm_run(&cancel, NULL, err);
    NEREUS_TRY(nereus_slurm_run(&update, NULL, err));
    remove_resize_scripts(id);
    return NEREUS_OK;
}

const char *nereus_allocation_id(const char *allocation)
{
    const size_t begun = strlen(NEREUS_SLURM_ALLOCATION);
    return strncmp(allocation, NEREUS_SLURM_ALLOCATION, begun) == 0 &&
                   nereus_slurm_is_id(allocation + begun)
               ? allocation + begun
               : NULL;
}

/* ---- unused allocations ---------------------------------------------------------------------- */

bool nereus_added_may_be_used(const struct nereus_job_state *state, const char *id)
{
    bool is_listed = state->node_count > NEREUS_JOB_NODES_MAX; /* not all are named */
    for (int64_t i = 0; i < state->node_count && !is_listed; i++) {
        const char *held = nereus_allocation_id(state->nodes[i].allocation);
        is_listed = held != NULL && strcmp(held, id) == 0;
    }
    return is_listed || state->changing || state->request > 0;
}

/* Does the allocation wait, or hold no process of the malleable job? */
static bool is_empty(const struct nereus_slurm_job *job)
{
    int steps;
    return job->state == NEREUS_SLURM_WAITING || job->state == NEREUS_SLURM_LATER ||
           (job->state == NEREUS_SLURM_RUNNING && job->host[0] != '\0' &&
            count_steps(job->id, job->host, &steps, NULL) == NEREUS_OK && steps == 0);
}

bool nereus_added_is_unused(const struct nereus_slurm_job *job,
                            const struct nereus_job_state *state, const char *main_id)
{
    return strcmp(job->added_to, main_id) == 0 && !nereus_added_may_be_used(state, job->id) &&
           is_empty(job);
}

int nereus_added_end_unused(const struct nereus_slurm_queue *queue,
                            const struct nereus_job_state *state, const char *main_id)
{
    int ended = 0;
    for (int64_t i = 0; i < queue->count; i++) {
        const struct nereus_slurm_job *job = &queue->jobs[i];
        if (nereus_added_is_unused(job, state, main_id))
            ended += nereus_allocation_shrink(job->id, main_id, NULL, "", NULL) == NEREUS_OK;
    }
    return ended;
}
