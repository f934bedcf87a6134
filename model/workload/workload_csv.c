/**
 * @file workload_csv.c
 * Reads a workload from CSV: columns by name, in any order; an empty cell or -1 means unknown.
 */

#include "formats.h"
#include "model/util/csv_table.h"
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

/* The columns from MALLEABLE on are in the order of enum nereus_sim_given. */
enum { SUBMIT, RUN, PROCESSORS, NEEDED, JOB = NEEDED, REQUESTED, CLASS, MALLEABLE };
enum { T_ITER = MALLEABLE + 1, SCALING, BYTES, MIN, MAX, COLUMNS };
_Static_assert(NEREUS_SIM_GIVEN_MALLEABLE == 1 &&
                   NEREUS_SIM_GIVEN_T_ITER == 1 << (T_ITER - MALLEABLE) &&
                   NEREUS_SIM_GIVEN_SERIAL == 1 << (SCALING - MALLEABLE) &&
                   NEREUS_SIM_GIVEN_BYTES == 1 << (BYTES - MALLEABLE) &&
                   NEREUS_SIM_GIVEN_MIN == 1 << (MIN - MALLEABLE) &&
                   NEREUS_SIM_GIVEN_MAX == 1 << (MAX - MALLEABLE),
               "the set of given fields is not that of the columns");
static const struct nereus_option columns[COLUMNS] = {
    [SUBMIT] = {"submit_s", 0, NEREUS_OPTION_NUMBER, NULL, NULL, offsetof(struct row, submit_s),
                NULL},
    [RUN] = {"run_s", 0, NEREUS_OPTION_NUMBER, NULL, NULL, offsetof(struct row, run_s), NULL},
    [PROCESSORS] = {"processors", 0, NEREUS_OPTION_COUNT, NULL, NULL,
                    offsetof(struct row, processors), NULL},
    [JOB] = {"job", 0, NEREUS_OPTION_NATURAL, NULL, NULL, offsetof(struct row, job), NULL},
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
    [CLASS] = {"class", 0, NEREUS_OPTION_TEXT, NULL, NULL, offsetof(struct row, app_class), NULL},
};
NEREUS_CSV_CHECK_TABLE(struct row, COLUMNS);

struct reading {
    const char *path;
    int64_t jobs;
    struct nereus_workload *workload;
};

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

static enum nereus_status add_job(void *user, const void *values, uint64_t columns_given,
                                  int64_t line_number, struct nereus_error *err)
{
    struct reading *r = user;
    const struct row *row = values;
    char what[512];
    struct nereus_workload_line line = {.line = line_number,
                                        .number = ++r->jobs,
                                        .processors = row->processors,
                                        .submit_s = row->submit_s,
                                        .run_s = row->run_s,
                                        .requested_s = row->requested_s,
                                        .given = (unsigned)(columns_given >> MALLEABLE),
                                        .malleable = row->malleable % 2 == 1,
                                        .t_iter_s = row->t_iter_s,
                                        .bytes_per_process = (double)row->bytes,
                                        .min = row->min,
                                        .max = row->max,
                                        .app_class = row->app_class};
    if ((columns_given >> JOB & 1) != 0)
        line.number = row->job;
    if (row->scaling != NULL) {
        snprintf(what, sizeof what, "%s:%lld: scaling", r->path, (long long)line.line);
        NEREUS_TRY(read_scaling(what, row->scaling, &line.serial, err));
    }
    if (((line.given & NEREUS_SIM_GIVEN_MIN) != 0 && line.min > line.processors) ||
        ((line.given & NEREUS_SIM_GIVEN_MAX) != 0 && line.max < line.processors)) {
        return nereus_fail(err, NEREUS_ERR_PARSE,
                           "%s:%lld: processors must be between least_processors and "
                           "most_processors, not %lld",
                           r->path, (long long)line.line, (long long)line.processors);
    }
    return nereus_workload_add(r->workload, &line, err);
}

enum nereus_status nereus_workload_read_csv(struct nereus_text_file *file,
                                            struct nereus_workload *workload,
                                            struct nereus_error *err)
{
    static const struct row unknown = {
        .submit_s = -1, .run_s = -1, .requested_s = -1, .processors = -1};
    static const struct nereus_csv_table table = {.what = "a workload has",
                                                  .columns = columns,
                                                  .count = COLUMNS,
                                                  .needed = NEEDED,
                                                  .unknown = "-1",
                                                  .row_bytes = sizeof unknown,
                                                  .take = add_job};
    struct reading reading = {.path = file->path, .workload = workload};
    char *text;
    NEREUS_TRY(nereus_text_read_rest(file, &text, NULL, err));
    const enum nereus_status status =
        nereus_csv_table_read(file->path, text, &table, &unknown, &reading, err);
    free(text);
    return status;
}
