/**
 * @file choices.h
 * The choice of a method for each goal: from measured and from predicted times, by the same rule
 * (rank.c).
 */
#pragma once

#include "guess.h"
#include "scores.h"

struct choice_scores {
    struct scores regret_application,
        regret_system; /**< of T_ex; of RT (CT): beyond the best one's, as a share of it */
    struct scores wrong_application,
        wrong_system; /**< 0 where the best method is chosen, 1 where another one is */
};
void choice_scores_fini(struct choice_scores *scores);
void choice_scores_append(struct choice_scores *scores, const struct choice_scores *other);

/** Maximum number of rows of a cell. */
enum { CHOICES_CELL_MAX = 16 };

/**
 * Judge the choice in one cell: all methods that were measured between two sizes.
 * @param rows   the cell's rows, with their measured times
 * @param count  1 to CHOICES_CELL_MAX
 * @return false, and scores is unchanged: the cell has no row, or too many
 */
bool choices_judge(enum guesser guesser, const struct known *known,
                   const struct nereus_sample *const *rows, int count,
                   struct choice_scores *scores);

/** End the program with a sentence, as choices_judge did not judge a cell of `count` rows. */
void choices_refuse(int count);

/** Iterations after a reconfiguration in Martín-Álvarez et al. (2024a), section 4.2, by scaling. */
enum { CHOICES_AFTER_STRONG = 97, CHOICES_AFTER_WEAK = 27 };

/** T_ex by equation 7 there, with 3 iterations before. */
double choices_t_ex_s(const struct nereus_sample *row, double after, double rt_s, double ct_s,
                      double iterations);
