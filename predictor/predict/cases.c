/** @file cases.c  Reads many questions from one CSV file. */
#include "cases.h"

#include "model/util/file.h"
#include "model/util/values.h"

/* A file being read. */
struct reader {
    const char *file;
    struct nereus_cases_heading heading;
    const struct nereus_csv_record *record;
    struct nereus_error *err;
};

/* Cut ".0", as some tools write 20 as "20.0". */
static void remove_zero_fraction(char *text)
{
    char *point = strchr(text, '.');
    if (point != NULL && point != text && point[1] != '\0' &&
        point[1 + strspn(point + 1, "0")] == '\0')
        *point = '\0';
}

static enum nereus_status store_cell(const char *what, const struct nereus_option *column,
                                     char *text, struct nereus_settings *settings,
                                     struct nereus_error *err)
{
    if (column->kind == NEREUS_OPTION_COUNT || column->kind == NEREUS_OPTION_NATURAL)
        remove_zero_fraction(text);
    return nereus_option_store(what, column, text, settings, err);
}

/* @return text of a cell; "": the file has no such column */
static char *get_cell_text(const struct reader *r, int column)
{
    static char none[] = "";
    return column >= 0 ? r->record->fields[column] : none;
}

static enum nereus_status parse_settings(const struct reader *r, struct nereus_settings *settings)
{
    char what[512];
    for (int i = 0; i < r->record->count; i++) {
        const struct nereus_option *column = r->heading.columns[i];
        if (column == NULL || get_cell_text(r, i)[0] == '\0')
            continue;
        snprintf(what, sizeof what, "%s:%lld: %s", r->file, (long long)r->record->line,
                 column->name);
        NEREUS_TRY(store_cell(what, column, get_cell_text(r, i), settings, r->err));
    }
    return NEREUS_OK;
}

static enum nereus_status parse_method(const struct reader *r, struct nereus_case *item)
{
    struct nereus_error why;
    const char *text = get_cell_text(r, r->heading.method);
    if (text[0] == '\0')
        return NEREUS_OK;
    item->has_method = true;
    enum nereus_status status = nereus_method_parse(text, &item->method, &why);
    if (status == NEREUS_OK)
        status = nereus_method_check(&item->method, &why);
    return status == NEREUS_OK ? status
                               : nereus_fail(r->err, status, "%s:%lld: column 'method': %.400s",
                                             r->file, (long long)r->record->line, why.text);
}

/* Interpret a row of samples as `profile fit` does: all bytes are constant data if the method moves
 * data, and oversubscribed samples were measured on one node. */
static enum nereus_status parse_sample(const struct reader *r, struct nereus_case *item)
{
    char what[512];
    int64_t oversubscribed = 0;
    if (get_cell_text(r, r->heading.bytes)[0] != '\0' && item->has_method &&
        item->method.has_data) {
        snprintf(what, sizeof what, "%s:%lld: bytes", r->file, (long long)r->record->line);
        NEREUS_TRY(nereus_value_parse_bytes(what, get_cell_text(r, r->heading.bytes),
                                            &item->settings.constant_bytes, r->err));
    }
    if (get_cell_text(r, r->heading.oversubscribed)[0] != '\0') {
        snprintf(what, sizeof what, "%s:%lld: oversubscribed", r->file, (long long)r->record->line);
        NEREUS_TRY(nereus_value_parse_integer(what, get_cell_text(r, r->heading.oversubscribed), 0,
                                              &oversubscribed, r->err));
    }
    if (oversubscribed > 0 && item->settings.nodes == 0)
        item->settings.nodes = 1;
    return NEREUS_OK;
}

/* In a samples file only rows of whole reconfigurations are questions. */
static bool is_question(const struct reader *r)
{
    const char *kind = get_cell_text(r, r->heading.kind);
    return kind[0] == '\0' || strcmp(kind, "reconfiguration") == 0;
}

static enum nereus_status parse_case(const struct reader *r, const struct nereus_settings *defaults,
                                     struct nereus_cases *cases)
{
    NEREUS_TRY(nereus_csv_check_width(r->file, r->record, r->heading.count, r->err));
    if (!is_question(r)) {
        cases->passed_over++;
        return NEREUS_OK;
    }
    struct nereus_case *item = &cases->items[cases->count];
    *item = (struct nereus_case){.line = r->record->line, .settings = *defaults};
    NEREUS_TRY(parse_settings(r, &item->settings));
    NEREUS_TRY(parse_method(r, item));
    NEREUS_TRY(parse_sample(r, item));
    if (item->settings.ns == 0 || item->settings.nt == 0) {
        return nereus_fail(r->err, NEREUS_ERR_PARSE, "%s:%lld: %s is empty", r->file,
                           (long long)item->line, item->settings.ns == 0 ? "ns" : "nt");
    }
    cases->count++;
    return NEREUS_OK;
}

/* @return "column 'a' is", "columns 'a', 'b' are"; NULL: no memory */
static char *list_unknown(const struct nereus_cases_heading *heading)
{
    char *text = NULL;
    size_t length;
    FILE *stream = open_memstream(&text, &length);
    if (stream == NULL)
        return NULL;
    fputs(heading->unknown_count == 1 ? "column " : "columns ", stream);
    for (int i = 0; i < heading->unknown_count; i++)
        fprintf(stream, "%s'%.60s'", i > 0 ? ", " : "", heading->unknown_columns[i]);
    fputs(heading->unknown_count == 1 ? " is" : " are", stream);
    if (fclose(stream) != 0) {
        free(text);
        return NULL;
    }
    return text;
}

static enum nereus_status read_heading(struct reader *r, struct nereus_cases *cases)
{
    enum nereus_status status = nereus_cases_heading_read(r->file, r->record, &r->heading, r->err);
    if (status == NEREUS_OK && r->heading.unknown_count > 0) {
        cases->unknown_columns = list_unknown(&r->heading);
        if (cases->unknown_columns == NULL) {
            status =
                nereus_fail(r->err, NEREUS_ERR_MEMORY, "no memory for the columns of %s", r->file);
        }
    }
    return status;
}

static enum nereus_status read_records(struct reader *r, const struct nereus_settings *defaults,
                                       struct nereus_cases *cases)
{
    struct nereus_csv csv;
    struct nereus_csv_record record;
    enum nereus_csv_result result;
    bool heading = true;
    r->record = &record;
    nereus_csv_begin(cases->text, &csv);
    while ((result = nereus_csv_next(&csv, &record)) == NEREUS_CSV_RECORD) {
        NEREUS_TRY(heading ? read_heading(r, cases) : parse_case(r, defaults, cases));
        heading = false;
    }
    NEREUS_TRY(nereus_csv_check_end(result, r->file, record.line, r->err));
    if (heading) {
        return nereus_fail(r->err, NEREUS_ERR_PARSE,
                           "%s has only blank lines and comments, no header line", r->file);
    }
    return cases->count > 0
               ? NEREUS_OK
               : nereus_fail(r->err, NEREUS_ERR_PARSE,
                             "%s has a header line but no case below it%s", r->file,
                             cases->passed_over > 0
                                 ? ", only samples of something else than reconfigurations"
                                 : "");
}

static int64_t count_lines(const char *text)
{
    int64_t lines = 1;
    for (; (text = strpbrk(text, "\r\n")) != NULL; text++)
        lines++;
    return lines;
}

enum nereus_status nereus_cases_read(const char *path, const struct nereus_settings *defaults,
                                     struct nereus_cases *cases, struct nereus_error *err)
{
    *cases = (struct nereus_cases){.name = strcmp(path, "-") == 0 ? "standard input" : path};
    NEREUS_TRY(nereus_file_read(path, "cases file", &cases->text, NULL, err));
    struct reader reader = {.file = cases->name, .err = err};
    cases->items = calloc((size_t)count_lines(cases->text), sizeof *cases->items);
    enum nereus_status status =
        cases->items == NULL
            ? nereus_fail(err, NEREUS_ERR_MEMORY, "no memory for the cases of %s", cases->name)
            : read_records(&reader, defaults, cases);
    if (status != NEREUS_OK)
        nereus_cases_fini(cases);
    return status;
}

void nereus_cases_fini(struct nereus_cases *cases)
{
    free(cases->items);
    free(cases->text);
    free(cases->unknown_columns);
    *cases = (struct nereus_cases){0};
}
