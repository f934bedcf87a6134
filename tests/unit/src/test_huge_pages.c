/**
 * @file test_huge_pages.c
 * New parts are advised to have huge pages where the setting or the profile says so, and no
 * others.
 */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "src/move/parts.h"
#include "src/util/process_settings.h"
#include "tests/live/huge_advice.h"

enum { MIB = 1 << 20 };

/* Those without the advice first: freed memory keeps it. */
Test(huge_pages, the_advice_is_given_up_to_the_limit)
{
    static const struct {
        int64_t limit, bytes;
        bool zeroed, advised;
    } rows[] = {
        {0, 9 * MIB, false, false},
        {NEREUS_HUGE_BY_PROFILE, 9 * MIB, false, false},
        {INT64_MAX, NEREUS_HUGE_LEAST_BYTES - 1, false, false},
        {64 * MIB, 64 * MIB + 1, false, false},
        {INT64_MAX, 9 * MIB, true, false}, /* a first part, which is not received into */
        {64 * MIB, 64 * MIB, false, true},
        {INT64_MAX, 71 * MIB + 12345, false, true},
        {INT64_MAX, NEREUS_HUGE_LEAST_BYTES, false, true},
    };
    if (!kernel_has_huge_pages())
        cr_skip("this kernel has no transparent huge pages");
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        nereus_process_settings.huge_bytes = rows[i].limit;
        char *part = nereus_part_new((size_t)rows[i].bytes, rows[i].zeroed);
        cr_assert_not_null(part);
        memset(part, 1, (size_t)rows[i].bytes);
        cr_expect_eq(has_huge_advice(part + rows[i].bytes / 2), rows[i].advised, "row %zu", i);
        nereus_part_free(part);
    }
}

Test(huge_pages, the_setting)
{
    enum { REFUSED = -2 };
    static const struct {
        const char *text;
        int64_t bytes;
    } rows[] = {{NULL, NEREUS_HUGE_BY_PROFILE},
                {"", NEREUS_HUGE_BY_PROFILE},
                {"0", 0},
                {"1", INT64_MAX},
                {"2", REFUSED},
                {"yes", REFUSED}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct nereus_error err = {0};
        struct process_settings settings;
        if (rows[i].text == NULL)
            unsetenv("NEREUS_HUGE_PAGES");
        else
            setenv("NEREUS_HUGE_PAGES", rows[i].text, 1);
        const enum nereus_status status = nereus_process_settings_read(&settings, &err);
        cr_expect_eq(status == NEREUS_OK, rows[i].bytes != REFUSED, "row %zu", i);
        if (rows[i].bytes != REFUSED)
            cr_expect_eq(settings.huge_bytes, rows[i].bytes, "row %zu", i);
        else
            cr_expect(strstr(err.text, "NEREUS_HUGE_PAGES") != NULL, "%s", err.text);
    }
}
