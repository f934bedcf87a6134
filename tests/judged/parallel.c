/*
 * The second cluster (parallel-spawning 5.2, nodes of 112 cores): fitted to the pairs that need at
 * most 8 nodes, those with 16 are predicted.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bound.h"
#include "choices.h"
#include "judge.h"
#include "rows.h"

enum { CELL_MAX = 16, METHODS_MAX = 16, LARGEST = 8 * 112 };

struct outcome {
    struct scores rt, method[METHODS_MAX];
    char names[METHODS_MAX][NEREUS_METHOD_TEXT_MAX];
    int methods, inside, extrapolated, count;
    struct choice_scores choices;
};

static struct scores *method_scores(struct outcome *o, const struct nereus_method *method)
{
    char text[NEREUS_METHOD_TEXT_MAX];
    int m = 0;
    nereus_method_print(method, text);
    while (m < o->methods && strcmp(o->names[m], text) != 0)
        m++;
    if (m == o->methods && m < METHODS_MAX - 1)
        snprintf(o->names[o->methods++], sizeof o->names[0], "%s", text);
    return &o->method[m];
}

static void judge_row(const struct judge_options *options, enum guesser guesser,
                      const struct known *known, const struct nereus_sample *s, struct outcome *o)
{
    const struct guess g = guess_row(guesser, known, s);
    char text[NEREUS_METHOD_TEXT_MAX];
    if (!g.any)
        return;
    const double error = fabs(g.rt_s / s->rt_s - 1);
    if (options->rows)
        printf("row %-20s %lld -> %lld %-20s RT %g s, predicted %g (%g to %g)\n",
               guesser_name(guesser), (long long)s->ns, (long long)s->nt,
               nereus_method_print(&s->method, text), s->rt_s, g.rt_s, g.low_s, g.high_s);
    scores_add(&o->rt, error);
    scores_add(method_scores(o, &s->method), error);
    o->inside += s->rt_s >= g.low_s && s->rt_s <= g.high_s;
    o->extrapolated += g.source == NEREUS_EXTRAPOLATED;
    o->count++;
}

/* Choices between the sizes that were left out. */
static void judge_choices(enum guesser guesser, const struct known *known,
                          const struct nereus_samples *all, const bool *kept, struct outcome *o)
{
    for (int64_t i = 0; i < all->count; i++) {
        const struct nereus_sample *rows[CELL_MAX];
        int count = 0;
        if (kept[i] || rows_pair(all, i) != i)
            continue;
        for (int64_t j = 0; j < all->count && count < CELL_MAX; j++)
            if (rows_pair(all, j) == i)
                rows[count++] = &all->rows[j];
        choices_judge(guesser, known, rows, count, &o->choices);
    }
}

static void print_outcome(enum guesser guesser, const struct outcome *o)
{
    printf("%-22s %6.1f %6.1f %7.1f %7.0f %4d of %d |", guesser_name(guesser),
           100 * scores_quantile(&o->rt, 0.5), 100 * scores_quantile(&o->rt, 0.9),
           100 * scores_mean(&o->choices.regret_system),
           100 * scores_share(&o->choices.wrong_system, 0), o->inside, o->count);
    for (int m = 0; m < o->methods; m++)
        printf(" %s %.1f", o->names[m], 100 * scores_quantile(&o->method[m], 0.5));
    puts("");
}

static void hold(const struct outcome *o)
{
    bound_hold("rows predicted", o->count, 24, 24, "24 of 24");
    bound_hold("RT of 16 nodes, median error, %", 100 * scores_quantile(&o->rt, 0.5), 2, 4, "4");
    bound_hold("RT of 16 nodes, 90 % of the errors, %", 100 * scores_quantile(&o->rt, 0.9), 2, 10,
               "10");
    for (int m = 0; m < o->methods; m++)
        bound_hold(o->names[m], 100 * scores_quantile(&o->method[m], 0.5), 0,
                   strcmp(o->names[m], "merge-ts") == 0 ? 12 : 8, "8, of merge-ts 12");
    bound_hold("regret of the choice, mean, %", 100 * scores_mean(&o->choices.regret_system), 0, 2,
               "2");
    bound_hold("inside their 90 % intervals, %", 100.0 * o->inside / o->count, 85, 100, "85 to 97");
    bound_hold("say that they are extrapolated, %", 100.0 * o->extrapolated / o->count, 100, 100,
               "100");
}

static void outcome_fini(struct outcome *o)
{
    scores_fini(&o->rt);
    for (int m = 0; m < METHODS_MAX; m++)
        scores_fini(&o->method[m]);
    choice_scores_fini(&o->choices);
}

void judge_parallel(const struct judge_options *options)
{
    struct nereus_samples all = {NULL, 0};
    struct nereus_profile profile;
    rows_read(options->parallel_file, &all);
    bool *kept = rows_flags(all.count);
    for (int64_t i = 0; i < all.count; i++)
        kept[i] = all.rows[i].ns <= LARGEST && all.rows[i].nt <= LARGEST;
    struct nereus_samples small = rows_chosen(&all, kept);
    rows_fit(&small, &profile);
    const struct known known = {&small, &profile};
    printf("\n%-22s %13s %7s %7s  inside   | medians by method\n", "16 nodes from up to 8",
           "RT med p90 %", "regret", "exact");
    for (int g = 0; g < GUESSERS; g++) {
        struct outcome out;
        memset(&out, 0, sizeof out);
        for (int64_t i = 0; i < all.count; i++)
            if (!kept[i])
                judge_row(options, (enum guesser)g, &known, &all.rows[i], &out);
        judge_choices((enum guesser)g, &known, &all, kept, &out);
        print_outcome((enum guesser)g, &out);
        if (g == GUESS_MODEL)
            hold(&out);
        outcome_fini(&out);
    }
    nereus_profile_fini(&profile);
    nereus_samples_fini(&small);
    nereus_samples_fini(&all);
    free(kept);
}
