/** @file test_output.c  The same rows in three formats. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

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
                            "\"a,\"\"b\"\"\",0.123456789,-9223372036854775808,1,\n"
                            "merge,,7,0,\n"},
        {NEREUS_FORMAT_JSON,
         "[\n  {\n    \"name\": \"a,\\\"b\\\"\",\n    \"rt_s\": 0.123456789,\n    \"n\": "
         "-9223372036854775808,\n    \"marked\": true,\n    \"unused\": null\n  },\n  {\n    "
         "\"name\": \"merge\",\n    \"rt_s\": null,\n    \"n\": 7,\n    \"marked\": false,\n    "
         "\"unused\": null\n  }\n]\n"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        bool printed;
        char *text = print(rows[i].format, &printed);
        cr_expect(printed);
        cr_expect_str_eq(text, rows[i].expected);
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
