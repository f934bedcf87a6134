/**
 * @file workload_csv.c
 * Reads a workload from CSV: columns by name, in any order; an empty cell or -1 means unknown.
 */

#include "formats.h"
#include "model/util/csv.h"
#include "model/util/option.h"
#include "model/util/suggest.h"
#include "nereus/scaling.h"

/* A job's cells. Unknown cells leave the defaults of the function that reads a row. */
struct row {
    int64_t job, processors, bytes, min, max;
    double submit_s, run_s, requested_s, t_iter_s;
    int malleable;
    const char *scaling, *app_class;
};

/* Words of yes have odd indices. */
static const char *const yes_no[] = {"no", "yes", "0", "1", "false", "true", NULL};

enum { JOB, SUBMIT, RUN, PROCESSORS, REQUESTED, MALLEABLE, T_ITER, SCALING, BYTES, MIN, MAX };
static const struct nereus_option columns[] = {
    [JOB] = {"job", 0, NEREUS_OPTION_NATURAL, NULL, NULL, offsetof(struct row, job), NULL},
    [SUBMIT] = {"submit_s", 0, NEREUS_OPTION_NUMBER, NULL, NULL, offsetof(struct row, submit_s),
                NULL},
    [RUN] = {"run_s", 0, NEREUS_OPTION_NUMBER, NULL, NULL, offsetof(struct row, run_s), NULL},
    [PROCESSORS] = {"processors", 0, NEREUS_OPTION_COUNT, NULL, NULL,
                    offsetof(struct row, processors), NULL},
    [REQUESTED] = {"requested_s", 0, NEREUS_OPTION_NUMBER, NULL, NULL,
                   offsetof(struct row, requested_s), NULL},
    [MALLEABLE] = {"malleable", 0, NEREUS_OPTION_CHOICE, NULL, NULL,
                   offsetof(struct row, malleable), yes_no},
    [T_ITER] = {"t_iter_s", 0, NEREUS_OPTION_SECONDS, NULL, NULL, offsetof(struct row, t_iter_s),
                NULL},
    [SCALING] = {"scaling", 0, NEREUS_OPTION_TEXT, NULL, NULL, offsetof(struct row, scaling), NULL},
    [BYTES] = {"bytes_per_process", 0, NEREUS_OPTION_BYTES, NULL, NULL, offsetof(struct row, bytes),
               NULL},
    [MIN] = {"least_processors", 0, NEREUS_OPTION_COUNT, NULL, NULL, offsetof(struct row, min),
             NULL},
    [MAX] = {"most_processors", 0, NEREUS_OPTION_COUNT, NULL, NULL, offsetof(struct row, max),
             NULL},
    {"class", 0, NEREUS_OPTION_TEXT, NULL, NULL, offsetof(struct row, app_class), NULL},
};
enum { COLUMNS = NEREUS_COUNT_OF(columns) };

struct reading {
    const char *path;
    const struct nereus_csv_record *record;
    int columns[NEREUS_CSV_FIELDS_MAX]; /* indexed by field: index in `columns` */
    int count;
    int64_t jobs;
    struct nereus_workload *workload;
    struct nereus_error *err;
};

static enum nereus_status find_column(struct reading *r, const char *name, int *column)
{
    const char *names[COLUMNS];
    char meant[NEREUS_SUGGEST_TEXT];
    for (int c = 0; c < (int)COLUMNS; c++) {
        names[c] = columns[c].name;
        if (strcmp(name, columns[c].name) == 0) {
            *column = c;
            return NEREUS_OK;
        }
    }
    return nereus_fail(r->err, NEREUS_ERR_PARSE, "%s:%lld: a workload has no column '%s'%s",
                       r->path, (long long)r->record->line, name,
                       nereus_suggest_text(name, names, COLUMNS, meant));
}

static enum nereus_status read_header(struct reading *r)
{
    static const int needed[] = {SUBMIT, RUN, PROCESSORS};
    bool seen[COLUMNS] = {false};
    NEREUS_TRY(nereus_csv_check_separator(r->path, r->record, r->err));
    r->count = r->record->count;
    for (int i = 0; i < r->count; i++) {
        NEREUS_TRY(find_column(r, r->record->fields[i], &r->columns[i]));
        if (seen[r->columns[i]]) {
            return nereus_fail(r->err, NEREUS_ERR_PARSE, "%s:%lld: column '%s' is there twice",
                               r->path, (long long)r->record->line, r->record->fields[i]);
        }
        seen[r->columns[i]] = true;
    }
    for (size_t i = 0; i < NEREUS_COUNT_OF(needed); i++) {
        if (!seen[needed[i]]) {
            return nereus_fail(r->err, NEREUS_ERR_PARSE, "%s:%lld: column '%s' is missing", r->path,
                               (long long)r->record->line, columns[needed[i]].name);
        }
    }
    return NEREUS_OK;
}

static bool is_unknown(const char *cell)
{
    return cell[0] == '\0' || strcmp(cell, "-1") == 0;
}

/* Laws without a table are Amdahl's: ideal with a share of 0, weak with 1. */
static enum nereus_status read_scaling(const char *what, const char *text, double *serial,
                                       struct nereus_error *err)
{
    struct nereus_scaling law;
    struct nereus_error why;
    if (strcmp(text, "ideal") == 0 || strcmp(text, "strong") == 0 || strcmp(text, "weak") == 0) {
        *serial = text[0] == 'w' ? 1 : 0;
        return NEREUS_OK;
    }
    if (strncmp(text, "amdahl:", 7) != 0 || nereus_scaling_parse(text, &law, &why) != NEREUS_OK) {
        return nereus_fail(err, NEREUS_ERR_PARSE, "%s must be ideal, weak or amdahl:F, not '%s'",
                           what, text);
    }
    *serial = law.serial;
    nereus_scaling_fini(&law);
    return NEREUS_OK;
}

static enum nereus_status add_job(struct reading *r, const struct row *row, unsigned given)
{
    char what[512];
    struct nereus_workload_line line = {.line = r->record->line,
                                        .number = row->job,
                                        .processors = row->processors,
                                        .submit_s = row->submit_s,
                                        .run_s = row->run_s,
                                        .requested_s = row->requested_s,
                                        .given = given,
                                        .malleable = row->malleable % 2 == 1,
                                        .t_iter_s = row->t_iter_s,
                                        .bytes_per_process = (double)row->bytes,
                                        .min = row->min,
                                        .max = row->max,
                                        .app_class = row->app_class};
    if (row->scaling != NULL) {
        snprintf(what, sizeof what, "%s:%lld: scaling", r->path, (long long)line.line);
        NEREUS_TRY(read_scaling(what, row->scaling, &line.serial, r->err));
    }
    if (((given & NEREUS_SIM_GIVEN_MIN) != 0 && line.min > line.processors) ||
        ((given & NEREUS_SIM_GIVEN_MAX) != 0 && line.max < line.processors)) {
        return nereus_fail(r->err, NEREUS_ERR_PARSE,
                           "%s:%lld: processors must be between least_processors and "
                           "most_processors, not %lld",
                           r->path, (long long)line.line, (long long)line.processors);
    }
    return nereus_workload_add(r->workload, &line, r->err);
}

static enum nereus_status read_job(struct reading *r)
{
    static const unsigned bits[COLUMNS] = {[MALLEABLE] = NEREUS_SIM_GIVEN_MALLEABLE,
                                           [T_ITER] = NEREUS_SIM_GIVEN_T_ITER,
                                           [SCALING] = NEREUS_SIM_GIVEN_SERIAL,
                                           [BYTES] = NEREUS_SIM_GIVEN_BYTES,
                                           [MIN] = NEREUS_SIM_GIVEN_MIN,
                                           [MAX] = NEREUS_SIM_GIVEN_MAX};
    char what[512];
    unsigned given = 0;
    struct row row = {
        .job = ++r->jobs, .submit_s = -1, .run_s = -1, .requested_s = -1, .processors = -1};
    if (r->record->count != r->count) {
        return nereus_fail(r->err, NEREUS_ERR_PARSE,
                           "%s:%lld: %d value%s where the header line has %d column%s", r->path,
                           (long long)r->record->line, r->record->count,
                           nereus_plural_s(r->record->count), r->count, nereus_plural_s(r->count));
    }
    for (int i = 0; i < r->count; i++) {
        const struct nereus_option *column = &columns[r->columns[i]];
        if (!is_unknown(r->record->fields[i])) {
            snprintf(what, sizeof what, "%s:%lld: %s", r->path, (long long)r->record->line,
                     column->name);
            NEREUS_TRY(nereus_option_store(what, column, r->record->fields[i], &row, r->err));
            given |= bits[r->columns[i]];
        }
    }
    return add_job(r, &row, given);
}

static enum nereus_status read_records(struct reading *r, char *text)
{
    struct nereus_csv csv;
    struct nereus_csv_record record;
    enum nereus_csv_result result;
    nereus_csv_begin(text, &csv);
    r->record = &record;
    while ((result = nereus_csv_next(&csv, &record)) == NEREUS_CSV_RECORD)
        NEREUS_TRY(r->count == 0 ? read_header(r) : read_job(r));
    NEREUS_TRY(nereus_csv_check_end(result, r->path, record.line, r->err));
    return r->count > 0
               ? NEREUS_OK
               : nereus_fail(r->err, NEREUS_ERR_PARSE,
                             "%s: the header line is missing: it names the columns", r->path);
}

enum nereus_status nereus_workload_read_csv(struct nereus_text_file *file,
                                            struct nereus_workload *workload,
                                            struct nereus_error *err)
{
    struct reading reading = {.path = file->path, .workload = workload, .err = err};
    char *text;
    NEREUS_TRY(nereus_text_read_rest(file, &text, NULL, err));
    const enum nereus_status status = read_records(&reading, text);
    free(text);
    return status;
}
