/**
 * @file groups.h
 * Sets of equivalent methods as letters: two methods share a letter if and only if they do not
 * differ (Piepho (2004)).
 */
#ifndef NEREUS_MODEL_STATISTICS_GROUPS_H
#define NEREUS_MODEL_STATISTICS_GROUPS_H

#include <stdbool.h>
#include <stdint.h>

enum { NEREUS_LETTERS_MAX = 64, NEREUS_LETTERS_TEXT_MAX = 160 };

/** Find the largest sets of methods of which no two differ.
 * @param differ  indexed by method: set of methods that differ from this one
 * @param count  at most 64.
 * @param[out] letters  indexed by method: set of letters; the first method has letter 0
 * @return number of letters; 0: more than NEREUS_LETTERS_MAX */
int nereus_equivalent_groups(const uint64_t *differ, int count, uint64_t *letters);

/** Print letters: "a", "ab"; from the 27th letter on "a1".
 * @return text */
char *nereus_letters_text(uint64_t letters, char text[NEREUS_LETTERS_TEXT_MAX]);

#endif
