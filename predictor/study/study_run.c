/**
 * @file study_run.c
 * Carries out the runs of a study, one after the other. The results of a run get their name when
 * they are complete, so that an interrupted or killed run is repeated.
 */
#include "study_run.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "model/util/file.h"
#include "model/util/home.h"
#include "model/util/text_file.h"
#include "predictor/cli/command.h"
#include "predictor/cli/progress.h"
#include "predictor/run/child.h"
#include "predictor/run/interrupt.h"
#include "predictor/run/this_machine.h"

/* ---- the application ---- */

static int count_lines(const char *text)
{
    int lines = 0;
    for (; *text != '\0'; text++)
        lines += text[0] == '\n' || text[1] == '\0' ? 1 : 0; /* the last one may have no end */
    return lines;
}

/* Translate each "line N" of a sentence, which becomes no longer: `added` lines follow the line
 * `end` of the study's file. */
static void translate_lines(char *sentence, int end, int added)
{
    static const char word[] = " line ";
    for (char *at = strstr(sentence, word); at != NULL; at = strstr(at + 1, word)) {
        char number[32], *digits = at + strlen(word), *rest;
        const long line = strtol(digits, &rest, 10);
        if (line <= end + added)
            continue;
        const size_t length = (size_t)snprintf(number, sizeof number, "%ld", line - added);
        memmove(digits + length, rest, strlen(rest) + 1);
        memcpy(digits, number, length);
    }
}

/* Translate a message of nereus-sam about a run's configuration: [study] made the lines at the end
 * of [general] and those after the study's file. */
static enum nereus_status translate_error(const struct nereus_study *study,
                                          const struct nereus_study_run *run, const char *made,
                                          struct nereus_error *err)
{
    const size_t length = strlen(made);
    char sentence[sizeof err->text];
    int line = 0, digits = 0;
    if (strncmp(err->text, made, length) != 0)
        return err->status;
    const int added = nereus_study_general_lines(study, run), end = study->general_end_line;
    snprintf(sentence, sizeof sentence, "%s", err->text + length);
    translate_lines(sentence, end, added);
    if (sscanf(sentence, ":%d:%n", &line, &digits) != 1)
        return nereus_fail(err, err->status, "%.200s%s", study->file, sentence);
    const int own_line = line > end + added ? line - added : line;
    if ((line > end && line <= end + added) || own_line > count_lines(study->text)) {
        return nereus_fail(err, err->status, "%.200s: what [study] makes is refused:%s",
                           study->file, sentence + digits);
    }
    return nereus_fail(err, err->status, "%.200s:%d:%s", study->file, own_line, sentence + digits);
}

/* Let nereus-sam check the configuration of a run. */
static enum nereus_status check_run(const struct nereus_study_work *work,
                                    const struct nereus_study_run *run, struct nereus_error *err)
{
    char path[PATH_MAX];
    int64_t processes;
    const int file = mkstemp(nereus_temporary_path("nereus-study", path, sizeof path));
    if (file < 0) {
        return nereus_fail(err, NEREUS_ERR_IO, "'%.300s' cannot be made: %s", path,
                           strerror(errno));
    }
    close(file);
    enum nereus_status status = nereus_study_write_run(work->study, run, path, err);
    if (status == NEREUS_OK)
        status = nereus_sam_query(work->program, path, &processes, err);
    unlink(path);
    return status == NEREUS_OK ? status : translate_error(work->study, run, path, err);
}

enum nereus_status nereus_study_work_init(const struct nereus_study *study,
                                          struct nereus_study_work *work, struct nereus_error *err)
{
    *work = (struct nereus_study_work){.study = study, .lock = -1};
    NEREUS_TRY(nereus_program_find(NEREUS_PROGRAM_BIN, "nereus-mpiexec", work->mpiexec, err));
    NEREUS_TRY(nereus_program_find(NEREUS_PROGRAM_BIN, "nereus-sam", work->program, err));
    NEREUS_TRY(nereus_study_list_runs(study, &work->runs, &work->run_count, err));
    for (int m = 0; m < study->method_count; m++) {
        const struct nereus_study_run run = {
            .pair = study->pairs[0], .method = m, .bytes = study->bytes[0], .repeat = 1};
        NEREUS_TRY(check_run(work, &run, err));
    }
    return NEREUS_OK;
}

static void unlock(struct nereus_study_work *work)
{
    if (work->lock >= 0)
        close(work->lock);
    work->lock = -1;
}

void nereus_study_work_fini(struct nereus_study_work *work)
{
    unlock(work);
    free(work->runs);
    work->runs = NULL;
}

/* ---- the folder ---- */

static enum nereus_status write_copy(const char *copy, const char *text, struct nereus_error *err)
{
    struct nereus_file_replace file;
    NEREUS_TRY(nereus_file_replace_begin(copy, &file, err));
    fputs(text, file.stream);
    return nereus_file_replace_commit(&file, err);
}

/* Let no other process carry out runs in the folder: its copy of the study is locked. A new copy is
 * empty: the process that locks it renames the text over it, and then locks that file. */
static enum nereus_status lock_copy(struct nereus_study_work *work, const char *copy,
                                    const char *text, struct nereus_error *err)
{
    struct stat found;
    enum nereus_file_lock lock;
    bool created, is_empty;
    do {
        unlock(work);
        lock = nereus_file_open_locked(copy, &work->lock, &created);
        if (lock == NEREUS_FILE_LOCK_BUSY)
            return nereus_fail(err, NEREUS_ERR_BUSY, "another nereus is at work in %.300s",
                               work->folder);
        if (work->lock < 0)
            return nereus_fail(err, NEREUS_ERR_IO, "'%.300s' cannot be opened for writing: %s",
                               copy, strerror(errno));
        is_empty = fstat(work->lock, &found) == 0 && found.st_size == 0;
        if (is_empty)
            NEREUS_TRY(write_copy(copy, text, err));
    } while (is_empty);
    if (lock == NEREUS_FILE_LOCK_NONE) {
        nereus_cli_note("%s cannot be locked (%s): let no other nereus work in this folder", copy,
                        strerror(errno));
    }
    return NEREUS_OK;
}

/* Lock the folder's copy of the study file, and check that it is one of this study. */
static enum nereus_status hold_copy(struct nereus_study_work *work, const char *copy,
                                    struct nereus_error *err)
{
    char *now = NULL, *then = NULL;
    NEREUS_TRY(nereus_file_read(work->study->file, "study", &now, NULL, err));
    enum nereus_status status = lock_copy(work, copy, now, err);
    if (status == NEREUS_OK)
        status = nereus_file_read(copy, "study", &then, NULL, err);
    if (status == NEREUS_OK && strcmp(now, then) != 0) {
        status = nereus_fail(err, NEREUS_ERR_ARGUMENT,
                             "%.200s has the runs of another study: %.200s differs from %.200s; "
                             "name another folder with --output",
                             work->folder, copy, work->study->file);
    }
    free(now);
    free(then);
    return status;
}

/* Read which runs failed in earlier commands. */
static int count_failures(const struct nereus_study_work *work)
{
    char path[PATH_MAX];
    int lines = 0;
    snprintf(path, sizeof path, "%s/failures.txt", work->folder);
    struct nereus_text_file file;
    if (nereus_text_open(path, "list of failures", &file, NULL) != NEREUS_OK)
        return 0;
    file.is_appended_to = true;
    for (char *line; nereus_text_read_line(&file, &line, NULL) == NEREUS_OK && line != NULL;)
        lines++;
    nereus_text_close(&file);
    return lines;
}

/* Write the launcher's host file, if there are several nodes. */
static enum nereus_status choose_hosts(struct nereus_study_work *work, struct nereus_error *err)
{
    struct nereus_machine machine;
    const char *hostfile = work->study->hostfile;
    if (hostfile[0] == '\0')
        return NEREUS_OK;
    NEREUS_TRY(nereus_machine_from_file(hostfile, &machine, err));
    enum nereus_status status = NEREUS_OK;
    if (machine.node_count > 1) {
        snprintf(work->hosts, sizeof work->hosts, "%s/launch.hosts", work->folder);
        status = nereus_this_machine_check_hosts(&machine, hostfile, err);
        status =
            status == NEREUS_OK ? nereus_launch_hosts_write(&machine, work->hosts, err) : status;
    }
    nereus_machine_fini(&machine);
    return status;
}

enum nereus_status nereus_study_open(struct nereus_study_work *work, const char *folder,
                                     struct nereus_error *err)
{
    char path[PATH_MAX];
    if (snprintf(work->folder, sizeof work->folder, "%s", folder) >= (int)sizeof work->folder)
        return nereus_fail(err, NEREUS_ERR_ARGUMENT, "the path of the folder is too long");
    snprintf(path, sizeof path, "%s/runs", work->folder);
    NEREUS_TRY(nereus_file_make_folder(path, err));
    snprintf(path, sizeof path, "%s/study.ini", work->folder);
    NEREUS_TRY(hold_copy(work, path, err));
    NEREUS_TRY(choose_hosts(work, err));
    work->failed_runs = count_failures(work);
    for (int i = 0; i < work->run_count; i++) {
        work->runs[i].done =
            access(nereus_study_results_path(work, &work->runs[i], path), F_OK) == 0;
        work->found_runs += work->runs[i].done ? 1 : 0;
    }
    return NEREUS_OK;
}

char *nereus_study_results_path(const struct nereus_study_work *work,
                                const struct nereus_study_run *run, char path[PATH_MAX])
{
    char name[NAME_MAX];
    snprintf(path, PATH_MAX, "%s/runs/%s.jsonl", work->folder,
             nereus_study_name(work->study, run, name));
    return path;
}

/* ---- runs ---- */

/* The run that is under way. */
struct under_way {
    struct nereus_progress *progress;
    double done;
};

static void update_progress(void *user)
{
    struct under_way *under_way = user;
    nereus_progress_update(under_way->progress, under_way->done, NULL);
}

/* Carry out a run.
 * @param[out] why  message of a failed run; "": it succeeded */
static enum nereus_status run_once(const struct nereus_study_work *work,
                                   const struct nereus_study_run *run, struct under_way *under_way,
                                   int *interrupt, char why[400], struct nereus_error *err)
{
    char ini[PATH_MAX], part[PATH_MAX], processes[24], results[PATH_MAX], outcome[96];
    char name[NAME_MAX];
    snprintf(ini, sizeof ini, "%s/runs/%s.ini", work->folder,
             nereus_study_name(work->study, run, name)); /* the results have this name in them */
    snprintf(part, sizeof part, "%s/part.jsonl", work->folder);
    snprintf(processes, sizeof processes, "%lld", (long long)run->pair.ns);
    NEREUS_TRY(nereus_study_write_run(work->study, run, ini, err));
    const char *const argv[] = {work->mpiexec, "-n", processes, work->program, "--results",
                                part,          "--", ini,       NULL},
                      *const on_hosts[] = {work->mpiexec, "-f",          work->hosts, "-n",
                                           processes,     work->program, "--results", part,
                                           "--",          ini,           NULL};
    /* No trace file: the results have the trace. */
    const char *const environment[] = {"NEREUS_TRACE=", NULL};
    const struct nereus_child child = {.argv = work->hosts[0] != '\0' ? on_hosts : argv,
                                       .environment = environment,
                                       .limit_s = work->study->limit_s,
                                       .quiet = true,
                                       .on_tick = update_progress,
                                       .user = under_way};
    struct nereus_child_result result;
    why[0] = '\0';
    NEREUS_TRY(nereus_child_run(&child, &result, err));
    *interrupt = result.interrupt;
    if (result.exit_status != 0 || result.timed_out || result.interrupt != 0) {
        snprintf(why, 400, "the job %s%s%s", nereus_child_format_outcome(&child, &result, outcome),
                 result.last[0] != '\0' ? ": " : "", result.last);
    } else {
        NEREUS_TRY(
            nereus_file_rename_durably(part, nereus_study_results_path(work, run, results), err));
    }
    unlink(part);
    unlink(ini);
    return NEREUS_OK;
}

/* Append a line for each failure, so that failures are counted over all commands. */
static void note_failure(const struct nereus_study_work *work, const struct nereus_study_run *run,
                         const char *why)
{
    char path[PATH_MAX], name[NAME_MAX], line[NAME_MAX + 500];
    snprintf(path, sizeof path, "%s/failures.txt", work->folder);
    const int length =
        snprintf(line, sizeof line, "%s: %.400s\n", nereus_study_name(work->study, run, name), why);
    if (!nereus_file_append(path, line, (size_t)length))
        nereus_cli_note("%s cannot be written: %s", path, strerror(errno));
}

static enum nereus_status run_and_report(struct nereus_study_work *work,
                                         struct nereus_study_run *run, struct under_way *under_way,
                                         struct nereus_error *err)
{
    char label[160], why[400];
    nereus_progress_update(under_way->progress, under_way->done,
                           nereus_study_label(work->study, run, label));
    NEREUS_TRY(run_once(work, run, under_way, &work->interrupt, why, err));
    if (work->interrupt != 0)
        return NEREUS_OK;
    run->done = why[0] == '\0';
    if (run->done) {
        work->made_runs++;
        under_way->done++;
        return NEREUS_OK;
    }
    run->failures++;
    run->given_up = run->failures >= work->study->attempts;
    work->failed_runs++;
    work->given_up += run->given_up ? 1 : 0;
    under_way->done += run->given_up ? 1 : 0;
    note_failure(work, run, why);
    nereus_progress_print_line(under_way->progress, "%s failed (%lld of %lld attempt%s): %s", label,
                               (long long)run->failures, (long long)work->study->attempts,
                               nereus_plural_s(work->study->attempts), why);
    return NEREUS_OK;
}

enum nereus_status nereus_study_run_missing(struct nereus_study_work *work,
                                            struct nereus_error *err)
{
    struct nereus_progress progress;
    struct under_way under_way = {.progress = &progress};
    enum nereus_status status = NEREUS_OK;
    const int missing = work->run_count - work->found_runs;
    if (missing == 0)
        return NEREUS_OK;
    nereus_progress_start(&progress, "study", missing);
    /* Failed runs are repeated after all others. */
    for (int64_t round = 0; round < work->study->attempts; round++) {
        for (int i = 0; i < work->run_count && status == NEREUS_OK; i++) {
            struct nereus_study_run *run = &work->runs[i];
            work->interrupt = work->interrupt != 0 ? work->interrupt : nereus_interrupted();
            if (work->interrupt == 0 && !run->done && run->failures == round)
                status = run_and_report(work, run, &under_way, err);
        }
    }
    char done[96];
    snprintf(done, sizeof done, "%d run%s, %d failure%s", work->made_runs,
             nereus_plural_s(work->made_runs), work->failed_runs,
             nereus_plural_s(work->failed_runs));
    nereus_progress_end(&progress, done);
    return status;
}
