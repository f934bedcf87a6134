#ifndef NEREUS_UTIL_JSON_LINE_H
#define NEREUS_UTIL_JSON_LINE_H

#include <jansson.h>

/** A document as one line of JSON Lines, with its newline; takes over `line`. To be freed; NULL: no
 * document, or no memory. */
char *nereus_json_line(json_t *line);

#endif
