/** @file report.c  Reads results of jobs, and sorts them by kind of change. */
#include "report.h"

#include <dirent.h>
#include <sys/stat.h>

#include "model/statistics/statistics.h"
#include "model/util/file.h"
#include "model/util/values.h"
#include "predictor/cli/command.h"
#include "predictor/scenario/scenario.h"

double nereus_report_median_s(const struct nereus_report_cell *cell)
{
    return nereus_quantile(cell->rt_s, cell->count, 0.5);
}

char *nereus_report_label(const struct nereus_report_cell *cell, char *text, size_t bytes)
{
    char data[32] = "";
    nereus_format_bytes(cell->constant_bytes + cell->variable_bytes, data);
    const bool any = cell->constant_bytes + cell->variable_bytes > 0;
    snprintf(text, bytes, "%lld to %lld by %s%s%s", (long long)cell->ns, (long long)cell->nt,
             cell->method, any ? ", " : "", any ? data : "");
    return text;
}

/* ---- cells ---- */

static int compare_with(const struct nereus_report_cell *a, const struct nereus_report_cell *b)
{
    const double constant = a->constant_bytes - b->constant_bytes,
                 variable = a->variable_bytes - b->variable_bytes;
    if (a->ns != b->ns)
        return a->ns < b->ns ? -1 : 1;
    if (a->nt != b->nt)
        return a->nt < b->nt ? -1 : 1;
    const int methods = strcmp(a->method, b->method);
    if (methods != 0)
        return methods;
    if (constant != 0)
        return constant < 0 ? -1 : 1;
    return (variable > 0) - (variable < 0);
}

static int compare_cells(const void *a, const void *b)
{
    return compare_with(a, b);
}

/* Find the cell of this change, or add it. NULL: no memory */
static struct nereus_report_cell *find_or_add_cell(struct nereus_report *report,
                                                   const struct nereus_report_cell *wanted)
{
    for (int64_t i = 0; i < report->cell_count; i++)
        if (compare_with(&report->cells[i], wanted) == 0)
            return &report->cells[i];
    struct nereus_report_cell *cells =
        nereus_grow(report->cells, report->cell_count, sizeof *cells);
    if (cells == NULL)
        return NULL;
    report->cells = cells;
    cells[report->cell_count] = *wanted;
    return &cells[report->cell_count++];
}

/* Add the time of each part on the critical path to the sums of the cell. */
static void add_parts(const struct nereus_trace *trace, const struct nereus_trace_event *whole,
                      struct nereus_report_cell *cell)
{
    for (int64_t i = 0; i < trace->count; i++) {
        const struct nereus_trace_event *event = &trace->events[i];
        if (event->kind == NEREUS_TRACE_STEP && event->reconfiguration == whole->reconfiguration &&
            isfinite(event->critical_s))
            cell->parts_s[event->step_kind] += event->critical_s;
    }
    cell->parts_s[NEREUS_PART_WAITS] += isfinite(whole->waits_s) ? whole->waits_s : 0;
    cell->parts_s[NEREUS_PART_OTHER] +=
        isfinite(whole->not_attributed_s) ? whole->not_attributed_s : 0;
}

static enum nereus_status add_change(struct nereus_report *report, const struct nereus_results *run,
                                     const struct nereus_trace_event *whole,
                                     struct nereus_error *err)
{
    const struct nereus_result_change *change = nereus_results_change(run, whole->reconfiguration);
    struct nereus_report_cell wanted = {
        .ns = whole->ns, .nt = whole->nt, .oversubscribed = whole->oversubscribed};
    nereus_method_format(&whole->method, wanted.method);
    if (change != NULL) { /* NAN compares equal to nothing */
        wanted.constant_bytes = fmax(change->constant_bytes, 0);
        wanted.variable_bytes = fmax(change->variable_bytes, 0);
    }
    struct nereus_report_cell *cell = find_or_add_cell(report, &wanted);
    double *rt_s = cell != NULL ? nereus_grow(cell->rt_s, cell->count, sizeof *rt_s) : NULL;
    NEREUS_TRY_MEMORY(rt_s, err, "for the results");
    cell->rt_s = rt_s;
    cell->rt_s[cell->count++] = whole->rt_s;
    add_parts(&run->trace, whole, cell);
    if (cell->count == 1) {
        cell->t_iter_ns_s = nereus_results_t_iter_s(run, whole->reconfiguration - 1);
        cell->t_iter_nt_s = nereus_results_t_iter_s(run, whole->reconfiguration);
    }
    return NEREUS_OK;
}

static enum nereus_status add_run(struct nereus_report *report, const struct nereus_results *run,
                                  struct nereus_error *err)
{
    for (int64_t i = 0; i < run->trace.count; i++) {
        const struct nereus_trace_event *event = &run->trace.events[i];
        if (event->kind == NEREUS_TRACE_RECONFIGURATION && event->rt_s > 0)
            NEREUS_TRY(add_change(report, run, event, err));
    }
    return NEREUS_OK;
}

/* ---- files ---- */

static enum nereus_status read_file(const char *path, struct nereus_report *report,
                                    struct nereus_error *err)
{
    struct nereus_results *runs = nereus_grow(report->runs, report->run_count, sizeof *runs);
    report->runs = runs != NULL ? runs : report->runs;
    char **paths = nereus_grow(report->paths, report->run_count, sizeof *paths);
    report->paths = paths != NULL ? paths : report->paths;
    if (nereus_file_is_among(path, report->paths, report->run_count)) {
        return nereus_fail(err, NEREUS_ERR_ARGUMENT,
                           "%.300s is given twice: its runs would count double", path);
    }
    char *own = runs != NULL && paths != NULL ? strdup(path) : NULL;
    NEREUS_TRY_MEMORY(own, err, "for %d results", report->run_count + 1);
    const enum nereus_status status =
        nereus_results_read(own, &report->runs[report->run_count], err);
    if (status != NEREUS_OK) {
        free(own);
        return status;
    }
    report->paths[report->run_count] = own;
    nereus_cli_note_left_out(own, report->runs[report->run_count].trace.left_out.lines,
                             report->runs[report->run_count].trace.left_out.first,
                             report->runs[report->run_count].trace.left_out.why);
    return add_run(report, &report->runs[report->run_count++], err);
}

static int is_results(const struct dirent *entry)
{
    return nereus_text_has_ending_or_gz(entry->d_name, ".jsonl");
}

/* Read all results of a folder. */
static enum nereus_status read_folder(const char *folder, struct nereus_report *report,
                                      struct nereus_error *err)
{
    struct dirent **entries = NULL;
    char path[PATH_MAX];
    const int count = scandir(folder, &entries, is_results, alphasort);
    enum nereus_status status =
        count > 0 ? NEREUS_OK
                  : nereus_fail(err, NEREUS_ERR_IO, "the folder '%.300s' %s%s", folder,
                                count < 0 ? "cannot be read: " : "has no results (*.jsonl)",
                                count < 0 ? strerror(errno) : "");
    for (int i = 0; i < count; i++) {
        snprintf(path, sizeof path, "%s/%s", folder, entries[i]->d_name);
        status = status == NEREUS_OK ? read_file(path, report, err) : status;
        free(entries[i]);
    }
    free(entries);
    return status;
}

enum nereus_status nereus_report_read(char *const *paths, int count, struct nereus_report *report,
                                      struct nereus_error *err)
{
    int64_t iterations = 0;
    *report = (struct nereus_report){.runs = NULL};
    for (int i = 0; i < count; i++) {
        struct stat file_status;
        const bool folder = stat(paths[i], &file_status) == 0 && S_ISDIR(file_status.st_mode);
        NEREUS_TRY(folder ? read_folder(paths[i], report, err) : read_file(paths[i], report, err));
    }
    for (int i = 0; i < report->run_count; i++)
        iterations += report->runs[i].iteration_count;
    if (iterations == 0 && report->cell_count == 0) {
        return nereus_fail(err, NEREUS_ERR_NO_BASIS,
                           "the results hold no iteration and no reconfiguration");
    }
    if (report->cell_count > 0) /* qsort takes no NULL */
        qsort(report->cells, (size_t)report->cell_count, sizeof *report->cells, compare_cells);
    for (int64_t i = 0; i < report->cell_count; i++) {
        struct nereus_report_cell *cell = &report->cells[i];
        nereus_sort(cell->rt_s, cell->count);
        for (int part = 0; part < NEREUS_PART_COUNT; part++)
            cell->parts_s[part] /= cell->count;
    }
    return NEREUS_OK;
}

void nereus_report_fini(struct nereus_report *report)
{
    for (int i = 0; i < report->run_count; i++) {
        nereus_results_fini(&report->runs[i]);
        free(report->paths[i]);
    }
    free(report->paths);
    for (int64_t i = 0; i < report->cell_count; i++)
        free(report->cells[i].rt_s);
    free(report->runs);
    free(report->cells);
    *report = (struct nereus_report){.run_count = 0};
}

/* ---- predictions ---- */

static enum nereus_status predict_cell(const struct nereus_report_cell *cell,
                                       const struct nereus_profile *profile,
                                       struct nereus_interval *rt_s, struct nereus_error *err)
{
    struct nereus_settings settings = NEREUS_SETTINGS_INIT;
    struct nereus_question question;
    struct nereus_prediction prediction;
    struct nereus_method method;
    settings.ns = cell->ns;
    settings.nt = cell->nt;
    settings.t_iter_ns_s = cell->t_iter_ns_s > 0 ? cell->t_iter_ns_s : 0;
    settings.t_iter_nt_s = cell->t_iter_nt_s > 0 ? cell->t_iter_nt_s : 0;
    settings.constant_bytes = (int64_t)cell->constant_bytes;
    settings.variable_bytes = (int64_t)cell->variable_bytes;
    settings.nodes = cell->oversubscribed && profile->nodes == 0 ? 1 : 0;
    NEREUS_TRY(nereus_method_parse(cell->method, &method, err));
    NEREUS_TRY(nereus_question_make(&settings, profile, &question, err));
    const enum nereus_status status =
        nereus_predict(profile, &question.scenario, &method, &prediction, err);
    if (status == NEREUS_OK)
        *rt_s = prediction.rt_s;
    nereus_question_fini(&question);
    return status;
}

void nereus_report_predict(struct nereus_report *report, const struct nereus_profile *profile)
{
    struct nereus_error err;
    snprintf(report->cluster, sizeof report->cluster, "%s", profile->cluster);
    for (int64_t i = 0; i < report->cell_count; i++) {
        struct nereus_report_cell *cell = &report->cells[i];
        cell->predicted = predict_cell(cell, profile, &cell->predicted_s, &err) == NEREUS_OK;
        if (!cell->predicted)
            nereus_text_copy(err.text, cell->why, sizeof cell->why);
    }
}
