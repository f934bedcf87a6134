/**
 * @file suggest.h
 * The known word that a misspelt one was probably meant to be.
 *
 * Used wherever a person writes a word out of a fixed list: tokens of methods, options, keys of INI and JSON
 * files.
 */
#ifndef NEREUS_SUGGEST_H
#define NEREUS_SUGGEST_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Longer words are never compared (nor suggested). */
enum { NEREUS_SUGGEST_WORD_MAX = 64 };

/**
 * Letters to insert, leave out, replace or swap with a neighbour (Damerau-Levenshtein, optimal string
 * alignment) to make one word of the other, whatever their case.
 * @return the distance, or NEREUS_SUGGEST_WORD_MAX + 1 when a word is longer than NEREUS_SUGGEST_WORD_MAX
 */
size_t nereus_edit_distance(const char *a, const char *b);

/**
 * The nearest known word.
 * @param[in] word   as the user wrote it; may be NULL
 * @param[in] known  count words; empty and NULL ones are passed over
 * @return one of known (the first of equally near ones), or NULL when none is within max(1, length of word /
 * 3) edits
 */
const char *nereus_suggest(const char *word, const char *const *known, size_t count);

#ifdef __cplusplus
}
#endif
#endif
