/**
 * @file test_json_table.c
 * A struct is written as JSON and read as the same; what its table does not allow is refused.
 */
#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>

#include "model/util/json_table.h"

enum colour { RED, GREEN };
static const char *const colours[] = {"red", "green"};
static const char *const places[] = {"here", "there"};

struct part {
    int64_t count;
};
struct whole {
    char name[8];
    double weight, left_out;
    int64_t size, times;
    bool good;
    enum colour colour;
    struct part part, named[2], *list;
    int64_t list_length;
};

static const struct nereus_json_member part_members[] = {
    {"count", NEREUS_JSON_NEEDED, NEREUS_JSON_INTEGER(struct part, count, 1, 9)}};
static const struct nereus_json_table part_table = {NEREUS_JSON_MEMBERS(part_members), NULL, NULL};

static const struct nereus_json_member members[] = {
    {"format", NEREUS_JSON_NEEDED, NEREUS_JSON_NUMBER_ALWAYS(3)},
    {"name", NEREUS_JSON_NEEDED, NEREUS_JSON_TEXT(struct whole, name)},
    {"weight", NEREUS_JSON_UNLESS_0, NEREUS_JSON_NUMBER(struct whole, weight)},
    {"left_out", NEREUS_JSON_ELSE_NAN, NEREUS_JSON_NUMBER(struct whole, left_out)},
    {"size", NEREUS_JSON_UNLESS_0, NEREUS_JSON_INTEGER(struct whole, size, 2, 5)},
    {"times", NEREUS_JSON_UNLESS_1, NEREUS_JSON_INTEGER(struct whole, times, 1, INT64_MAX)},
    {"good", 0, NEREUS_JSON_BOOLEAN(struct whole, good)},
    {"colour", 0, NEREUS_JSON_WORD(struct whole, colour, colours)},
    {"part", NEREUS_JSON_UNLESS_0, NEREUS_JSON_OBJECT(struct whole, part, &part_table)},
    {"named", NEREUS_JSON_UNLESS_0, NEREUS_JSON_NAMED(struct whole, named, places, &part_table)},
    {"list", 0, NEREUS_JSON_LIST(struct whole, list, list_length, &part_table)},
};
static const struct nereus_json_table table = {NEREUS_JSON_MEMBERS(members), NULL, NULL};

static enum nereus_status read_whole(const char *text, struct whole *whole,
                                     struct nereus_error *err)
{
    struct nereus_json_reader reader = {.path = "file", .err = err};
    json_t *json = json_loads(text, 0, NULL);
    cr_assert(json != NULL, "%s", text);
    nereus_json_read_table(&reader, json, &table, whole);
    json_decref(json);
    return reader.status;
}

static void expect_written(const struct whole *whole, const char *expected)
{
    json_t *json = nereus_json_make_table(&table, whole);
    char *text = json_dumps(json, JSON_COMPACT);
    cr_expect_str_eq(text, expected);
    free(text);
    json_decref(json);
}

Test(json_table, what_is_written_is_read)
{
    static const char text[] =
        "{\"format\":3,\"name\":\"a b\",\"weight\":2.5,\"left_out\":7.5,\"size\":5,\"times\":2,"
        "\"good\":true,\"colour\":\"green\",\"part\":{\"count\":4},"
        "\"named\":{\"there\":{\"count\":6}},\"list\":[{\"count\":7},{\"count\":8}]}";
    struct whole whole = {0};
    struct nereus_error err = {NEREUS_OK, ""};
    cr_assert_eq(read_whole(text, &whole, &err), NEREUS_OK, "%s", err.text);
    cr_expect(whole.weight == 2.5 && whole.left_out == 7.5 && whole.size == 5 && whole.times == 2);
    cr_expect(whole.good && whole.colour == GREEN && whole.part.count == 4);
    cr_expect(whole.named[0].count == 0 && whole.named[1].count == 6);
    cr_expect(whole.list_length == 2 && whole.list[0].count == 7 && whole.list[1].count == 8);
    expect_written(&whole, text);
    free(whole.list);
}

Test(json_table, empty_members_are_left_out)
{
    static const char text[] =
        "{\"format\":3,\"name\":\"\",\"good\":false,\"colour\":\"red\",\"list\":[]}";
    struct whole whole = {.left_out = NAN, .times = 1};
    expect_written(&whole, text);
    whole = (struct whole){.times = 1};
    cr_assert_eq(read_whole(text, &whole, NULL), NEREUS_OK);
    cr_expect(isnan(whole.left_out) && whole.size == 0 && whole.times == 1);
    free(whole.list);
}

/* A number below 0, which a reader refuses, is left out as one that is not finite. */
Test(json_table, negative_numbers_are_left_out)
{
    static const char text[] =
        "{\"format\":3,\"name\":\"a\",\"good\":false,\"colour\":\"red\",\"list\":[]}";
    expect_written(&(struct whole){.name = "a", .weight = -1, .left_out = -1, .times = 1}, text);
}

/* A text is cut between characters, and bytes that are no UTF-8 are replaced. */
Test(json_table, texts_are_written_as_utf8)
{
    struct whole whole = {.name = "ab\xff\xff\xff", .left_out = NAN, .times = 1};
    expect_written(&whole, "{\"format\":3,\"name\":\"ab\xef\xbf\xbd\",\"good\":false,"
                           "\"colour\":\"red\",\"list\":[]}");
}

Test(json_table, others_are_refused)
{
    static const struct {
        const char *members, *sentence;
    } rows[] = {
        {"", "file: name: this key is missing"},
        {",\"name\":\"a\",\"sise\":3", "file: sise: this key is not known; did you mean 'size'?"},
        {",\"name\":3", "file: name: is not a text"},
        {",\"name\":\"12345678\"", "file: name: is too long"},
        {",\"name\":\"a\",\"weight\":\"1\"", "file: weight: is not a number from 0 on"},
        {",\"name\":\"a\",\"weight\":-1", "file: weight: is not a number from 0 on"},
        {",\"name\":\"a\",\"size\":1", "file: size: is not a whole number from 2 to 5"},
        {",\"name\":\"a\",\"size\":6", "file: size: is not a whole number from 2 to 5"},
        {",\"name\":\"a\",\"size\":2.5", "file: size: is not a whole number from 2 to 5"},
        {",\"name\":\"a\",\"times\":0", "file: times: is not a whole number from 1 on"},
        {",\"name\":\"a\",\"good\":1", "file: good: is neither true nor false"},
        {",\"name\":\"a\",\"colour\":\"gren\"",
         "file: colour: 'gren' is not known; did you mean 'green'?"},
        {",\"name\":\"a\",\"colour\":\"x\"",
         "file: colour: 'x' is not known: it is none of red, green"},
        {",\"name\":\"a\",\"part\":[]", "file: part: is not a JSON object"},
        {",\"name\":\"a\",\"part\":{}", "file: part.count: this key is missing"},
        {",\"name\":\"a\",\"named\":{\"ther\":{}}",
         "file: named.ther: this key is not known; did you mean 'there'?"},
        {",\"name\":\"a\",\"named\":{\"there\":{\"count\":0}}",
         "file: named.there.count: is not a whole number from 1 to 9"},
        {",\"name\":\"a\",\"list\":{}", "file: list: is not a list"},
        {",\"name\":\"a\",\"list\":[{\"count\":1},{\"count\":10}]",
         "file: list[1].count: is not a whole number from 1 to 9"},
    };
    for (size_t i = 0; i < NEREUS_COUNT_OF(rows); i++) {
        char text[160];
        struct whole whole = {0};
        struct nereus_error err = {NEREUS_OK, ""};
        snprintf(text, sizeof text, "{\"format\":3%s}", rows[i].members);
        cr_expect_eq(read_whole(text, &whole, &err), NEREUS_ERR_PARSE, "%s", text);
        cr_expect_str_eq(err.text, rows[i].sentence);
        free(whole.list);
    }
}
