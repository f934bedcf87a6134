/**
 * @file text.c
 * Makes text for people: cut at whole UTF-8 characters, without control characters.
 */

#include "model/util/base.h"

char *nereus_text_copy(const char *value, char *text, size_t bytes)
{
    size_t length = value != NULL ? strlen(value) : 0;
    if (length >= bytes) {
        length = bytes - 1;
        while (length > 0 && ((unsigned char)value[length] & 0xc0) == 0x80)
            length--;
    }
    if (length > 0)
        memcpy(text, value, length);
    text[length] = '\0';
    return text;
}

char *nereus_text_replace_controls(char *text, char instead)
{
    for (char *c = text; *c != '\0'; c++) {
        const unsigned char first = (unsigned char)c[0], second = (unsigned char)c[1];
        if (first < ' ' || first == 0x7f)
            c[0] = instead;
        else if (first == 0xc2 && second >= 0x80 && second < 0xa0)
            c[0] = c[1] = instead;
    }
    return text;
}

/* Bytes of a character by its first byte; 0: no UTF-8. */
static size_t get_length(unsigned char first)
{
    if (first < 0x80)
        return 1;
    if ((first & 0xe0) == 0xc0)
        return 2;
    if ((first & 0xf0) == 0xe0)
        return 3;
    return (first & 0xf8) == 0xf0 ? 4 : 0;
}

/* Bytes of the first character; 0: no UTF-8. */
static size_t measure_character(const unsigned char *text)
{
    static const uint32_t min[] = {0, 0, 0x80, 0x800, 0x10000};
    const unsigned char first = text[0];
    const size_t length = get_length(first);
    uint32_t code = length == 1 ? first : first & (0x7fU >> length);
    for (size_t i = 1; i < length; i++) { /* the terminator ends this loop */
        if ((text[i] & 0xc0) != 0x80)
            return 0;
        code = code << 6 | (text[i] & 0x3fU);
    }
    const bool is_surrogate = code >= 0xd800 && code <= 0xdfff;
    return length == 0 || code < min[length] || is_surrogate || code > 0x10ffff ? 0 : length;
}

bool nereus_text_is_utf8(const char *text)
{
    size_t length = 1;
    for (; *text != '\0' && length > 0; text += length)
        length = measure_character((const unsigned char *)text);
    return length > 0;
}

char *nereus_text_repair(const char *text)
{
    static const char replacement[] = "\xef\xbf\xbd"; /* U+FFFD */
    char *repaired = malloc(strlen(text) * strlen(replacement) + 1), *to = repaired;
    while (repaired != NULL && *text != '\0') {
        const size_t length = measure_character((const unsigned char *)text);
        to =
            mempcpy(to, length > 0 ? text : replacement, length > 0 ? length : strlen(replacement));
        text += length > 0 ? length : 1;
    }
    if (repaired != NULL)
        *to = '\0';
    return repaired;
}

static bool has_ending(const char *path, size_t length, const char *ending)
{
    const size_t own = strlen(ending);
    if (length <= own || path[length - own - 1] == '/')
        return false;
    for (size_t i = 0; i < own; i++)
        if (nereus_lower(path[length - own + i]) != nereus_lower(ending[i]))
            return false;
    return true;
}

bool nereus_text_has_ending(const char *path, const char *ending)
{
    return has_ending(path, strlen(path), ending);
}

bool nereus_text_has_ending_or_gz(const char *path, const char *ending)
{
    const size_t length = strlen(path);
    return has_ending(path, length - (has_ending(path, length, ".gz") ? 3 : 0), ending);
}

void nereus_append(char *text, size_t bytes, const char *format, ...)
{
    const size_t used = strlen(text);
    va_list arguments;
    va_start(arguments, format);
    nereus_vsnprintf(text + used, bytes - used, format, arguments);
    va_end(arguments);
}

bool nereus_text_begins_with_word(const char *text, const char *word)
{
    while (*word != '\0' && nereus_lower(*text) == nereus_lower(*word)) {
        text++;
        word++;
    }
    return *word == '\0';
}

bool nereus_text_is_word(const char *text, const char *word)
{
    return strlen(text) == strlen(word) && nereus_text_begins_with_word(text, word);
}
