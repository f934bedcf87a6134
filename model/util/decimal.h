/**
 * @file decimal.h
 * Numbers and short texts without printf, for speed: with printf, notes took a quarter of a
 * prediction, and rows a sixth of a map. Private to model/ and the commands.
 */
#ifndef NEREUS_DECIMAL_H
#define NEREUS_DECIMAL_H

#include <stddef.h>
#include <stdint.h>

enum { NEREUS_DECIMAL_TEXT = 32, NEREUS_DECIMAL_DIGITS_MAX = 9 };

/**
 * A number with so many significant digits, the same text as printf's "%.*g".
 * @param digits  1 to NEREUS_DECIMAL_DIGITS_MAX
 * @return text
 */
char *nereus_decimal_print(double value, int digits, char text[NEREUS_DECIMAL_TEXT]);

/** A text that pieces are appended to; it is cut off where room ends, as by snprintf. */
struct nereus_line {
    char *text;
    size_t room, length; /**< room: with the 0 at the end */
};
/** Append to a text, which is shorter than `room`. */
struct nereus_line nereus_line_behind(char *text, size_t room);
void nereus_line_add(struct nereus_line *line, const char *piece);
/** "%lld". */
void nereus_line_add_count(struct nereus_line *line, int64_t count);
/** "%.3g". */
void nereus_line_add_real(struct nereus_line *line, double value);

#endif
