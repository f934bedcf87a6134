/**
 * @file c_locale.h
 * Reads and formats numbers with a decimal point, whatever locale the application has set by
 * setlocale(LC_ALL, ""). So %f, %g and %e of printf and scanf stand nowhere else in model/ and
 * src/, and strtod nowhere else at all, as it accepts 0x10 (tests/rooms).
 */
#pragma once

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/** As strtod (which reads only the 0 of 0x10) and sscanf, in the locale C. */
double nereus_strtod(const char *text, char **end);
int nereus_sscanf(const char *text, const char *format, ...) __attribute__((format(scanf, 2, 3)));

int nereus_snprintf(char *text, size_t size, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
int nereus_vsnprintf(char *text, size_t size, const char *format, va_list arguments)
    __attribute__((format(printf, 3, 0)));
int nereus_fprintf(FILE *stream, const char *format, ...) __attribute__((format(printf, 2, 3)));

/** ASCII letters only: isalpha and tolower depend on the locale. */
static inline bool nereus_is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}
static inline bool nereus_is_letter_or_digit(char c)
{
    return nereus_is_letter(c) || (c >= '0' && c <= '9');
}
static inline char nereus_lower(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

/** Around calls of a library that reads or prints numbers (jansson): nereus_locale before =
 * nereus_locale_begin(); ... nereus_locale_end(before); */
typedef void *nereus_locale;
/** Set the locale C for this thread.
 * @return its previous locale */
nereus_locale nereus_locale_begin(void);
void nereus_locale_end(nereus_locale old_locale);
