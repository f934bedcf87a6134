/** @file choices.c  Computes the regret of always using the method that the predictor ranks first.
 */
#include "choices.h"

#include "model/statistics/statistics.h"

/* Which repeats of a measurement are used. */
enum part { PART_ALL, PART_EVEN, PART_ODD };

/* The methods that were measured at one pair of sizes. */
struct candidates {
    const struct nereus_comparison **items;
    struct nereus_prediction *ranked; /* room for all methods */
    double *values;                   /* room for the repeats of one method */
    int count;
};

/* ---- measured values ---- */

static double compute_median(const struct candidates *candidates, int i, enum part part,
                             enum nereus_choice_goal goal)
{
    const struct nereus_comparison *comparison = candidates->items[i];
    int count = 0;
    for (int r = 0; r < comparison->successful_jobs; r++) {
        const struct nereus_live_run *run = &comparison->runs[r];
        if (part == PART_ALL || (r % 2 == 0) == (part == PART_EVEN)) {
            candidates->values[count++] = goal == NEREUS_CHOICE_SYSTEM
                                              ? run->rt_s
                                              : nereus_comparison_t_ex_s(comparison, run);
        }
    }
    return nereus_median(candidates->values, count);
}

static int find_best(const struct candidates *candidates, enum part part,
                     enum nereus_choice_goal goal)
{
    int best = 0;
    for (int i = 1; i < candidates->count; i++) {
        best =
            compute_median(candidates, i, part, goal) < compute_median(candidates, best, part, goal)
                ? i
                : best;
    }
    return best;
}

static double compute_regret(const struct candidates *candidates, int chosen, enum part part,
                             enum nereus_choice_goal goal)
{
    const double min = compute_median(candidates, find_best(candidates, part, goal), part, goal);
    return compute_median(candidates, chosen, part, goal) / min - 1;
}

/* ---- choices ---- */

static int find_first_ranked(struct candidates *candidates, enum nereus_choice_goal goal)
{
    nereus_rank_methods(candidates->ranked, candidates->count);
    for (int i = 0; i < candidates->count; i++) {
        const struct nereus_prediction *p = &candidates->ranked[i];
        if ((goal == NEREUS_CHOICE_SYSTEM ? p->rank_system : p->rank_application) == 1)
            return i;
    }
    return 0;
}

static int choose_predicted(struct candidates *candidates, enum nereus_choice_goal goal)
{
    for (int i = 0; i < candidates->count; i++)
        candidates->ranked[i] = candidates->items[i]->prediction;
    return find_first_ranked(candidates, goal);
}

/* Choose by the same rules, with measured values. */
static int choose_measured(struct candidates *candidates, enum part part,
                           enum nereus_choice_goal goal)
{
    for (int i = 0; i < candidates->count; i++) {
        struct nereus_prediction *p = &candidates->ranked[i];
        *p = candidates->items[i]->prediction;
        p->iterations_capped = false; /* the iterations ended, since RT was measured */
        p->wait_s = compute_median(candidates, i, part, NEREUS_CHOICE_SYSTEM);
        p->rt_s = (struct nereus_interval){p->wait_s, p->wait_s, p->wait_s};
        p->t_ex_s = p->t_ex_expected_s =
            compute_median(candidates, i, part, NEREUS_CHOICE_APPLICATION);
    }
    return find_first_ranked(candidates, goal);
}

static double compute_floor_regret(struct candidates *candidates, enum nereus_choice_goal goal)
{
    for (int i = 0; i < candidates->count; i++)
        if (candidates->items[i]->successful_jobs < 2)
            return NAN;
    const int by_even = choose_measured(candidates, PART_EVEN, goal);
    const int by_odd = choose_measured(candidates, PART_ODD, goal);
    return 0.5 * (compute_regret(candidates, by_even, PART_ODD, goal) +
                  compute_regret(candidates, by_odd, PART_EVEN, goal));
}

static bool is_plain_merge(const struct nereus_method *method)
{
    struct nereus_method plain;
    return nereus_method_parse("merge", &plain, NULL) == NEREUS_OK &&
           method->process == plain.process && method->strategy == plain.strategy &&
           method->async == plain.async && method->shrink == plain.shrink &&
           method->overlap == NEREUS_SYNC;
}

static double compute_merge_regret(const struct candidates *candidates,
                                   enum nereus_choice_goal goal)
{
    for (int i = 0; i < candidates->count; i++)
        if (is_plain_merge(&candidates->items[i]->method))
            return compute_regret(candidates, i, PART_ALL, goal);
    return NAN;
}

/* ---- all pairs ---- */

static void add_regret(struct nereus_regret *sum, double regret, int exact)
{
    if (isnan(regret))
        return;
    sum->mean += regret;
    sum->max = fmax(sum->max, regret);
    sum->exact_count += exact;
    sum->pairs++;
}

static void finish_regret(struct nereus_regret *sum)
{
    if (sum->pairs == 0)
        sum->max = NAN;
    sum->mean /= sum->pairs; /* NAN: no pair */
}

static void sum_up(struct nereus_choices *choices)
{
    for (int i = 0; i < choices->count; i++) {
        const struct nereus_choice *choice = &choices->items[i];
        struct nereus_regrets *regrets =
            &choices->regrets[choice->oversubscribed ? 1 : 0][choice->goal];
        add_regret(&regrets->predicted_choice, choice->regret,
                   choice->chosen_comparison == choice->best_comparison ? 1 : 0);
        add_regret(&regrets->merge, choice->merge_regret, choice->merge_regret <= 0 ? 1 : 0);
        add_regret(&regrets->floor, choice->floor_regret, 0);
    }
    for (int is_oversubscribed = 0; is_oversubscribed < 2; is_oversubscribed++) {
        for (int goal = 0; goal < NEREUS_CHOICE_GOALS; goal++) {
            struct nereus_regrets *regrets = &choices->regrets[is_oversubscribed][goal];
            finish_regret(&regrets->predicted_choice);
            finish_regret(&regrets->merge);
            finish_regret(&regrets->floor);
            regrets->floor.exact_count = -1; /* not counted: the floor chooses twice a pair */
        }
    }
}

static void add_choices(struct candidates *candidates, struct nereus_choices *choices)
{
    for (int g = 0; g < NEREUS_CHOICE_GOALS && candidates->count > 1; g++) {
        const enum nereus_choice_goal goal = (enum nereus_choice_goal)g;
        const struct nereus_comparison *any = candidates->items[0];
        const int chosen = choose_predicted(candidates, goal);
        choices->items[choices->count++] = (struct nereus_choice){
            .ns = any->ns,
            .nt = any->nt,
            .oversubscribed = any->pair_oversubscribed,
            .goal = goal,
            .methods = candidates->count,
            .chosen_comparison = candidates->items[chosen],
            .best_comparison = candidates->items[find_best(candidates, PART_ALL, goal)],
            .regret = compute_regret(candidates, chosen, PART_ALL, goal),
            .merge_regret = compute_merge_regret(candidates, goal),
            .floor_regret = compute_floor_regret(candidates, goal)};
    }
}

static void choose_all(const struct nereus_comparison *comparisons, int count,
                       struct candidates *candidates, struct nereus_choices *choices)
{
    for (int first = 0, next; first < count; first = next) {
        candidates->count = 0;
        for (next = first; next < count && comparisons[next].ns == comparisons[first].ns &&
                           comparisons[next].nt == comparisons[first].nt;
             next++)
            if (comparisons[next].successful_jobs > 0 && comparisons[next].predicted)
                candidates->items[candidates->count++] = &comparisons[next];
        add_choices(candidates, choices);
    }
}

static int find_max_runs(const struct nereus_comparison *comparisons, int count)
{
    int max = 1;
    for (int i = 0; i < count; i++)
        max = comparisons[i].successful_jobs > max ? comparisons[i].successful_jobs : max;
    return max;
}

enum nereus_status nereus_choices_make(const struct nereus_comparison *comparisons, int count,
                                       struct nereus_choices *choices, struct nereus_error *err)
{
    const size_t capacity = (size_t)count + 1;
    struct candidates candidates = {
        .items = calloc(capacity, sizeof *candidates.items),
        .ranked = calloc(capacity, sizeof *candidates.ranked),
        .values = calloc((size_t)find_max_runs(comparisons, count), sizeof *candidates.values)};
    memset(choices, 0, sizeof *choices);
    choices->items = calloc(NEREUS_CHOICE_GOALS * capacity, sizeof *choices->items);
    const bool complete = candidates.items != NULL && candidates.ranked != NULL &&
                          candidates.values != NULL && choices->items != NULL;
    if (complete) {
        choose_all(comparisons, count, &candidates, choices);
        sum_up(choices);
    } else {
        nereus_choices_fini(choices);
    }
    free(candidates.items);
    free(candidates.ranked);
    free(candidates.values);
    return complete ? NEREUS_OK
                    : nereus_fail(err, NEREUS_ERR_MEMORY,
                                  "no memory for the choices among %d methods", count);
}

void nereus_choices_fini(struct nereus_choices *choices)
{
    free(choices->items);
    choices->items = NULL;
    choices->count = 0;
}
