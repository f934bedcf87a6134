/**
 * @file parallel.c
 * The second cluster (Martín-Álvarez et al. (2025), section 5.2, nodes of 112 cores): fitted to the
 * pairs that need at most 8 nodes, those with 16 are predicted.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bound.h"
#include "by_method.h"
#include "choices.h"
#include "judge.h"
#include "rows.h"

enum { LARGEST = 8 * 112 };

struct outcome {
    struct scores rt;
    struct by_method methods;
    int inside, extrapolated, count;
    struct choice_scores choices;
};

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
               nereus_method_format(&s->method, text), s->rt_s, g.rt_s, g.low_s, g.high_s);
    scores_add(&o->rt, error);
    scores_add(by_method_of(&o->methods, &s->method), error);
    o->inside += s->rt_s >= g.low_s && s->rt_s <= g.high_s;
    o->extrapolated += g.source == NEREUS_EXTRAPOLATED;
    o->count++;
}

/* Choices between the sizes that were left out. */
static void judge_choices(enum guesser guesser, const struct known *known,
                          const struct nereus_samples *all, const bool *kept, struct outcome *o)
{
    for (int64_t i = 0; i < all->count; i++) {
        const struct nereus_sample *rows[CHOICES_CELL_MAX];
        int count = 0;
        if (kept[i] || rows_pair(all, i) != i)
            continue;
        for (int64_t j = 0; j < all->count && count < CHOICES_CELL_MAX; j++)
            if (rows_pair(all, j) == i)
                rows[count++] = &all->rows[j];
        if (!choices_judge(guesser, known, rows, count, &o->choices))
            choices_refuse(count);
    }
}

static void print_outcome(enum guesser guesser, const struct outcome *o)
{
    printf("%-22s %6.1f %6.1f %7.1f %7.0f %4d of %d |", guesser_name(guesser),
           100 * scores_quantile(&o->rt, 0.5), 100 * scores_quantile(&o->rt, 0.9),
           100 * scores_mean(&o->choices.regret_system),
           100 * scores_share(&o->choices.wrong_system, 0), o->inside, o->count);
    by_method_print(&o->methods);
    puts("");
}

static void hold(const struct outcome *o)
{
    bound_check("rows predicted", o->count, 24, 24, "24 of 24");
    bound_check("RT of 16 nodes, median error, %", 100 * scores_quantile(&o->rt, 0.5), 2, 4, "4");
    bound_check("RT of 16 nodes, 90 % of the errors, %", 100 * scores_quantile(&o->rt, 0.9), 2, 10,
                "10");
    for (int m = 0; m < o->methods.count; m++)
        bound_check(o->methods.names[m], 100 * scores_quantile(&o->methods.scores[m], 0.5), 0,
                    strcmp(o->methods.names[m], "merge-ts") == 0 ? 12 : 8, "8, of merge-ts 12");
    bound_check("regret of the choice, mean, %", 100 * scores_mean(&o->choices.regret_system), 0, 2,
                "2");
    bound_check("inside their 90 % intervals, %", 100.0 * o->inside / o->count, 85, 100,
                "85 to 97");
    bound_check("say that they are extrapolated, %", 100.0 * o->extrapolated / o->count, 100, 100,
                "100");
}

static void outcome_fini(struct outcome *o)
{
    scores_fini(&o->rt);
    by_method_fini(&o->methods);
    choice_scores_fini(&o->choices);
}

void judge_parallel(const struct judge_options *options)
{
    struct nereus_samples all = {.rows = NULL};
    struct nereus_profile profile;
    rows_read(options->parallel_file, &all);
    bool *kept = rows_flags(all.count);
    for (int64_t i = 0; i < all.count; i++)
        kept[i] = all.rows[i].ns <= LARGEST && all.rows[i].nt <= LARGEST;
    struct nereus_samples small = rows_chosen(&all, kept);
    rows_fit(&small, &profile);
    const struct known known = {&small, &profile, CHOICES_AFTER_STRONG};
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
