/** @file submitted_run.c  Submits jobs at their times, and waits for them. */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "model/util/try.h"
#include "predictor/cli/command.h"
#include "predictor/run/child.h"
#include "predictor/run/interrupt.h"
#include "submitted.h"

/* Between two looks at the files of the jobs; and of how many looks one asks Slurm, too. */
static const double look_s = 0.1;
enum { ASK_SLURM = 20, CANCELLED_AT_ONCE = 100 };

static double clock_s(void)
{
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static void nap(double seconds)
{
    const struct timespec time = {0, (long)(seconds * 1e9)};
    nanosleep(&time, NULL);
}

/* --- Slurm's commands --- */

static FILE *open_file(const struct nereus_submitted *live, int64_t job, const char *ending)
{
    char path[PATH_MAX];
    snprintf(path, sizeof path, "%s/job-%" PRId64 "%s", live->folder, job, ending);
    return fopen(path, "r");
}

static void redirect(posix_spawn_file_actions_t *actions, int fd, const char *path)
{
    if (path != NULL) {
        posix_spawn_file_actions_addopen(actions, fd, path, O_WRONLY | O_CREAT | O_TRUNC, 0666);
    }
}

/* Not by nereus_child_run(), which ends what it runs at an interrupt: a job that sbatch has sent
 * off must be known, or nobody cancels it. In a process group of its own, for the same reason.
 * @return the exit status; 127: not started */
static int spawn(char *const *argv, const char *out, const char *error)
{
    extern char **environ;
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    pid_t pid;
    int status = 0;
    posix_spawn_file_actions_init(&actions);
    redirect(&actions, STDOUT_FILENO, out);
    redirect(&actions, STDERR_FILENO, error);
    posix_spawnattr_init(&attributes);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK);
    posix_spawnattr_setsigmask(&attributes, nereus_interrupt_old_mask());
    const int failure = posix_spawnp(&pid, argv[0], &actions, &attributes, argv, environ);
    posix_spawn_file_actions_destroy(&actions);
    posix_spawnattr_destroy(&attributes);
    if (failure != 0) {
        return 127;
    }
    while (waitpid(pid, &status, 0) < 0 && errno == EINTR) {
    }
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128;
}

/* The last line of a file that a command of Slurm has written. */
static void read_line(const struct nereus_submitted *live, int64_t job, const char *ending,
                      char line[256])
{
    char next[256];
    FILE *file = open_file(live, job, ending);
    line[0] = '\0';
    while (file != NULL && fgets(next, sizeof next, file) != NULL) {
        next[strcspn(next, "\n")] = '\0';
        memcpy(line, next, sizeof next);
    }
    if (file != NULL) {
        fclose(file);
    }
}

static enum nereus_status submit(struct nereus_submitted *live, int64_t number,
                                 struct nereus_error *err)
{
    struct nereus_submitted_job *job = &live->jobs[number];
    char script[PATH_MAX], out[PATH_MAX], error[PATH_MAX], said[256];
    char name[] = "sbatch", option[] = "--parsable";
    char *const argv[] = {name, option, script, NULL};
    snprintf(script, sizeof script, "%s/job-%" PRId64 ".sh", live->folder, number);
    snprintf(out, sizeof out, "%s/job-%" PRId64 ".id", live->folder, number);
    snprintf(error, sizeof error, "%s/job-%" PRId64 ".sbatch", live->folder, number);
    const double now_s = clock_s();
    const int status = spawn(argv, out, error);
    read_line(live, number, status == 0 ? ".id" : ".sbatch", said);
    if (status != 0 || said[0] == '\0') {
        return nereus_fail(err, NEREUS_ERR_IO, "sbatch does not take job %" PRId64 ": %.200s",
                           live->workload->jobs[number].number,
                           status == 127     ? "it cannot be started"
                           : said[0] != '\0' ? said
                                             : "it says nothing");
    }
    said[strcspn(said, ";")] = '\0'; /* with several clusters: ID;CLUSTER */
    snprintf(job->id, sizeof job->id, "%.31s", said);
    job->submit_s = now_s - live->begin_s;
    return NEREUS_OK;
}

static void cancel(struct nereus_submitted *live)
{
    char name[] = "scancel";
    char *argv[CANCELLED_AT_ONCE + 2] = {name};
    int count = 1;
    for (int64_t i = 0; i < live->workload->count; i++) {
        struct nereus_submitted_job *job = &live->jobs[i];
        if (job->id[0] != '\0' && job->state < NEREUS_SUBMITTED_ENDED) {
            argv[count++] = job->id;
        }
        if (count > CANCELLED_AT_ONCE || (count > 1 && i + 1 == live->workload->count)) {
            argv[count] = NULL;
            spawn(argv, NULL, NULL);
            count = 1;
        }
    }
}

/* Ids of the user's jobs, each in a line of its own that a newline precedes. */
struct known {
    char *text; /* owned; NULL: not known */
    size_t length;
};

static void take_id(void *user, const char *line, bool is_stderr)
{
    struct known *known = user;
    const size_t length = strlen(line);
    char *text = is_stderr ? NULL : realloc(known->text, known->length + length + 2);
    if (text != NULL) {
        known->length += (size_t)sprintf(text + known->length, "%s\n", line);
        known->text = text;
    }
}

static void ask_slurm(struct known *known)
{
    const char *const argv[] = {"squeue", "-h", "-o", "%i", "--me", NULL};
    const struct nereus_child child = {
        .argv = argv, .limit_s = 60, .on_line = take_id, .user = known};
    struct nereus_child_result result;
    struct nereus_error err;
    *known = (struct known){NULL, 0};
    take_id(known, "", false);
    if (nereus_child_run(&child, &result, &err) != NEREUS_OK || result.exit_status != 0) {
        free(known->text);
        *known = (struct known){NULL, 0};
    }
}

static bool is_known(const struct known *known, const struct nereus_submitted_job *job)
{
    char line[40];
    snprintf(line, sizeof line, "\n%s\n", job->id);
    return known->text == NULL || strstr(known->text, line) != NULL;
}

/* --- jobs --- */

/* @return the state has changed */
static bool look_at(struct nereus_submitted *live, int64_t number)
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

/* A job that Slurm has no longer, and that has left no end, was ended from outside. */
static bool has_vanished(struct nereus_submitted *live, int64_t number, const struct known *known)
{
    struct nereus_submitted_job *job = &live->jobs[number];
    if (job->state >= NEREUS_SUBMITTED_ENDED || is_known(known, job) || look_at(live, number)) {
        return false;
    }
    job->state = NEREUS_SUBMITTED_FAILED;
    job->status = -1;
    return true;
}

/* @param ask  Slurm, too. @return how many submitted jobs have not ended */
static int64_t look_at_all(struct nereus_submitted *live, int64_t submitted, bool ask,
                           bool *changed)
{
    struct known known = {NULL, 0};
    int64_t left = 0;
    *changed = false;
    if (ask) {
        ask_slurm(&known);
    }
    for (int64_t i = 0; i < submitted; i++) {
        if (live->jobs[i].state < NEREUS_SUBMITTED_ENDED) {
            *changed |= look_at(live, i) || has_vanished(live, i, &known);
            left += live->jobs[i].state < NEREUS_SUBMITTED_ENDED;
        }
    }
    free(known.text);
    return left;
}

static enum nereus_status write_all(const struct nereus_submitted *live, struct nereus_error *err)
{
    for (int64_t i = 0; i < live->workload->count; i++) {
        NEREUS_TRY(nereus_submitted_write(live, i, err));
    }
    return NEREUS_OK;
}

static enum nereus_status run_all(struct nereus_submitted *live,
                                  void (*on_change)(void *user,
                                                    const struct nereus_submitted *live),
                                  void *user, struct nereus_error *err)
{
    const struct nereus_sim_job *jobs = live->workload->jobs;
    int64_t submitted = 0, left = 0;
    for (int64_t looks = 1; submitted < live->workload->count || left > 0; looks++) {
        bool changed;
        if (nereus_interrupted() != 0) {
            live->interrupted = true;
            return NEREUS_OK;
        }
        while (submitted < live->workload->count &&
               clock_s() - live->begin_s >= jobs[submitted].submit_s - jobs[0].submit_s) {
            NEREUS_TRY(submit(live, submitted++, err));
        }
        left = look_at_all(live, submitted, looks % ASK_SLURM == 0, &changed);
        if (changed && on_change != NULL) {
            on_change(user, live);
        }
        nap(look_s);
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
    live->begin_s = clock_s();
    const enum nereus_status status = run_all(live, on_change, user, err);
    if (status != NEREUS_OK || live->interrupted) {
        cancel(live);
    }
    nereus_interrupt_end();
    return status;
}
