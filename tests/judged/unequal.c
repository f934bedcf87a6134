/**
 * @file unequal.c
 * The third cluster (Martín-Álvarez et al. (2025), section 5.3, nodes of 20 and of 32 cores in
 * turn): each pair left out; each size left out; and sizes that nobody measured, whose predictions
 * have to lie between those of the measured sizes beside them.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bound.h"
#include "by_method.h"
#include "choices.h"
#include "guess.h"
#include "judge.h"
#include "model/util/arith.h"
#include "noise_floor.h"
#include "rows.h"
#include "scores.h"

struct outcome {
    struct scores rt, half_width;
    struct by_method methods;
    int inside, count, asked, extrapolated;
};

static void judge_row(const struct judge_options *options, const char *what,
                      const struct known *known, const struct nereus_sample *s, struct outcome *o)
{
    char text[NEREUS_METHOD_TEXT_MAX];
    const struct guess g = guess_row(GUESS_MODEL, known, s);
    o->asked++;
    if (!g.any)
        return;
    const double error = fabs(g.rt_s / s->rt_s - 1);
    if (options->rows)
        printf("row %-20s %lld -> %lld %-20s RT %g s, predicted %g (%g to %g), %+.1f %%\n", what,
               (long long)s->ns, (long long)s->nt, nereus_method_format(&s->method, text), s->rt_s,
               g.rt_s, g.low_s, g.high_s, 100 * (g.rt_s / s->rt_s - 1));
    scores_add(&o->rt, error);
    scores_add(by_method_of(&o->methods, &s->method), error);
    scores_add(&o->half_width, sqrt(g.high_s / g.low_s) - 1);
    o->count++;
    o->inside += s->rt_s >= g.low_s && s->rt_s <= g.high_s;
    o->extrapolated += g.source == NEREUS_EXTRAPOLATED;
}

/* The rows that are not kept, from those that are. */
static void judge_rows(const struct judge_options *options, const char *what,
                       const struct nereus_samples *all, const bool *kept, struct outcome *o)
{
    struct nereus_samples some = rows_chosen(all, kept);
    struct nereus_profile profile;
    rows_fit(&some, &profile);
    const struct known known = {&some, &profile, CHOICES_AFTER_STRONG};
    for (int64_t i = 0; i < all->count; i++)
        if (!kept[i])
            judge_row(options, what, &known, &all->rows[i], o);
    nereus_profile_fini(&profile);
    nereus_samples_fini(&some);
}

static void print_outcome(const char *what, const struct outcome *o)
{
    printf("%-28s %6.1f %6.1f  %3d of %3d, half a width %5.1f %% |", what,
           100 * scores_quantile(&o->rt, 0.5), 100 * scores_quantile(&o->rt, 0.9), o->inside,
           o->count, 100 * scores_quantile(&o->half_width, 0.5));
    by_method_print(&o->methods);
    puts("");
}

static void outcome_fini(struct outcome *o)
{
    scores_fini(&o->rt);
    scores_fini(&o->half_width);
    by_method_fini(&o->methods);
    memset(o, 0, sizeof *o);
}

static void leave_pairs_out(const struct judge_options *options, const struct nereus_samples *all)
{
    struct outcome o = {.count = 0};
    bool *kept = rows_flags(all->count);
    for (int64_t pair = 0; pair < all->count; pair++) {
        if (rows_pair(all, pair) != pair)
            continue;
        for (int64_t i = 0; i < all->count; i++)
            kept[i] = rows_pair(all, i) != pair;
        judge_rows(options, "pair", all, kept, &o);
    }
    print_outcome("unequal, a pair left out", &o);
    bound_check("rows predicted, of those left out, %", 100.0 * o.count / o.asked, 100, 100, "100");
    bound_check("RT, median error, %", 100 * scores_quantile(&o.rt, 0.5), 1, 3.5, "3");
    bound_check("RT, 90 % of the errors, %", 100 * scores_quantile(&o.rt, 0.9), 3, 10, "7");
    for (int m = 0; m < o.methods.count; m++)
        bound_check(o.methods.names[m], 100 * scores_quantile(&o.methods.scores[m], 0.5), 0,
                    strcmp(o.methods.names[m], "merge-ts") == 0 ? 12 : 4, "5");
    bound_check("inside their 90 % intervals, %", 100.0 * o.inside / o.count, 85, 99, "85 to 95");
    outcome_fini(&o);
    free(kept);
}

/* All rows from or to one size, from those of the others. Within: the first and the last size
 * stay. */
static void leave_size_out(const struct judge_options *options, const struct nereus_samples *all,
                           int64_t size, struct outcome *o)
{
    bool *kept = rows_flags(all->count);
    for (int64_t i = 0; i < all->count; i++)
        kept[i] = all->rows[i].ns != size && all->rows[i].nt != size;
    judge_rows(options, "size", all, kept, o);
    free(kept);
}

static void leave_sizes_out(const struct judge_options *options, const struct nereus_samples *all)
{
    static const int64_t sizes[] = {52, 104, 208, 260};
    struct outcome o = {.count = 0};
    for (size_t i = 0; i < NEREUS_COUNT_OF(sizes); i++)
        leave_size_out(options, all, sizes[i], &o);
    print_outcome("unequal, a size left out", &o);
    bound_check("RT, median error, %", 100 * scores_quantile(&o.rt, 0.5), 1, 5, "3");
    bound_check("RT, 90 % of the errors, %", 100 * scores_quantile(&o.rt, 0.9), 3, 18, "7");
    bound_check("inside their 90 % intervals, %", 100.0 * o.inside / o.count, 85, 97, "85 to 95");
    /* as 52 is the smallest and 260 the largest size of some methods */
    bound_check("say that they are extrapolated, %", 100.0 * o.extrapolated / o.count, 6, 6, "6");
    outcome_fini(&o);
}

/* Whole nodes in their order; those of 1, 2, 4, 8, 10 and 16 nodes were measured. */
static const int64_t whole_nodes[] = {20,  52,  72,  104, 124, 156, 176, 208,
                                      228, 260, 280, 312, 332, 364, 384, 416};
enum { NODES = NEREUS_COUNT_OF(whole_nodes) };

static bool is_measured(int nodes)
{
    return nodes == 1 || nodes == 2 || nodes == 4 || nodes == 8 || nodes == 10 || nodes == 16;
}

/* How far a prediction lies outside those of the measured sizes below and above, as a share. */
static double beyond_neighbours(const struct guess *at, const struct guess *below,
                                const struct guess *above)
{
    const double min = fmin(below->rt_s, above->rt_s), max = fmax(below->rt_s, above->rt_s);
    return fmax(0, fmax(at->rt_s / max, min / at->rt_s) - 1);
}

/* Sizes between the measured ones: targets, or sources, of a row's method. */
static void judge_between(const struct known *known, const struct nereus_sample *row, bool targets,
                          struct scores *beyond, int *not_modelled)
{
    struct guess all[NODES + 1];
    for (int n = 1; n <= NODES; n++) {
        struct nereus_sample asked = *row;
        *(targets ? &asked.nt : &asked.ns) = whole_nodes[n - 1];
        all[n - 1] = (asked.nt < asked.ns) == (row->nt < row->ns) && asked.ns != asked.nt
                         ? guess_row(GUESS_MODEL, known, &asked)
                         : (struct guess){.any = false};
    }
    for (int n = 1; n <= NODES; n++) {
        int below = n, above = n;
        while (below > 1 && !is_measured(below))
            below--;
        while (above < NODES && !is_measured(above))
            above++;
        if (is_measured(n) || !all[n - 1].any || !all[below - 1].any || !all[above - 1].any)
            continue;
        scores_add(beyond, beyond_neighbours(&all[n - 1], &all[below - 1], &all[above - 1]));
        *not_modelled += all[n - 1].source != NEREUS_MODELLED;
    }
}

static void ask_unmeasured(const struct nereus_samples *all)
{
    struct nereus_profile profile;
    struct scores beyond = {NULL, 0, 0};
    int not_modelled = 0;
    rows_fit(all, &profile);
    const struct known known = {all, &profile, CHOICES_AFTER_STRONG};
    for (int64_t i = 0; i < all->count; i++) {
        judge_between(&known, &all->rows[i], true, &beyond, &not_modelled);
        judge_between(&known, &all->rows[i], false, &beyond, &not_modelled);
    }
    printf("unequal, sizes between: %zu predictions\n", beyond.count);
    bound_check("beyond the measured sizes beside them, most, %", 100 * scores_quantile(&beyond, 1),
                0, 8, "their noise");
    bound_check("not marked as modelled", not_modelled, 0, 0, "0");
    scores_fini(&beyond);
    nereus_profile_fini(&profile);
}

static void print_floor(const struct nereus_samples *all)
{
    struct outcome o = {.count = 0};
    noise_floor_add(all, &o.rt, &o.methods);
    printf("%-28s %6.1f %6.1f  %41s |", "unequal, noise floor", 100 * scores_quantile(&o.rt, 0.5),
           100 * scores_quantile(&o.rt, 0.9), "");
    by_method_print(&o.methods);
    puts("");
    outcome_fini(&o);
}

void judge_unequal(const struct judge_options *options)
{
    struct nereus_samples all = {.rows = NULL};
    struct nereus_provenances origins = {0};
    rows_read_on(options->unequal_file, options->hostfile, &all, &origins);
    printf("\n%-28s %13s  inside 90 %%             | medians by method\n", "unequal nodes",
           "RT med p90 %");
    print_floor(&all);
    leave_pairs_out(options, &all);
    leave_sizes_out(options, &all);
    ask_unmeasured(&all);
    nereus_samples_fini(&all);
    nereus_provenances_fini(&origins);
}
