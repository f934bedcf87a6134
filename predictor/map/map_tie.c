/**
 * @file map_tie.c
 * Finds the ties of a map: methods whose quantities, by which the goal ranks, are within a
 * threshold of those of the best one.
 */

#include "map.h"
#include "map_cells.h"

/* Relative excess over the best value; 0 below it. */
static double compute_excess(double value, double best)
{
    return best > 0 ? fmax(value / best - 1, 0) : value > 0 ? INFINITY : 0;
}

/* Compute the largest relative distance of the quantities by which the goal ranks. */
static double compute_distance(enum nereus_goal goal,
                               const struct nereus_prediction *best_prediction,
                               const struct nereus_prediction *p)
{
    const double t_ex = compute_excess(p->t_ex_expected_s, best_prediction->t_ex_expected_s);
    switch (goal) {
    case NEREUS_GOAL_APPLICATION:
        return t_ex;
    case NEREUS_GOAL_SYSTEM:
        return fmax(t_ex, compute_excess(p->wait_s, best_prediction->wait_s));
    case NEREUS_GOAL_NODE_HOURS:
        return compute_excess(p->node_s, best_prediction->node_s);
    case NEREUS_GOAL_ENERGY:
        return compute_excess(p->energy_j, best_prediction->energy_j);
    case NEREUS_GOAL_WEIGHTS:
        return compute_excess(p->score, best_prediction->score);
    }
    return INFINITY;
}

void nereus_map_find_ties(const struct nereus_map *map, int goal,
                          const struct nereus_prediction *predictions, int count,
                          struct nereus_map_choice *choice)
{
    const struct nereus_prediction *best_prediction = choice->best_predictions[goal];
    double nearest = INFINITY;
    for (int i = 0; i < count; i++) {
        const struct nereus_prediction *p = &predictions[i];
        const double gap = compute_distance(map->goals[goal], best_prediction, p);
        if (gap > map->tie_percent / 100 ||
            p->iterations_capped != best_prediction->iterations_capped ||
            nereus_method_equal(&p->method, &best_prediction->method))
            continue;
        choice->ties[goal]++;
        if (gap < nearest) {
            nearest = gap;
            choice->tied_methods[goal] = p->method;
        }
    }
}

char *nereus_map_tie_text(const struct nereus_map *map, int goal, char text[NEREUS_TIE_TEXT_MAX])
{
    static const char *const figures[] = {
        [NEREUS_GOAL_APPLICATION] = "T_ex is",
        [NEREUS_GOAL_SYSTEM] = "RT (or CT) and T_ex are",
        [NEREUS_GOAL_NODE_HOURS] = "node-seconds are",
        [NEREUS_GOAL_ENERGY] = "energy is",
        [NEREUS_GOAL_WEIGHTS] = "weighted sum is",
    };
    snprintf(text, NEREUS_TIE_TEXT_MAX, "%s within %g %% of the best one's",
             figures[map->goals[goal]], map->tie_percent);
    return text;
}
