/* Files of JSON Lines that a job appends to; which files cannot be written. Private to src/. */
#ifndef NEREUS_SRC_JSON_LINES_H
#define NEREUS_SRC_JSON_LINES_H

#include <jansson.h>
#include <stdbool.h>

/* Files of the job with a write error that was reported, so that it is reported once. New processes
 * receive it (src/start/join_payload.c). */
struct nereus_unwritten {
    bool trace, monitor, state, learn;
};
extern struct nereus_unwritten nereus_unwritten;

/* Append a text, by one write where it is short.
 * what  the file is, as "trace"; what cannot be written is said once, and remembered in *said
 * text  NULL: there was no memory for it */
void nereus_lines_append(const char *path, const char *what, const char *text, bool *said);
/* Append a line; takes it over. */
void nereus_json_line_append(const char *path, const char *what, json_t *line, bool *said);

#endif
