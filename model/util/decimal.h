/**
 * @file decimal.h
 * Numbers without printf, whose digits took a sixth of the time of a map. Private to model/ and the
 * commands.
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

#endif
