/** @file test_values.c  Values as people write them. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "model/util/arith.h"
#include "model/util/c_locale.h"
#include "model/util/values.h"
#include "tests/unit/random.h"

Test(values, bytes)
{
    static const struct {
        const char *text;
        int64_t bytes; /* -1: refused */
    } rows[] = {
        {"0", 0},
        {"4097", 4097},
        {"3K", 3072},
        {"3KiB", 3072},
        {"3KB", 3000},
        {"3kB", 3000},
        {"64M", 67108864},
        {"7MB", 7000000},
        {"1.5K", 1536},
        {"2GiB", 2147483648},
        {"3T", 3298534883328},
        {"1e6", 1000000},
        {"12B", 12},
        {"0.5K", 512},
        {"4e18", 4000000000000000000},
        {"", -1},
        {"M", -1},
        {"-1", -1},
        {"1.5", -1},
        {"3 K", -1},
        {" 3", -1},
        {"3k", -1},
        {"3KiBs", -1},
        {"0x10", -1},
        {"inf", -1},
        {"nan", -1},
        {"1e30", -1},
        {"1e999", -1},
        {"--3", -1},
        {"3..5", -1},
    };
    for (size_t i = 0; i < NEREUS_COUNT_OF(rows); i++) {
        struct nereus_error err = {.status = NEREUS_OK};
        int64_t bytes = -7;
        enum nereus_status status = nereus_value_parse_bytes("--bytes", rows[i].text, &bytes, &err);
        if (rows[i].bytes >= 0) {
            cr_expect(status == NEREUS_OK && bytes == rows[i].bytes, "'%s': %lld", rows[i].text,
                      (long long)bytes);
        } else {
            cr_expect(status != NEREUS_OK && bytes == -7, "'%s' was taken as %lld", rows[i].text,
                      (long long)bytes);
            cr_expect(strncmp(err.text, "--bytes must be", 15) == 0, "'%s': %s", rows[i].text,
                      err.text);
        }
    }
}

Test(values, seconds)
{
    static const struct {
        const char *text;
        double seconds; /* 0: refused */
    } rows[] = {
        {"0.25", 0.25}, {"3s", 3},    {"70ms", 0.07}, {"250us", 0.00025}, {"2min", 120},
        {"1.5m", 90},   {"2h", 7200}, {"3e-2", 0.03}, {".5", 0.5},        {"0", 0},
        {"-3", 0},      {"-0.0", 0},  {"", 0},        {"s", 0},           {"3 s", 0},
        {"3S", 0},      {"3d", 0},    {"nan", 0},     {"inf", 0},         {"0x3", 0},
        {"1e400", 0},   {"3ms4", 0},
    };
    for (size_t i = 0; i < NEREUS_COUNT_OF(rows); i++) {
        double seconds = -7;
        enum nereus_status status =
            nereus_value_parse_seconds("--limit", rows[i].text, &seconds, NULL);
        cr_expect((status == NEREUS_OK) == (rows[i].seconds > 0), "'%s': status %d", rows[i].text,
                  (int)status);
        cr_expect(status != NEREUS_OK || fabs(seconds / rows[i].seconds - 1) < 1e-14, "'%s': %g",
                  rows[i].text, seconds);
    }
}

/* Zero with any unit is a time, where 0 may be one. */
Test(values, times)
{
    static const struct {
        const char *text;
        double seconds; /* -1: refused */
    } rows[] = {{"0", 0}, {"0ms", 0}, {"0.0us", 0}, {"70ms", 0.07}, {"-1ms", -1}, {"ms", -1}};
    for (size_t i = 0; i < NEREUS_COUNT_OF(rows); i++) {
        double seconds = -7;
        const enum nereus_status status =
            nereus_value_parse_seconds_or_0("spawn", rows[i].text, &seconds, NULL);
        cr_expect((status == NEREUS_OK) == (rows[i].seconds >= 0), "'%s'", rows[i].text);
        cr_expect(status != NEREUS_OK || fabs(seconds - rows[i].seconds) < 1e-15, "'%s': %g",
                  rows[i].text, seconds);
    }
}

Test(values, rates)
{
    /* 61 zeros: the unit lies behind the 63rd character */
    static const char zeros[] = "0000000000000000000000000000000000000000000000000000000000000";
    static const struct {
        const char *before, *after; /* of the zeros; NULL: no zeros */
        double bytes_per_s;         /* -1: refused */
    } rows[] = {{"3GB/s", NULL, 3e9},       {"100Mbit/s", NULL, 12.5e6},
                {"1B/s", NULL, 1},          {"0.5B/s", NULL, -1},
                {"3GB", NULL, -1},          {"3GB/h", NULL, -1},
                {"2.", "7KiB/s", 2 * 1024}, {"1.", "GB/s", 1e9},
                {"1.", "GBs/s", -1},        {"/s", NULL, -1}};
    for (size_t i = 0; i < NEREUS_COUNT_OF(rows); i++) {
        char text[128];
        double rate = -7;
        snprintf(text, sizeof text, "%s%s%s", rows[i].before, rows[i].after != NULL ? zeros : "",
                 rows[i].after != NULL ? rows[i].after : "");
        const enum nereus_status status = nereus_value_parse_rate("bandwidth", text, &rate, NULL);
        cr_expect((status == NEREUS_OK) == (rows[i].bytes_per_s >= 0), "'%s'", text);
        cr_expect_float_eq(rate, status == NEREUS_OK ? rows[i].bytes_per_s : -7, 1e-9 * fabs(rate),
                           "'%s': %g", text, rate);
    }
}

Test(values, integers)
{
    static const struct {
        const char *text;
        int64_t min, value; /* -7: refused */
    } rows[] = {
        {"3", 1, 3},   {"0", 0, 0},   {"+5", 1, 5},  {"9223372036854775807", 1, INT64_MAX},
        {"0", 1, -7},  {"-2", 0, -7}, {"", 0, -7},   {"9223372036854775808", 1, -7},
        {"3x", 1, -7}, {" 3", 1, -7}, {"3 ", 1, -7}, {"0x3", 0, -7},
    };
    for (size_t i = 0; i < NEREUS_COUNT_OF(rows); i++) {
        int64_t value = -7;
        nereus_value_parse_integer("--ns", rows[i].text, rows[i].min, &value, NULL);
        cr_expect(value == rows[i].value, "'%s' from %lld: %lld", rows[i].text,
                  (long long)rows[i].min, (long long)value);
    }
}

Test(values, rounded_to_digits)
{
    static const struct {
        double value;
        int digits;
        const char *text;
    } rows[] = {{1.0 / 3, 9, "0.333333333"},
                {2.0 / 3 * 1e-6, 12, "6.66666666667e-07"},
                {-12345.6789012345, 9, "-12345.6789"},
                {123456789012345, 9, "123456789012345"},
                {99999999.99999, 9, "100000000"},
                {1e300 / 3, 9, "3.3333333333333335e+299"},
                {0, 9, "0"}};
    char text[32];
    for (size_t i = 0; i < NEREUS_COUNT_OF(rows); i++)
        cr_expect_str_eq(
            nereus_format_real(nereus_round_digits(rows[i].value, rows[i].digits), text),
            rows[i].text, "%s", text);
    cr_expect(isnan(nereus_round_digits(NAN, 9)));
}

Test(values, digits_for_people)
{
    static const struct {
        double value;
        int digits;
        const char *text;
    } rows[] = {{18000, 2, "18000"},          {17996.4, 2, "17996"},
                {12345.6, 4, "12346"},        {9999.6, 4, "10000"},
                {9999.4, 4, "9999"},          {999.6, 3, "1000"},
                {-21520.3, 4, "-21520"},      {1.5, 4, "1.5"},
                {0.000012345, 3, "1.23e-05"}, {9999999, 4, "9999999"},
                {16970000, 4, "1.697e+07"},   {1e300, 4, "1e+300"},
                {INFINITY, 4, "inf"},         {0, 4, "0"}};
    char text[32];
    for (size_t i = 0; i < NEREUS_COUNT_OF(rows); i++)
        cr_expect_str_eq(nereus_format_digits(rows[i].value, rows[i].digits, text), rows[i].text,
                         "%s", text);
}

Test(values, for_programs)
{
    static const struct {
        double value;
        const char *text;
    } rows[] = {
        {0.1, "0.1"},
        {-0.0, "-0"},
        {0.1 + 0.2, "0.30000000000000004"},
        {1764200000.123456, "1764200000.123456"}, /* a time in Unix seconds */
        {1e13 + 1, "10000000000001"},             /* bytes */
        {1e15, "1000000000000000"},
        {9007199254740991, "9007199254740991"}, /* 2^53 - 1 */
        {1e22, "1e+22"},
        {5e-324, "4.94065645841247e-324"},
        {1e-5, "1e-05"},
        {1.7976931348623157e308, "1.7976931348623157e+308"},
    };
    char text[32];
    for (size_t i = 0; i < NEREUS_COUNT_OF(rows); i++)
        cr_expect_str_eq(nereus_format_real(rows[i].value, text), rows[i].text, "%s: %s",
                         rows[i].text, text);
    for (int i = 0; i < 10000; i++) {
        const uint64_t bits = random_bits();
        double value;
        memcpy(&value, &bits, sizeof value);
        const double back = nereus_strtod(nereus_format_real(value, text), NULL);
        cr_expect(!isfinite(value) || memcmp(&back, &value, sizeof back) == 0, "%a: %s", value,
                  text);
    }
}

Test(values, for_people)
{
    char text[32];
    cr_expect_str_eq(nereus_format_bytes(67108864, text), "64 MiB");
    cr_expect_str_eq(nereus_format_bytes(1000, text), "1000 B");
    cr_expect_str_eq(nereus_format_bytes(1536, text), "1.5 KiB");
    cr_expect_str_eq(nereus_format_seconds(0.0123, text), "12.3 ms");
    cr_expect_str_eq(nereus_format_seconds(0.000045, text), "45 us");
    cr_expect_str_eq(nereus_format_seconds(7.25, text), "7.25 s");
    cr_expect_str_eq(nereus_format_seconds(0, text), "0 s");
    cr_expect_str_eq(nereus_format_seconds(0.9994, text), "999 ms");
    cr_expect_str_eq(nereus_format_seconds(0.9998, text), "0.9998 s");
    cr_expect_str_eq(nereus_format_seconds(0.0009994, text), "999 us");
    cr_expect_str_eq(nereus_format_seconds(0.0009999, text), "1 ms");
    cr_expect_str_eq(nereus_format_seconds(9999.4, text), "9999 s");
    cr_expect_str_eq(nereus_format_seconds(9999.6, text), "2.7777 h");
    cr_expect_str_eq(nereus_format_seconds(-86400, text), "-24 h");
}
