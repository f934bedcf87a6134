/** @file test_suggest.c  Edit distance and the nearest known word. */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "model/util/arith.h"
#include "model/util/suggest.h"
#include "tests/unit/random.h"

Test(suggest, distances)
{
    static const struct {
        const char *a, *b;
        size_t distance;
        const char *why;
    } rows[] = {
        {"", "", 0, "nothing to do"},
        {"", "merge", 5, "all inserted"},
        {"merge", "merge", 0, "same"},
        {"MERGE", "merge", 0, "case does not count"},
        {"mege", "merge", 1, "inserted"},
        {"mergge", "merge", 1, "left out"},
        {"marge", "merge", 1, "replaced"},
        {"emrge", "merge", 1, "swapped at the start"},
        {"mereg", "merge", 1, "swapped at the end"},
        {"Emrge", "merge", 1, "swapped, with another case"},
        {"kitten", "sitting", 3, "Levenshtein's classic"},
        {"ca", "abc", 3, "optimal string alignment, not the unrestricted form (2)"},
        {"diffusive", "hypercube", 8, "only the last letter is the same"},
    };
    for (size_t i = 0; i < NEREUS_COUNT_OF(rows); i++) {
        size_t there = nereus_edit_distance(rows[i].a, rows[i].b);
        size_t back = nereus_edit_distance(rows[i].b, rows[i].a);
        cr_expect(there == rows[i].distance, "%s -> %s (%s): %zu, not %zu", rows[i].a, rows[i].b,
                  rows[i].why, there, rows[i].distance);
        cr_expect(there == back, "%s -> %s: not symmetric", rows[i].a, rows[i].b);
    }
}

/* The plain recursive definition, for words short enough. */
static size_t by_definition(const char *a, size_t m, const char *b, size_t n)
{
    if (m == 0 || n == 0)
        return m + n;
    size_t best = by_definition(a, m - 1, b, n - 1) + (a[m - 1] != b[n - 1]);
    size_t left_out = by_definition(a, m - 1, b, n) + 1;
    size_t inserted = by_definition(a, m, b, n - 1) + 1;
    best = left_out < best ? left_out : best;
    best = inserted < best ? inserted : best;
    if (m > 1 && n > 1 && a[m - 1] == b[n - 2] && a[m - 2] == b[n - 1]) {
        size_t swapped = by_definition(a, m - 2, b, n - 2) + 1;
        best = swapped < best ? swapped : best;
    }
    return best;
}

Test(suggest, distance_agrees_with_its_definition)
{
    for (int trial = 0; trial < 300; trial++) {
        char words[2][8] = {"", ""};
        size_t lengths[2];
        for (int w = 0; w < 2; w++) {
            lengths[w] = random_bits() % 7;
            for (size_t i = 0; i < lengths[w]; i++)
                words[w][i] = (char)('a' + random_below(3));
        }
        size_t expected = by_definition(words[0], lengths[0], words[1], lengths[1]);
        size_t got = nereus_edit_distance(words[0], words[1]);
        cr_assert(got == expected, "%s -> %s: %zu, not %zu", words[0], words[1], got, expected);
    }
}

Test(suggest, nearest_known_word)
{
    static const char *const known[] = {"",
                                        "iterations_before",
                                        "iterations_after",
                                        "bytes",
                                        NULL,
                                        "ns",
                                        "nt",
                                        "state",
                                        "rt_s",
                                        "n2",
                                        "c"};
    static const struct {
        const char *word, *expected;
    } rows[] = {
        {"bytse", "bytes"},
        {"BYTES", "bytes"},
        {"byte", "bytes"},
        {"iteration_befor", "iterations_before"},
        {"iterationsafter", "iterations_after"},
        {"stat", "state"},
        {"n", "ns"},         /* the first of equally near ones */
        {"x", NULL},         /* near everything, so near nothing */
        {"colour", NULL},    /* too far from all */
        {"status", "state"}, /* 6 / 3 = 2 edits */
        {"stake_", "state"},
        {"stakess", NULL}, /* 7 / 3 = 2 edits, one too few */
        {"stakkes", NULL}, /* 3 edits */
        {"", NULL},
        {NULL, NULL},
    };
    for (size_t i = 0; i < NEREUS_COUNT_OF(rows); i++) {
        const char *got = nereus_suggest(rows[i].word, known, NEREUS_COUNT_OF(known));
        const char *expected = rows[i].expected;
        cr_expect(expected == NULL ? got == NULL : got != NULL && strcmp(got, expected) == 0,
                  "%s: %s, not %s", rows[i].word != NULL ? rows[i].word : "NULL",
                  got != NULL ? got : "NULL", expected != NULL ? expected : "NULL");
    }
    cr_expect(nereus_suggest("bytes", NULL, 0) == NULL);
}

Test(suggest, words_that_are_too_long_are_left_alone)
{
    char word[NEREUS_SUGGEST_WORD_MAX + 3];
    memset(word, 'a', sizeof word);
    const char *const known[] = {word};
    word[NEREUS_SUGGEST_WORD_MAX] = '\0';
    cr_expect(nereus_suggest(word, known, 1) == word);
    word[NEREUS_SUGGEST_WORD_MAX] = 'a';
    word[NEREUS_SUGGEST_WORD_MAX + 1] = '\0';
    cr_expect(nereus_edit_distance(word, "a") == NEREUS_SUGGEST_WORD_MAX + 1);
    cr_expect(nereus_suggest(word, known, 1) == NULL);
}
