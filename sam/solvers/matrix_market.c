/**
 * @file matrix_market.c
 * Reads Matrix Market files in parallel: each process reads the whole file twice, first to count
 * the elements of its rows, then to keep them, and checks symmetry on the way.
 */
#include "matrix_market.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/util/c_locale.h"
#include "model/util/mix.h"
#include "model/util/text.h"
#include "model/util/text_file.h"
#include "model/util/try.h"

struct reader {
    struct nereus_text_file file;
    char *line;
    bool symmetric;
    int64_t rows, entries, read_entries;
};

struct entry {
    int64_t row, column; /* from 0 on */
    double value;
};

static enum nereus_status fail_at_line(const struct reader *r, struct nereus_error *err,
                                       const char *format, ...)
    __attribute__((format(printf, 3, 4)));
static enum nereus_status fail_at_line(const struct reader *r, struct nereus_error *err,
                                       const char *format, ...)
{
    char text[300];
    va_list list;
    va_start(list, format);
    vsnprintf(text, sizeof text, format, list);
    va_end(list);
    return nereus_fail(err, NEREUS_ERR_PARSE, "%.150s, line %lld: %s", r->file.path,
                       (long long)r->file.line, text);
}

/* ---- lines ---------------------------------------------------------------------------------- */

/*
 * Read the next line.
 * @param content  skip comments and empty lines
 * @param what     the missing thing, for the message at the end of the file; NULL: the end is no
 *                 error, and the line is NULL
 */
static enum nereus_status read_line(struct reader *r, bool content, const char *what,
                                    struct nereus_error *err)
{
    char first;
    do {
        const enum nereus_status status = nereus_text_read_line(&r->file, &r->line, err);
        if (status != NEREUS_OK)
            return status;
        if (r->line == NULL)
            return what == NULL ? NEREUS_OK : fail_at_line(r, err, "the file ends before %s", what);
        first = r->line[strspn(r->line, " \t")];
    } while (content && (first == '\0' || first == '%'));
    return NEREUS_OK;
}

/* Parse a whole number at *text and advance. */
static bool parse_integer(const char **text, int64_t *value)
{
    char *end;
    errno = 0;
    *value = strtoll(*text, &end, 10);
    const bool good = end != *text && errno == 0 && (*end == '\0' || isspace((unsigned char)*end));
    *text = end;
    return good;
}

static bool is_at_end(const char *text)
{
    return text[strspn(text, " \t")] == '\0';
}

/* ---- head ------------------------------------------------------------------------------------ */

static enum nereus_status read_banner(struct reader *r, struct nereus_error *err)
{
    char object[32] = "", format[32] = "", field[32] = "", symmetry[32] = "", more[2] = "";
    NEREUS_TRY(read_line(r, false, "its first line, %MatrixMarket ...", err));
    if (strncasecmp(r->line, "%%MatrixMarket", 14) != 0)
        return fail_at_line(
            r, err, "this is no Matrix Market file: it does not begin with %%%%MatrixMarket");
    if (sscanf(r->line + 14, " %31s %31s %31s %31s %1s", object, format, field, symmetry, more) !=
        4)
        return fail_at_line(
            r, err, "expected '%%%%MatrixMarket matrix coordinate real symmetric', or general");
    if (strcasecmp(object, "matrix") != 0 || strcasecmp(format, "coordinate") != 0)
        return fail_at_line(r, err, "a '%s %s' is not read here, only 'matrix coordinate'", object,
                            format);
    if (strcasecmp(field, "real") != 0 && strcasecmp(field, "integer") != 0)
        return fail_at_line(r, err, "elements are '%s'; only real and integer are read here",
                            field);
    r->symmetric = strcasecmp(symmetry, "symmetric") == 0;
    if (!r->symmetric && strcasecmp(symmetry, "general") != 0)
        return fail_at_line(r, err, "the matrix is '%s'; only symmetric and general are read here",
                            symmetry);
    return NEREUS_OK;
}

static enum nereus_status read_size(struct reader *r, struct nereus_error *err)
{
    int64_t columns;
    NEREUS_TRY(read_line(r, true, "the line with its size", err));
    const char *text = r->line;
    if (!parse_integer(&text, &r->rows) || !parse_integer(&text, &columns) ||
        !parse_integer(&text, &r->entries) || !is_at_end(text))
        return fail_at_line(r, err, "expected three whole numbers: rows, columns, entries");
    if (r->rows < 1 || r->entries < 0)
        return fail_at_line(r, err, "%lld row%s and %lld entries are no matrix", (long long)r->rows,
                            nereus_plural_s(r->rows), (long long)r->entries);
    if (r->rows != columns)
        return fail_at_line(r, err,
                            "the matrix has %lld row%s and %lld column%s; it must be square",
                            (long long)r->rows, nereus_plural_s(r->rows), (long long)columns,
                            nereus_plural_s(columns));
    return NEREUS_OK;
}

/* Open the file and read its head. After NEREUS_OK the caller ends it with nereus_text_close. */
static enum nereus_status reader_init(struct reader *r, const char *path, struct nereus_error *err)
{
    *r = (struct reader){.rows = 0};
    if (strcmp(path, "-") == 0)
        return nereus_fail(err, NEREUS_ERR_ARGUMENT,
                           "a matrix is read twice, and standard input can be read once: name a "
                           "file, which may be gzipped");
    NEREUS_TRY(nereus_text_open(path, "matrix", &r->file, err));
    enum nereus_status status = read_banner(r, err);
    if (status == NEREUS_OK)
        status = read_size(r, err);
    if (status != NEREUS_OK)
        nereus_text_close(&r->file);
    return status;
}

/* ---- entries --------------------------------------------------------------------------------- */

static enum nereus_status check_entry(const struct reader *r, const struct entry *entry,
                                      struct nereus_error *err)
{
    const long long row = (long long)entry->row + 1, column = (long long)entry->column + 1;
    if (entry->row < 0 || entry->row >= r->rows || entry->column < 0 || entry->column >= r->rows)
        return fail_at_line(r, err,
                            "there is no element (%lld, %lld) in a matrix of %lld rows and columns",
                            row, column, (long long)r->rows);
    if (!isfinite(entry->value))
        return fail_at_line(r, err, "element (%lld, %lld) is not a finite number", row, column);
    if (r->symmetric && entry->column > entry->row)
        return fail_at_line(
            r, err, "element (%lld, %lld) is above the diagonal, which a symmetric file leaves out",
            row, column);
    return NEREUS_OK;
}

/* @param[out] more  false: the end of the file */
static enum nereus_status read_entry(struct reader *r, struct entry *entry, bool *more,
                                     struct nereus_error *err)
{
    char what[80];
    snprintf(what, sizeof what, "entry %lld of %lld", (long long)r->read_entries + 1,
             (long long)r->entries);
    NEREUS_TRY(read_line(r, true, r->read_entries < r->entries ? what : NULL, err));
    *more = r->line != NULL;
    if (!*more)
        return NEREUS_OK;
    if (r->read_entries == r->entries)
        return fail_at_line(r, err, "more than the %lld entries that the file announces",
                            (long long)r->entries);
    const char *text = r->line;
    char *end = NULL;
    const bool place = parse_integer(&text, &entry->row) && parse_integer(&text, &entry->column);
    if (place)
        entry->value = nereus_strtod(text, &end);
    if (place && (*end == 'D' || *end == 'd')) { /* Fortran's exponent */
        *end = 'e';
        entry->value = nereus_strtod(text, &end);
    }
    if (!place || end == text || !is_at_end(end))
        return fail_at_line(r, err, "expected 'row column value', not '%.160s'", r->line);
    entry->row--;
    entry->column--;
    r->read_entries++;
    return check_entry(r, entry, err);
}

/* ---- first reading --------------------------------------------------------------------------- */

__extension__ typedef unsigned __int128 wide;
static const uint64_t prime = (UINT64_C(1) << 61) - 1;

/* A finite number modulo the prime 2^61 - 1: of its sums and differences this is exact, in any
 * order. As 2^61 is 1 there, a power of two is one of the first 61. */
static uint64_t reduce_modulo_prime(double value)
{
    int exponent;
    const int64_t digits = (int64_t)ldexp(frexp(value, &exponent), 53);
    const int power = ((exponent - 53) % 61 + 61) % 61;
    const uint64_t rest = (uint64_t)(((wide)(digits < 0 ? -digits : digits) << power) % prime);
    return digits < 0 && rest > 0 ? prime - rest : rest;
}

/* What the elements (i, j) and (j, i) differ by, times a number of the pair: elements that stand
 * several times add up. The sum over all entries is 0 for a symmetric matrix, and for another one
 * with a probability of about 2^-61. */
static uint64_t hash_asymmetry(const struct entry *entry)
{
    const bool below = entry->row > entry->column;
    const uint64_t high = (uint64_t)(below ? entry->row : entry->column);
    const uint64_t low = (uint64_t)(below ? entry->column : entry->row);
    return (uint64_t)((wide)(nereus_mix(nereus_mix(high + 1) + low) % prime) *
                      reduce_modulo_prime(below ? entry->value : -entry->value) % prime);
}

static enum nereus_status count_entries(struct reader *r, int64_t *lengths, double *diagonal,
                                        struct nereus_error *err)
{
    struct entry entry;
    uint64_t sum = 0;
    bool more;
    for (;;) {
        NEREUS_TRY(read_entry(r, &entry, &more, err));
        if (!more)
            break;
        lengths[entry.row]++;
        if (entry.row == entry.column)
            diagonal[entry.row] += entry.value;
        else if (r->symmetric)
            lengths[entry.column]++;
        else
            sum = (sum + hash_asymmetry(&entry)) % prime;
    }
    if (sum != 0)
        return fail_at_line(r, err, "the matrix is not symmetric");
    for (int64_t i = 0; i < r->rows; i++)
        if (!(diagonal[i] > 0))
            return fail_at_line(r, err,
                                "the element of row %lld on the diagonal is %g: the matrix is not "
                                "positive definite",
                                (long long)i + 1, diagonal[i]);
    return NEREUS_OK;
}

enum nereus_status matrix_market_scan(const char *path, struct matrix_market *shape,
                                      struct nereus_error *err)
{
    struct reader reader;
    struct matrix_market scanned = {.rows = 0};
    NEREUS_TRY(reader_init(&reader, path, err));
    scanned.rows = reader.rows;
    scanned.lengths = calloc((size_t)reader.rows, sizeof *scanned.lengths);
    double *diagonal = calloc((size_t)reader.rows, sizeof *diagonal);
    enum nereus_status status =
        scanned.lengths != NULL && diagonal != NULL
            ? count_entries(&reader, scanned.lengths, diagonal, err)
            : nereus_fail(err, NEREUS_ERR_MEMORY, "no memory for the %lld rows of %.200s",
                          (long long)reader.rows, path);
    free(diagonal);
    nereus_text_close(&reader.file);
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

/* ---- second reading -------------------------------------------------------------------------- */

static enum nereus_status append_entry(const struct reader *r, struct sparse *part, int64_t *filled,
                                       struct entry entry, struct nereus_error *err)
{
    const int64_t i = entry.row - part->first;
    if (i < 0 || i >= part->rows)
        return NEREUS_OK;
    const int64_t index = part->starts[i] + filled[i]++;
    if (index >= part->starts[i + 1])
        return fail_at_line(r, err, "the file has changed while it was read");
    part->columns[index] = entry.column;
    part->values[index] = entry.value;
    return NEREUS_OK;
}

static enum nereus_status store_rows(struct reader *r, struct sparse *part, int64_t *filled,
                                     struct nereus_error *err)
{
    struct entry entry;
    bool more = true;
    for (;;) {
        enum nereus_status status = read_entry(r, &entry, &more, err);
        if (status != NEREUS_OK || !more)
            return status;
        status = append_entry(r, part, filled, entry, err);
        if (status == NEREUS_OK && r->symmetric && entry.row != entry.column)
            status = append_entry(r, part, filled,
                                  (struct entry){entry.column, entry.row, entry.value}, err);
        if (status != NEREUS_OK)
            return status;
    }
}

enum nereus_status matrix_market_rows(const char *path, const struct matrix_market *shape,
                                      int64_t first, int64_t rows, struct sparse *part,
                                      struct nereus_error *err)
{
    struct reader reader;
    struct sparse matrix = {.starts = NULL};
    int64_t *filled = calloc((size_t)rows + 1, sizeof *filled);
    enum nereus_status status =
        filled != NULL ? NEREUS_OK : nereus_fail(err, NEREUS_ERR_MEMORY, "no memory");
    if (status == NEREUS_OK)
        status = sparse_make(first, rows, shape->lengths + first, &matrix, err);
    if (status == NEREUS_OK)
        status = reader_init(&reader, path, err);
    if (status == NEREUS_OK) {
        status = reader.rows == shape->rows
                     ? store_rows(&reader, &matrix, filled, err)
                     : fail_at_line(&reader, err, "the file has changed while it was read");
        nereus_text_close(&reader.file);
    }
    for (int64_t i = 0; status == NEREUS_OK && i < rows; i++)
        if (filled[i] != shape->lengths[first + i])
            status =
                nereus_fail(err, NEREUS_ERR_PARSE, "%.200s has changed while it was read", path);
    free(filled);
    if (status != NEREUS_OK)
        sparse_free(&matrix);
    else
        *part = matrix;
    return status;
}
