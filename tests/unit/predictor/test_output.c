/** @file test_output.c  The same rows in three formats. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "model/util/arith.h"
#include "predictor/cli/output.h"

static const struct nereus_column columns[] = {{"name", "name", NULL},
                                               {"rt_s", "RT", "s"},
                                               {"n", "n", NULL},
                                               {"marked", "marked", NULL},
                                               {"unused", "unused", NULL}};

static char *print(enum nereus_format format, bool *printed)
{
    char *text = NULL;
    size_t bytes = 0;
    FILE *stream = open_memstream(&text, &bytes);
    struct nereus_table table;
    nereus_table_init(&table, columns, 5);
    const struct nereus_cell first[] = {
        nereus_cell_text("a,\"b\""), nereus_cell_real(0.123456789012),
        nereus_cell_integer(INT64_MIN), nereus_cell_bool(true), nereus_cell_empty()};
    const struct nereus_cell second[] = {nereus_cell_text("merge"), nereus_cell_real(NAN),
                                         nereus_cell_integer(7), nereus_cell_bool(false),
                                         nereus_cell_text(NULL)};
    nereus_table_add(&table, first);
    nereus_table_add(&table, second);
    *printed = nereus_table_print(&table, format, stream);
    nereus_table_fini(&table);
    fclose(stream);
    return text;
}

Test(output, formats)
{
    static const struct {
        enum nereus_format format;
        const char *expected;
    } rows[] = {
        {NEREUS_FORMAT_TEXT, "name   RT [s]                     n  marked\n"
                             "a,\"b\"  0.1235  -9223372036854775808  yes\n"
                             "merge       -                     7  no\n"},
        {NEREUS_FORMAT_CSV, "name,rt_s,n,marked,unused\n"
                            "\"a,\"\"b\"\"\",0.123456789012,-9223372036854775808,1,\n"
                            "merge,,7,0,\n"},
        {NEREUS_FORMAT_JSON,
         "[\n  {\n    \"name\": \"a,\\\"b\\\"\",\n    \"rt_s\": 0.123456789012,\n    \"n\": "
         "-9223372036854775808,\n    \"marked\": true,\n    \"unused\": null\n  },\n  {\n    "
         "\"name\": \"merge\",\n    \"rt_s\": null,\n    \"n\": 7,\n    \"marked\": false,\n    "
         "\"unused\": null\n  }\n]\n"},
    };
    for (size_t i = 0; i < NEREUS_COUNT_OF(rows); i++) {
        bool printed;
        char *text = print(rows[i].format, &printed);
        cr_expect(printed);
        cr_expect_str_eq(text, rows[i].expected);
        free(text);
    }
}

/* What a terminal would obey is replaced for people, and exact for programs. */
Test(output, a_terminal_obeys_no_cell)
{
    static const struct {
        enum nereus_format format;
        const char *expected;
    } rows[] = {{NEREUS_FORMAT_TEXT, "name\nx?[2J?y\n"},
                {NEREUS_FORMAT_CSV, "name\n\"x\033[2J\ny\"\n"},
                {NEREUS_FORMAT_JSON, "[\n  {\n    \"name\": \"x\\u001B[2J\\ny\"\n  }\n]\n"}};
    for (size_t i = 0; i < NEREUS_COUNT_OF(rows); i++) {
        const struct nereus_cell row[] = {nereus_cell_text("x\033[2J\ny")};
        char *text = NULL;
        size_t bytes = 0;
        FILE *stream = open_memstream(&text, &bytes);
        struct nereus_table table;
        nereus_table_init(&table, columns, 1);
        nereus_table_add(&table, row);
        cr_expect(nereus_table_print(&table, rows[i].format, stream));
        nereus_table_fini(&table);
        fclose(stream);
        cr_expect_str_eq(text, rows[i].expected, "row %zu: %s", i, text);
        free(text);
    }
}

Test(output, a_stream_that_is_full_is_noticed)
{
    const struct nereus_cell row[] = {nereus_cell_text("x"), nereus_cell_real(1.5),
                                      nereus_cell_integer(3), nereus_cell_bool(true),
                                      nereus_cell_empty()};
    for (int format = NEREUS_FORMAT_TEXT; format <= NEREUS_FORMAT_JSON; format++) {
        FILE *full = fopen("/dev/full", "w");
        setvbuf(full, NULL, _IONBF, 0);
        struct nereus_table table;
        nereus_table_init(&table, columns, 5);
        nereus_table_add(&table, row);
        cr_expect_not(nereus_table_print(&table, (enum nereus_format)format, full), "format %d",
                      format);
        nereus_table_fini(&table);
        fclose(full);
    }
}

/* The text of a wrapped paragraph, for the caller to free. */
static char *wrapped(int indent, const char *text)
{
    char *out = NULL;
    size_t bytes = 0;
    FILE *stream = open_memstream(&out, &bytes);
    nereus_print_wrapped(stream, indent, "%s", text);
    fclose(stream);
    return out;
}

Test(output, paragraphs_are_wrapped)
{
    char text[400] = "", expected[420];
    for (int i = 0; i < 30; i++)
        strcat(text, i == 0 ? "nine-char" : " nine-char"); /* 10 a line end at column 99 */
    snprintf(expected, sizeof expected, "%.99s\n  %.89s\n  %.89s\n  %s\n", text, text + 100,
             text + 190, text + 280);
    char *out = wrapped(2, text);
    cr_expect_str_eq(out, expected);
    free(out);
    const struct {
        const char *text, *expected;
    } rows[] = {{"a b", "a b\n"}, {"", "\n"}, {"a", "a\n"}, {"  a", "  a\n"}};
    for (size_t i = 0; i < NEREUS_COUNT_OF(rows); i++) {
        out = wrapped(2, rows[i].text);
        cr_expect_str_eq(out, rows[i].expected, "'%s'", out);
        free(out);
    }
}

/* A column without a key is for people alone, one without a title for programs alone. */
Test(output, columns_of_one_format)
{
    static const struct nereus_column three[] = {
        {NULL, "RT", "ms"}, {"rt_s", NULL, NULL}, {"n", "n", NULL}};
    static const char *const expected[] = {"RT [ms]  n\n   12.5  7\n", "rt_s,n\n0.0125,7\n",
                                           "[\n  {\n    \"rt_s\": 0.0125,\n    \"n\": 7\n  }\n]\n"};
    for (int format = NEREUS_FORMAT_TEXT; format <= NEREUS_FORMAT_JSON; format++) {
        char *text = NULL;
        size_t bytes = 0;
        FILE *stream = open_memstream(&text, &bytes);
        struct nereus_table table;
        nereus_table_init(&table, three, 3);
        nereus_table_add(&table, (const struct nereus_cell[]){nereus_cell_real(12.5),
                                                              nereus_cell_real(0.0125),
                                                              nereus_cell_integer(7)});
        cr_expect(nereus_table_shows(&table, "n") && !nereus_table_shows(&table, "rt_s"));
        cr_expect(nereus_table_print(&table, (enum nereus_format)format, stream));
        fclose(stream);
        cr_expect_str_eq(text, expected[format], "'%s'", text);
        free(text);
    }
}

/* Columns go in the order given, and only as many as needed. */
Test(output, tables_are_narrowed)
{
    static const struct nereus_column four[] = {
        {"a", "a", NULL}, {"b", "b", NULL}, {"c", "c", NULL}, {"d", "d", NULL}};
    static const char *const first[] = {"c", "nothing", NULL}, *const next[] = {"a", "b", NULL};
    static const struct {
        int widths[4], left_out;
        const char *names;
    } rows[] = {{{10, 10, 10, 10}, 0, ""},        {{24, 24, 23, 23}, 0, ""},
                {{24, 24, 24, 23}, 1, "c"},       {{60, 30, 30, 30}, 2, "c, a"},
                {{20, 99, 20, 99}, 3, "c, a, b"}, {{1, 1, 1, 120}, 3, "c, a, b"}};
    for (size_t i = 0; i < NEREUS_COUNT_OF(rows); i++) {
        char texts[4][130];
        struct nereus_table table;
        struct nereus_cell cells[4];
        nereus_table_init(&table, four, 4);
        for (int c = 0; c < 4; c++) {
            memset(texts[c], 'x', sizeof texts[c]);
            texts[c][rows[i].widths[c]] = '\0';
            cells[c] = nereus_cell_text(texts[c]);
        }
        nereus_table_add(&table, cells);
        const int left_out = nereus_table_narrow(&table, first);
        cr_expect_eq(left_out + nereus_table_narrow(&table, next), rows[i].left_out, "row %zu", i);
        cr_expect_str_eq(table.left_out, rows[i].names, "row %zu", i);
        nereus_table_fini(&table);
    }
}
