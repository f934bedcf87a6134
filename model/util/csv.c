/** @file csv.c  Splits CSV records in place. */
#include "csv.h"

void nereus_csv_begin(char *text, struct nereus_csv *csv)
{
    /* written by spreadsheets */
    static const char *const separator_lines[] = {"sep=,\n", "\"sep=,\"\n"};
    csv->cursor = text;
    csv->line = 1;
    for (size_t i = 0; i < NEREUS_COUNT_OF(separator_lines); i++)
        if (nereus_text_begins_with(text, separator_lines[i])) {
            csv->cursor = text + strlen(separator_lines[i]);
            csv->line = 2;
        }
    csv->on_comment = NULL;
    csv->user = NULL;
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t';
}

/* Skip the separator or line end after a field.
 * @param[out] last  the record ends here */
static char *skip_separator(char *position, struct nereus_csv *csv,
                            struct nereus_csv_record *record, bool *last)
{
    *last = *position != ',';
    if (*position == ',')
        return position + 1;
    record->terminated = *position != '\0';
    if (*position == '\0')
        return position;
    csv->line++;
    return position + 1;
}

static char *parse_plain(char *position, char **end)
{
    char *stop = position + strcspn(position, ",\n");
    *end = stop;
    while (*end > position && is_blank((*end)[-1]))
        (*end)--;
    return stop;
}

/*
 * @param position  position after the opening quote
 * @return after the closing one; NULL: none
 */
static char *parse_quoted(char *position, char **end, struct nereus_csv *csv)
{
    char *to = position;
    for (; *position != '\0'; position++) {
        if (*position == '"' && position[1] != '"') {
            *end = to;
            return position + 1;
        }
        if (*position == '"')
            position++;
        if (*position == '\n')
            csv->line++;
        *to++ = *position;
    }
    return NULL;
}

/* A comment starts with '#' at the beginning of a record; a first field with '#' has to be
 * quoted. */
static void skip_empty_lines(struct nereus_csv *csv)
{
    for (;;) {
        char *end = csv->cursor + strspn(csv->cursor, " \t");
        if (*end == '#') {
            const size_t length = strcspn(end, "\n");
            if (csv->on_comment != NULL)
                csv->on_comment(csv->user, csv->line, end, length);
            end += length;
        }
        if (*end != '\n') {
            if (*end == '\0')
                csv->cursor = end;
            return;
        }
        csv->cursor = end + 1;
        csv->line++;
    }
}

enum nereus_csv_result nereus_csv_next(struct nereus_csv *csv, struct nereus_csv_record *record)
{
    bool last = false;
    skip_empty_lines(csv);
    record->count = 0;
    record->line = csv->line;
    if (*csv->cursor == '\0')
        return NEREUS_CSV_END;
    while (!last) {
        char *position = csv->cursor, *end, *stop;
        if (record->count == NEREUS_CSV_FIELDS_MAX)
            return NEREUS_CSV_TOO_WIDE;
        while (is_blank(*position))
            position++;
        if (*position == '"') {
            record->fields[record->count] = position + 1;
            stop = parse_quoted(position + 1, &end, csv);
            if (stop == NULL)
                return NEREUS_CSV_OPEN_QUOTE;
            while (is_blank(*stop))
                stop++;
            if (strchr(",\n", *stop) == NULL) /* strchr finds the terminating 0 too */
                return NEREUS_CSV_BAD_QUOTE;
        } else {
            record->fields[record->count] = position;
            stop = parse_plain(position, &end);
        }
        csv->cursor = skip_separator(stop, csv, record, &last);
        *end = '\0';
        record->count++;
    }
    return NEREUS_CSV_RECORD;
}

enum nereus_status nereus_csv_check_separator(const char *path,
                                              const struct nereus_csv_record *header,
                                              struct nereus_error *err)
{
    static const char separators[] = ";|\t ";
    static const char *const names[] = {"';'", "'|'", "tabs", "blanks"};
    const char *other = header->count == 1 ? strpbrk(header->fields[0], separators) : NULL;
    if (other == NULL)
        return NEREUS_OK;
    return nereus_fail(err, NEREUS_ERR_PARSE,
                       "%s:%lld: columns must be separated by ',', not by %s, and numbers "
                       "written with a point",
                       path, (long long)header->line,
                       names[strchr(separators, *other) - separators]);
}

enum nereus_status nereus_csv_check_end(enum nereus_csv_result result, const char *path,
                                        int64_t line, struct nereus_error *err)
{
    static const char *const faults[] = {
        [NEREUS_CSV_OPEN_QUOTE] = "a quoted cell has no closing quote, the quoted field never ends",
        [NEREUS_CSV_BAD_QUOTE] = "text behind a closing quote",
        [NEREUS_CSV_TOO_WIDE] = "more columns than any table has",
    };
    return result == NEREUS_CSV_END
               ? NEREUS_OK
               : nereus_fail(err, NEREUS_ERR_PARSE, "%s:%lld: %s: this is no CSV", path,
                             (long long)line, faults[result]);
}

enum nereus_status nereus_csv_check_width(const char *path, const struct nereus_csv_record *record,
                                          int columns, struct nereus_error *err)
{
    return record->count == columns
               ? NEREUS_OK
               : nereus_fail(err, NEREUS_ERR_PARSE,
                             "%s:%lld: %d value%s where the header line has %d column%s", path,
                             (long long)record->line, record->count, nereus_plural_s(record->count),
                             columns, nereus_plural_s(columns));
}

/* A first field that starts with '#' would be a comment. */
void nereus_csv_print(FILE *stream, const char *text)
{
    if (strpbrk(text, ",\"\n\r") == NULL && text[0] != '#') {
        fputs(text, stream);
        return;
    }
    fputc('"', stream);
    for (; *text != '\0'; text++)
        fputs(*text == '"' ? "\"\"" : (char[]){*text, '\0'}, stream);
    fputc('"', stream);
}
