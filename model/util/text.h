/**
 * @file text.h
 * Handles texts in buffers of a fixed length: copies, appends, checks UTF-8, forms plurals.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/** Copy as much as fits, in whole characters of UTF-8.
 * @param value  NULL: ""
 * @return text */
char *nereus_text_copy(const char *value, char *text, size_t bytes);

/** Replace control characters of foreign text in place, also those of ISO 6429 in UTF-8 (U+0080 to
 * U+009F): a terminal would execute them, and a line break would split a line.
 * @return text */
char *nereus_text_replace_controls(char *text, char instead);

/** Is the text UTF-8 by RFC 3629, without overlong forms and surrogates? */
bool nereus_text_is_utf8(const char *text);

/** @return a copy with U+FFFD for each byte that is not UTF-8, which the caller frees */
char *nereus_text_repair(const char *text);

/** Does a path end with `ending`, such as ".svg" in letters of either case, after a name? */
bool nereus_text_has_ending(const char *path, const char *ending);
/** As nereus_text_has_ending, also with ".gz" after the ending. */
bool nereus_text_has_ending_or_gz(const char *path, const char *ending);

static inline bool nereus_text_begins_with(const char *text, const char *prefix)
{
    return strncmp(text, prefix, strlen(prefix)) == 0;
}

/** Does a text begin with a word, or is it the word, ignoring the case of ASCII letters? */
bool nereus_text_begins_with_word(const char *text, const char *word);
bool nereus_text_is_word(const char *text, const char *word);

/** Append as far as there is room. */
void nereus_append(char *text, size_t bytes, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/** Plural ending: "" for 1, else "s". */
static inline const char *nereus_plural_s(int64_t count)
{
    return count == 1 ? "" : "s";
}

/** Choose by number: nereus_choose_plural(n, "is", "are"). */
static inline const char *nereus_choose_plural(int64_t count, const char *one, const char *many)
{
    return count == 1 ? one : many;
}

static inline const char *nereus_plural_es(int64_t count)
{
    return count == 1 ? "" : "es";
}
