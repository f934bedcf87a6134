/**
 * @file text_file.h
 * Text files from anywhere: the one reader of all formats. Plain or gzipped; "-" is standard input,
 * which one file can be. A byte order mark of UTF-8 is skipped; CR LF and a lone CR end a line as LF
 * does. What is no text, as UTF-16 or an archive, is refused with a sentence that says what it is.
 *
 *     struct nereus_text_file file;
 *     NEREUS_TRY(nereus_text_open(path, "log of jobs", &file, err));
 *     while ((status = nereus_text_line(&file, &line, err)) == NEREUS_OK && line != NULL)
 *         ...                                             // file.line is its number
 *     nereus_text_close(&file);
 */
#ifndef NEREUS_TEXT_FILE_H
#define NEREUS_TEXT_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "bytes_in.h"
#include "nereus/status.h"

/** Neither a text that is read whole nor a line is longer; what never ends is refused there. */
enum { NEREUS_FILE_BYTES_MAX = 256 << 20 };

struct nereus_text_file {
    const char *path; /**< the caller's, as `what` */
    const char *what; /**< the kind of file, for sentences ("profile", "host file") */
    /** To be set after opening: programs append lines to it. After a power failure zero bytes may
     * stand at the end of such a line, which are left out; elsewhere they are refused. */
    bool grows;
    bool live;       /**< to be set: more may come, so that a line without its end is kept back */
    int64_t line;    /**< number of the line that was taken last; from 1 */
    bool whole;      /**< that line had an end */
    int64_t returns; /**< CRs read */
    int64_t zeros;   /**< zero bytes left out */
    int64_t zeros_line; /**< on which the first of them was */
    /* its own: */
    struct nereus_bytes_in in;
    char *text; /**< with a terminator */
    size_t capacity, from, to, searched;
    int64_t ends; /* of lines, in all that was read */
    bool begun, after_return, after_zero;
};

/** @return NEREUS_ERR_IO: missing, unreadable, a folder; NEREUS_ERR_ARGUMENT: standard input was
 * opened before. To be closed after NEREUS_OK only */
enum nereus_status nereus_text_open(const char *path, const char *what,
                                    struct nereus_text_file *file, struct nereus_error *err);

/**
 * The next line.
 * @param[out] line  without its end, zero-terminated; may be written to; until the next call. NULL:
 *     there is none
 * @return NEREUS_ERR_IO, NEREUS_ERR_MEMORY; NEREUS_ERR_PARSE: not a text
 */
enum nereus_status nereus_text_line(struct nereus_text_file *file, char **line,
                                    struct nereus_error *err);

/** What begins a text, to tell its format: at most some ten thousand bytes, which are not taken. */
enum nereus_status nereus_text_peek(struct nereus_text_file *file, const char **beginning,
                                    struct nereus_error *err);

/**
 * All that was not taken yet.
 * @param[out] text  zero-terminated; to be freed with free()
 * @param[out] length  without the terminator; may be NULL
 * @return as nereus_text_line; NEREUS_ERR_PARSE also for an empty text
 */
enum nereus_status nereus_text_rest(struct nereus_text_file *file, char **text, size_t *length,
                                    struct nereus_error *err);

void nereus_text_close(struct nereus_text_file *file);

#endif
