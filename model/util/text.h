/**
 * @file text.h
 * Texts in buffers of a fixed length.
 */
#ifndef NEREUS_UTIL_TEXT_H
#define NEREUS_UTIL_TEXT_H

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
