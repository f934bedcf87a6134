/* See matrix_market.h. */
#include "matrix_market.h"
#include "model/util/text.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct reader {
    const char *path;
    FILE *file;
    char *line;
    size_t room;
    int64_t number; /* of the line */
    bool symmetric;
    int64_t rows, entries, taken;
};

struct entry {
    int64_t row, column; /* from 0 on */
    double value;
};

static enum nereus_status complain(const struct reader *r, struct nereus_error *err,
                                   const char *format, ...) __attribute__((format(printf, 3, 4)));
static enum nereus_status complain(const struct reader *r, struct nereus_error *err,
                                   const char *format, ...)
{
    char text[300];
    va_list list;
    va_start(list, format);
    vsnprintf(text, sizeof text, format, list);
    va_end(list);
    return nereus_fail(err, NEREUS_ERR_PARSE, "%.150s, line %lld: %s", r->path,
                       (long long)r->number, text);
}

/* ---- lines
 * -------------------------------------------------------------------------------------- */

/* @return false: no line is left (or it cannot be read: ferror) */
static bool next_line(struct reader *r)
{
    const ssize_t length = getline(&r->line, &r->room, r->file);
    if (length < 0)
        return false;
    r->number++;
    for (ssize_t end = length; end > 0 && isspace((unsigned char)r->line[end - 1]); end--)
        r->line[end - 1] = '\0';
    return true;
}

/* The next line that is neither a comment nor empty. */
static bool next_content(struct reader *r)
{
    while (next_line(r)) {
        const char first = r->line[strspn(r->line, " \t")];
        if (first != '\0' && first != '%')
            return true;
    }
    return false;
}

static enum nereus_status missing(const struct reader *r, struct nereus_error *err,
                                  const char *what)
{
    if (ferror(r->file))
        return nereus_fail(err, NEREUS_ERR_IO, "%.200s cannot be read: %s", r->path,
                           strerror(errno));
    return complain(r, err, "the file ends before %s", what);
}

/* Parse a whole number at *text and advance. */
static bool take_integer(const char **text, int64_t *value)
{
    char *end;
    errno = 0;
    *value = strtoll(*text, &end, 10);
    const bool good = end != *text && errno == 0 && (*end == '\0' || isspace((unsigned char)*end));
    *text = end;
    return good;
}

static bool at_end(const char *text)
{
    return text[strspn(text, " \t")] == '\0';
}

/* ---- head
 * --------------------------------------------------------------------------------------- */

static enum nereus_status read_banner(struct reader *r, struct nereus_error *err)
{
    char object[32] = "", format[32] = "", field[32] = "", symmetry[32] = "", more[2] = "";
    if (!next_line(r))
        return missing(r, err, "its first line, %%MatrixMarket ...");
    if (strncasecmp(r->line, "%%MatrixMarket", 14) != 0)
        return complain(r, err,
                        "this is no Matrix Market file: it does not begin with %%%%MatrixMarket");
    if (sscanf(r->line + 14, " %31s %31s %31s %31s %1s", object, format, field, symmetry, more) !=
        4)
        return complain(r, err,
                        "expected '%%%%MatrixMarket matrix coordinate real symmetric', or general");
    if (strcasecmp(object, "matrix") != 0 || strcasecmp(format, "coordinate") != 0)
        return complain(r, err, "a '%s %s' is not read here, only 'matrix coordinate'", object,
                        format);
    if (strcasecmp(field, "real") != 0 && strcasecmp(field, "integer") != 0)
        return complain(r, err, "elements are '%s'; only real and integer are read here", field);
    r->symmetric = strcasecmp(symmetry, "symmetric") == 0;
    if (!r->symmetric && strcasecmp(symmetry, "general") != 0)
        return complain(r, err, "the matrix is '%s'; only symmetric and general are read here",
                        symmetry);
    return NEREUS_OK;
}

static enum nereus_status read_size(struct reader *r, struct nereus_error *err)
{
    int64_t columns;
    if (!next_content(r))
        return missing(r, err, "the line with its size");
    const char *text = r->line;
    if (!take_integer(&text, &r->rows) || !take_integer(&text, &columns) ||
        !take_integer(&text, &r->entries) || !at_end(text))
        return complain(r, err, "expected three whole numbers: rows, columns, entries");
    if (r->rows < 1 || r->entries < 0)
        return complain(r, err, "%lld row%s and %lld entries are no matrix", (long long)r->rows,
                        nereus_plural_s(r->rows), (long long)r->entries);
    if (r->rows != columns)
        return complain(r, err, "the matrix has %lld row%s and %lld column%s; it must be square",
                        (long long)r->rows, nereus_plural_s(r->rows), (long long)columns,
                        nereus_plural_s(columns));
    return NEREUS_OK;
}

static void reader_fini(struct reader *r)
{
    if (r->file != NULL)
        fclose(r->file);
    free(r->line);
}

/* To be ended with reader_fini, also after a failure. */
static enum nereus_status reader_init(struct reader *r, const char *path, struct nereus_error *err)
{
    *r = (struct reader){.path = path, .file = fopen(path, "r")};
    if (r->file == NULL)
        return nereus_fail(err, NEREUS_ERR_IO, "%.200s cannot be opened: %s", path,
                           strerror(errno));
    const enum nereus_status status = read_banner(r, err);
    return status == NEREUS_OK ? read_size(r, err) : status;
}

/* ---- entries
 * ------------------------------------------------------------------------------------ */

static enum nereus_status check_entry(const struct reader *r, const struct entry *entry,
                                      struct nereus_error *err)
{
    const long long row = (long long)entry->row + 1, column = (long long)entry->column + 1;
    if (entry->row < 0 || entry->row >= r->rows || entry->column < 0 || entry->column >= r->rows)
        return complain(r, err,
                        "there is no element (%lld, %lld) in a matrix of %lld rows and columns",
                        row, column, (long long)r->rows);
    if (!isfinite(entry->value))
        return complain(r, err, "element (%lld, %lld) is not a finite number", row, column);
    if (r->symmetric && entry->column > entry->row)
        return complain(
            r, err, "element (%lld, %lld) is above the diagonal, which a symmetric file leaves out",
            row, column);
    if (entry->row == entry->column && entry->value <= 0)
        return complain(r, err, "element (%lld, %lld) is %g: the matrix is not positive definite",
                        row, column, entry->value);
    return NEREUS_OK;
}

/* @param[out] more false: the end of the file */
static enum nereus_status next_entry(struct reader *r, struct entry *entry, bool *more,
                                     struct nereus_error *err)
{
    *more = next_content(r);
    if (!*more && (ferror(r->file) || r->taken < r->entries)) {
        char what[80];
        snprintf(what, sizeof what, "entry %lld of %lld", (long long)r->taken + 1,
                 (long long)r->entries);
        return missing(r, err, what);
    }
    if (!*more)
        return NEREUS_OK;
    if (r->taken == r->entries)
        return complain(r, err, "more than the %lld entries that the file announces",
                        (long long)r->entries);
    const char *text = r->line;
    char *end = NULL;
    const bool place = take_integer(&text, &entry->row) && take_integer(&text, &entry->column);
    if (place)
        entry->value = strtod(text, &end);
    if (!place || end == text || !at_end(end))
        return complain(r, err, "expected 'row column value', not '%.160s'", r->line);
    entry->row--;
    entry->column--;
    r->taken++;
    return check_entry(r, entry, err);
}

/* ---- first reading
 * ------------------------------------------------------------------------------ */

static uint64_t mix(uint64_t x)
{
    x = (x ^ (x >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ (x >> 27)) * UINT64_C(0x94d049bb133111eb);
    return x ^ (x >> 31);
}

/* Equal elements (i, j) and (j, i) cancel in the sum over all elements, in any order: it is 0
 * for a symmetric matrix, and for another one with probability 2^-64. */
static uint64_t asymmetry(const struct entry *entry)
{
    const bool below = entry->row > entry->column;
    const uint64_t high = (uint64_t)(below ? entry->row : entry->column);
    const uint64_t low = (uint64_t)(below ? entry->column : entry->row);
    uint64_t bits;
    memcpy(&bits, &entry->value, sizeof bits);
    const uint64_t hash = mix(mix(mix(high + 1) + low) + bits);
    return high == low || entry->value == 0 ? 0 : below ? hash : -hash;
}

static enum nereus_status count_entries(struct reader *r, int64_t *lengths, bool *diagonal,
                                        struct nereus_error *err)
{
    struct entry entry;
    uint64_t sum = 0;
    bool more;
    for (;;) {
        const enum nereus_status status = next_entry(r, &entry, &more, err);
        if (status != NEREUS_OK)
            return status;
        if (!more)
            break;
        lengths[entry.row]++;
        if (entry.row == entry.column)
            diagonal[entry.row] = true;
        else if (r->symmetric)
            lengths[entry.column]++;
        else
            sum += asymmetry(&entry);
    }
    if (sum != 0)
        return complain(r, err, "the matrix is not symmetric");
    for (int64_t i = 0; i < r->rows; i++)
        if (!diagonal[i])
            return complain(
                r, err,
                "row %lld has no element on the diagonal: the matrix is not positive definite",
                (long long)i + 1);
    return NEREUS_OK;
}

enum nereus_status matrix_market_scan(const char *path, struct matrix_market *shape,
                                      struct nereus_error *err)
{
    struct reader reader;
    struct matrix_market scanned = {.rows = 0};
    bool *diagonal = NULL;
    enum nereus_status status = reader_init(&reader, path, err);
    if (status == NEREUS_OK) {
        scanned.rows = reader.rows;
        scanned.lengths = calloc((size_t)reader.rows, sizeof *scanned.lengths);
        diagonal = calloc((size_t)reader.rows, sizeof *diagonal);
        status = scanned.lengths != NULL && diagonal != NULL
                     ? count_entries(&reader, scanned.lengths, diagonal, err)
                     : nereus_fail(err, NEREUS_ERR_MEMORY, "no memory for the %lld rows of %.200s",
                                   (long long)reader.rows, path);
    }
    free(diagonal);
    reader_fini(&reader);
    if (status != NEREUS_OK) {
        free(scanned.lengths);
        return status;
    }
    for (int64_t i = 0; i < scanned.rows; i++)
        scanned.entries += scanned.lengths[i];
    *shape = scanned;
    return NEREUS_OK;
}

void matrix_market_free(struct matrix_market *shape)
{
    free(shape->lengths);
    *shape = (struct matrix_market){.lengths = NULL};
}

/* ---- second reading
 * ----------------------------------------------------------------------------- */

static enum nereus_status keep(const struct reader *r, struct sparse *part, int64_t *filled,
                               int64_t row, int64_t column, double value, struct nereus_error *err)
{
    const int64_t i = row - part->first;
    if (i < 0 || i >= part->rows)
        return NEREUS_OK;
    const int64_t at = part->starts[i] + filled[i]++;
    if (at >= part->starts[i + 1])
        return complain(r, err, "the file has changed while it was read");
    part->columns[at] = column;
    part->values[at] = value;
    return NEREUS_OK;
}

static enum nereus_status keep_rows(struct reader *r, struct sparse *part, int64_t *filled,
                                    struct nereus_error *err)
{
    struct entry entry;
    bool more = true;
    for (;;) {
        enum nereus_status status = next_entry(r, &entry, &more, err);
        if (status != NEREUS_OK || !more)
            return status;
        status = keep(r, part, filled, entry.row, entry.column, entry.value, err);
        if (status == NEREUS_OK && r->symmetric && entry.row != entry.column)
            status = keep(r, part, filled, entry.column, entry.row, entry.value, err);
        if (status != NEREUS_OK)
            return status;
    }
}

enum nereus_status matrix_market_rows(const char *path, const struct matrix_market *shape,
                                      int64_t first, int64_t rows, struct sparse *part,
                                      struct nereus_error *err)
{
    struct reader reader;
    struct sparse made = {.starts = NULL};
    int64_t *filled = calloc((size_t)rows + 1, sizeof *filled);
    enum nereus_status status =
        filled != NULL ? NEREUS_OK : nereus_fail(err, NEREUS_ERR_MEMORY, "no memory");
    if (status == NEREUS_OK)
        status = sparse_make(first, rows, shape->lengths + first, &made, err);
    if (status == NEREUS_OK) {
        status = reader_init(&reader, path, err);
        if (status == NEREUS_OK && reader.rows != shape->rows)
            status = complain(&reader, err, "the file has changed while it was read");
        if (status == NEREUS_OK)
            status = keep_rows(&reader, &made, filled, err);
        reader_fini(&reader);
    }
    for (int64_t i = 0; status == NEREUS_OK && i < rows; i++)
        if (filled[i] != shape->lengths[first + i])
            status =
                nereus_fail(err, NEREUS_ERR_PARSE, "%.200s has changed while it was read", path);
    free(filled);
    if (status != NEREUS_OK)
        sparse_free(&made);
    else
        *part = made;
    return status;
}
