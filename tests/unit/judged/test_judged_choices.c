/** @file test_judged_choices.c  A cell has at least one row and at most CHOICES_CELL_MAX. */
#include <criterion/criterion.h>
#include <string.h>

#include "model/util/arith.h"
#include "tests/judged/choices.h"

enum { ROWS_MAX = CHOICES_CELL_MAX + 1 };

/* A plain merge is guessed, which needs neither rows nor a profile. */
Test(judged_choices, bounds_of_a_cell)
{
    static const struct {
        int count;
        bool judged;
    } rows[] = {{0, false}, {1, true}, {CHOICES_CELL_MAX, true}, {ROWS_MAX, false}};
    static const struct nereus_sample sample = {
        .rt_s = 1, .t_iter_ns_s = 0.1, .t_iter_nt_s = 0.1, .method.process = NEREUS_MERGE};
    static const struct known known = {.iterations_after = CHOICES_AFTER_STRONG};
    const struct nereus_sample *cell[ROWS_MAX];
    for (int i = 0; i < ROWS_MAX; i++)
        cell[i] = &sample;
    for (size_t i = 0; i < NEREUS_COUNT_OF(rows); i++) {
        struct choice_scores scores;
        memset(&scores, 0, sizeof scores);
        cr_expect_eq(choices_judge(GUESS_MERGE, &known, cell, rows[i].count, &scores),
                     rows[i].judged, "%d rows", rows[i].count);
        cr_expect_eq(scores.regret_system.count, rows[i].judged ? 1 : 0, "%d rows", rows[i].count);
        choice_scores_fini(&scores);
    }
}
