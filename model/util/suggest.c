/** @file suggest.c  Finds the word of a list that is nearest to a misspelt word, by edit distance.
 */
#include "suggest.h"

enum { ROW = NEREUS_SUGGEST_WORD_MAX + 1 };

static bool is_same_letter(char a, char b)
{
    return nereus_lower(a) == nereus_lower(b);
}

/* Row i: distances of the first i letters of a to the first 0 .. b_length letters of b. */
static void fill_row(const char *a, int64_t i, const char *b, int64_t b_length,
                     int64_t rows[3][ROW])
{
    const int64_t *const before_last = rows[(i + 1) % 3], *const last = rows[(i + 2) % 3];
    int64_t *const row = rows[i % 3];
    row[0] = i;
    for (int64_t j = 1; j <= b_length; j++) {
        const int64_t replaced = last[j - 1] + (is_same_letter(a[i - 1], b[j - 1]) ? 0 : 1);
        row[j] = nereus_min(replaced, nereus_min(last[j], row[j - 1]) + 1);
        if (i > 1 && j > 1 && is_same_letter(a[i - 1], b[j - 2]) &&
            is_same_letter(a[i - 2], b[j - 1]))
            row[j] = nereus_min(row[j], before_last[j - 2] + 1);
    }
}

size_t nereus_edit_distance(const char *a, const char *b)
{
    const size_t a_length = strnlen(a, ROW), b_length = strnlen(b, ROW);
    if (a_length > NEREUS_SUGGEST_WORD_MAX || b_length > NEREUS_SUGGEST_WORD_MAX)
        return NEREUS_SUGGEST_WORD_MAX + 1;
    int64_t rows[3][ROW] = {{0}};
    for (size_t j = 0; j <= b_length; j++)
        rows[0][j] = (int64_t)j;
    for (size_t i = 1; i <= a_length; i++)
        fill_row(a, (int64_t)i, b, (int64_t)b_length, rows);
    return (size_t)rows[a_length % 3][b_length];
}

size_t nereus_word_index(const char *word, const char *const *known_words, size_t count)
{
    size_t i = 0;
    while (i < count && strcmp(word, known_words[i]) != 0)
        i++;
    return i;
}

const char *nereus_suggest(const char *word, const char *const *known_words, size_t count)
{
    if (word == NULL || word[0] == '\0')
        return NULL;
    const size_t third = strlen(word) / 3;
    size_t nearest_distance = (third > 1 ? third : 1) + 1;
    const char *nearest = NULL;
    for (size_t i = 0; i < count; i++) {
        if (known_words[i] == NULL || known_words[i][0] == '\0')
            continue;
        const size_t distance = nereus_edit_distance(word, known_words[i]);
        /* at least one letter must remain: a word of one letter is within one edit of every other
         */
        if (distance < nearest_distance && distance < strlen(known_words[i])) {
            nearest_distance = distance;
            nearest = known_words[i];
        }
    }
    return nearest;
}

const char *nereus_suggest_text(const char *word, const char *const *known_words, size_t count,
                                char text[NEREUS_SUGGEST_TEXT])
{
    const char *suggestion = nereus_suggest(word, known_words, count);
    text[0] = '\0';
    if (suggestion != NULL)
        snprintf(text, NEREUS_SUGGEST_TEXT, "; did you mean '%s'?", suggestion);
    return text;
}
