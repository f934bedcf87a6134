/** @file failure_file.c  Reads failures of nodes from CSV: time_s, node, and repair_s if known. */

#include "model/util/csv.h"
#include "model/util/option.h"
#include "model/util/suggest.h"
#include "model/util/text_file.h"
#include "nereus/simulate.h"

struct row {
    double time_s, repair_s;
    int64_t node;
};

static const struct nereus_option columns[] = {
    {"time_s", 0, NEREUS_OPTION_NUMBER, NULL, NULL, offsetof(struct row, time_s), NULL},
    {"node", 0, NEREUS_OPTION_NATURAL, NULL, NULL, offsetof(struct row, node), NULL},
    {"repair_s", 0, NEREUS_OPTION_SECONDS, NULL, NULL, offsetof(struct row, repair_s), NULL},
};
enum { COLUMNS = NEREUS_COUNT_OF(columns), NEEDED = 2 };

struct reading {
    const char *path;
    int32_t nodes;
    double repair_s;
    size_t column[COLUMNS]; /* column of each field */
    int count;              /* number of fields; 0: before the header line */
    struct nereus_sim_failure *list;
    int64_t failures;
};

static enum nereus_status read_header(struct reading *r, const struct nereus_csv_record *record,
                                      struct nereus_error *err)
{
    static const char *const names[] = {"time_s", "node", "repair_s"};
    unsigned seen = 0;
    NEREUS_TRY(nereus_csv_check_separator(r->path, record, err));
    for (int i = 0; i < record->count; i++) {
        char meant[NEREUS_SUGGEST_TEXT];
        const char *name = record->fields[i];
        const size_t column = nereus_word_index(name, names, COLUMNS);
        if (column == COLUMNS || (seen & 1U << column) != 0) {
            return nereus_fail(err, NEREUS_ERR_PARSE, "%s:%lld: %s '%s'%s", r->path,
                               (long long)record->line,
                               column == COLUMNS ? "failures have no column" : "twice the column",
                               name, nereus_suggest_text(name, names, COLUMNS, meant));
        }
        seen |= 1U << column;
        r->column[i] = column;
    }
    r->count = record->count;
    return (seen & 3U) == 3U ? NEREUS_OK
                             : nereus_fail(err, NEREUS_ERR_PARSE,
                                           "%s:%lld: the header line must name time_s and node",
                                           r->path, (long long)record->line);
}

static enum nereus_status add_failure(struct reading *r, const struct row *row, int64_t line,
                                      struct nereus_error *err)
{
    if (row->node >= r->nodes) {
        return nereus_fail(err, NEREUS_ERR_PARSE, "%s:%lld: node must be 0 to %d, not %lld",
                           r->path, (long long)line, r->nodes - 1, (long long)row->node);
    }
    NEREUS_TRY_GROW(r->list, r->failures, err, "for the failures of '%s'", r->path);
    r->list[r->failures++] =
        (struct nereus_sim_failure){row->time_s, row->repair_s, (int32_t)row->node};
    return NEREUS_OK;
}

static enum nereus_status read_row(struct reading *r, const struct nereus_csv_record *record,
                                   struct nereus_error *err)
{
    char what[512];
    struct row row = {.repair_s = r->repair_s};
    if (record->count != r->count) {
        return nereus_fail(err, NEREUS_ERR_PARSE,
                           "%s:%lld: %d value%s where the header line has %d column%s", r->path,
                           (long long)record->line, record->count, nereus_plural_s(record->count),
                           r->count, nereus_plural_s(r->count));
    }
    for (int i = 0; i < r->count; i++) {
        const struct nereus_option *column = &columns[r->column[i]];
        if (record->fields[i][0] == '\0' && r->column[i] >= NEEDED)
            continue;
        snprintf(what, sizeof what, "%s:%lld: %s", r->path, (long long)record->line, column->name);
        NEREUS_TRY(nereus_option_store(what, column, record->fields[i], &row, err));
    }
    return add_failure(r, &row, record->line, err);
}

static enum nereus_status read_all(struct reading *r, char *text, struct nereus_error *err)
{
    struct nereus_csv csv;
    struct nereus_csv_record record;
    enum nereus_csv_result result;
    nereus_csv_begin(text, &csv);
    while ((result = nereus_csv_next(&csv, &record)) == NEREUS_CSV_RECORD) {
        if (record.count > (int)COLUMNS) {
            return nereus_fail(err, NEREUS_ERR_PARSE, "%s:%lld: more than %d columns", r->path,
                               (long long)record.line, (int)COLUMNS);
        }
        NEREUS_TRY(r->count == 0 ? read_header(r, &record, err) : read_row(r, &record, err));
    }
    NEREUS_TRY(nereus_csv_check_end(result, r->path, record.line, err));
    return r->failures > 0 ? NEREUS_OK
                           : nereus_fail(err, NEREUS_ERR_PARSE, "'%s' has no failure", r->path);
}

static int compare_times(const void *a, const void *b)
{
    const struct nereus_sim_failure *x = a, *y = b;
    return x->time_s != y->time_s ? (x->time_s > y->time_s) - (x->time_s < y->time_s)
                                  : (x->node > y->node) - (x->node < y->node);
}

enum nereus_status nereus_sim_failures_read(const char *path, int32_t nodes, double repair_s,
                                            struct nereus_sim_failure **list, int64_t *count,
                                            struct nereus_error *err)
{
    struct reading r = {.path = path, .nodes = nodes, .repair_s = repair_s};
    struct nereus_text_file file;
    char *text = NULL;
    NEREUS_TRY(nereus_text_open(path, "list of failures", &file, err));
    enum nereus_status status = nereus_text_read_rest(&file, &text, NULL, err);
    if (status == NEREUS_OK)
        status = read_all(&r, text, err);
    nereus_text_close(&file);
    free(text);
    if (status != NEREUS_OK) {
        free(r.list);
        return status;
    }
    qsort(r.list, (size_t)r.failures, sizeof *r.list, compare_times);
    *list = r.list;
    *count = r.failures;
    return NEREUS_OK;
}
