/*
 * The ranking for a goal.
 *
 * Application: least T_ex. System (spawning-methods 4.4): among the methods whose RT, of asynchronous ones
 * CT, is within 10 % of the least, the one with the least T_ex; the others follow by RT (CT). Node-hours: least node-seconds.
 * Weights: least weighted sum of quantities over their least. All from the unrounded figures: a decision should not hang on a
 * ceiling. Ranks are counted, each pair once: a handful of methods is all there is, and nothing is allocated.
 *
 * Figures are compared by their first 30 bits after the leading one. Two ways to the same sum differ behind that, and
 * unlike a tolerance it cannot make a circle of three. What is then equal is ordered by robustness, and else stays as given.
 *
 * What would end only after the last iteration resizes nothing, whatever it costs: it comes behind all that ends.
 */
#include <math.h>
#include <string.h>

#include "nereus/goal.h"

/* To 30 bits: 1e-9. What is no number comes last, as it would make circles. */
static double rounded(double value)
{
    enum { DROPPED = 22 };
    uint64_t bits;
    if (isnan(value))
        return INFINITY;
    memcpy(&bits, &value, sizeof bits);
    bits = (bits + (UINT64_C(1) << (DROPPED - 1))) >> DROPPED << DROPPED;
    memcpy(&value, &bits, sizeof bits);
    return value;
}

static int compare_rounded(double a, double b)
{
    return (a > b) - (a < b);
}

static int compare(double a, double b)
{
    return compare_rounded(rounded(a), rounded(b));
}

/* Only what is equal is asked for its robustness. a was given earlier. */
static bool a_is_first(int compared, const struct nereus_prediction *a, const struct nereus_prediction *b)
{
    if (compared == 0)
        compared = nereus_robustness_compare(a, b, NULL);
    return compared <= 0;
}

void nereus_goal_quantities(const struct nereus_prediction *prediction, double values[NEREUS_QUANTITY_COUNT])
{
    values[NEREUS_QUANTITY_T_EX] = prediction->t_ex_expected_s;
    values[NEREUS_QUANTITY_RT] = prediction->wait_s;
    values[NEREUS_QUANTITY_NODE_HOURS] = prediction->node_s;
}

/* Does anything end with a resize? */
static bool any_ends(const struct nereus_prediction *predictions, int count)
{
    for (int i = 0; i < count; i++)
        if (!predictions[i].iterations_capped)
            return true;
    return false;
}

void nereus_goal_extremes_of(const struct nereus_prediction *predictions, int count,
                             struct nereus_goal_extremes *extremes)
{
    double values[NEREUS_QUANTITY_COUNT];
    const bool ends = any_ends(predictions, count);
    for (int q = 0; q < NEREUS_QUANTITY_COUNT; q++) {
        extremes->least[q] = INFINITY;
        extremes->most[q] = 0;
    }
    for (int i = 0; i < count; i++) {
        if (ends && predictions[i].iterations_capped)
            continue; /* cheap for resizing nothing: no measure for what does */
        nereus_goal_quantities(&predictions[i], values);
        for (int q = 0; q < NEREUS_QUANTITY_COUNT; q++) {
            extremes->least[q] = fmin(extremes->least[q], values[q]);
            extremes->most[q] = fmax(extremes->most[q], values[q]);
        }
    }
}

double nereus_goal_score(const double weights[NEREUS_QUANTITY_COUNT],
                         const struct nereus_goal_extremes *extremes,
                         const double values[NEREUS_QUANTITY_COUNT])
{
    double score = 0;
    for (int q = 0; q < NEREUS_QUANTITY_COUNT; q++) {
        const double divisor = extremes->least[q] > 0 ? extremes->least[q] : extremes->most[q];
        score += weights[q] > 0 && divisor > 0 ? weights[q] * (values[q] / divisor) : 0;
    }
    return score;
}

static void fill_scores(const struct nereus_ranking *ranking, struct nereus_prediction *p, int count)
{
    struct nereus_goal_extremes extremes;
    double values[NEREUS_QUANTITY_COUNT];
    nereus_goal_extremes_of(p, count, &extremes);
    for (int i = 0; i < count; i++) {
        nereus_goal_quantities(&p[i], values);
        p[i].score = nereus_goal_score(ranking->weights, &extremes, values);
    }
}

/* What both ranks look at, rounded once. */
struct ranked {
    double t_ex_s, wait_s;
    bool near; /* wait_s within the limit of the system's goal */
    bool late; /* ends after the last iteration */
};

static struct ranked ranked_of(const struct nereus_prediction *p, double limit_s)
{
    return (struct ranked){rounded(p->t_ex_expected_s), rounded(p->wait_s), p->wait_s <= limit_s,
                           p->iterations_capped};
}

static int compare_for_system(const struct ranked *a, const struct ranked *b)
{
    if (a->near != b->near)
        return a->near ? -1 : 1;
    return a->near ? compare_rounded(a->t_ex_s, b->t_ex_s) : compare_rounded(a->wait_s, b->wait_s);
}

/* One pair: it is behind in one way or the other, by each goal. The robustness is asked for once. */
static void rank_pair(const struct ranked *a, const struct ranked *b, struct nereus_prediction *p,
                      struct nereus_prediction *q)
{
    int compared = compare_rounded(a->t_ex_s, b->t_ex_s), for_system = compare_for_system(a, b);
    if (a->late != b->late)
        compared = for_system = a->late ? 1 : -1;
    if (compared == 0 || for_system == 0) {
        const int robust = nereus_robustness_compare(p, q, NULL);
        compared = compared != 0 ? compared : robust;
        for_system = for_system != 0 ? for_system : robust;
    }
    (compared <= 0 ? q : p)->rank_application++;
    (for_system <= 0 ? q : p)->rank_system++;
}

/* Each of two is behind the other in one way: count it there. */
static void rank_both(double limit_s, struct nereus_prediction *p, int count)
{
    for (int i = 0; i < count; i++)
        p[i].rank_application = p[i].rank_system = 1;
    /* Rounded once; of more methods than there are in any profile, those beyond as often as they are asked for. */
    enum { ROUNDED_MAX = 64 };
    struct ranked known[ROUNDED_MAX];
    for (int i = 0; i < count && i < ROUNDED_MAX; i++)
        known[i] = ranked_of(&p[i], limit_s);
    for (int i = 0; i < count; i++) {
        const struct ranked a = i < ROUNDED_MAX ? known[i] : ranked_of(&p[i], limit_s);
        for (int j = i + 1; j < count; j++) {
            const struct ranked b = j < ROUNDED_MAX ? known[j] : ranked_of(&p[j], limit_s);
            rank_pair(&a, &b, &p[i], &p[j]);
        }
    }
}

static void rank_goal(bool node_hours, struct nereus_prediction *p, int count)
{
    for (int i = 0; i < count; i++)
        p[i].rank = 1;
    for (int i = 0; i < count; i++)
        for (int j = i + 1; j < count; j++) {
            const int compared =
                node_hours ? compare(p[i].node_s, p[j].node_s) : compare(p[i].score, p[j].score);
            const bool first = p[i].iterations_capped != p[j].iterations_capped
                                   ? p[j].iterations_capped
                                   : a_is_first(compared, &p[i], &p[j]);
            (first ? &p[j] : &p[i])->rank++;
        }
}

static void copy_ranks(enum nereus_goal goal, struct nereus_prediction *p, int count)
{
    for (int i = 0; i < count; i++)
        p[i].rank = goal == NEREUS_GOAL_APPLICATION ? p[i].rank_application : p[i].rank_system;
}

bool nereus_ranking_needs_nodes(const struct nereus_ranking *ranking)
{
    return ranking->goal == NEREUS_GOAL_NODE_HOURS || ranking->goal == NEREUS_GOAL_WEIGHTS;
}

/* The least wait that ends with a resize; where none does, of all. */
static double least_wait_s(const struct nereus_prediction *p, int count)
{
    double least_s = INFINITY, least_of_all_s = INFINITY;
    for (int i = 0; i < count; i++) {
        least_of_all_s = fmin(least_of_all_s, p[i].wait_s);
        if (!p[i].iterations_capped)
            least_s = fmin(least_s, p[i].wait_s);
    }
    return isinf(least_s) ? least_of_all_s : least_s;
}

void nereus_rank_for(const struct nereus_ranking *ranking, struct nereus_prediction *p, int count)
{
    const double least_s = least_wait_s(p, count);
    rank_both(least_s * (1 + ranking->system_threshold), p, count);
    if (ranking->goal == NEREUS_GOAL_APPLICATION || ranking->goal == NEREUS_GOAL_SYSTEM) {
        copy_ranks(ranking->goal, p, count);
        return;
    }
    if (ranking->goal == NEREUS_GOAL_WEIGHTS)
        fill_scores(ranking, p, count);
    rank_goal(ranking->goal == NEREUS_GOAL_NODE_HOURS, p, count);
}

void nereus_rank_methods(struct nereus_prediction *p, int count)
{
    static const struct nereus_ranking paper = NEREUS_RANKING_INIT; /* "closer than 10 % of the faster" */
    nereus_rank_for(&paper, p, count);
}
