/*
 * The ranking for the two goals.
 *
 * Application: least T_ex. System (spawning-methods 4.4): among the methods whose RT, of asynchronous ones
 * CT, is within 10 % of the least, the one with the least T_ex; the others follow by RT (CT). All from the
 * unrounded figures: a decision should not hang on a ceiling. Ranks are counted, pair by pair: a handful of
 * methods is all there is.
 */
#include <math.h>

#include "predict.h"

static const double within = 1.10; /* spawning-methods 4.4: "closer than 10 % of the faster method" */

static double least_wait_s(const struct nereus_prediction *p, int count)
{
    double least = INFINITY;
    for (int i = 0; i < count; i++)
        least = fmin(least, p[i].wait_s);
    return least;
}

static bool before_for_system(const struct nereus_prediction *a, const struct nereus_prediction *b,
                              double least_s)
{
    const bool a_near = a->wait_s <= least_s * within, b_near = b->wait_s <= least_s * within;
    if (a_near != b_near)
        return a_near;
    return a_near ? a->t_ex_expected_s < b->t_ex_expected_s : a->wait_s < b->wait_s;
}

void nereus_rank(struct nereus_prediction *p, int count)
{
    const double least_s = least_wait_s(p, count);
    for (int i = 0; i < count; i++) {
        p[i].rank_application = p[i].rank_system = 1;
        for (int j = 0; j < count; j++) {
            /* j comes first if it is better, or as good and given earlier. */
            const bool worse = p[i].t_ex_expected_s < p[j].t_ex_expected_s;
            const bool better = p[j].t_ex_expected_s < p[i].t_ex_expected_s;
            if (j != i && (better || (!worse && j < i)))
                p[i].rank_application++;
            const bool worse_system = before_for_system(&p[i], &p[j], least_s);
            const bool better_system = before_for_system(&p[j], &p[i], least_s);
            if (j != i && (better_system || (!worse_system && j < i)))
                p[i].rank_system++;
        }
    }
}
