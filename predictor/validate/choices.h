/**
 * @file choices.h
 * What following the predictor would have cost: for each pair and goal, the method that it ranks first among those
 * that were measured, against the best measured one.
 *
 * System: the time that a change takes (RT). Application: T_ex of a run with iterations_before and iterations_after of the question,
 * put together from the measured RT and It (equation 7). Beside it the same of plain merge, and the noise floor: who chooses
 * by the medians of every second repeat is judged by the others, and the other way round.
 */
#ifndef NEREUS_CHOICES_H
#define NEREUS_CHOICES_H

#include "comparison.h"

enum nereus_choice_goal { NEREUS_CHOICE_SYSTEM, NEREUS_CHOICE_APPLICATION, NEREUS_CHOICE_GOALS };

/** One pair and goal. Regrets: chosen / best - 1, from medians; NAN where there is nothing to say. */
struct nereus_choice {
    int64_t ns, nt;
    bool oversubscribed; /**< the larger of them is more than the cores */
    enum nereus_choice_goal goal;
    int methods;                                   /**< that were measured and predicted */
    const struct nereus_comparison *chosen, *best; /**< the caller's */
    double regret, merge_regret, floor_regret;
};

/** Mean and most of the regrets of one load and goal. */
struct nereus_regret {
    double mean, most; /**< NAN without any */
    int pairs;
    int exact; /**< the best was chosen; -1: not counted */
};
struct nereus_regrets {
    struct nereus_regret predicted, merge, floor;
};

struct nereus_choices {
    struct nereus_choice *items; /**< owned; pairs with at least two methods */
    int count;
    struct nereus_regrets regrets[2][NEREUS_CHOICE_GOALS]; /**< within the cores, above them */
};

/** @param comparisons  those of a pair beside each other; must outlive the choices @return NEREUS_ERR_MEMORY */
enum nereus_status nereus_choices_make(const struct nereus_comparison *comparisons, int count,
                                       struct nereus_choices *choices, struct nereus_error *err);
void nereus_choices_fini(struct nereus_choices *choices);

/** Pair by pair, and what it comes to for each way to choose. */
void nereus_choices_table(const struct nereus_choices *choices, struct nereus_table *table);
void nereus_regrets_table(const struct nereus_choices *choices, struct nereus_table *table);

bool nereus_choices_print(const struct nereus_choices *choices, FILE *stream);

#endif
