/** @file test_monitor_setting.c  NEREUS_MONITOR_EVERY and NEREUS_MONITOR_WORK, good and bad. */
#include <criterion/criterion.h>
#include <string.h>

#include "src/util/monitor_setting.h"

struct row {
    const char *path, *every, *work;
    bool on;
    int64_t iterations;
    double seconds;
    int kind;          /* in the order of enum nereus_work */
    const char *wrong; /* the variable that is refused; NULL: none */
};

static const struct row rows[] = {
    {NULL, NULL, NULL, false, 0, 1, 0, NULL},
    {"", "", "", false, 0, 1, 0, NULL},
    {"f", NULL, NULL, true, 0, 1, 0, NULL},
    {NULL, "7", NULL, true, 7, 1, 0, NULL},
    {"f", "0.25s", "instructions", true, 0, 0.25, 1, NULL},
    {"f", "30s", "cpu-time", true, 0, 30, 2, NULL},
    {"f", "7", "flop", true, 7, 1, 0, NULL},
    {"f", "0", NULL, true, 0, 0, 0, "NEREUS_MONITOR_EVERY"},
    {"f", "0s", NULL, true, 0, 0, 0, "NEREUS_MONITOR_EVERY"},
    {"f", "-3", NULL, true, 0, 0, 0, "NEREUS_MONITOR_EVERY"},
    {"f", "-3s", NULL, true, 0, 0, 0, "NEREUS_MONITOR_EVERY"},
    {"f", "3.5", NULL, true, 0, 0, 0, "NEREUS_MONITOR_EVERY"},
    {"f", "2min", NULL, true, 0, 120, 0, NULL},
    {"f", "10x", NULL, true, 0, 0, 0, "NEREUS_MONITOR_EVERY"},
    {"f", "s", NULL, true, 0, 0, 0, "NEREUS_MONITOR_EVERY"},
    {"f", "nans", NULL, true, 0, 0, 0, "NEREUS_MONITOR_EVERY"},
    {"f", "infs", NULL, true, 0, 0, 0, "NEREUS_MONITOR_EVERY"},
    {"f", "99999999999999999999", NULL, true, 0, 0, 0, "NEREUS_MONITOR_EVERY"},
    {"f", NULL, "flops", true, 0, 0, 0, "NEREUS_MONITOR_WORK"},
    {NULL, NULL, "time", false, 0, 0, 0, "NEREUS_MONITOR_WORK"},
};

Test(monitor_setting, rows)
{
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const struct row *row = &rows[i];
        struct nereus_monitor_setting setting;
        struct nereus_error err = {0};
        const enum nereus_status status =
            nereus_monitor_setting_parse(row->path, row->every, row->work, &setting, &err);
        cr_expect((status == NEREUS_OK) == (row->wrong == NULL), "row %zu", i);
        if (row->wrong != NULL) {
            cr_expect(strstr(err.text, row->wrong) == err.text, "row %zu: %s", i, err.text);
            continue;
        }
        cr_expect(setting.on == row->on && setting.iterations == row->iterations &&
                      setting.work == row->kind,
                  "row %zu", i);
        if (row->iterations == 0)
            cr_expect(setting.seconds == row->seconds, "row %zu", i);
    }
}
