/** @file test_decimal.c  Numbers without printf: to the letter what it makes of them. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>

#include "model/util/decimal.h"
#include "tests/unit/random.h"

static void expect_as_printf(double value)
{
    char text[NEREUS_DECIMAL_TEXT], wanted[64];
    for (int digits = 1; digits <= NEREUS_DECIMAL_DIGITS_MAX; digits++) {
        snprintf(wanted, sizeof wanted, "%.*g", digits, value);
        cr_expect_str_eq(nereus_decimal_print(value, digits, text), wanted, "%a with %d digits",
                         value, digits);
    }
}

Test(decimal, as_printf)
{
    /* Halves of the third digit, which are rounded to even, and their neighbours; what is rounded
     * up to one digit more. */
    static const double rows[] = {
        0,      -0.0,  1,      0.5,      0.125,   0.0625,   1.125,      2.375, 12.25,
        12.35,  100.5, 101.5,  998.5,    999,     1000,     999.49,     999.5, 99.95,
        9.995,  9.996, 0.9995, 1e-4,     1e-5,    -2.5,     0.00099995, 1e9,   1e300,
        5e-324, 950,   0.0009, 9.995e-5, 1048576, 33554432, 0.1,        0.3,   2e-4};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        expect_as_printf(rows[i]);
        expect_as_printf(nextafter(rows[i], 0));
        expect_as_printf(nextafter(rows[i], INFINITY));
    }
    for (int i = 0; i < 50000; i++) {
        const double share = random_share();
        expect_as_printf(exp(-12 + 24 * share));
        expect_as_printf((double)(int64_t)(share * 1e6) / 1024);
    }
    expect_as_printf(INFINITY);
    expect_as_printf(-INFINITY);
}
