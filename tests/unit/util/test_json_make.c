/** @file test_json_make.c  Documents of JSON that no text and no number makes fail. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "model/util/arith.h"
#include "model/util/json_make.h"
#include "model/util/text.h"

#define BAD "\xef\xbf\xbd" /* U+FFFD */

/* RFC 3629, section 3 and 4; each byte that is none of a character is replaced for itself. */
static const struct {
    const char *text, *expected;
} texts[] = {
    {"", ""},
    {"plain", "plain"},
    {"caf\xc3\xa9 \xe2\x82\xac \xf0\x9f\x98\x80", "caf\xc3\xa9 \xe2\x82\xac \xf0\x9f\x98\x80"},
    {"caf\xe9", "caf" BAD},                   /* Latin-1, at the end */
    {"caf\xe9/app", "caf" BAD "/app"},        /* and before other letters */
    {"\xe9\xe8\xea", BAD BAD BAD},            /* one after the other */
    {"\xe2\x82", BAD BAD},                    /* a character that was cut */
    {"\xc3(", BAD "("},                       /* the second byte is none */
    {"\xc0\xaf", BAD BAD},                    /* overlong */
    {"\xe0\x80\xaf", BAD BAD BAD},            /* overlong */
    {"\xed\xa0\x80", BAD BAD BAD},            /* a surrogate */
    {"\xf4\x90\x80\x80", BAD BAD BAD BAD},    /* above U+10FFFF */
    {"\xf4\x8f\xbf\xbf", "\xf4\x8f\xbf\xbf"}, /* U+10FFFF */
    {"\xff\xfe"
     "a",
     BAD BAD "a"}, /* UTF-16's mark */
    {"\x80", BAD},
};

Test(json_make, every_text_is_one_of_json)
{
    for (size_t i = 0; i < NEREUS_COUNT_OF(texts); i++) {
        json_t *json = nereus_json_text(texts[i].text);
        cr_assert_not_null(json, "row %zu", i);
        cr_expect_str_eq(json_string_value(json), texts[i].expected, "row %zu: %s", i,
                         json_string_value(json));
        cr_expect_eq(nereus_text_is_utf8(texts[i].text),
                     strcmp(texts[i].text, texts[i].expected) == 0, "row %zu", i);
        json_decref(json);
    }
}

static void expect_line(json_t *json, const char *expected)
{
    char *line = nereus_json_line(json);
    cr_assert_not_null(line, "no line instead of %s", expected);
    cr_expect_str_eq(line, expected, "%s", line);
    free(line);
}

Test(json_make, a_document_has_all_its_members)
{
    expect_line(nereus_json_pack("{s:s, s:f, s:f, s:i, s:I, s:b}", "a", "\xe9", "b", (double)NAN,
                                 "c", 0.5, "d", -1, "e", (json_int_t)1 << 40, "f", 1),
                "{\"a\":\"" BAD
                "\",\"b\":null,\"c\":0.5,\"d\":-1,\"e\":1099511627776,\"f\":true}\n");
    expect_line(nereus_json_pack("{s:s, s:s?, s:s*, s:s*, s:o*, s:n}", "a", NULL, "b", NULL, "c",
                                 NULL, "d", "x", "e", NULL, "f"),
                "{\"a\":null,\"b\":null,\"d\":\"x\",\"f\":null}\n");
    expect_line(nereus_json_pack("[[I, I], {s:[f], s:{}}, s]", (json_int_t)1, (json_int_t)2, "a",
                                 (double)INFINITY, "b", "\xff"),
                "[[1,2],{\"a\":[null],\"b\":{}},\"" BAD "\"]\n");
    expect_line(nereus_json_pack("{s:o}", "b\xe9", nereus_json_real(1)), "{\"b" BAD "\":1.0}\n");
}

Test(json_make, a_real_reads_back_as_itself)
{
    static const struct {
        double value;
        const char *text;
    } rows[] = {
        {0.1, "0.1"},        {1764200000.123456, "1764200000.123456"},
        {3, "3.0"},          {1e13 + 1, "10000000000001.0"},
        {-0.0, "-0.0"},      {1e22, "1e22"},
        {2.5e-7, "2.5e-07"}, {-1.0 / 3, "-0.3333333333333333"},
    };
    char text[64];
    for (size_t i = 0; i < NEREUS_COUNT_OF(rows); i++) {
        snprintf(text, sizeof text, "[%s,\"0.10000000000000001\\\"\",-17,true]\n", rows[i].text);
        expect_line(
            nereus_json_pack("[f, s, i, b]", rows[i].value, "0.10000000000000001\"", -17, 1), text);
    }
}

/* A lack of memory below is one of the whole: nothing is left out silently. */
Test(json_make, a_value_without_memory_fails_the_document)
{
    cr_expect_null(nereus_json_pack("{s:i, s:o, s:s}", "a", 1, "b", NULL, "c", "x"));
    cr_expect_null(nereus_json_pack("[o, {s:o}]", json_integer(1), "a", NULL));
}

Test(json_make, prints_a_text_into_a_document)
{
    char *text = NULL;
    size_t length = 0;
    FILE *stream = open_memstream(&text, &length);
    nereus_json_text_print(stream, "a\"b\\\xe9\n");
    fclose(stream);
    cr_expect_str_eq(text, "\"a\\\"b\\\\" BAD "\\n\"", "%s", text);
    free(text);
}
