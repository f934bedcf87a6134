/**
 * @file choices.h
 * Computes the regret of following the predictor: for each pair and goal, the measured time of the
 * method that the predictor ranks first is compared with that of the best method.
 *
 * The goal "system" uses RT; the goal "application" uses T_ex (equation 7) from the measured RT and
 * It, with the iterations of the question. Two regrets serve as comparison: the regret of always
 * using plain merge, and the noise floor, the regret of a choice by the medians of every second
 * repeat, judged by the other repeats, averaged over both ways to split them.
 */
#pragma once

#include "comparison.h"

enum nereus_choice_goal { NEREUS_CHOICE_SYSTEM, NEREUS_CHOICE_APPLICATION, NEREUS_CHOICE_GOALS };

/** The choice at one pair with one goal. A regret is chosen / best - 1, from medians; NAN: unknown.
 */
struct nereus_choice {
    int64_t ns, nt;
    bool oversubscribed; /**< the larger size exceeds the cores */
    enum nereus_choice_goal goal;
    /** methods that are both measured and predicted */
    int methods;
    const struct nereus_comparison *chosen_comparison, *best_comparison; /**< owned by the caller */
    double regret, merge_regret, floor_regret;
};

/** Mean and maximum of the regrets of one goal, within the cores or oversubscribed. */
struct nereus_regret {
    double mean, max; /**< NAN: no pair */
    int pairs;
    int exact_count; /**< pairs for which the best was chosen; -1: not counted */
};
struct nereus_regrets {
    struct nereus_regret predicted_choice, merge, floor;
};

struct nereus_choices {
    struct nereus_choice *items; /**< owned; one per goal and pair with at least two methods */
    int count;
    /** [0] within the cores, [1] oversubscribed */
    struct nereus_regrets regrets[2][NEREUS_CHOICE_GOALS];
};

/**
 * @param comparisons  grouped by pair; must outlive the choices
 * @return NEREUS_ERR_MEMORY
 */
enum nereus_status nereus_choices_make(const struct nereus_comparison *comparisons, int count,
                                       struct nereus_choices *choices, struct nereus_error *err);
void nereus_choices_fini(struct nereus_choices *choices);
