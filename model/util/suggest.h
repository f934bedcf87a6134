/**
 * @file suggest.h
 * Words out of a fixed list (tokens of methods, options, keys of INI and JSON files): where one
 * stands, and which known one a misspelt one was probably meant to be.
 */
#ifndef NEREUS_SUGGEST_H
#define NEREUS_SUGGEST_H

#include <stddef.h>

enum {
    NEREUS_SUGGEST_WORD_MAX = 64, /**< longer words are never compared (nor suggested) */
    NEREUS_SUGGEST_TEXT = NEREUS_SUGGEST_WORD_MAX + 24
};

/** The index of a word in a list; count: it is not in it. */
size_t nereus_word_index(const char *word, const char *const *known, size_t count);

/**
 * Edit distance without regard to case: letters to insert, delete, replace or swap with a neighbour
 * (Damerau-Levenshtein, optimal string alignment).
 * @return NEREUS_SUGGEST_WORD_MAX + 1 when a word is longer than NEREUS_SUGGEST_WORD_MAX
 */
size_t nereus_edit_distance(const char *a, const char *b);

/**
 * The nearest known word.
 * @param[in] word   as the user wrote it; may be NULL
 * @param[in] known  count words; empty and NULL ones are skipped
 * @return one of known (the first of equally near ones), or NULL when none is within max(1, length
 *    of word / 3) edits
 */
const char *nereus_suggest(const char *word, const char *const *known, size_t count);

/** "; did you mean 'x'?" with the nearest known word; "" where none is near. @return text */
const char *nereus_suggest_text(const char *word, const char *const *known, size_t count,
                                char text[NEREUS_SUGGEST_TEXT]);

#endif
