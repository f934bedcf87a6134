/** @file suggest.c  Nearest known word: optimal string alignment distance over three rows. */
#include "suggest.h"

#include <ctype.h>
#include <stdbool.h>
#include <string.h>

enum { ROW = NEREUS_SUGGEST_WORD_MAX + 1 };

static bool same_letter(char a, char b)
{
    return tolower((unsigned char)a) == tolower((unsigned char)b);
}

static size_t least(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* Row i of the table: distances of the first i letters of a to the first 0 .. b_length letters of b. */
static void fill_row(const char *a, size_t i, const char *b, size_t b_length, const size_t *before_last,
                     const size_t *last, size_t *row)
{
    row[0] = i;
    for (size_t j = 1; j <= b_length; j++) {
        size_t replaced = last[j - 1] + (same_letter(a[i - 1], b[j - 1]) ? 0 : 1);
        row[j] = least(replaced, least(last[j], row[j - 1]) + 1);
        if (i > 1 && j > 1 && same_letter(a[i - 1], b[j - 2]) && same_letter(a[i - 2], b[j - 1])) {
            row[j] = least(row[j], before_last[j - 2] + 1);
        }
    }
}

size_t nereus_edit_distance(const char *a, const char *b)
{
    size_t a_length = strnlen(a, ROW), b_length = strnlen(b, ROW);
    if (a_length > NEREUS_SUGGEST_WORD_MAX || b_length > NEREUS_SUGGEST_WORD_MAX) {
        return NEREUS_SUGGEST_WORD_MAX + 1;
    }
    size_t rows[3][ROW] = {{0}};
    for (size_t j = 0; j <= b_length; j++) {
        rows[0][j] = j;
    }
    for (size_t i = 1; i <= a_length; i++) {
        fill_row(a, i, b, b_length, rows[(i + 1) % 3], rows[(i + 2) % 3], rows[i % 3]);
    }
    return rows[a_length % 3][b_length];
}

const char *nereus_suggest(const char *word, const char *const *known, size_t count)
{
    if (word == NULL || word[0] == '\0') {
        return NULL;
    }
    size_t third = strlen(word) / 3;
    size_t nearest_distance = (third > 1 ? third : 1) + 1;
    const char *nearest = NULL;
    for (size_t i = 0; i < count; i++) {
        if (known[i] == NULL || known[i][0] == '\0') {
            continue;
        }
        size_t distance = nereus_edit_distance(word, known[i]);
        /* A word of which every letter would change was not meant (a single wrong letter is near everything).
         */
        if (distance < nearest_distance && distance < strlen(known[i])) {
            nearest_distance = distance;
            nearest = known[i];
        }
    }
    return nearest;
}
