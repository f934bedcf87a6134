/**
 * @file workload_read.c
 * Reads a workload in one of its formats: CSV, the Standard Workload Format, or of sacct.
 */

#include "formats.h"
#include "model/util/json_reader.h"

static bool is_csv(const char *path, const char *text)
{
    if (nereus_text_has_ending_or_gz(path, ".csv"))
        return true;
    for (text += strspn(text, " \t\n"); *text == ';' || *text == '#';) {
        text += strcspn(text, "\n");
        text += strspn(text, " \t\n");
    }
    return nereus_is_letter(*text) || *text == '"';
}

static int compare_numbers(const void *a, const void *b)
{
    const struct nereus_sim_job *x = *(const struct nereus_sim_job *const *)a,
                                *y = *(const struct nereus_sim_job *const *)b;
    return x->number != y->number ? (x->number < y->number ? -1 : 1)
                                  : (x->line > y->line) - (x->line < y->line);
}

/* Note numbers that occur twice; most logs are ascending. */
static enum nereus_status note_duplicates(struct nereus_workload *workload,
                                          struct nereus_error *err)
{
    int64_t i = 1;
    while (i < workload->count && workload->jobs[i - 1].number < workload->jobs[i].number)
        i++;
    if (i >= workload->count)
        return NEREUS_OK;
    const struct nereus_sim_job **jobs = malloc((size_t)workload->count * sizeof(*jobs));
    NEREUS_TRY_MEMORY(jobs, err, "for %lld jobs", (long long)workload->count);
    for (i = 0; i < workload->count; i++)
        jobs[i] = &workload->jobs[i];
    qsort(jobs, (size_t)workload->count, sizeof(*jobs), compare_numbers);
    for (i = 1; i < workload->count; i++)
        if (jobs[i]->number == jobs[i - 1]->number && jobs[i]->number >= 0)
            nereus_workload_warn(workload, NEREUS_SIM_TWICE, jobs[i]->line);
    free(jobs);
    return NEREUS_OK;
}

/* Refuse a file in which no line is a job, whether or not that job can run. */
static enum nereus_status check_any_job(const char *path, const struct nereus_workload *workload,
                                        struct nereus_error *err)
{
    int64_t lines = workload->count;
    for (int i = 0; i < NEREUS_SIM_WARNING_COUNT; i++)
        lines += workload->warnings[i].count;
    return lines > 0
               ? NEREUS_OK
               : nereus_fail(err, NEREUS_ERR_PARSE,
                             "%s: no job is in this workload: it must have a line for each, as "
                             "sacct prints it, in CSV or in the Standard Workload Format",
                             path);
}

enum nereus_status nereus_workload_read(const char *path, struct nereus_workload *workload,
                                        struct nereus_error *err)
{
    struct nereus_text_file file;
    const char *beginning;
    NEREUS_TRY(nereus_text_open(path, "workload", &file, err));
    enum nereus_status status = nereus_text_peek(&file, &beginning, err);
    if (status == NEREUS_OK)
        status = nereus_workload_read_text(&file, beginning, workload, err);
    nereus_text_close(&file);
    return status;
}

enum nereus_status nereus_workload_read_text(struct nereus_text_file *file, const char *beginning,
                                             struct nereus_workload *workload,
                                             struct nereus_error *err)
{
    *workload = (struct nereus_workload){0};
    if (nereus_json_begins(beginning)) {
        return nereus_fail(
            err, NEREUS_ERR_PARSE,
            "%s: JSON is no workload: `nereus convert` makes one of ElastiSim's jobs", file->path);
    }
    const size_t bar = strcspn(beginning, "|\r\n");
    if (beginning[bar] == '|' && strchr(";#", beginning[0]) == NULL &&
        !nereus_sacct_begins(beginning)) {
        return nereus_fail(
            err, NEREUS_ERR_PARSE,
            "%s:1: columns between '|' are read as sacct prints them, with its header "
            "line: JobID is missing there (sacct --parsable2, without --noheader)",
            file->path);
    }
    const bool accounting = nereus_sacct_begins(beginning); /* a requeued job has two lines */
    enum nereus_status status = accounting ? nereus_workload_read_sacct(file, workload, err)
                                : is_csv(file->path, beginning)
                                    ? nereus_workload_read_csv(file, workload, err)
                                    : nereus_workload_read_swf(file, workload, err);
    if (status == NEREUS_OK)
        status = check_any_job(file->path, workload, err);
    if (status == NEREUS_OK && !accounting)
        status = note_duplicates(workload, err);
    if (status != NEREUS_OK)
        nereus_workload_fini(workload);
    return status;
}
