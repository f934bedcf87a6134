/**
 * @file suggest.h
 * Finds a word in a fixed list, or the word nearest to a misspelt one, which messages suggest.
 */
#pragma once

#include "model/util/base.h"

enum { NEREUS_SUGGEST_WORD_MAX = 64, NEREUS_SUGGEST_TEXT = NEREUS_SUGGEST_WORD_MAX + 24 };

/** @return index of a word; count: not in the list */
size_t nereus_word_index(const char *word, const char *const *known_words, size_t count);

/** Damerau-Levenshtein distance (optimal string alignment), ignoring case.
 * @return NEREUS_SUGGEST_WORD_MAX + 1 for longer words */
size_t nereus_edit_distance(const char *a, const char *b);

/** The first of the nearest known words, within max(1, length / 3) edits; NULL: none.
 * @param known_words  empty and NULL words are skipped */
const char *nereus_suggest(const char *word, const char *const *known_words, size_t count);

/** "; did you mean 'x'?", or "".
 * @return text */
const char *nereus_suggest_text(const char *word, const char *const *known_words, size_t count,
                                char text[NEREUS_SUGGEST_TEXT]);
