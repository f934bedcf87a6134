/* Numbers from 1e-4 on whose digits fit into a 64-bit integer are printed here; all others by
 * printf. */
#include "decimal.h"

#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "c_locale.h"

/* 10^i */
static const double powers[] = {1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12};

/* floor(log10(value)) of 1e-4 <= value < 1e9. */
static int power_of(double value)
{
    static const double small[] = {1e-4, 1e-3, 1e-2, 1e-1};
    int power = 8;
    if (value < 1) {
        for (power = -1; value < small[power + 4];)
            power--;
        return power;
    }
    while (value < powers[power])
        power--;
    return power;
}

/* The first `count` digits as an integer: value * 10^(count - 1 - power), rounded. 0: too close to
 * a tie to round in long double. */
static uint64_t digits_of(double value, int count, int *power)
{
    *power = power_of(value);
    const long double scaled = (long double)value * (long double)powers[count - 1 - *power];
    uint64_t digits = (uint64_t)scaled;
    const long double off = scaled - (long double)digits - 0.5L;
    /* Within the rounding error of the product: printf, which has all digits, decides. */
    if (fabsl(off) <= scaled * LDBL_EPSILON)
        return 0;
    digits += off > 0 ? 1 : 0;
    if ((double)digits < powers[count])
        return digits;
    (*power)++;
    return digits / 10;
}

/* "0.0123" and "12.3": no exponent, no zeros at the end of a fraction. */
static void place_digits(uint64_t digits, int count, int power, char *text)
{
    char all[NEREUS_DECIMAL_DIGITS_MAX];
    for (int i = count; i-- > 0; digits /= 10)
        all[i] = (char)('0' + digits % 10);
    while (count > 1 && count > power + 1 && all[count - 1] == '0')
        count--;
    if (power < 0) {
        memcpy(text, "0.0000", 6);
        text += 1 - power;
    }
    for (int i = 0; i < count; i++) {
        *text++ = all[i];
        if (i == power && i + 1 < count)
            *text++ = '.';
    }
    *text = '\0';
}

char *nereus_decimal_print(double value, int digits, char text[NEREUS_DECIMAL_TEXT])
{
    int power = 0;
    /* "- 1": no number that rounds up to one digit more. */
    const bool placed = value >= 1e-4 && value < powers[digits] - 1;
    const uint64_t first = placed ? digits_of(value, digits, &power) : 0;
    if (first > 0)
        place_digits(first, digits, power, text);
    else if (value == 0 && !signbit(value))
        memcpy(text, "0", 2);
    else
        nereus_snprintf(text, NEREUS_DECIMAL_TEXT, "%.*g", digits, value);
    return text;
}
