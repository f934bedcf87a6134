/**
 * @file csv.h
 * CSV, one record at a time and in place (RFC 4180: quoted fields, doubled quotes);
 * lines that start with '#' are comments. Private to model/ and the commands.
 */
#ifndef NEREUS_CSV_H
#define NEREUS_CSV_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "nereus/status.h"

enum { NEREUS_CSV_FIELDS_MAX = 256 };

struct nereus_csv {
    char *cursor; /**< unread rest of the text, which is overwritten */
    int64_t line; /**< of the cursor, from 1 */
    /** Called with each comment, from its '#' to the end of its line; NULL: comments are
     * skipped. */
    void (*on_comment)(void *user, int64_t line, const char *comment, size_t length);
    void *user;
};

enum nereus_csv_result {
    NEREUS_CSV_RECORD,
    NEREUS_CSV_END,
    NEREUS_CSV_OPEN_QUOTE, /**< a quoted field never ends */
    NEREUS_CSV_BAD_QUOTE,  /**< text between a closing quote and the separator */
    NEREUS_CSV_TOO_WIDE    /**< more than NEREUS_CSV_FIELDS_MAX fields */
};

struct nereus_csv_record {
    /** zero-terminated, without spaces around unquoted ones */
    char *fields[NEREUS_CSV_FIELDS_MAX];
    int count;
    int64_t line;    /**< on which it begins */
    bool terminated; /**< by a line end, not by the end of the text */
};

/** Start on a text that text_file.h has read. Set on_comment and user afterwards. */
void nereus_csv_begin(char *text, struct nereus_csv *csv);

/** Next record; blank lines and comments are skipped. */
enum nereus_csv_result nereus_csv_next(struct nereus_csv *csv, struct nereus_csv_record *record);

/** After the last record. @return NEREUS_ERR_PARSE with a sentence, unless it is NEREUS_CSV_END */
enum nereus_status nereus_csv_ended(enum nereus_csv_result result, const char *path, int64_t line,
                                    struct nereus_error *err);

/** Print a field, quoted where necessary. */
void nereus_csv_print(FILE *stream, const char *text);

/** NEREUS_ERR_PARSE where the columns of a header line are separated by semicolons or tabs, as
 * spreadsheets with a decimal comma write them, or by '|' or blanks, as sacct does. */
enum nereus_status nereus_csv_check_separator(const char *path,
                                              const struct nereus_csv_record *header,
                                              struct nereus_error *err);

#endif
