/**
 * @file event_line.h
 * Files of events: JSON Lines, which programs append to. A line that begins like an event and is
 * none, as it was not written to its end (a full disk, a kill), is skipped and counted. Errors name
 * file, line and key.
 */
#ifndef NEREUS_MODEL_TRACE_EVENT_LINE_H
#define NEREUS_MODEL_TRACE_EVENT_LINE_H

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

/** NAN: missing, or no number. */
double nereus_event_real(const struct nereus_event_line *line, const char *key);
/** The first error stays in *status, which the caller checks. */
int64_t nereus_event_integer(const struct nereus_event_line *line, const char *key,
                             enum nereus_status *status);
/** At least 1. */
int64_t nereus_event_processes(const struct nereus_event_line *line, const char *key,
                               enum nereus_status *status);
int64_t nereus_event_integer_or(const struct nereus_event_line *line, const char *key,
                                int64_t otherwise);
/** "": missing. */
const char *nereus_event_text(const struct nereus_event_line *line, const char *key);

/** Skipped lines, and the number of the first. */
struct nereus_left_out {
    int64_t lines, first;
    char why[160]; /**< of the first; "": cut off */
};

struct nereus_event_file {
    struct nereus_text_file text; /**< set text.live after opening if more may come */
    struct nereus_event_line line;
    json_t *event;
    int64_t taken; /**< lines */
    struct nereus_left_out left_out;
    struct nereus_error why;
};

enum nereus_status nereus_event_file_open(const char *path, const char *what,
                                          struct nereus_event_file *file, struct nereus_error *err);
/** @param[out] line  until the next call; NULL: the end, for now */
enum nereus_status nereus_event_file_next(struct nereus_event_file *file,
                                          const struct nereus_event_line **line);
/** @param status  returned, unless nothing in the file is an event: NEREUS_ERR_PARSE */
enum nereus_status nereus_event_file_close(struct nereus_event_file *file,
                                           enum nereus_status status);

typedef enum nereus_status nereus_event_take(void *user, const struct nereus_event_line *line);
/** All events in order, until `take` refuses one. @param[out] left_out  also after an error */
enum nereus_status nereus_event_lines_read(const char *path, const char *what,
                                           nereus_event_take *take, void *user,
                                           struct nereus_left_out *left_out,
                                           struct nereus_error *err);

#endif
