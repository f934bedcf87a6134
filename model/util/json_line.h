/**
 * @file json_line.h
 * A line of JSON Lines.
 */
#ifndef NEREUS_UTIL_JSON_LINE_H
#define NEREUS_UTIL_JSON_LINE_H

#include <jansson.h>

/**
 * A document as one line, with its newline.
 * @param[in] line  taken over; NULL: none
 * @return to be freed; NULL: no document, or no memory
 */
char *nereus_json_line(json_t *line);

#endif
