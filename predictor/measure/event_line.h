/**
 * @file event_line.h
 * A file of events: JSON Lines, an object a line. Values of an event, with sentences that name
 * file, line and key.
 */
#ifndef NEREUS_EVENT_LINE_H
#define NEREUS_EVENT_LINE_H

#include <jansson.h>
#include <stdint.h>

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

typedef enum nereus_status nereus_event_take(void *user, const struct nereus_event_line *line);
/**
 * Hand on all events in order, until one is refused. Blank lines are passed over.
 * @param[in] what  the kind of file, for sentences
 */
enum nereus_status nereus_event_lines_read(const char *path, const char *what,
                                           nereus_event_take *take, void *user,
                                           struct nereus_error *err);

#endif
