/* Files of JSON Lines that a job appends to. Private to src/. */
#ifndef NEREUS_SRC_JSON_LINES_H
#define NEREUS_SRC_JSON_LINES_H

#include <jansson.h>
#include <stdbool.h>

/* Append a text, by one write where it is short.
 * what  the file is, as "trace"; what cannot be written is said once, and remembered in *said
 * text  NULL: there was no memory for it */
void nereus_lines_append(const char *path, const char *what, const char *text, bool *said);
/* Append a line; takes it over. */
void nereus_json_line_append(const char *path, const char *what, json_t *line, bool *said);

#endif
