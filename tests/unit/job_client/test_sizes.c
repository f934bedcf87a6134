/**
 * @file test_sizes.c
 * Sizes that an application can take: what is allowed, and the nearest ones to what is not.
 */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "model/util/arith.h"
#include "nereus/sizes.h"

/* Counted by hand. */
static const struct row {
    struct nereus_sizes sizes;
    int64_t n, max;
    bool allowed;
    int count;
    int64_t near[2];
} rows[] = {
    {{0, 0, 0, false}, 7, 0, true, 2, {6, 8}},
    {{0, 0, 0, false}, 1, 0, true, 1, {2}},
    {{0, 0, 0, false}, 9, 8, true, 1, {8}},
    {{4, 24, 6, false}, 7, 0, false, 2, {6, 12}},
    {{4, 24, 6, false}, 3, 0, false, 1, {6}},
    {{4, 24, 6, false}, 99, 0, false, 1, {24}},
    {{4, 24, 6, false}, 23, 20, false, 1, {18}},
    {{4, 24, 6, false}, 12, 0, true, 2, {6, 18}},
    {{7, 11, 12, false}, 8, 0, false, 0, {0}},
    {{0, 0, 0, true}, 5, 0, false, 2, {4, 8}},
    {{3, 40, 0, true}, 3, 0, false, 1, {4}},
    {{3, 40, 0, true}, 33, 0, false, 1, {32}},
    {{0, 0, 8, true}, 9, 0, false, 2, {8, 16}},
    {{0, 0, 6, true}, 6, 0, false, 0, {0}},
    {{5, 0, 1, false}, 2, 4, false, 0, {0}},
    {{0, 0, 0, true}, INT64_MAX, 0, false, 1, {(int64_t)1 << 62}},
    {{0, 0, 9, false}, INT64_MAX, 0, false, 1, {INT64_MAX - 7}},
};

Test(sizes, allowed_and_near)
{
    for (size_t i = 0; i < NEREUS_COUNT_OF(rows); i++) {
        const struct row *row = &rows[i];
        int64_t near_sizes[2] = {0};
        const int count = nereus_sizes_find_nearest(&row->sizes, row->n, row->max, near_sizes);
        cr_expect_eq(nereus_sizes_allow(&row->sizes, row->n), row->allowed, "row %zu", i);
        cr_expect_eq(count, row->count, "row %zu: %d", i, count);
        for (int k = 0; k < count && k < row->count; k++)
            cr_expect_eq(near_sizes[k], row->near[k], "row %zu: %lld", i, (long long)near_sizes[k]);
    }
}

/* Against the definition, one by one. */
Test(sizes, near_are_the_nearest)
{
    for (int64_t minimum = 0; minimum <= 9; minimum += 3)
        for (int64_t maximum = 0; maximum <= 40; maximum += 20)
            for (int64_t multiple = 0; multiple <= 6; multiple++)
                for (int powers = 0; powers <= 1; powers++)
                    for (int64_t n = 1; n <= 45; n++) {
                        const struct nereus_sizes sizes = {minimum, maximum, multiple, powers};
                        int64_t near_sizes[2], low = 0, high = 0;
                        const int64_t max = 37;
                        for (int64_t k = n - 1; k >= 1 && low == 0; k--)
                            low = k <= max && nereus_sizes_allow(&sizes, k) ? k : 0;
                        for (int64_t k = n + 1; k <= max && high == 0; k++)
                            high = nereus_sizes_allow(&sizes, k) ? k : 0;
                        const int count = nereus_sizes_find_nearest(&sizes, n, max, near_sizes);
                        cr_assert_eq(count, (low > 0) + (high > 0));
                        cr_assert(low == 0 || near_sizes[0] == low);
                        cr_assert(high == 0 || near_sizes[count - 1] == high);
                    }
}

Test(sizes, impossible_ones_are_refused)
{
    static const struct nereus_sizes wrong[] = {{-1, 0, 0, false}, {0, -5, 0, false},
                                                {0, 0, -2, false}, {9, 3, 0, false},
                                                {0, 5, 7, false},  {0, 0, 12, true}};
    for (size_t i = 0; i < NEREUS_COUNT_OF(wrong); i++) {
        struct nereus_error err = {0};
        cr_expect_eq(nereus_sizes_check(&wrong[i], &err), NEREUS_ERR_ARGUMENT, "row %zu", i);
        cr_expect(strstr(err.text, "sizes of an application") != NULL);
    }
    const struct nereus_sizes any = {0};
    char text[NEREUS_SIZES_TEXT_MAX];
    cr_expect_eq(nereus_sizes_check(&any, NULL), NEREUS_OK);
    cr_expect_str_eq(nereus_sizes_format(&any, text), "any number of processes");
    const struct nereus_sizes some = {2, 64, 4, true};
    cr_expect_str_eq(nereus_sizes_format(&some, text),
                     "2 to 64 processes, multiples of 4, powers of two");
}

/* Read from a variable, by hand. */
static const struct read_row {
    const char *text;
    struct nereus_sizes sizes;
    const char *error; /* a part of it; NULL: none */
} read_rows[] = {
    {"", {0}, NULL},
    {"minimum=2,maximum=64,multiple-of=4", {2, 64, 4, false}, NULL},
    {"powers-of-two,minimum=3", {3, 0, 0, true}, NULL},
    {"minimum=0", {0}, "SIZES: minimum must be .*at least 1, not 0"},
    {"maximum=many", {0}, "SIZES: maximum .*'many'"},
    {"min=2", {0}, "SIZES: 'min=2' is no size"},
    {"minimum=5,maximum=4", {0}, "there is no such size"},
};

static bool matches(const char *text, const char *part)
{
    const char *dots = strstr(part, ".*");
    char before[128];
    snprintf(before, sizeof before, "%.*s", dots != NULL ? (int)(dots - part) : (int)strlen(part),
             part);
    const char *found = strstr(text, before);
    return found != NULL && (dots == NULL || strstr(found, dots + 2) != NULL);
}

Test(sizes, read)
{
    for (size_t i = 0; i < NEREUS_COUNT_OF(read_rows); i++) {
        const struct read_row *row = &read_rows[i];
        struct nereus_sizes sizes = {9, 9, 9, true};
        struct nereus_error err = {.text = ""};
        const enum nereus_status status = nereus_sizes_read("SIZES", row->text, &sizes, &err);
        if (row->error != NULL) {
            cr_expect_neq(status, NEREUS_OK, "%s", row->text);
            cr_expect(matches(err.text, row->error), "%s: %s", row->text, err.text);
            cr_expect_eq(sizes.minimum, 9, "%s: written on an error", row->text);
            continue;
        }
        cr_expect_eq(status, NEREUS_OK, "%s: %s", row->text, err.text);
        cr_expect(sizes.minimum == row->sizes.minimum && sizes.maximum == row->sizes.maximum &&
                      sizes.multiple_of == row->sizes.multiple_of &&
                      sizes.powers_of_two == row->sizes.powers_of_two,
                  "%s", row->text);
    }
}

/* What both allow, against what each allows, one by one. */
Test(sizes, combined_allow_what_both_allow)
{
    const struct nereus_sizes some[] = {{0, 0, 0, false},  {2, 30, 0, false}, {5, 0, 4, false},
                                        {0, 40, 6, false}, {0, 0, 0, true},   {3, 17, 1, true}};
    for (size_t i = 0; i < 6; i++)
        for (size_t k = 0; k < 6; k++) {
            struct nereus_sizes both;
            const enum nereus_status status = nereus_sizes_combine(&some[i], &some[k], &both, NULL);
            for (int64_t n = 1; n <= 64; n++) {
                const bool allowed =
                    nereus_sizes_allow(&some[i], n) && nereus_sizes_allow(&some[k], n);
                cr_expect_eq(status == NEREUS_OK && nereus_sizes_allow(&both, n), allowed,
                             "%zu and %zu: %lld", i, k, (long long)n);
            }
        }
}
