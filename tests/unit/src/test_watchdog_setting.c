/** @file test_watchdog_setting.c  NEREUS_WATCHDOG, good and bad. */
#include <criterion/criterion.h>
#include <string.h>

#include "src/util/watchdog_setting.h"

struct row {
    const char *text;
    double after_s; /* -1: refused */
    bool aborts;
};

static const struct row rows[] = {
    {NULL, 10, false},
    {"", 10, false},
    {"10", 10, false},
    {"2.5s", 2.5, false},
    {"60s,abort", 60, true},
    {"0.1,abort", 0.1, true},
    {"off", 0, false},
    {"0", -1, false},
    {"-3s", -1, false},
    {"s", -1, false},
    {"abort", -1, false},
    {"10s,abort,", -1, false},
    {"10 s", -1, false},
    {"2min", 120, false},
    {"nan", -1, false},
    {"inf", -1, false},
    {"1e9", -1, false},
    {"10s,", -1, false},
    {"on", -1, false},
    {"500ms,abort", 0.5, true},
    {"50ms", -1, false},
    {"10x", -1, false},
    {"1.00000000000000000000000000000000000000000000000000000000000000min", -1, false},
};

Test(watchdog_setting, rows)
{
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct nereus_watchdog_setting setting;
        struct nereus_error err = {0};
        const enum nereus_status status =
            nereus_watchdog_setting_parse(rows[i].text, &setting, &err);
        cr_expect((status == NEREUS_OK) == (rows[i].after_s >= 0), "row %zu", i);
        if (status == NEREUS_OK)
            cr_expect(setting.after_s == rows[i].after_s && setting.aborts == rows[i].aborts,
                      "row %zu", i);
        else
            cr_expect(strstr(err.text, "NEREUS_WATCHDOG is '") == err.text &&
                          strstr(err.text, "as 60s,abort, or off") != NULL,
                      "%s", err.text);
    }
}
