/** @file test_c_locale.c  Numbers in a program that has set a locale with a decimal comma. */
#include <criterion/criterion.h>
#include <locale.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "model/util/arith.h"
#include "model/util/c_locale.h"
#include "model/util/json_make.h"
#include "model/util/values.h"
#include "nereus/status.h"

/* A locale of our own, as no machine is sure to have one beside C. */
static bool has_comma(void)
{
    char folder[] = "/tmp/nereus-locale-XXXXXX", command[1000];
    cr_assert_not_null(mkdtemp(folder));
    snprintf(
        command, sizeof command,
        "localedef -c -i %s/tests/unit/data/comma.locale -f ANSI_X3.4-1968 %s/comma 2>/dev/null",
        NEREUS_SOURCE_DIR, folder);
    (void)!system(command); /* it warns of what the locale lacks, by its status too */
    setenv("LOCPATH", folder, 1);
    const bool set = setlocale(LC_ALL, "comma") != NULL;
    snprintf(command, sizeof command, "rm -r %s", folder);
    cr_assert_eq(system(command), 0);
    return set && strcmp(localeconv()->decimal_point, ",") == 0;
}

Test(c_locale, numbers_are_decimal)
{
    static const struct {
        const char *text;
        double value;
        size_t length; /* 0: no number */
    } rows[] = {
        {"1.5s", 1.5, 3}, {" -2e3", -2000, 5}, {".5", 0.5, 2}, {"0x10", 0, 1},
        {"-0X1p3", 0, 2}, {"0.x", 0, 2},       {"x", 0, 0},    {"", 0, 0},
    };
    for (size_t i = 0; i < NEREUS_COUNT_OF(rows); i++) {
        char *end;
        const double value = nereus_strtod(rows[i].text, &end);
        cr_expect(value == rows[i].value && (size_t)(end - rows[i].text) == rows[i].length,
                  "'%s': %g, %s", rows[i].text, value, end);
    }
}

Test(c_locale, numbers_have_a_point)
{
    char text[64], *end;
    double value = 0;
    int whole = 0;
    if (!has_comma())
        cr_skip_test(
            "localedef cannot make a locale: Debian has what it needs in the package locales");
    snprintf(text, sizeof text, "%.2f", 0.5);
    cr_assert_str_eq(text, "0,50");

    nereus_snprintf(text, sizeof text, "%.2f %d", 0.5, 3);
    cr_expect_str_eq(text, "0.50 3");
    cr_expect_float_eq(nereus_strtod("1.5s", &end), 1.5, 0);
    cr_expect_str_eq(end, "s");
    cr_expect_eq(nereus_sscanf("1.25 7", "%lf %d", &value, &whole), 2);
    cr_expect(value == 1.25 && whole == 7);

    cr_expect_str_eq(nereus_format_real(0.3, text), "0.3");
    cr_expect_eq(nereus_value_parse_seconds_or_0("t", "2.5ms", &value, NULL), NEREUS_OK);
    cr_expect_float_eq(value, 2.5e-3, 1e-12);
    struct nereus_error err;
    nereus_fail(&err, NEREUS_ERR_ARGUMENT, "%.1f s", 2.5);
    cr_expect_str_eq(err.text, "2.5 s");

    char *line = nereus_json_line(nereus_json_pack("[f]", 0.0695));
    cr_expect_str_eq(line, "[0.0695]\n");
    free(line);
    json_t *json = nereus_json_parse("[2.5]", 5, 0, NULL);
    cr_expect_float_eq(json_real_value(json_array_get(json, 0)), 2.5, 0);
    json_decref(json);

    snprintf(text, sizeof text, "%.2f", 0.5); /* the application's own numbers are as before */
    cr_expect_str_eq(text, "0,50");
}
