/**
 * @file text.h
 * Texts in buffers of a fixed length, and endings of names.
 */
#ifndef NEREUS_UTIL_TEXT_H
#define NEREUS_UTIL_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/**
 * Copy as much of a text as there is room for, in whole characters of UTF-8: a part of a character
 * would make a picture or a JSON document unreadable. What is no UTF-8 is cut anywhere.
 * @param[in]  value  NULL: as ""
 * @param[in]  bytes  of `text`, with the terminator; at least 1
 * @return text
 */
char *nereus_text_copy(const char *value, char *text, size_t bytes);

/**
 * Replace control characters of foreign text, in place: a terminal would execute them, and a line
 * break would split a line. Also those of ISO 6429 in UTF-8 (U+0080 to U+009F).
 * @return text
 */
char *nereus_text_plain(char *text, char instead);

/** Is it UTF-8 as RFC 3629 has it: no overlong forms, no surrogates? */
bool nereus_text_is_utf8(const char *text);

/** A copy in which each byte that is not UTF-8 is U+FFFD; to be freed. NULL: no memory. */
char *nereus_text_repair(const char *text);

/** Does the name of a file have this ending, as ".svg", in letters of either case? A name that is
 * nothing else has none. */
bool nereus_text_has_ending(const char *path, const char *ending);
/** The same of a file that is read, which may be gzipped: ".csv", ".csv.gz". */
bool nereus_text_is_named(const char *path, const char *ending);

/** Append to a text as far as there is room. */
void nereus_append(char *text, size_t bytes, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/** What a counted word ends in: "" of one, else "s". */
static inline const char *nereus_plural_s(int64_t count)
{
    return count == 1 ? "" : "s";
}

/** The word that goes with a count: nereus_agree(n, "is", "are"). */
static inline const char *nereus_agree(int64_t count, const char *one, const char *many)
{
    return count == 1 ? one : many;
}

/** Likewise "" or "es". */
static inline const char *nereus_plural_es(int64_t count)
{
    return count == 1 ? "" : "es";
}

#endif
