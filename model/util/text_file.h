/**
 * @file text_file.h
 * Reads all text formats: plain or gzipped files, and standard input ("-", once); "~/"
 * is the home folder. A byte order mark and ^Z at the end are skipped; CR LF and CR end a line as
 * LF does. Other files, such as UTF-16 or archives, are refused with an error message that names
 * their kind.
 *
 *     NEREUS_TRY(nereus_text_open(path, "log of jobs", &file, err));
 *     while ((status = nereus_text_read_line(&file, &line, err)) == NEREUS_OK && line != NULL)
 *         ...                                             // file.line is its number
 *     nereus_text_close(&file);
 */
#pragma once

#include "bytes_in.h"
#include "nereus/status.h"

/** Longest text that is read whole, and longest line: input that never ends is refused. */
enum { NEREUS_FILE_BYTES_MAX = 256 << 20 };

struct nereus_text_file {
    const char *path; /**< the caller's */
    const char *what; /**< the kind of file, for sentences; the caller's */
    /** set by the caller: programs append lines to it. Zero bytes at the end of a line, as after a
     * power failure, are left out; elsewhere they are refused */
    bool is_appended_to;
    /** set by the caller: more may come, so a line without its end is not returned */
    bool is_followed;
    int64_t line;    /**< of the last returned line, from 1 */
    bool terminated; /**< that line ended with a line feed */
    int64_t returns; /**< CRs read */
    int64_t zeros;   /**< zero bytes left out */
    int64_t zeros_line;
    /* private: */
    struct nereus_bytes_in input;
    char *text;
    size_t capacity, from, to, searched_end;
    int64_t ends;
    bool begun, after_return, after_zero, after_end;
};

/** @return NEREUS_ERR_IO; NEREUS_ERR_ARGUMENT: standard input was opened before. To be closed after
 * NEREUS_OK only */
enum nereus_status nereus_text_open(const char *path, const char *what,
                                    struct nereus_text_file *file, struct nereus_error *err);

/** @param[out] line  the next line, without its end; writable until the next call. NULL: none
 * @return NEREUS_ERR_IO; NEREUS_ERR_PARSE: not a text */
enum nereus_status nereus_text_read_line(struct nereus_text_file *file, char **line,
                                         struct nereus_error *err);

/** Get the beginning of the text, some ten thousand bytes, to tell its format, without consuming
 * it. */
enum nereus_status nereus_text_peek(struct nereus_text_file *file, const char **beginning,
                                    struct nereus_error *err);

/** Read the rest of the text.
 * @param[out] text  to be freed.
 * @param[out] length  may be NULL.
 * @return as nereus_text_read_line; NEREUS_ERR_PARSE also for an empty text */
enum nereus_status nereus_text_read_rest(struct nereus_text_file *file, char **text, size_t *length,
                                         struct nereus_error *err);

void nereus_text_close(struct nereus_text_file *file);
