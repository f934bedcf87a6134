/**
 * @file next_attempt.c
 * Chooses checkpoint, number of processes and hosts, and names them in one sentence.
 */
#include "next_attempt.h"

#include <time.h>
#include <unistd.h>

#include "job_line.h"
#include "model/layout/slurm.h"
#include "nereus/checkpoint.h"
#include "nereus/sizes.h"
#include "slurm_job.h"

/* Number of successive attempts that may be lost while they read the same checkpoint. */
enum { FAILED_READS_MAX = 2 };

/* ---- checkpoints ----------------------------------------------------------------------------- */

void next_attempt_record_checkpoints(struct attempt_checkpoints *checkpoints, const char *folder)
{
    const char *from = getenv("NEREUS_RESTART");
    char path[PATH_MAX];
    struct nereus_checkpoint found;
    *checkpoints = (struct attempt_checkpoints){.begun_s = (double)time(NULL)};
    snprintf(checkpoints->from, sizeof checkpoints->from, "%s", from != NULL ? from : "");
    if (checkpoints->from[0] != '\0')
        nereus_checkpoint_split_path(from, checkpoints->folder);
    else if (folder != NULL)
        snprintf(checkpoints->folder, sizeof checkpoints->folder, "%s", folder);
    checkpoints->newest = nereus_checkpoint_newest(checkpoints->folder, INT64_MAX, path);
    if (checkpoints->from[0] == '\0' || nereus_checkpoint_read(from, &found, NULL) != NEREUS_OK)
        return;
    checkpoints->job = found.job;
    nereus_checkpoint_fini(&found);
}

/* A folder may have checkpoints of an earlier job, too. By their numbers if possible, as the clock
 * may have been stepped. */
static bool is_of_this_job(const struct attempt_checkpoints *checkpoints, const char *folder,
                           int64_t number, const struct nereus_checkpoint *found)
{
    return (strcmp(folder, checkpoints->folder) == 0 ? number > checkpoints->newest
                                                     : found->written_s >= checkpoints->begun_s) ||
           (checkpoints->from[0] != '\0' && found->job == checkpoints->job);
}

/* Find the newest readable checkpoint of this job whose number is below `limit`.
 * @return false: none */
static bool find_older(const struct attempt_checkpoints *checkpoints, const char *folder,
                       int64_t limit, char *path)
{
    for (int64_t number = limit; (number = nereus_checkpoint_newest(folder, number, path)) > 0;) {
        struct nereus_checkpoint found;
        if (nereus_checkpoint_read(path, &found, NULL) != NEREUS_OK)
            continue;
        const bool good = is_of_this_job(checkpoints, folder, number, &found);
        nereus_checkpoint_fini(&found);
        if (good)
            return true;
    }
    return false;
}

/* Find the newest readable checkpoint of a folder; print a message if a newer one is not readable.
 * @param slurm_job  only checkpoints of this Slurm job (0: of jobs without Slurm); negative: of any
 *   job
 * @param[out] path, found  found: the caller frees it
 * @param[out] err  why the newest one is not readable */
static enum nereus_status choose_newest_readable(const char *folder, int64_t slurm_job, char *path,
                                                 struct nereus_checkpoint *found,
                                                 struct nereus_error *err)
{
    struct nereus_error none = {0};
    for (int64_t n = INT64_MAX; (n = nereus_checkpoint_newest(folder, n, path)) > 0;) {
        struct nereus_error *reason = none.status == NEREUS_OK ? &none : NULL;
        if (nereus_checkpoint_read(path, found, reason) != NEREUS_OK)
            continue;
        if (slurm_job < 0 || found->slurm_job == slurm_job) {
            if (none.status != NEREUS_OK)
                fprintf(stderr,
                        "nereus-mpiexec: the newest checkpoint cannot be used, and %s is "
                        "taken: %s\n",
                        path, none.text);
            return NEREUS_OK;
        }
        nereus_checkpoint_fini(found);
    }
    return none.status != NEREUS_OK
               ? nereus_fail(err, none.status, "%s", none.text)
               : nereus_fail(err, NEREUS_ERR_STATE,
                             "there is no checkpoint%s in '%.300s' to go on from",
                             slurm_job < 0 ? "" : " of it", folder);
}

/* ---- the first attempt ----------------------------------------------------------------------- */

static enum nereus_status begin_from(struct attempt *attempt, const char *path,
                                     const struct nereus_checkpoint *found,
                                     struct nereus_error *err)
{
    char absolute[PATH_MAX], number[32];
    attempt->number = found->restarts + 1;
    snprintf(number, sizeof number, "%lld", (long long)attempt->number);
    NEREUS_TRY_MEMORY(
        setenv("NEREUS_RESTART", realpath(path, absolute) != NULL ? absolute : path, 1) == 0 &&
            setenv("NEREUS_RESTARTS", number, 1) == 0,
        err, "to go on from a checkpoint");
    return NEREUS_OK;
}

/* Find the newest checkpoint of a folder that has correct checksums. */
static bool find_intact(const char *folder, char *path)
{
    for (int64_t n = INT64_MAX; (n = nereus_checkpoint_newest(folder, n, path)) > 0;) {
        struct nereus_checkpoint found;
        if (nereus_checkpoint_read(path, &found, NULL) != NEREUS_OK)
            continue;
        const bool whole = nereus_checkpoint_verify(path, &found, NULL) == NEREUS_OK;
        nereus_checkpoint_fini(&found);
        if (whole)
            return true;
    }
    return false;
}

/* A checkpoint that the user has named is not replaced, but another one is offered. */
static enum nereus_status read_named(const char *path, const char *folder,
                                     struct nereus_checkpoint *found, struct nereus_error *err)
{
    char whole[PATH_MAX];
    if (nereus_checkpoint_read(path, found, err) == NEREUS_OK)
        return NEREUS_OK;
    const struct nereus_error why = *err;
    return find_intact(folder, whole)
               ? nereus_fail(err, why.status, "%.290s; %.190s is whole", why.text, whole)
               : nereus_fail(err, why.status, "%.290s; no other checkpoint in %.150s is whole",
                             why.text, folder);
}

/* NEREUS_RESTART: a checkpoint, or a folder with checkpoints. */
static enum nereus_status begin_from_setting(struct attempt *attempt, const char *given,
                                             struct nereus_error *err)
{
    struct nereus_checkpoint found;
    char path[PATH_MAX], folder[PATH_MAX];
    snprintf(path, sizeof path, "%s", given);
    NEREUS_TRY(nereus_checkpoint_split_path(given, folder) > 0
                   ? read_named(path, folder, &found, err)
                   : choose_newest_readable(given, -1, path, &found, err));
    const enum nereus_status status = begin_from(attempt, path, &found, err);
    nereus_checkpoint_fini(&found);
    return status;
}

/* Limit a size to Slurm's tasks: a job that had grown into other allocations no longer has them. */
static int64_t limit_to_tasks(int64_t processes)
{
    const struct slurm_tasks tasks = slurm_job_tasks();
    return tasks.asked_for && tasks.total < processes ? tasks.total : processes;
}

/* Find the size of a requeued job. 0: as the command line says */
static int64_t find_requeued_size(const struct attempt *attempt,
                                  const struct nereus_checkpoint *found)
{
    const int64_t max_size =
        limit_to_tasks(found->goes_on_as > 0 ? found->goes_on_as : found->processes);
    int64_t near_sizes[2] = {0, 0};
    if (!job_line_can_resize(attempt->mpiexec))
        return 0;
    return nereus_sizes_find_nearest(&found->sizes, max_size + 1, 0, near_sizes) > 0 &&
                   near_sizes[0] <= max_size
               ? near_sizes[0]
               : 0;
}

/* Begin from the newest checkpoint that this Slurm job has written.
 * @param[out] sentence  "..., which begins anew": there is none, and NEREUS_RESTART is unchanged */
static enum nereus_status begin_requeued(struct attempt *attempt, const char *folder,
                                         char *sentence, size_t size, struct nereus_error *err)
{
    struct nereus_checkpoint found;
    struct nereus_error none = {0};
    char path[PATH_MAX];
    if (choose_newest_readable(folder, nereus_slurm_job(), path, &found, &none) != NEREUS_OK) {
        snprintf(sentence, size, "Slurm has requeued the job, which begins anew: %s", none.text);
        return NEREUS_OK;
    }
    snprintf(sentence, size, "Slurm has requeued the job, which goes on from %s (points %lld)",
             path, (long long)found.points);
    attempt->processes = find_requeued_size(attempt, &found);
    const enum nereus_status status = begin_from(attempt, path, &found, err);
    nereus_checkpoint_fini(&found);
    return status;
}

/* A requeued job has written checkpoints after the one that NEREUS_RESTART names, or none. */
enum nereus_status next_attempt_choose_first(struct attempt *attempt,
                                             const struct survival *survival, char *sentence,
                                             size_t size, struct nereus_error *err)
{
    const char *given = getenv("NEREUS_RESTART");
    const bool is_given = given != NULL && *given != '\0';
    const int64_t number = attempt->number;
    *sentence = '\0';
    if (slurm_job_is_requeued() && survival->folder != NULL && (survival->restarts || is_given))
        NEREUS_TRY(begin_requeued(attempt, survival->folder, sentence, size, err));
    if (!is_given || attempt->number != number)
        return NEREUS_OK;
    *sentence = '\0';
    return begin_from_setting(attempt, given, err);
}

/* ---- after a loss: the checkpoint ------------------------------------------------------------ */

/* Was this checkpoint written by the lost attempt, and not only read? */
static bool is_written(const struct attempt_loss *loss, const char *path)
{
    char folder[PATH_MAX];
    return nereus_checkpoint_split_path(path, folder) > loss->checkpoints->newest ||
           strcmp(folder, loss->checkpoints->folder) != 0;
}

bool next_attempt_find_usable(const struct attempt_loss *loss, char *path)
{
    const struct attempt_checkpoints *checkpoints = loss->checkpoints;
    /* the attempt may have been lost before it could report a checkpoint that it had written */
    if ((loss->good_checkpoint == NULL || !is_written(loss, loss->good_checkpoint)) &&
        nereus_checkpoint_newest(checkpoints->folder, INT64_MAX, path) > checkpoints->newest)
        return true;
    if (loss->good_checkpoint != NULL)
        snprintf(path, PATH_MAX, "%s", loss->good_checkpoint);
    return loss->good_checkpoint != NULL;
}

/* The attempt was lost while it read its checkpoint: choose the same one again, or the one
 * before. */
static enum nereus_status choose_older(const struct attempt_loss *loss, struct next_attempt *next,
                                       char *path, struct nereus_error *err)
{
    const char *from = loss->checkpoints->from;
    char folder[PATH_MAX];
    if (*from == '\0')
        return nereus_fail(err, NEREUS_ERR_STATE, "no checkpoint had been written");
    next->attempt.failed_reads++;
    snprintf(path, PATH_MAX, "%s", from);
    if (next->attempt.failed_reads < FAILED_READS_MAX)
        return NEREUS_OK;
    const int64_t number = nereus_checkpoint_split_path(from, folder);
    next->attempt.failed_reads = 0;
    next->attempt.is_older = true;
    if (loss->attempt->is_older || !find_older(loss->checkpoints, folder, number, path))
        return nereus_fail(err, NEREUS_ERR_STATE,
                           "it was lost %d times while it read %.300s, and there is no checkpoint "
                           "before that to try",
                           FAILED_READS_MAX, from);
    snprintf(next->because, sizeof next->because, ", as it was lost %d times while it read %.300s",
             FAILED_READS_MAX, from);
    return NEREUS_OK;
}

/* Keep the chosen checkpoint or, if it is damaged, choose the newest other one. That may be newer:
 * processes without a network connection continue for a while, write checkpoints and remove older
 * ones. */
static enum nereus_status check_checkpoint(const struct attempt_loss *loss,
                                           struct next_attempt *next, struct nereus_error *err)
{
    struct nereus_checkpoint found;
    char folder[PATH_MAX];
    if (nereus_checkpoint_read(next->checkpoint, &found, err) == NEREUS_OK) {
        nereus_checkpoint_fini(&found);
        return NEREUS_OK;
    }
    nereus_checkpoint_split_path(next->checkpoint, folder);
    snprintf(next->because, sizeof next->because, ", as %.350s", err->text);
    return find_older(loss->checkpoints, folder, INT64_MAX, next->checkpoint) ? NEREUS_OK
                                                                              : err->status;
}

enum nereus_status next_attempt_choose_checkpoint(const struct attempt_loss *loss,
                                                  struct next_attempt *next,
                                                  struct nereus_error *err)
{
    char *path = next->checkpoint;
    next->because[0] = '\0';
    next->attempt = *loss->attempt;
    next->attempt.number++;
    next->attempt.losses += !loss->requeued;
    const bool good = next_attempt_find_usable(loss, path);
    next->written = good && is_written(loss, path);
    if (good) {
        next->attempt.failed_reads = 0;
        next->attempt.is_older = false;
    } else if (!loss->requeued || !next_attempt_find_newest(loss, path)) {
        NEREUS_TRY(choose_older(loss, next, path, err));
    }
    if (next->attempt.losses > loss->survival->max_restarts)
        return nereus_fail(err, NEREUS_ERR_STATE, "it has been restarted %lld time%s (--restarts)",
                           (long long)loss->survival->max_restarts,
                           nereus_plural_s(loss->survival->max_restarts));
    return check_checkpoint(loss, next, err);
}

/* ---- after a loss: what is repeated ---------------------------------------------------------- */

/* Add what is computed again: the points since the checkpoint from which the job continues. If the
 * number of points is unknown, add the time since that checkpoint was written, or since the lost
 * attempt began from it. */
static void add_repeated(const struct attempt_loss *loss, const struct nereus_checkpoint *found,
                         struct next_attempt *next)
{
    const size_t length = strlen(next->sentence), size = sizeof next->sentence - length;
    const int64_t points = loss->reached_points - found->points;
    const double begun_s = loss->checkpoints->begun_s,
                 from_s = next->because[0] == '\0' && begun_s > found->written_s ? begun_s
                                                                                 : found->written_s,
                 lost_s = ceil((double)time(NULL) - from_s);
    char *text = next->sentence + length;
    if (loss->reached_points < 0 || points < 0)
        snprintf(text, size, "; at most %.0f s since that checkpoint are repeated",
                 lost_s > 0 ? lost_s : 0);
    else
        snprintf(text, size, "; %lld point%s repeated", (long long)points,
                 points == 1 ? " is" : "s are");
}

bool next_attempt_find_newest(const struct attempt_loss *loss, char *path)
{
    const bool found = next_attempt_find_usable(loss, path);
    if (!found && loss->checkpoints->from[0] != '\0')
        snprintf(path, PATH_MAX, "%s", loss->checkpoints->from);
    return found || loss->checkpoints->from[0] != '\0';
}

/* ---- after a loss: processes and hosts ------------------------------------------------------- */

static int64_t count_slots(const struct job_hosts *hosts, bool answering)
{
    int64_t slots = 0;
    for (size_t i = 0; i < hosts->count; i++)
        slots += hosts->list[i].answers || !answering ? hosts->list[i].slots : 0;
    return slots;
}

/* Format "host0:2,host1:1": the first hosts that answer. */
static void format_hosts(const struct job_hosts *hosts, int64_t processes, char *text)
{
    size_t length = 0;
    for (size_t i = 0; i < hosts->count && processes > 0; i++) {
        const struct job_host *host = &hosts->list[i];
        const int64_t host_processes = host->slots < processes ? host->slots : processes;
        if (!host->answers || host_processes <= 0 ||
            length + sizeof host->name + 32 > NEXT_ATTEMPT_HOSTS_MAX)
            continue;
        length += (size_t)sprintf(text + length, "%s%s:%lld", length > 0 ? "," : "", host->name,
                                  (long long)host_processes);
        processes -= host_processes;
    }
}

/* Set hosts that replace those of the command line if one of these does not answer, or if the job
 * had grown beyond them. */
static void choose_hosts(const struct attempt_loss *loss, const struct job_hosts *hosts,
                         struct next_attempt *next, bool fewer)
{
    int64_t listed = 0, slots = 0;
    bool elsewhere = false;
    for (size_t i = 0; i < hosts->count; i++) {
        listed += hosts->list[i].listed_slots;
        slots += hosts->list[i].slots;
        elsewhere = elsewhere || !hosts->list[i].here;
    }
    const int64_t processes = next->attempt.processes;
    const bool has_grown = elsewhere && listed < processes && processes <= slots;
    next->hosts[0] = '\0';
    if (fewer || (has_grown && loss->planned_processes == 0))
        format_hosts(hosts, processes, next->hosts);
    else if (loss->planned_processes > 0)
        snprintf(next->hosts, sizeof next->hosts, "%s", loss->planned_hosts);
    next->attempt.hosts = next->hosts;
}

/* Append ", without host1, host2, which do not answer" */
static void add_missing(const struct job_hosts *hosts, char *sentence, size_t size)
{
    size_t length = strlen(sentence);
    int count = 0;
    for (size_t i = 0; i < hosts->count && length + 100 < size; i++)
        if (!hosts->list[i].answers)
            length += (size_t)snprintf(sentence + length, size - length, ", %s%s",
                                       count++ == 0 ? "without " : "", hosts->list[i].name);
    if (count > 0)
        snprintf(sentence + length, size - length, ", which %s not answer",
                 count == 1 ? "does" : "do");
}

/* Find the lost attempt's number of processes, limited to Slurm's tasks unless it began with more.
 * If that attempt has written no checkpoint, its number may be smaller than that of the checkpoint
 * from which it began. */
static int64_t find_lost_size(const struct attempt_loss *loss, const struct next_attempt *next,
                              const struct nereus_checkpoint *found)
{
    const struct attempt *attempt = loss->attempt;
    const int64_t begun =
        attempt->processes > 0 ? attempt->processes : job_line_processes(attempt->mpiexec);
    if (loss->planned_processes > 0)
        return loss->planned_processes;
    if (!next->written && begun > 0)
        return begun;
    return nereus_max(limit_to_tasks(found->processes), nereus_min(begun, found->processes));
}

static enum nereus_status choose_size(const struct attempt_loss *loss,
                                      const struct job_hosts *hosts,
                                      const struct nereus_checkpoint *found,
                                      struct next_attempt *next, struct nereus_error *err)
{
    const int64_t lost_size = find_lost_size(loss, next, found), slots = count_slots(hosts, true),
                  all = count_slots(hosts, false);
    const bool fewer = slots < all;
    const int64_t max_size = fewer && slots < lost_size ? slots : lost_size;
    int64_t near_sizes[2] = {0, 0};
    if (fewer && slots == 0)
        return nereus_fail(err, NEREUS_ERR_STATE, "none of its hosts answers");
    if (nereus_sizes_find_nearest(&found->sizes, max_size + 1, 0, near_sizes) == 0 ||
        near_sizes[0] > max_size)
        return nereus_fail(err, NEREUS_ERR_STATE,
                           "the program can have no number of processes up to %lld",
                           (long long)max_size);
    next->attempt.processes = near_sizes[0];
    choose_hosts(loss, hosts, next, fewer);
    snprintf(next->sentence, sizeof next->sentence,
             "goes on as %lld process%s from %.3000s (points %lld)%s", (long long)near_sizes[0],
             nereus_plural_es(near_sizes[0]), next->checkpoint, (long long)found->points,
             next->because);
    add_missing(hosts, next->sentence, sizeof next->sentence);
    add_repeated(loss, found, next);
    return NEREUS_OK;
}

enum nereus_status next_attempt_choose_size(const struct attempt_loss *loss,
                                            const struct job_hosts *hosts,
                                            struct next_attempt *next, struct nereus_error *err)
{
    struct nereus_checkpoint found;
    NEREUS_TRY(nereus_checkpoint_read(next->checkpoint, &found, err));
    const enum nereus_status status = choose_size(loss, hosts, &found, next, err);
    nereus_checkpoint_fini(&found);
    return status;
}

void next_attempt_describe_requeued(const struct attempt_loss *loss, struct next_attempt *next,
                                    const struct nereus_error *none)
{
    struct nereus_checkpoint found;
    if (none != NULL) {
        snprintf(next->sentence, sizeof next->sentence,
                 "is started again from the beginning by Slurm, as %s", none->text);
        return;
    }
    const bool readable = nereus_checkpoint_read(next->checkpoint, &found, NULL) == NEREUS_OK;
    if (!readable)
        found = (struct nereus_checkpoint){.points = 0};
    snprintf(next->sentence, sizeof next->sentence,
             "goes on from %.3000s (points %lld) when Slurm starts it again", next->checkpoint,
             (long long)found.points);
    if (readable)
        add_repeated(loss, &found, next);
    nereus_checkpoint_fini(&found);
}
