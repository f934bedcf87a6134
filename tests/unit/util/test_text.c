/** @file test_text.c  Texts that are cut, in whole characters, and texts of others. */
#include <criterion/criterion.h>
#include <string.h>

#include "model/util/arith.h"
#include "model/util/text.h"

Test(text, ends_at_a_whole_character)
{
    static const struct {
        const char *value;
        size_t bytes;
        const char *expected;
    } rows[] = {{"abc", 4, "abc"},
                {"abc", 3, "ab"},
                {"abc", 1, ""},
                {NULL, 4, ""},
                {"a\u00e9b", 4, "a\u00e9"}, /* two bytes */
                {"a\u00e9b", 3, "a"},
                {"\u20ac\u20ac", 6, "\u20ac"}, /* three bytes each */
                {"\u20ac\u20ac", 7, "\u20ac\u20ac"},
                {"\U0001f600", 4, ""}}; /* four */
    for (size_t i = 0; i < NEREUS_COUNT_OF(rows); i++) {
        char text[16];
        memset(text, 'x', sizeof text);
        cr_expect_str_eq(nereus_text_copy(rows[i].value, text, rows[i].bytes), rows[i].expected,
                         "row %zu: %s", i, text);
    }
}

/* What a terminal obeys (ECMA-48, and its 8-bit controls in UTF-8) is replaced; letters are not. */
Test(text, of_others_is_plain)
{
    static const struct {
        const char *value, *expected;
    } rows[] = {{"name", "name"},
                {"", ""},
                {"bad\033[31mname", "bad?[31mname"},
                {"one\ntwo\r\tthree", "one?two??three"},
                {"\a\b\177", "???"},
                {"a\302\2332Jb", "a??2Jb"}, /* CSI in one character */
                {"\303\251\302\240", "\303\251\302\240"},
                {"\302", "\302"}};
    for (size_t i = 0; i < NEREUS_COUNT_OF(rows); i++) {
        char text[32];
        cr_expect_str_eq(nereus_text_replace_controls(strcpy(text, rows[i].value), '?'),
                         rows[i].expected, "row %zu: %s", i, text);
    }
}

Test(text, words_that_go_with_a_count)
{
    static const struct {
        int64_t count;
        const char *s, *es, *verb;
    } rows[] = {
        {0, "s", "es", "are"}, {1, "", "", "is"}, {2, "s", "es", "are"}, {-1, "s", "es", "are"}};
    for (size_t i = 0; i < NEREUS_COUNT_OF(rows); i++) {
        cr_expect_str_eq(nereus_plural_s(rows[i].count), rows[i].s, "row %zu", i);
        cr_expect_str_eq(nereus_plural_es(rows[i].count), rows[i].es, "row %zu", i);
        cr_expect_str_eq(nereus_choose_plural(rows[i].count, "is", "are"), rows[i].verb, "row %zu",
                         i);
    }
}
