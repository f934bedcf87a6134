/**
 * @file event_line.h
 * A file of events: JSON Lines, an object a line, which programs append to. A line that begins as
 * an event and is none, as one that was not written to its end (a full disk, a kill, a power
 * failure), is left out, wherever it is, and counted. Values of an event, with sentences that name
 * file, line and key.
 */
#ifndef NEREUS_EVENT_LINE_H
#define NEREUS_EVENT_LINE_H

#include <jansson.h>
#include <stdint.h>

#include "model/util/text_file.h"
#include "nereus/status.h"

struct nereus_event_line {
    const char *path;
    int64_t line; /**< from 1 */
    const json_t *event;
    struct nereus_error *err;
};

/** NAN where it is missing, or no number. */
double nereus_event_real(const struct nereus_event_line *line, const char *key);
/** A required whole number. The first error is kept in *status, which the caller checks. */
int64_t nereus_event_integer(const struct nereus_event_line *line, const char *key,
                             enum nereus_status *status);
/** The same, at least 1. */
int64_t nereus_event_processes(const struct nereus_event_line *line, const char *key,
                               enum nereus_status *status);
/** A key that older files do not have. */
int64_t nereus_event_integer_or(const struct nereus_event_line *line, const char *key,
                                int64_t otherwise);
/** "" where it is missing. */
const char *nereus_event_text(const struct nereus_event_line *line, const char *key);

/** Lines that were left out, and the number of the first. */
struct nereus_left_out {
    int64_t lines, first;
    char why[160]; /**< of the first; "": it was not written to its end */
};

struct nereus_event_file {
    struct nereus_text_file text; /**< set text.live after opening where more may come */
    struct nereus_event_line line;
    json_t *event;
    int64_t taken;                   /**< lines */
    struct nereus_left_out left_out; /**< complete after the end */
    struct nereus_error why;         /**< of the first of them */
};

/** To be ended with nereus_event_file_close after NEREUS_OK. */
enum nereus_status nereus_event_file_open(const char *path, const char *what,
                                          struct nereus_event_file *file, struct nereus_error *err);
/** @param[out] line  until the next call; NULL: no event is left, for now. Blank lines are passed
 * over */
enum nereus_status nereus_event_file_next(struct nereus_event_file *file,
                                          const struct nereus_event_line **line);
/** @param status  of what was read
 * @return status; NEREUS_ERR_PARSE: nothing in it is whole */
enum nereus_status nereus_event_file_close(struct nereus_event_file *file,
                                           enum nereus_status status);

typedef enum nereus_status nereus_event_take(void *user, const struct nereus_event_line *line);
/**
 * Hand on all events in order, until one is refused.
 * @param[in] what  the kind of file, for sentences
 * @param[out] left_out  also after an error
 */
enum nereus_status nereus_event_lines_read(const char *path, const char *what,
                                           nereus_event_take *take, void *user,
                                           struct nereus_left_out *left_out,
                                           struct nereus_error *err);

#endif
