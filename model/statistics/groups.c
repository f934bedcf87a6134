/**
 * @file groups.c
 * Finds sets of equivalent methods by the algorithm "insert and absorb" (Piepho (2004)): it starts
 * with one set of all methods; a pair that differs splits each set that has both; a set within
 * another one is dropped.
 */
#include "statistics.h"

/* Room for twice as many sets, as a split doubles them. */
struct sets {
    uint64_t items[2 * NEREUS_LETTERS_MAX];
    int count;
};

static void remove_subsets(struct sets *sets)
{
    int kept_count = 0;
    for (int i = 0; i < sets->count; i++) {
        bool within = false;
        for (int j = 0; j < sets->count && !within; j++) {
            const bool inside = (sets->items[i] & ~sets->items[j]) == 0;
            within = j != i && inside && (sets->items[i] != sets->items[j] || j < i);
        }
        if (!within)
            sets->items[kept_count++] = sets->items[i];
    }
    sets->count = kept_count;
}

static void split_sets(struct sets *sets, uint64_t a, uint64_t b)
{
    const int old_count = sets->count;
    for (int i = 0; i < old_count; i++) {
        if ((sets->items[i] & a) != 0 && (sets->items[i] & b) != 0) {
            sets->items[sets->count++] = sets->items[i] & ~a;
            sets->items[i] &= ~b;
        }
    }
    remove_subsets(sets);
}

static bool is_before(uint64_t a, uint64_t b)
{
    const uint64_t differing = a ^ b;
    return (a & differing & -differing) != 0;
}

static void sort_sets(struct sets *sets)
{
    for (int i = 1; i < sets->count; i++) {
        for (int j = i; j > 0 && is_before(sets->items[j], sets->items[j - 1]); j--) {
            const uint64_t moved = sets->items[j];
            sets->items[j] = sets->items[j - 1];
            sets->items[j - 1] = moved;
        }
    }
}

int nereus_equivalent_groups(const uint64_t *differ, int count, uint64_t *letters)
{
    struct sets sets = {.items = {count < 64 ? (UINT64_C(1) << count) - 1 : UINT64_MAX},
                        .count = 1};
    for (int i = 0; i < count; i++) {
        for (int j = i + 1; j < count; j++) {
            if ((differ[i] >> j & 1) != 0)
                split_sets(&sets, UINT64_C(1) << i, UINT64_C(1) << j);
            if (sets.count > NEREUS_LETTERS_MAX)
                return 0;
        }
    }
    sort_sets(&sets);
    for (int i = 0; i < count; i++) {
        letters[i] = 0;
        for (int s = 0; s < sets.count; s++)
            letters[i] |= (sets.items[s] >> i & 1) << s;
    }
    return sets.count;
}

char *nereus_letters_text(uint64_t letters, char text[NEREUS_LETTERS_TEXT_MAX])
{
    size_t length = 0;
    text[0] = '\0';
    for (int i = 0; i < NEREUS_LETTERS_MAX; i++) {
        if ((letters >> i & 1) != 0) {
            text[length++] = (char)('a' + i % 26);
            if (i >= 26)
                text[length++] = (char)('0' + i / 26);
            text[length] = '\0';
        }
    }
    return text;
}
