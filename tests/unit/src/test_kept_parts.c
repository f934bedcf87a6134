/**
 * @file test_kept_parts.c
 * Parts that are kept for the next reconfiguration: never more bytes than allowed, the oldest is
 * freed first, and one that fits is used again.
 */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "src/move/kept_parts.h"
#include "src/util/process_settings.h"
#include "tests/unit/random.h"

enum { KIB = 1024, MIB = 1024 * KIB };

Test(kept_parts, none_without_the_setting)
{
    nereus_kept_parts_add(malloc(MIB));
    cr_expect_eq(nereus_kept_parts_bytes(), 0);
    cr_expect_null(nereus_kept_parts_reuse(MIB));
}

Test(kept_parts, one_that_fits_is_used_again)
{
    nereus_process_settings.keep_bytes = 64 * MIB;
    void *large = malloc(24 * MIB), *small = malloc(7 * MIB);
    nereus_kept_parts_add(large);
    nereus_kept_parts_add(small);
    cr_expect_null(nereus_kept_parts_reuse(25 * MIB), "too short, all of them");
    void *part = nereus_kept_parts_reuse(7 * MIB - KIB);
    cr_expect_eq(part, small, "the shortest that is long enough");
    cr_expect_lt(nereus_kept_parts_bytes(), 25 * MIB);
    memset(part, 1, 7 * MIB - KIB);
    free(part);
    part = nereus_kept_parts_reuse(24 * MIB);
    cr_expect_eq(part, large);
    memset(part, 2, 24 * MIB);
    free(part);
    cr_expect_eq(nereus_kept_parts_bytes(), 0);
}

/* The rest of a part that is too long goes back: kept parts never make a part longer. */
Test(kept_parts, a_part_is_no_longer_than_asked_for)
{
    nereus_process_settings.keep_bytes = 64 * MIB;
    nereus_kept_parts_add(malloc(48 * MIB));
    void *part = nereus_kept_parts_reuse(3 * MIB);
    cr_assert_not_null(part);
    nereus_kept_parts_add(part);
    cr_expect_lt(nereus_kept_parts_bytes(), 4 * MIB, "%zu", nereus_kept_parts_bytes());
    nereus_kept_parts_free();
}

Test(kept_parts, small_ones_are_not_kept)
{
    nereus_process_settings.keep_bytes = MIB;
    nereus_kept_parts_add(malloc(100));
    nereus_kept_parts_add(NULL);
    cr_expect_eq(nereus_kept_parts_bytes(), 0);
}

/* Any order of parts, of more kinds than there is room for: the bound holds after each. */
Test(kept_parts, the_bound_holds)
{
    const size_t limit = 20 * MIB;
    nereus_process_settings.keep_bytes = (int64_t)limit;
    for (int i = 0; i < 2000; i++) {
        const size_t bytes = 1 + (size_t)random_below(i % 2 == 0 ? 300 * KIB : 30 * MIB);
        void *part = i % 3 == 0 ? nereus_kept_parts_reuse(bytes) : malloc(bytes);
        nereus_kept_parts_add(part);
        cr_assert_leq(nereus_kept_parts_bytes(), limit, "after %d", i);
    }
    cr_expect_gt(nereus_kept_parts_bytes(), 0);
    nereus_kept_parts_free();
    cr_expect_eq(nereus_kept_parts_bytes(), 0);
}

Test(kept_parts, the_setting)
{
    static const struct {
        const char *text;
        int64_t bytes; /* -1: refused */
    } rows[] = {{"", 0}, {"0", 0}, {"64MiB", 64 * MIB}, {"1000", 1000}, {"-1", -1}, {"much", -1}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct nereus_error err = {0};
        struct process_settings settings;
        setenv("NEREUS_KEEP_BUFFERS", rows[i].text, 1);
        const enum nereus_status status = nereus_process_settings_read(&settings, &err);
        cr_expect_eq(status == NEREUS_OK, rows[i].bytes >= 0, "%s", rows[i].text);
        if (rows[i].bytes >= 0)
            cr_expect_eq(settings.keep_bytes, rows[i].bytes, "%s", rows[i].text);
        else
            cr_expect(strstr(err.text, "NEREUS_KEEP_BUFFERS") != NULL, "%s", err.text);
    }
}
