/**
 * @file output.h
 * Prints a table in three formats with the same content (text, CSV and JSON) from one description
 * of its rows.
 *
 *     #define COLUMNS(X)                                                \
 *         X("method", "method", NULL, nereus_cell_text(name))           \
 *         X("rt_s", "RT", "s", nereus_cell_real(rt_s))
 *     struct nereus_table table;
 *     NEREUS_TABLE_INIT(&table, COLUMNS);
 *     NEREUS_TABLE_ADD(&table, COLUMNS);             // copies texts
 *     nereus_table_print(&table, NEREUS_FORMAT_CSV, stdout);
 *
 * A command whose JSON holds more than one table builds its document with jansson and
 * nereus_table_json().
 */
#pragma once

#include "model/util/json_make.h"
#include "nereus/predict.h"
#include "options.h"

enum nereus_format { NEREUS_FORMAT_TEXT, NEREUS_FORMAT_CSV, NEREUS_FORMAT_JSON };

/** Choices of a --format option, in the order of the enum. */
extern const char *const nereus_format_choices[];
/** Row of an option table for --format; `offset` is that of an int. */
#define NEREUS_FORMAT_OPTION(offset)                                                               \
    {                                                                                              \
        "format", 0, NEREUS_OPTION_CHOICE, "FORMAT", "text, csv or json (text)", offset,           \
            nereus_format_choices                                                                  \
    }

struct nereus_column {
    const char *key;   /**< in CSV and JSON, with the unit ("rt_s"); NULL: not there */
    const char *title; /**< over the column in a text table; NULL: not there */
    const char *unit;  /**< shown in brackets after the title; NULL: none */
};

/** Significant digits of a number in a text table. */
enum { NEREUS_TEXT_DIGITS = 4 };

enum nereus_cell_kind {
    NEREUS_CELL_EMPTY, /**< does not apply: "-" in a text table (a column of these is left out),
                          empty in CSV, null in JSON */
    NEREUS_CELL_TEXT,
    NEREUS_CELL_INTEGER,
    NEREUS_CELL_REAL, /**< NEREUS_TEXT_DIGITS digits in a text table (nereus_format_digits),
                         elsewhere those that read back as the same value; NAN is an empty cell */
    NEREUS_CELL_BOOL  /**< yes or no; 1 or 0; true or false */
};

struct nereus_cell {
    enum nereus_cell_kind kind;
    union {
        const char *text;
        int64_t integer;
        double real;
        bool yes;
    };
};

struct nereus_cell nereus_cell_empty(void);
struct nereus_cell nereus_cell_text(const char *text); /**< NULL is an empty cell */
struct nereus_cell nereus_cell_integer(int64_t value);
struct nereus_cell nereus_cell_real(double value);
/** @return a value of the model, with 9 significant digits: printing 17 takes three times as long
 */
struct nereus_cell nereus_cell_predicted(double value);
struct nereus_cell nereus_cell_bool(bool yes);
struct nereus_cell nereus_cell_if(bool applies, struct nereus_cell cell); /**< else an empty cell */

/** One list of X(key, title, unit, cell) is a table's columns and the cells of a row; a cell is an
 * expression over the variables of the function that adds the row. */
#define NEREUS_COLUMN(key, title, unit, cell) {key, title, unit},
#define NEREUS_CELL(key, title, unit, cell)   cell,
/** Begin a table of such a list, and append a row of it. */
#define NEREUS_TABLE_INIT(table, LIST)                                                             \
    do {                                                                                           \
        static const struct nereus_column columns_[] = {LIST(NEREUS_COLUMN)};                      \
        nereus_table_init((table), columns_, NEREUS_COUNT_OF(columns_));                           \
    } while (0)
#define NEREUS_TABLE_ADD(table, LIST)                                                              \
    do {                                                                                           \
        const struct nereus_cell cells_[] = {LIST(NEREUS_CELL)};                                   \
        nereus_table_add((table), cells_);                                                         \
    } while (0)

/**
 * Bounds of a 90 % interval for cells and JSON; NAN (empty, null) for an interval without width.
 */
double nereus_interval_low(const struct nereus_interval *interval);
double nereus_interval_high(const struct nereus_interval *interval);
/** @return "0.11 to 0.13", both multiplied by `scale`; an empty cell for an interval without width
 */
struct nereus_cell nereus_cell_interval(const struct nereus_interval *interval, double scale,
                                        char text[48]);

struct nereus_table {
    const struct nereus_column *columns; /**< owned by the caller; must outlive the table */
    size_t column_count;
    struct nereus_cell *cells; /**< row by row; owned, with its texts */
    size_t row_count;
    bool no_memory;     /**< a row was lost; printing then fails */
    char left_out[160]; /**< what the text table has no room for: titles of columns */
};

void nereus_table_init(struct nereus_table *table, const struct nereus_column *columns,
                       size_t column_count);
/** Append a row of column_count cells. Lack of memory is reported by nereus_table_print. */
void nereus_table_add(struct nereus_table *table, const struct nereus_cell *cells);
/** Free the rows; no effect on a table that was printed. */
void nereus_table_fini(struct nereus_table *table);

/** Does the text table show the column of this key? One that is empty in all rows is left out. */
bool nereus_table_shows(const struct nereus_table *table, const char *key);

/**
 * Print a table and free it.
 * @return false when memory, or a stream other than standard output, failed; the caller reports it
 */
bool nereus_table_print(struct nereus_table *table, enum nereus_format format, FILE *stream);

/** Print a cell of CSV, a text in quotes where it needs them. */
void nereus_csv_print_cell(FILE *stream, const struct nereus_cell *cell);
/** Print the header line, and a row, of CSV that is too large for a table in memory. */
void nereus_csv_print_head(FILE *stream, const struct nereus_column *columns, size_t count);
void nereus_csv_print_row(FILE *stream, const struct nereus_column *columns,
                          const struct nereus_cell *cells, size_t count);

/** Largest number of characters in a line of text output. */
enum { NEREUS_TEXT_WIDTH = 100 }; /* less on a narrower terminal */

/**
 * Leave out columns, in the order given, until the text table is at most NEREUS_TEXT_WIDTH wide; a
 * line below the table names them.
 * @param[in] keys  keys of columns, ended by NULL
 * @return number of columns left out
 */
int nereus_table_narrow(struct nereus_table *table, const char *const *keys);

/**
 * Print one paragraph for people: lines of at most NEREUS_TEXT_WIDTH characters, broken at blanks.
 * Lines after the first begin with `indent` blanks.
 */
void nereus_print_wrapped(FILE *stream, int indent, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/** Make an array of objects, one per row, and free the table. NULL: no memory */
json_t *nereus_table_json(struct nereus_table *table);
