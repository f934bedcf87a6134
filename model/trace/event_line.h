/**
 * @file event_line.h
 * Reads files of events: JSON Lines, to which programs append. A line that begins with '{' but is
 * no JSON object, as one that was cut off by a full disk or a kill, is skipped and counted. Errors
 * name file, line and key.
 */
#pragma once

#include <jansson.h>

#include "model/util/text_file.h"

struct nereus_event_line {
    const char *path;
    int64_t line; /**< from 1 */
    const json_t *event;
    struct nereus_error *err;
};

/** Read a number; NAN: missing, or no number. */
double nereus_event_real(const struct nereus_event_line *line, const char *key);
/** Read an integer. The first error stays in *status, which the caller checks. */
int64_t nereus_event_integer(const struct nereus_event_line *line, const char *key,
                             enum nereus_status *status);
/** As nereus_event_integer, at least 1. */
int64_t nereus_event_processes(const struct nereus_event_line *line, const char *key,
                               enum nereus_status *status);
int64_t nereus_event_integer_or(const struct nereus_event_line *line, const char *key,
                                int64_t otherwise);
/** Read a text; "": missing. */
const char *nereus_event_text(const struct nereus_event_line *line, const char *key);

/** Lines that were skipped, and the number of the first one. */
struct nereus_left_out {
    int64_t lines, first;
    char why[160]; /**< why the first line was skipped; "": it was cut off */
};

struct nereus_event_file {
    struct nereus_text_file text; /**< set text.is_followed after opening if the file grows */
    struct nereus_event_line line;
    json_t *event;
    int64_t event_count; /**< number of lines that were events */
    struct nereus_left_out left_out;
    struct nereus_error why;
};

enum nereus_status nereus_event_file_open(const char *path, const char *what,
                                          struct nereus_event_file *file, struct nereus_error *err);
/** Read the next event.
 * @param[out] line  valid until the next call; NULL: the end so far */
enum nereus_status nereus_event_file_next(struct nereus_event_file *file,
                                          const struct nereus_event_line **line);
/** Close the file.
 * @return `status`; NEREUS_ERR_PARSE: no line of the file is an event */
enum nereus_status nereus_event_file_close(struct nereus_event_file *file,
                                           enum nereus_status status);

typedef enum nereus_status nereus_on_event(void *user, const struct nereus_event_line *line);
/** Pass all events in order to `take`, until it refuses one.
 * @param[out] left_out  set also after an error */
enum nereus_status nereus_event_lines_read(const char *path, const char *what,
                                           nereus_on_event *take, void *user,
                                           struct nereus_left_out *left_out,
                                           struct nereus_error *err);
