/** @file values.c  Reads numbers with units, and prints them for people or to be read back. */
#include "values.h"

#include <ctype.h>
#include <inttypes.h>

struct unit {
    const char *name;
    double factor;
};

enum { KIBI = 1024, KILO = 1000 };

static const struct unit byte_units[] = {
    {"", 1},
    {"B", 1},
    {"K", KIBI},
    {"KiB", KIBI},
    {"KB", KILO},
    {"kB", KILO},
    {"M", (double)KIBI *KIBI},
    {"MiB", (double)KIBI *KIBI},
    {"MB", (double)KILO *KILO},
    {"G", (double)KIBI *KIBI *KIBI},
    {"GiB", (double)KIBI *KIBI *KIBI},
    {"GB", (double)KILO *KILO *KILO},
    {"T", (double)KIBI *KIBI *KIBI *KIBI},
    {"TiB", (double)KIBI *KIBI *KIBI *KIBI},
    {"TB", (double)KILO *KILO *KILO *KILO},
};

static const struct unit time_units[] = {
    {"", 1}, {"s", 1}, {"ms", 1e-3}, {"us", 1e-6}, {"min", 60}, {"m", 60}, {"h", 3600},
};

enum nereus_status nereus_value_parse_integer(const char *what, const char *text, int64_t min,
                                              int64_t *value, struct nereus_error *err)
{
    char *end = NULL;
    errno = 0;
    intmax_t number = strtoimax(text, &end, 10);
    if (text[0] == '\0' || isspace((unsigned char)text[0]) || *end != '\0') {
        return nereus_fail(err, NEREUS_ERR_PARSE,
                           "%s must be a whole number of at least %lld, not '%s'", what,
                           (long long)min, text);
    }
    if (errno == ERANGE || number > INT64_MAX)
        return nereus_fail(err, NEREUS_ERR_ARGUMENT, "%s is out of range: '%s'", what, text);
    if (number < min) {
        return nereus_fail(err, NEREUS_ERR_ARGUMENT, "%s must be at least %lld, not %s", what,
                           (long long)min, text);
    }
    *value = number;
    return NEREUS_OK;
}

/* @return the text after the number; NULL: no number */
static const char *parse_leading_number(const char *text, double *number)
{
    char *end = NULL;
    *number = nereus_strtod(text, &end);
    return end == text || isspace((unsigned char)text[0]) ? NULL : end;
}

/* Find the unit whose name, with `per` after it, is all of the text. */
static const struct unit *find_unit(const struct unit *units, size_t count, const char *per,
                                    const char *text)
{
    for (size_t i = 0; i < count; i++) {
        const size_t length = strlen(units[i].name);
        if (strncmp(text, units[i].name, length) == 0 && strcmp(text + length, per) == 0)
            return &units[i];
    }
    return NULL;
}

/* @param per  "/s" for a rate; "": none
 * @return NULL, or what is wrong */
static const char *parse_with_unit(const char *text, const struct unit *units, size_t count,
                                   const char *per, double *value)
{
    double number = 0;
    const char *rest = parse_leading_number(text, &number);
    if (rest == NULL)
        return "no number";
    const struct unit *unit = find_unit(units, count, per, rest);
    if (unit == NULL)
        return "unknown unit";
    *value = number * unit->factor;
    return isfinite(*value) ? NULL : "out of range";
}

enum nereus_status nereus_value_parse_number(const char *what, const char *text, double *value,
                                             struct nereus_error *err)
{
    static const struct unit none[] = {{"", 1}};
    double number = 0;
    if (parse_with_unit(text, none, 1, "", &number) != NULL) {
        return nereus_fail(err, NEREUS_ERR_PARSE, "%s must be a number of at least 0, not '%s'",
                           what, text);
    }
    if (number < 0)
        return nereus_fail(err, NEREUS_ERR_ARGUMENT, "%s must be at least 0, not %s", what, text);
    *value = number;
    return NEREUS_OK;
}

enum nereus_status nereus_value_parse_real_bytes(const char *what, const char *text, double *bytes,
                                                 struct nereus_error *err)
{
    double number = 0;
    if (parse_with_unit(text, byte_units, NEREUS_COUNT_OF(byte_units), "", &number) != NULL) {
        return nereus_fail(
            err, NEREUS_ERR_PARSE,
            "%s must be a number of bytes such as 4096, 64M, 64MiB or 64MB, not '%s'", what, text);
    }
    /* far above any memory, and safe in sums */
    if (number < 0 || number > 0x1p62) {
        return nereus_fail(err, NEREUS_ERR_ARGUMENT, "%s must be between 0 and 4 EiB, not %s", what,
                           text);
    }
    *bytes = number;
    return NEREUS_OK;
}

enum nereus_status nereus_value_parse_bytes(const char *what, const char *text, int64_t *bytes,
                                            struct nereus_error *err)
{
    double number = 0;
    NEREUS_TRY(nereus_value_parse_real_bytes(what, text, &number, err));
    if (number != floor(number)) {
        return nereus_fail(err, NEREUS_ERR_ARGUMENT, "%s must be a whole number of bytes, not %s",
                           what, text);
    }
    *bytes = (int64_t)number;
    return NEREUS_OK;
}

enum nereus_status nereus_value_parse_rate(const char *what, const char *text, double *bytes_per_s,
                                           struct nereus_error *err)
{
    static const struct unit bit_units[] = {{"Mbit", 1e6 / 8}, {"Gbit", 1e9 / 8}};
    double rate = 0;
    if (parse_with_unit(text, byte_units, NEREUS_COUNT_OF(byte_units), "/s", &rate) != NULL &&
        parse_with_unit(text, bit_units, NEREUS_COUNT_OF(bit_units), "/s", &rate) != NULL) {
        return nereus_fail(err, NEREUS_ERR_PARSE,
                           "%s must be bytes or bits a second, such as 12GB/s or 100Gbit/s, not "
                           "'%.160s'",
                           what, text);
    }
    if (rate < 1 || rate > 0x1p62) {
        return nereus_fail(err, NEREUS_ERR_ARGUMENT,
                           "%s must be between 1 B/s and 4 EiB/s, not '%.160s'", what, text);
    }
    *bytes_per_s = rate;
    return NEREUS_OK;
}

static enum nereus_status read_time(const char *what, const char *text, double *seconds,
                                    struct nereus_error *err)
{
    return parse_with_unit(text, time_units, NEREUS_COUNT_OF(time_units), "", seconds) == NULL
               ? NEREUS_OK
               : nereus_fail(err, NEREUS_ERR_PARSE,
                             "%s must be a time such as 0.1, 0.1s, 100ms, 250us, 5min or 2h, not "
                             "'%s'",
                             what, text);
}

enum nereus_status nereus_value_parse_seconds_or_0(const char *what, const char *text,
                                                   double *seconds, struct nereus_error *err)
{
    double number = 0;
    const enum nereus_status status = read_time(what, text, &number, err);
    if (status == NEREUS_OK && number < 0) {
        return nereus_fail(err, NEREUS_ERR_ARGUMENT, "%s must be a time of at least 0, not %s",
                           what, text);
    }
    *seconds = status == NEREUS_OK ? number : *seconds;
    return status;
}

enum nereus_status nereus_value_parse_seconds(const char *what, const char *text, double *seconds,
                                              struct nereus_error *err)
{
    double number = 0;
    const enum nereus_status status = read_time(what, text, &number, err);
    if (status == NEREUS_OK && number <= 0) {
        return nereus_fail(err, NEREUS_ERR_ARGUMENT, "%s must be a time above 0, not %s", what,
                           text);
    }
    *seconds = status == NEREUS_OK ? number : *seconds;
    return status;
}

char *nereus_format_bytes(double bytes, char *text)
{
    static const char *const names[] = {"B", "KiB", "MiB", "GiB", "TiB", "PiB"};
    size_t i = 0;
    while (bytes >= KIBI && i + 1 < NEREUS_COUNT_OF(names)) {
        bytes /= KIBI;
        i++;
    }
    nereus_snprintf(text, 32, "%.4g %s", bytes, names[i]);
    return text;
}

/* A limit is where the digits of the smaller unit would need an exponent. */
char *nereus_format_seconds(double seconds, char *text)
{
    double size = fabs(seconds);
    if (isnan(seconds))
        snprintf(text, 32, "-");
    else if (size > 0 && size < 999.5e-6)
        nereus_snprintf(text, 32, "%.3g us", seconds * 1e6);
    else if (size > 0 && size < 999.5e-3)
        nereus_snprintf(text, 32, "%.3g ms", seconds * 1e3);
    else if (size < 9999.5)
        nereus_snprintf(text, 32, "%.4g s", seconds);
    else
        nereus_snprintf(text, 32, "%.5g h", seconds / 3600);
    return text;
}

char *nereus_format_digits(double value, int digits, char *text)
{
    const bool is_long = fabs(value) >= pow(10, digits) - 0.5 && fabs(value) < 1e7;
    if (is_long)
        nereus_snprintf(text, 32, "%.0f", value);
    else
        nereus_snprintf(text, 32, "%.*g", digits, value);
    return text;
}

/* Scaled to a whole number and back. The whole number (below 2^53) and the power of ten (below
 * 10^22) are exact, so that their quotient is the value nearest to those digits. Scaling rounds,
 * which matters only to values about halfway between two whole numbers. */
double nereus_round_digits(double value, int digits)
{
    if (!isfinite(value) || value == trunc(value) || fabs(value) < 1e-7 || fabs(value) > 1e15)
        return value;
    const int shift = digits - 1 - (int)floor(log10(fabs(value)));
    const double power = pow(10, abs(shift));
    return shift < 0 ? rint(value / power) * power : rint(value * power) / power;
}

/* 15 digits of any decimal number survive, so 0.1 is "0.1"; 17 digits distinguish all values. */
char *nereus_format_real(double value, char *text)
{
    const bool is_integer = value == trunc(value) && fabs(value) < 0x1p53;
    nereus_snprintf(text, 32, is_integer ? "%.0f" : "%.15g", value);
    for (int digits = 16; digits <= 17 && nereus_strtod(text, NULL) != value; digits++)
        nereus_snprintf(text, 32, "%.*g", digits, value);
    return text;
}
