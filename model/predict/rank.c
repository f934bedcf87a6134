/**
 * @file rank.c
 * Ranks methods for a goal (goal.h), by unrounded figures, so that no decision depends on a
 * ceiling. Ranks are counted over pairs, which needs no memory.
 *
 * Figures are compared by 30 bits after the leading one: two ways to compute a sum differ only
 * after that, and the comparison is transitive, which a comparison with a tolerance is not.
 */

#include "model/util/base.h"
#include "nereus/goal.h"

/* Round to 30 of the 52 bits, so that figures that differ by rounding errors compare equal. NAN is
 * ordered last, because it would break transitivity. */
static double round_figure(double value)
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

static int compare_figures(double a, double b)
{
    return compare_rounded(round_figure(a), round_figure(b));
}

/* Does a precede b in the list? */
static bool is_before(int compared, const struct nereus_prediction *a,
                      const struct nereus_prediction *b)
{
    if (compared == 0)
        compared = nereus_robustness_compare(a, b, NULL);
    return compared <= 0;
}

void nereus_goal_read_quantities(const struct nereus_prediction *prediction,
                                 double values[NEREUS_QUANTITY_COUNT])
{
    values[NEREUS_QUANTITY_T_EX] = prediction->t_ex_expected_s;
    values[NEREUS_QUANTITY_RT] = prediction->wait_s;
    values[NEREUS_QUANTITY_NODE_HOURS] = prediction->node_s;
    values[NEREUS_QUANTITY_ENERGY] = prediction->energy_j;
}

void nereus_goal_extremes_add(const struct nereus_prediction *prediction,
                              struct nereus_goal_extremes *extremes)
{
    double values[NEREUS_QUANTITY_COUNT];
    const bool ends = !prediction->iterations_capped, replaces = ends && !extremes->any_ends;
    if (!ends && extremes->any_ends)
        return;
    extremes->any_ends = ends;
    nereus_goal_read_quantities(prediction, values);
    for (int q = 0; q < NEREUS_QUANTITY_COUNT; q++) {
        extremes->min[q] = fmin(replaces ? INFINITY : extremes->min[q], values[q]);
        extremes->max[q] = fmax(replaces ? 0 : extremes->max[q], values[q]);
    }
}

void nereus_goal_extremes_make(const struct nereus_prediction *predictions, int count,
                               struct nereus_goal_extremes *extremes)
{
    *extremes = (struct nereus_goal_extremes){.any_ends = false};
    for (int q = 0; q < NEREUS_QUANTITY_COUNT; q++)
        extremes->min[q] = INFINITY;
    for (int i = 0; i < count; i++)
        nereus_goal_extremes_add(&predictions[i], extremes);
}

double nereus_goal_score(const double weights[NEREUS_QUANTITY_COUNT],
                         const struct nereus_goal_extremes *extremes,
                         const double values[NEREUS_QUANTITY_COUNT])
{
    double score = 0;
    for (int q = 0; q < NEREUS_QUANTITY_COUNT; q++) {
        const double divisor = extremes->min[q] > 0 ? extremes->min[q] : extremes->max[q];
        score += weights[q] > 0 && divisor > 0 ? weights[q] * (values[q] / divisor) : 0;
    }
    return score;
}

double nereus_goal_figure_value(const struct nereus_goal_figure *figure,
                                const double values[NEREUS_QUANTITY_COUNT])
{
    return figure->weights == NULL ? values[figure->quantity]
                                   : nereus_goal_score(figure->weights, figure->extremes, values);
}

static void fill_scores(const struct nereus_ranking *ranking, struct nereus_prediction *p,
                        int count)
{
    struct nereus_goal_extremes extremes;
    double values[NEREUS_QUANTITY_COUNT];
    nereus_goal_extremes_make(p, count, &extremes);
    for (int i = 0; i < count; i++) {
        nereus_goal_read_quantities(&p[i], values);
        p[i].score = nereus_goal_score(ranking->weights, &extremes, values);
    }
}

struct ranked {
    double t_ex_s, wait_s;
    bool near; /* RT is within the threshold of the goal "system" */
    bool too_late;
};

static struct ranked make_ranked(const struct nereus_prediction *p, double limit_s)
{
    return (struct ranked){round_figure(p->t_ex_expected_s), round_figure(p->wait_s),
                           p->wait_s <= limit_s, p->iterations_capped};
}

static int compare_for_system(const struct ranked *a, const struct ranked *b)
{
    if (a->near != b->near)
        return a->near ? -1 : 1;
    return a->near ? compare_rounded(a->t_ex_s, b->t_ex_s) : compare_rounded(a->wait_s, b->wait_s);
}

/* Increase the rank of the worse method of a pair, for both goals. */
static void rank_pair(const struct ranked *a, const struct ranked *b, struct nereus_prediction *p,
                      struct nereus_prediction *q)
{
    int compared = compare_rounded(a->t_ex_s, b->t_ex_s), for_system = compare_for_system(a, b);
    if (a->too_late != b->too_late)
        compared = for_system = a->too_late ? 1 : -1;
    if (compared == 0 || for_system == 0) {
        const int robust = nereus_robustness_compare(p, q, NULL);
        compared = compared != 0 ? compared : robust;
        for_system = for_system != 0 ? for_system : robust;
    }
    (compared <= 0 ? q : p)->rank_application++;
    (for_system <= 0 ? q : p)->rank_system++;
}

static void rank_application_and_system(double limit_s, struct nereus_prediction *p, int count)
{
    for (int i = 0; i < count; i++)
        p[i].rank_application = p[i].rank_system = 1;
    for (int i = 0; i < count; i++) {
        const struct ranked a = make_ranked(&p[i], limit_s);
        for (int j = i + 1; j < count; j++) {
            const struct ranked b = make_ranked(&p[j], limit_s);
            rank_pair(&a, &b, &p[i], &p[j]);
        }
    }
}

static double get_ranked_figure(enum nereus_goal goal, const struct nereus_prediction *p)
{
    return goal == NEREUS_GOAL_NODE_HOURS ? p->node_s
           : goal == NEREUS_GOAL_ENERGY   ? p->energy_j
                                          : p->score;
}

static void rank_goal(enum nereus_goal goal, struct nereus_prediction *p, int count)
{
    for (int i = 0; i < count; i++)
        p[i].rank = 1;
    for (int i = 0; i < count; i++)
        for (int j = i + 1; j < count; j++) {
            const int compared =
                compare_figures(get_ranked_figure(goal, &p[i]), get_ranked_figure(goal, &p[j]));
            const bool first = p[i].iterations_capped != p[j].iterations_capped
                                   ? p[j].iterations_capped
                                   : is_before(compared, &p[i], &p[j]);
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
    return ranking->goal != NEREUS_GOAL_APPLICATION && ranking->goal != NEREUS_GOAL_SYSTEM;
}

/* Least wait of the methods that end before the last iteration; if there are none, of all methods.
 */
static double find_min_wait_s(const struct nereus_prediction *p, int count)
{
    double min_s = INFINITY, min_of_all_s = INFINITY;
    for (int i = 0; i < count; i++) {
        min_of_all_s = fmin(min_of_all_s, p[i].wait_s);
        if (!p[i].iterations_capped)
            min_s = fmin(min_s, p[i].wait_s);
    }
    return isinf(min_s) ? min_of_all_s : min_s;
}

void nereus_rank_by_goal(const struct nereus_ranking *ranking,
                         struct nereus_prediction *predictions, int count)
{
    const double min_s = find_min_wait_s(predictions, count);
    rank_application_and_system(min_s * (1 + ranking->system_threshold), predictions, count);
    if (!nereus_ranking_needs_nodes(ranking)) {
        copy_ranks(ranking->goal, predictions, count);
        return;
    }
    if (ranking->goal == NEREUS_GOAL_WEIGHTS)
        fill_scores(ranking, predictions, count);
    rank_goal(ranking->goal, predictions, count);
}

void nereus_rank_methods(struct nereus_prediction *predictions, int count)
{
    static const struct nereus_ranking paper = NEREUS_RANKING_INIT;
    nereus_rank_by_goal(&paper, predictions, count);
}
