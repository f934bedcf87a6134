/** @file output.c  Prints tables as text, CSV and JSON from one description of their rows. */
#include "output.h"

#include <unistd.h>

#include "model/util/csv.h"
#include "model/util/values.h"
#include "terminal.h"

const char *const nereus_format_choices[] = {"text", "csv", "json", NULL};

enum { CELL_MAX = 64 };

struct nereus_cell nereus_cell_empty(void)
{
    return (struct nereus_cell){.kind = NEREUS_CELL_EMPTY};
}

struct nereus_cell nereus_cell_text(const char *text)
{
    return text == NULL ? nereus_cell_empty()
                        : (struct nereus_cell){.kind = NEREUS_CELL_TEXT, .text = text};
}

struct nereus_cell nereus_cell_integer(int64_t value)
{
    return (struct nereus_cell){.kind = NEREUS_CELL_INTEGER, .integer = value};
}

struct nereus_cell nereus_cell_real(double value)
{
    return isfinite(value) ? (struct nereus_cell){.kind = NEREUS_CELL_REAL, .real = value}
                           : nereus_cell_empty();
}

struct nereus_cell nereus_cell_predicted(double value)
{
    return nereus_cell_real(nereus_round_digits(value, 9));
}

struct nereus_cell nereus_cell_bool(bool yes)
{
    return (struct nereus_cell){.kind = NEREUS_CELL_BOOL, .yes = yes};
}

struct nereus_cell nereus_cell_if(bool applies, struct nereus_cell cell)
{
    return applies ? cell : nereus_cell_empty();
}

void nereus_table_init(struct nereus_table *table, const struct nereus_column *columns,
                       size_t column_count)
{
    *table = (struct nereus_table){.columns = columns, .column_count = column_count};
}

void nereus_table_add(struct nereus_table *table, const struct nereus_cell *cells)
{
    struct nereus_cell *grown =
        nereus_grow(table->cells, (int64_t)table->row_count, table->column_count * sizeof *grown);
    if (grown == NULL) {
        table->no_memory = true;
        return;
    }
    table->cells = grown;
    struct nereus_cell *row = &table->cells[table->row_count * table->column_count];
    table->row_count++;
    for (size_t c = 0; c < table->column_count; c++) {
        row[c] = cells[c];
        if (cells[c].kind == NEREUS_CELL_TEXT) {
            row[c].text = strdup(cells[c].text);
            if (row[c].text == NULL) {
                row[c] = nereus_cell_empty();
                table->no_memory = true;
            }
        }
    }
}

void nereus_table_fini(struct nereus_table *table)
{
    for (size_t i = 0; i < table->row_count * table->column_count; i++)
        if (table->cells[i].kind == NEREUS_CELL_TEXT)
            free((void *)(uintptr_t)table->cells[i].text);
    free(table->cells);
    *table = (struct nereus_table){0};
}

static const struct nereus_cell *get_cell(const struct nereus_table *table, size_t row,
                                          size_t column)
{
    return &table->cells[row * table->column_count + column];
}

/* @return a cell as text; `buffer` (CELL_MAX characters) takes the text of a number */
static const char *format_cell(const struct nereus_cell *cell, char *buffer)
{
    switch (cell->kind) {
    case NEREUS_CELL_TEXT:
        return cell->text;
    case NEREUS_CELL_INTEGER:
        snprintf(buffer, CELL_MAX, "%lld", (long long)cell->integer);
        return buffer;
    case NEREUS_CELL_REAL:
        return nereus_format_digits(cell->real, NEREUS_TEXT_DIGITS, buffer);
    case NEREUS_CELL_BOOL:
        return cell->yes ? "yes" : "no";
    case NEREUS_CELL_EMPTY:
        break;
    }
    return "-";
}

static size_t measure_column(const struct nereus_table *table, size_t column)
{
    const struct nereus_column *heading = &table->columns[column];
    size_t width = strlen(heading->title) + (heading->unit != NULL ? strlen(heading->unit) + 3 : 0);
    for (size_t row = 0; row < table->row_count; row++) {
        char buffer[CELL_MAX];
        size_t length = strlen(format_cell(get_cell(table, row, column), buffer));
        width = length > width ? length : width;
    }
    return width;
}

/* Words are left-aligned, numbers right-aligned. */
static bool is_left(const struct nereus_table *table, size_t column)
{
    bool words = false;
    for (size_t row = 0; row < table->row_count; row++) {
        const enum nereus_cell_kind kind = get_cell(table, row, column)->kind;
        words = words || kind == NEREUS_CELL_TEXT || kind == NEREUS_CELL_BOOL;
    }
    return words;
}

/* Is a column in the text table? One that is empty in all rows is not. */
static bool is_shown(const struct nereus_table *table, size_t column)
{
    if (table->columns[column].title == NULL)
        return false;
    for (size_t row = 0; row < table->row_count; row++)
        if (get_cell(table, row, column)->kind != NEREUS_CELL_EMPTY)
            return true;
    return table->row_count == 0;
}

static bool has_key(const struct nereus_column *column, const char *key)
{
    return column->key != NULL && strcmp(column->key, key) == 0;
}

bool nereus_table_shows(const struct nereus_table *table, const char *key)
{
    for (size_t c = 0; c < table->column_count; c++)
        if (has_key(&table->columns[c], key))
            return is_shown(table, c);
    return false;
}

struct layout {
    size_t width;
    bool shown, left, first, last;
};

static struct layout *make_layout(const struct nereus_table *table)
{
    struct layout *layout = calloc(table->column_count, sizeof *layout), *last = NULL;
    for (size_t c = 0; layout != NULL && c < table->column_count; c++) {
        if (is_shown(table, c)) {
            layout[c].shown = true;
            layout[c].left = is_left(table, c);
            layout[c].width = measure_column(table, c);
            layout[c].first = last == NULL;
            last = &layout[c];
        }
    }
    if (last != NULL)
        last->last = true;
    return layout;
}

/* Columns are two spaces apart; no line ends with spaces. */
static void print_padded(FILE *stream, const char *text, const struct layout *layout)
{
    if (!layout->shown)
        return;
    if (layout->last && text[0] == '\0') {
        fputc('\n', stream);
        return;
    }
    fputs(layout->first ? "" : "  ", stream);
    if (layout->left)
        fprintf(stream, "%-*s", layout->last ? 0 : (int)layout->width, text);
    else
        fprintf(stream, "%*s", (int)layout->width, text);
    fputs(layout->last ? "\n" : "", stream);
}

/* @return width of text on standard output or error, the same wherever that is no terminal */
static size_t get_text_width(int descriptor)
{
    const int columns =
        isatty(descriptor) == 1 ? nereus_terminal_columns(descriptor) : NEREUS_TEXT_WIDTH;
    return columns < NEREUS_TEXT_WIDTH ? (size_t)columns : NEREUS_TEXT_WIDTH;
}

static size_t measure_table(const struct nereus_table *table)
{
    size_t width = 0;
    for (size_t c = 0; c < table->column_count; c++)
        width += is_shown(table, c) ? measure_column(table, c) + (width > 0 ? 2 : 0) : 0;
    return width;
}

/* Empty a column, so that is_shown is false for it. */
static void clear_column(struct nereus_table *table, size_t column)
{
    for (size_t row = 0; row < table->row_count; row++) {
        struct nereus_cell *cell = &table->cells[row * table->column_count + column];
        if (cell->kind == NEREUS_CELL_TEXT)
            free((void *)(uintptr_t)cell->text);
        *cell = nereus_cell_empty();
    }
}

int nereus_table_narrow(struct nereus_table *table, const char *const *keys)
{
    int left_out = 0;
    for (; *keys != NULL && measure_table(table) > get_text_width(STDOUT_FILENO); keys++) {
        for (size_t c = 0; c < table->column_count; c++) {
            if (has_key(&table->columns[c], *keys) && is_shown(table, c)) {
                clear_column(table, c);
                nereus_append(table->left_out, sizeof table->left_out, "%s%s",
                              table->left_out[0] != '\0' ? ", " : "", table->columns[c].title);
                left_out++;
            }
        }
    }
    return left_out;
}

static void print_lines(FILE *stream, size_t indent, const char *text)
{
    const size_t width = get_text_width(stream == stderr ? STDERR_FILENO : STDOUT_FILENO);
    size_t offset = 0;
    bool first = true;
    while (*text != '\0') {
        const size_t word = strcspn(text, " ");
        if (!first && offset + 1 + word > width) {
            fprintf(stream, "\n%*s", (int)indent, "");
            offset = indent;
        } else if (!first) {
            fputc(' ', stream);
            offset++;
        }
        first = false;
        fwrite(text, 1, word, stream);
        offset += word;
        text += word + (text[word] == ' ' ? 1 : 0);
    }
    fputc('\n', stream);
}

void nereus_print_wrapped(FILE *stream, int indent, const char *format, ...)
{
    char *text = NULL;
    va_list arguments;
    va_start(arguments, format);
    const int length = vasprintf(&text, format, arguments);
    va_end(arguments);
    if (length >= 0) {
        print_lines(stream, (size_t)indent, text);
        free(text);
    }
}

static bool print_text(const struct nereus_table *table, FILE *stream)
{
    struct layout *layout = make_layout(table);
    if (layout == NULL)
        return false;
    for (size_t i = 0; i < table->row_count * table->column_count; i++)
        if (table->cells[i].kind == NEREUS_CELL_TEXT) /* the table owns it */
            nereus_text_replace_controls((char *)(uintptr_t)table->cells[i].text, '?');
    for (size_t c = 0; c < table->column_count; c++) {
        char title[2 * CELL_MAX];
        const struct nereus_column *column = &table->columns[c];
        const bool unit = column->unit != NULL;
        if (!layout[c].shown)
            continue;
        snprintf(title, sizeof title, "%s%s%s%s", column->title, unit ? " [" : "",
                 unit ? column->unit : "", unit ? "]" : "");
        print_padded(stream, title, &layout[c]);
    }
    for (size_t row = 0; row < table->row_count; row++) {
        for (size_t c = 0; c < table->column_count; c++) {
            char buffer[CELL_MAX];
            print_padded(stream, format_cell(get_cell(table, row, c), buffer), &layout[c]);
        }
    }
    free(layout);
    return true;
}

void nereus_csv_print_cell(FILE *stream, const struct nereus_cell *cell)
{
    char number[32];
    switch (cell->kind) {
    case NEREUS_CELL_TEXT:
        nereus_csv_print(stream, cell->text);
        break;
    case NEREUS_CELL_INTEGER:
        fprintf(stream, "%lld", (long long)cell->integer);
        break;
    case NEREUS_CELL_REAL:
        fputs(nereus_format_real(cell->real, number), stream);
        break;
    case NEREUS_CELL_BOOL:
        fputc(cell->yes ? '1' : '0', stream);
        break;
    case NEREUS_CELL_EMPTY:
        break;
    }
}

void nereus_csv_print_head(FILE *stream, const struct nereus_column *columns, size_t count)
{
    const char *separator = "";
    for (size_t c = 0; c < count; c++) {
        if (columns[c].key != NULL) {
            fprintf(stream, "%s%s", separator, columns[c].key);
            separator = ",";
        }
    }
    fputc('\n', stream);
}

void nereus_csv_print_row(FILE *stream, const struct nereus_column *columns,
                          const struct nereus_cell *cells, size_t count)
{
    const char *separator = "";
    for (size_t c = 0; c < count; c++) {
        if (columns[c].key != NULL) {
            fputs(separator, stream);
            nereus_csv_print_cell(stream, &cells[c]);
            separator = ",";
        }
    }
    fputc('\n', stream);
}

static void print_csv(const struct nereus_table *table, FILE *stream)
{
    nereus_csv_print_head(stream, table->columns, table->column_count);
    for (size_t row = 0; row < table->row_count; row++)
        nereus_csv_print_row(stream, table->columns, get_cell(table, row, 0), table->column_count);
}

static bool has_width(const struct nereus_interval *interval)
{
    return interval->high > interval->low;
}

double nereus_interval_low(const struct nereus_interval *interval)
{
    return has_width(interval) ? interval->low : NAN;
}

double nereus_interval_high(const struct nereus_interval *interval)
{
    return has_width(interval) ? interval->high : NAN;
}

struct nereus_cell nereus_cell_interval(const struct nereus_interval *interval, double scale,
                                        char text[48])
{
    if (!has_width(interval))
        return nereus_cell_empty();
    char low[32], high[32];
    snprintf(text, 48, "%s to %s", nereus_format_digits(interval->low * scale, 3, low),
             nereus_format_digits(interval->high * scale, 3, high));
    return nereus_cell_text(text);
}

static json_t *make_cell_json(const struct nereus_cell *cell)
{
    switch (cell->kind) {
    case NEREUS_CELL_TEXT:
        return nereus_json_text(cell->text);
    case NEREUS_CELL_INTEGER:
        return json_integer(cell->integer);
    case NEREUS_CELL_REAL:
        return nereus_json_real(cell->real);
    case NEREUS_CELL_BOOL:
        return json_boolean(cell->yes);
    case NEREUS_CELL_EMPTY:
        break;
    }
    return json_null();
}

json_t *nereus_table_json(struct nereus_table *table)
{
    json_t *rows = table->no_memory ? NULL : json_array();
    for (size_t row = 0; rows != NULL && row < table->row_count; row++) {
        json_t *object = json_object();
        int failed = 0;
        for (size_t c = 0; c < table->column_count; c++) {
            const char *key = table->columns[c].key;
            if (key != NULL)
                failed |= json_object_set_new(object, key, make_cell_json(get_cell(table, row, c)));
        }
        if (failed != 0 || json_array_append_new(rows, object) != 0) {
            json_decref(rows);
            rows = NULL;
        }
    }
    nereus_table_fini(table);
    return rows;
}

bool nereus_table_print(struct nereus_table *table, enum nereus_format format, FILE *stream)
{
    if (format == NEREUS_FORMAT_JSON)
        return nereus_json_write(nereus_table_json(table), stream);
    bool printed = !table->no_memory;
    if (printed && format == NEREUS_FORMAT_CSV)
        print_csv(table, stream);
    else if (printed)
        printed = print_text(table, stream);
    if (table->left_out[0] != '\0')
        nereus_print_wrapped(stream, 2, "No room (see JSON): %s", table->left_out);
    nereus_table_fini(table);
    return printed && !ferror(stream);
}
