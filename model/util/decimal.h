/**
 * @file decimal.h
 * Numbers and short texts without printf, which works with numbers of any length: it took a quarter of a prediction for the notes, and a sixth
 * of a map for the rows. Private to model/ and the commands.
 */
#ifndef NEREUS_DECIMAL_H
#define NEREUS_DECIMAL_H

#include <stddef.h>
#include <stdint.h>

enum { NEREUS_DECIMAL_TEXT = 32, NEREUS_DECIMAL_DIGITS_MAX = 9 };

/**
 * A number with so many significant digits, to the letter what printf makes of "%.*g".
 * @param digits  1 to NEREUS_DECIMAL_DIGITS_MAX
 * @return text
 */
char *nereus_decimal_print(double value, int digits, char text[NEREUS_DECIMAL_TEXT]);

/** A text that grows at its end; what has no room is cut off, as snprintf does. */
struct nereus_line {
    char *text;
    size_t room, length; /**< room: with the 0 at the end */
};
/** Goes on behind what the text holds, which is short of `room`. */
struct nereus_line nereus_line_behind(char *text, size_t room);
void nereus_line_add(struct nereus_line *line, const char *piece);
/** "%lld". */
void nereus_line_add_count(struct nereus_line *line, int64_t count);
/** "%.3g". */
void nereus_line_add_real(struct nereus_line *line, double value);

#endif
