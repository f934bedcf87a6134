/**
 * @file csv.h
 * Reads CSV in place, one record at a time (RFC 4180); lines that start with '#' are comments.
 */
#pragma once

#include "model/util/base.h"
#include "nereus/status.h"

enum { NEREUS_CSV_FIELDS_MAX = 256 };

struct nereus_csv {
    char *cursor; /**< unread text, which is overwritten */
    int64_t line; /**< line of the cursor, from 1 */
    /** called with each comment, from its '#' to the end of its line; NULL: skipped */
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
    /** unquoted fields are without the spaces around them */
    char *fields[NEREUS_CSV_FIELDS_MAX];
    int count;
    int64_t line;
    bool terminated; /**< the last line of the record has a line end */
};

/** Begin to read a text; the caller sets on_comment and user afterwards. */
void nereus_csv_begin(char *text, struct nereus_csv *csv);

/** Read the next record; blank lines and comments are skipped. */
enum nereus_csv_result nereus_csv_next(struct nereus_csv *csv, struct nereus_csv_record *record);

/** @return NEREUS_ERR_PARSE unless `result` is NEREUS_CSV_END */
enum nereus_status nereus_csv_check_end(enum nereus_csv_result result, const char *path,
                                        int64_t line, struct nereus_error *err);

/** @return NEREUS_ERR_PARSE unless a record has as many fields as the header line */
enum nereus_status nereus_csv_check_width(const char *path, const struct nereus_csv_record *record,
                                          int columns, struct nereus_error *err);

/** Print a field, quoted if necessary. */
void nereus_csv_print(FILE *stream, const char *text);

/** @return NEREUS_ERR_PARSE if the columns are separated by semicolons or tabs, as spreadsheets
 * with a decimal comma write them, or by '|' or blanks, as sacct does */
enum nereus_status nereus_csv_check_separator(const char *path,
                                              const struct nereus_csv_record *header,
                                              struct nereus_error *err);
