/** @file c_locale.c  Sets the locale C for one thread while a number is read or printed. */

#include <locale.h>

#include "model/util/base.h"

nereus_locale nereus_locale_begin(void)
{
    static locale_t c; /* not freed: all threads share it */
    locale_t known = __atomic_load_n(&c, __ATOMIC_ACQUIRE);
    if (known == (locale_t)0) {
        known = newlocale(LC_ALL_MASK, "C", (locale_t)0);
        __atomic_store_n(&c, known, __ATOMIC_RELEASE);
    }
    return (nereus_locale)uselocale(known);
}

void nereus_locale_end(nereus_locale old_locale)
{
    uselocale((locale_t)old_locale);
}

double nereus_strtod(const char *text, char **end)
{
    const char *zero = text + strspn(text, " \t\n\v\f\r");
    zero += *zero == '+' || *zero == '-' ? 1 : 0;
    double value = 0;
    if (zero[0] == '0' && nereus_lower(zero[1]) == 'x') {
        if (end != NULL)
            *end = (char *)(uintptr_t)(zero + 1);
        return value;
    }
    const nereus_locale old_locale = nereus_locale_begin();
    value = strtod(text, end);
    nereus_locale_end(old_locale);
    return value;
}

int nereus_sscanf(const char *text, const char *format, ...)
{
    va_list arguments;
    const nereus_locale old_locale = nereus_locale_begin();
    va_start(arguments, format);
    const int count = vsscanf(text, format, arguments);
    va_end(arguments);
    nereus_locale_end(old_locale);
    return count;
}

int nereus_vsnprintf(char *text, size_t size, const char *format, va_list arguments)
{
    const nereus_locale old_locale = nereus_locale_begin();
    const int length = vsnprintf(text, size, format, arguments);
    nereus_locale_end(old_locale);
    return length;
}

int nereus_snprintf(char *text, size_t size, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    const int length = nereus_vsnprintf(text, size, format, arguments);
    va_end(arguments);
    return length;
}

int nereus_fprintf(FILE *stream, const char *format, ...)
{
    va_list arguments;
    const nereus_locale old_locale = nereus_locale_begin();
    va_start(arguments, format);
    const int length = vfprintf(stream, format, arguments);
    va_end(arguments);
    nereus_locale_end(old_locale);
    return length;
}
