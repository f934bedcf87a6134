/**
 * @file csv.h
 * One record of a CSV text at a time (RFC 4180: quoted fields, doubled quotes, LF or CRLF), in place; lines that start with '#' are
 * comments. Not installed.
 */
#ifndef NEREUS_CSV_H
#define NEREUS_CSV_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "nereus/status.h"

enum { NEREUS_CSV_FIELDS_MAX = 256 };

struct nereus_csv {
    char *cursor; /**< rest of the text, which is overwritten */
    int64_t line; /**< of the cursor, from 1 */
    /** Told of each comment, from its '#' to the end of its line; NULL: comments are passed over. */
    void (*on_comment)(void *user, int64_t line, const char *comment, size_t length);
    void *user;
};

enum nereus_csv_result {
    NEREUS_CSV_RECORD,
    NEREUS_CSV_END,
    NEREUS_CSV_OPEN_QUOTE, /**< a quoted field never ends */
    NEREUS_CSV_BAD_QUOTE,  /**< something stands behind a closing quote */
    NEREUS_CSV_TOO_WIDE    /**< more than NEREUS_CSV_FIELDS_MAX fields */
};

struct nereus_csv_record {
    char *fields[NEREUS_CSV_FIELDS_MAX]; /**< zero-terminated, without spaces around unquoted ones */
    int count;
    int64_t line;    /**< on which it begins */
    bool terminated; /**< by a line end, not by the end of the text */
};

/** Start on a text; a byte order mark is skipped. What is to be told of comments is set afterwards. */
void nereus_csv_begin(char *text, struct nereus_csv *csv);

/** Next record; blank lines and comments are skipped. */
enum nereus_csv_result nereus_csv_next(struct nereus_csv *csv, struct nereus_csv_record *record);

/** Is a header line one of names between commas? Tables of a spreadsheet in a language that writes 0,5 have semicolons there, and all names in one. */
enum nereus_status nereus_csv_check_separator(const char *path, const struct nereus_csv_record *header,
                                              struct nereus_error *err);

#endif
