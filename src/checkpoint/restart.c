/**
 * @file restart.c
 * Rank 0 reads manifest and state of a checkpoint, and broadcasts the state; then all read their
 * data. If a checkpoint is damaged the one before it is tried, until there is none.
 */
#include "restart.h"

#include "model/util/home.h"
#include "model/util/values.h"
#include "nereus/checkpoint.h"
#include "own_data.h"
#include "program.h"
#include "src/link/launch.h"
#include "src/util/agree.h"
#include "src/util/clock.h"
#include "src/util/guard_link.h"
#include "src/util/pack_buffer.h"
#include "stamps_file.h"

const char *nereus_restart_path(void)
{
    const char *text = getenv("NEREUS_RESTART");
    return text == NULL || text[0] == '\0' || nereus_has_guard() || nereus_launch_is_launched()
               ? NULL
               : text;
}

/* Was NEREUS_RESTART set? It is removed after it was read. */
static bool was_set;

bool nereus_is_restart(void)
{
    return was_set || nereus_restart_path() != NULL;
}

void nereus_restart_result_fini(struct restart_result *restart)
{
    nereus_request_fini(&restart->reconfiguration.record);
    memset(&restart->reconfiguration, 0, sizeof restart->reconfiguration);
}

/* ---- rank 0: which checkpoint ---------------------------------------------------------------- */

struct candidate {
    char folder[PATH_MAX], path[PATH_MAX];
    int64_t number;
    uint64_t job; /* job that wrote the first readable checkpoint; 0: none was readable yet */
    struct nereus_checkpoint checkpoint; /* the checkpoint's manifest, if it could be read */
    unsigned char *state;                /* owned */
};

/* Find the checkpoint that NEREUS_RESTART names: a checkpoint, or the newest one in a folder. */
static enum nereus_status find_first_checkpoint(const char *text, struct candidate *candidate,
                                                struct nereus_error *err)
{
    char *path = nereus_absolute_path(text);
    NEREUS_TRY_MEMORY(path, err, "for the path of a checkpoint");
    const int length = snprintf(candidate->path, sizeof candidate->path, "%s", path);
    free(path);
    if (length >= (int)sizeof candidate->path)
        return nereus_fail(err, NEREUS_ERR_ARGUMENT, "NEREUS_RESTART is a path that is too long");
    candidate->number = nereus_checkpoint_split_path(candidate->path, candidate->folder);
    if (candidate->number == 0)
        candidate->number = nereus_checkpoint_newest(candidate->folder, INT64_MAX, candidate->path);
    return candidate->number > 0 ? NEREUS_OK
                                 : nereus_fail(err, NEREUS_ERR_IO,
                                               "there is no checkpoint in '%.300s' "
                                               "(NEREUS_RESTART)",
                                               candidate->folder);
}

/* Refuse a checkpoint for reasons that also apply to older checkpoints of the job. */
static enum nereus_status check_origin(const struct candidate *candidate, struct nereus_error *err)
{
    const struct nereus_checkpoint *checkpoint = &candidate->checkpoint;
    struct nereus_checkpoint own_checkpoint = {0};
    nereus_checkpoint_program(&own_checkpoint);
    if (strcmp(checkpoint->library, own_checkpoint.library) != 0)
        return nereus_fail(err, NEREUS_ERR_MISMATCH,
                           "the checkpoint '%.200s' was written by %.60s, and this is %.60s",
                           candidate->path, checkpoint->library, own_checkpoint.library);
    if (strcmp(basename(checkpoint->program), basename(own_checkpoint.program)) != 0)
        return nereus_fail(err, NEREUS_ERR_MISMATCH,
                           "the checkpoint '%.200s' is of another program: '%.100s', and this is "
                           "'%.100s'",
                           candidate->path, checkpoint->program, own_checkpoint.program);
    return NEREUS_OK;
}

static void close_candidate(struct candidate *candidate)
{
    free(candidate->state);
    candidate->state = NULL;
    nereus_checkpoint_fini(&candidate->checkpoint);
    memset(&candidate->checkpoint, 0, sizeof candidate->checkpoint);
}

static enum nereus_status open_candidate(struct candidate *candidate, struct nereus_error *err)
{
    close_candidate(candidate);
    NEREUS_TRY(nereus_checkpoint_read(candidate->path, &candidate->checkpoint, err));
    NEREUS_TRY(check_origin(candidate, err));
    if (candidate->job != 0 && candidate->checkpoint.job != candidate->job)
        return nereus_fail(err, NEREUS_ERR_IO, "it is a checkpoint of another job");
    candidate->job = candidate->checkpoint.job;
    return nereus_state_file_read(candidate->path, &candidate->checkpoint.state, &candidate->state,
                                  err);
}

/* Log why this checkpoint is not used, and choose the one before it.
 * @return false: there is none, or it would also be refused */
static bool choose_older(struct candidate *candidate, const struct nereus_error *why)
{
    char older[PATH_MAX];
    if (why->status == NEREUS_ERR_MISMATCH || why->status == NEREUS_ERR_UNSUPPORTED)
        return false;
    const int64_t number = nereus_checkpoint_newest(candidate->folder, candidate->number, older);
    if (number == 0)
        return false;
    nereus_log("the checkpoint '%s' cannot be used, and the one before it, '%s', is taken: %s",
               candidate->path, basename(older), why->text);
    strcpy(candidate->path, older);
    candidate->number = number;
    return true;
}

/* Find the newest checkpoint that can be opened. */
static void find_readable(struct candidate *candidate, struct nereus_error *own_error)
{
    while (open_candidate(candidate, own_error) != NEREUS_OK && choose_older(candidate, own_error))
        memset(own_error, 0, sizeof *own_error);
}

/* ---- all processes --------------------------------------------------------------------------- */

/* Header that rank 0 broadcasts before the state. */
struct heading {
    char path[PATH_MAX];
    int64_t state_bytes, writers, restarts;
    int64_t is_planned; /* 1: the processes that wrote it have ended for this planned restart */
    double cost_s;
};

static struct heading make_heading(const struct candidate *candidate)
{
    const struct nereus_checkpoint *checkpoint = &candidate->checkpoint;
    const char *text = getenv("NEREUS_RESTARTS");
    /* nereus-supervise also counts attempts that have written no checkpoint */
    const int64_t next = checkpoint->restarts + 1;
    int64_t attempts = 0;
    if (text != NULL)
        nereus_value_parse_integer("NEREUS_RESTARTS", text, 0, &attempts, NULL);
    struct heading heading = {.state_bytes = checkpoint->state.bytes,
                              .writers = checkpoint->processes,
                              .restarts = attempts > next ? attempts : next,
                              .is_planned = nereus_stamps_file_exists(candidate->path),
                              .cost_s = checkpoint->took_s};
    strcpy(heading.path, candidate->path);
    return heading;
}

static enum nereus_status broadcast_state(nereus_job *job, struct candidate *candidate,
                                          struct heading *heading, struct nereus_error *err)
{
    if (job->rank == 0)
        *heading = make_heading(candidate);
    NEREUS_TRY(nereus_broadcast(heading, sizeof *heading, 0, job->control, NEREUS_WAIT_AWAKE, err));
    struct pack_buffer pack = {.data = candidate->state, .bytes = (size_t)heading->state_bytes};
    const enum nereus_status status = nereus_pack_broadcast(&pack, job->control, err);
    candidate->state = pack.data;
    return status;
}

/* Set the folder of checkpoints, unless one is named: the folder that contains this checkpoint,
 * which may have been moved or copied since it was written. */
static enum nereus_status set_folder(nereus_job *job, const char *checkpoint,
                                     struct nereus_error *err)
{
    char *folder = strdup(checkpoint);
    NEREUS_TRY_MEMORY(folder, err, "for the folder of checkpoints");
    char *slash = strrchr(folder, '/');
    if (slash != NULL && slash != folder)
        *slash = '\0';
    free(job->settings.checkpoint_folder);
    job->settings.checkpoint_folder = folder;
    return NEREUS_OK;
}

static void check_object_count(const nereus_job *job, const struct candidate *candidate,
                               struct nereus_error *own_error)
{
    if (job->rank == 0 && candidate->checkpoint.object_count != job->registry.count)
        nereus_fail(own_error, NEREUS_ERR_PARSE,
                    "its manifest has %lld objects, and its state %lld",
                    (long long)candidate->checkpoint.object_count, (long long)job->registry.count);
}

/* Read the candidate, which rank 0 has opened. */
static enum nereus_status read_candidate(nereus_job *job, struct candidate *candidate,
                                         struct restart_result *restart,
                                         struct nereus_error *verdict, struct nereus_error *err)
{
    struct nereus_error own_error = {0};
    struct heading heading = {.state_bytes = 0};
    struct planned_restart *planned_restart = &restart->reconfiguration;
    NEREUS_TRY(broadcast_state(job, candidate, &heading, err));
    nereus_restart_result_fini(restart);
    restart->restarted = true;
    restart->writers = heading.writers;
    strcpy(restart->path, heading.path);
    const bool is_named = job->settings.checkpoint_folder != NULL;
    if (nereus_state_file_unpack(job, candidate->state, heading.state_bytes, planned_restart,
                                 &own_error) == NEREUS_OK)
        check_object_count(job, candidate, &own_error);
    if (!is_named)
        set_folder(job, heading.path, &own_error);
    job->restarts = heading.restarts;
    /* the state was written before the cost of this checkpoint was known */
    if (job->settings.checkpoint.cost_s <= 0)
        job->settings.checkpoint.cost_s = heading.cost_s;
    job->settings.checkpoint.last_s = nereus_steady_clock_s();
    planned_restart->planned = planned_restart->planned && heading.is_planned == 1 &&
                               planned_restart->record.nt == job->size;
    const enum nereus_status status = nereus_read_checkpoint(
        job,
        &(const struct checkpoint_source){heading.path, &candidate->checkpoint, heading.writers,
                                          &own_error},
        &restart->read_s, verdict, err);
    restart->agreed_s = nereus_skewed_monotonic_s();
    return status;
}

static enum nereus_status restart_from(nereus_job *job, struct candidate *candidate,
                                       struct restart_result *restart,
                                       struct nereus_error *own_error, struct nereus_error *err)
{
    struct nereus_error verdict;
    for (;;) {
        NEREUS_TRY(
            nereus_agree_intra(job->control, own_error, 0, NEREUS_WAIT_AWAKE, &verdict, err));
        if (verdict.status == NEREUS_OK)
            NEREUS_TRY(read_candidate(job, candidate, restart, &verdict, err));
        if (verdict.status == NEREUS_OK)
            return NEREUS_OK;
        int again =
            job->rank == 0 && own_error->status == NEREUS_OK && choose_older(candidate, &verdict);
        *own_error = verdict;
        NEREUS_TRY(nereus_broadcast(&again, sizeof again, 0, job->control, NEREUS_WAIT_AWAKE, err));
        if (!again) {
            nereus_restart_result_fini(restart);
            return NEREUS_OK;
        }
        memset(own_error, 0, sizeof *own_error);
        if (job->rank == 0)
            find_readable(candidate, own_error);
        else
            close_candidate(candidate);
    }
}

/* @param text  as NEREUS_RESTART; used by rank 0
 * @param id    the job whose checkpoints are read; 0: the job of the first one */
static enum nereus_status read_from(nereus_job *job, const char *text, uint64_t id,
                                    struct restart_result *restart, struct nereus_error *own_error,
                                    struct nereus_error *err)
{
    struct candidate *candidate = calloc(1, sizeof *candidate);
    if (candidate == NULL) {
        nereus_fail(err, NEREUS_ERR_MEMORY, "no memory to read a checkpoint");
        nereus_abort_job(err); /* the others wait */
    }
    candidate->job = id;
    if (job->rank == 0 && find_first_checkpoint(text, candidate, own_error) == NEREUS_OK)
        find_readable(candidate, own_error);
    const enum nereus_status status = restart_from(job, candidate, restart, own_error, err);
    close_candidate(candidate);
    free(candidate);
    return status;
}

static void mark_restart_read(void)
{
    was_set = true;
    unsetenv("NEREUS_RESTART"); /* so that programs started by this one do not restart from it */
    unsetenv("NEREUS_RESTARTS");
}

enum nereus_status nereus_restart(nereus_job *job, struct restart_result *restart,
                                  struct nereus_error *own_error, struct nereus_error *err)
{
    const char *text = nereus_restart_path();
    int wanted = job->rank == 0 && own_error->status == NEREUS_OK && text != NULL;
    memset(restart, 0, sizeof *restart);
    restart->began_s = nereus_skewed_monotonic_s();
    NEREUS_TRY(nereus_broadcast(&wanted, sizeof wanted, 0, job->control, NEREUS_WAIT_AWAKE, err));
    if (!wanted)
        return NEREUS_OK;
    const enum nereus_status status = read_from(job, text, 0, restart, own_error, err);
    mark_restart_read();
    return status;
}

enum nereus_status nereus_restart_in_place(nereus_job *job, struct restart_result *restart,
                                           struct nereus_error *own_error, struct nereus_error *err)
{
    memset(restart, 0, sizeof *restart);
    restart->began_s = nereus_skewed_monotonic_s();
    NEREUS_TRY(read_from(job, job->settings.checkpoint_folder, job->id, restart, own_error, err));
    nereus_restart_result_fini(
        restart); /* the reconfiguration planned in that checkpoint is over */
    return NEREUS_OK;
}
