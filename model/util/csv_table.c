/** @file csv_table.c  Reads the rows of CSV by a table of their columns. */
#include "csv_table.h"

#include "suggest.h"

enum { COLUMNS_MAX = 63 };

struct reading {
    const char *path;
    const struct nereus_csv_table *table;
    const void *unknown_row;
    struct nereus_csv_record record;
    size_t column[NEREUS_CSV_FIELDS_MAX]; /* of each field: index in the table; count: another */
    int count;                            /* number of fields; 0: before the header line */
    struct nereus_error *err;
};

static enum nereus_status fail_at_column(const struct reading *r, const char *sentence,
                                         const char *name)
{
    return nereus_fail(r->err, NEREUS_ERR_PARSE, "%s:%lld: the column '%.160s' is %s", r->path,
                       (long long)r->record.line, name, sentence);
}

static enum nereus_status read_header(struct reading *r)
{
    const struct nereus_csv_table *table = r->table;
    const char *names[COLUMNS_MAX];
    char meant[NEREUS_SUGGEST_TEXT];
    uint64_t seen = 0;
    NEREUS_TRY(nereus_csv_check_separator(r->path, &r->record, r->err));
    for (size_t c = 0; c < table->count; c++)
        names[c] = table->columns[c].name;
    for (int i = 0; i < r->record.count; i++) {
        const char *name = r->record.fields[i];
        const size_t column = r->column[i] = nereus_word_index(name, names, table->count);
        if (column == table->count && !table->allows_others)
            return nereus_fail(r->err, NEREUS_ERR_PARSE, "%s:%lld: %s no column '%.160s'%s",
                               r->path, (long long)r->record.line, table->what, name,
                               nereus_suggest_text(name, names, table->count, meant));
        if ((seen >> column & 1) != 0 && column < table->count)
            return fail_at_column(r, "there twice", name);
        seen |= UINT64_C(1) << column;
    }
    r->count = r->record.count;
    for (size_t c = 0; c < table->needed; c++)
        if ((seen >> c & 1) == 0)
            return fail_at_column(r, "missing", names[c]);
    return NEREUS_OK;
}

static enum nereus_status read_row(const struct reading *r, void *row, uint64_t *given)
{
    const struct nereus_csv_table *table = r->table;
    char what[512];
    *given = 0;
    memcpy(row, r->unknown_row, table->row_bytes);
    NEREUS_TRY(nereus_csv_check_width(r->path, &r->record, r->count, r->err));
    for (int i = 0; i < r->count; i++) {
        const size_t c = r->column[i];
        const char *text = r->record.fields[i];
        const bool unknown = table->unknown != NULL
                                 ? text[0] == '\0' || strcmp(text, table->unknown) == 0
                                 : text[0] == '\0' && c >= table->needed;
        if (unknown || c == table->count)
            continue;
        snprintf(what, sizeof what, "%s:%lld: %s", r->path, (long long)r->record.line,
                 table->columns[c].name);
        NEREUS_TRY(nereus_option_store(what, &table->columns[c], text, row, r->err));
        *given |= UINT64_C(1) << c;
    }
    return NEREUS_OK;
}

enum nereus_status nereus_csv_table_read(const char *path, char *text,
                                         const struct nereus_csv_table *table, const void *row,
                                         void *user, struct nereus_error *err)
{
    struct reading r = {.path = path, .table = table, .unknown_row = row, .err = err};
    _Alignas(max_align_t) char values[NEREUS_CSV_ROW_MAX];
    struct nereus_csv csv;
    enum nereus_csv_result result;
    uint64_t given;
    nereus_csv_begin(text, &csv);
    while ((result = nereus_csv_next(&csv, &r.record)) == NEREUS_CSV_RECORD) {
        if (r.count == 0) {
            NEREUS_TRY(read_header(&r));
            continue;
        }
        NEREUS_TRY(read_row(&r, values, &given));
        NEREUS_TRY(table->take(user, values, given, r.record.line, err));
    }
    NEREUS_TRY(nereus_csv_check_end(result, path, r.record.line, err));
    return r.count > 0 ? NEREUS_OK
                       : nereus_fail(err, NEREUS_ERR_PARSE,
                                     "%s: the header line is missing: it names the columns", path);
}
