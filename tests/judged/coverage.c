/**
 * @file coverage.c
 * How often 90 % intervals hold: within the measured sizes (a pair left out) and beyond them
 * (larger sizes left out).
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
#include "rows.h"
#include "scores.h"

/* Of one figure. */
struct coverage {
    int inside, count;
    struct scores half_width, error;
    struct scores winkler; /* interval scores of the logarithm, of the model's intervals */
    struct scores off;     /* |log(measured / predicted)|: what a constant band is judged by */
};

enum { LIMITS = 3, DISTANCES = 4 };

/* RT by its distance from the measured sizes: within them, up to 1, up to 2 and more doublings
 * beyond. */
struct by_distance {
    int inside[DISTANCES], count[DISTANCES];
};

/* Of the rows that were left out; figures but RT are those of asynchronous methods. */
struct coverages {
    int asked;
    struct coverage of[GUESS_FIGURES];
    struct by_method methods; /* RT */
};

static const char *const figure_names[GUESS_FIGURES] = {"RT", "T_ex", "omega", "It"};

/* Interval score of a 90 % interval (Winkler 1972): its width, and 2 / 0.1 times what lies
 * outside. */
static double interval_score(double off, double down, double up, bool above)
{
    return down + up + 20 * fmax(0, off - (above ? up : down));
}

/* The same of a band of constant width around the same predictions, as wide as holds as many
 * measurements as the model's intervals do. */
static double constant_band_score(struct coverage *c)
{
    const double half = scores_quantile(&c->off, (double)c->inside / c->count);
    double sum = 0;
    for (size_t i = 0; i < c->off.count; i++)
        sum += interval_score(c->off.values[i], half, half, true);
    return sum / (double)c->off.count;
}

static void add(struct coverage *c, const struct nereus_interval *predicted, double measured)
{
    const double value = predicted->value, low = predicted->low, high = predicted->high;
    c->count++;
    c->inside += measured >= low && measured <= high;
    scores_add(&c->half_width, sqrt(high / low) - 1);
    scores_add(&c->error, fabs(value / measured - 1));
    scores_add(&c->off, fabs(log(measured / value)));
    scores_add(&c->winkler, interval_score(fabs(log(measured / value)), log(value / low),
                                           log(high / value), measured > value));
}

/* @param limit  largest kept size; 0: the rows that are left out lie within the kept sizes */
static void add_by_distance(struct by_distance *by, const struct nereus_sample *s, int64_t limit,
                            const struct nereus_interval *rt)
{
    const double largest = (double)nereus_max(s->ns, s->nt),
                 doublings = limit > 0 ? ceil(log2(largest / (double)limit)) : 0;
    const int distance = (int)fmin(doublings, DISTANCES - 1);
    by->count[distance]++;
    by->inside[distance] += s->rt_s >= rt->low && s->rt_s <= rt->high;
}

/* The rows that are not kept, from those that are. */
static void cover(const struct nereus_samples *all, const bool *kept, int64_t limit,
                  struct coverages *c, struct by_distance *by)
{
    struct nereus_samples some = rows_chosen(all, kept);
    struct nereus_profile profile;
    rows_fit(&some, &profile);
    const struct known known = {&some, &profile, CHOICES_AFTER_STRONG};
    for (int64_t i = 0; i < all->count; i++) {
        const struct nereus_sample *s = &all->rows[i];
        if (kept[i])
            continue;
        c->asked++;
        const struct guess g = guess_row(GUESS_MODEL, &known, s);
        if (!g.any)
            continue;
        scores_add(by_method_of(&c->methods, &s->method),
                   fabs(g.figures[GUESS_RT].value / s->rt_s - 1));
        add_by_distance(by, s, limit, &g.figures[GUESS_RT]);
        const double measured[GUESS_FIGURES] = {
            s->rt_s, choices_t_ex_s(s, CHOICES_AFTER_STRONG, s->rt_s, s->ct_s, s->iterations),
            s->ct_s / (s->iterations * s->t_iter_ns_s), s->iterations};
        for (int f = 0; f < GUESS_FIGURES; f++)
            if (f == GUESS_RT || (s->method.async && s->iterations >= 1))
                add(&c->of[f], &g.figures[f], measured[f]);
    }
    nereus_profile_fini(&profile);
    nereus_samples_fini(&some);
}

static void report_figure(const char *text, struct coverage *c)
{
    printf("%-40s %3d of %3d, half a width %5.1f %%, error %5.1f %% (median), %5.1f %% (90 %%)\n",
           text, c->inside, c->count, 100 * scores_quantile(&c->half_width, 0.5),
           100 * scores_quantile(&c->error, 0.5), 100 * scores_quantile(&c->error, 0.9));
    printf("%-40s %.3f, of a constant band %.3f\n", "  interval score of the logarithm",
           scores_mean(&c->winkler), constant_band_score(c));
}

static void report(const char *cluster, const char *what, const double min[GUESS_FIGURES],
                   struct coverages *all)
{
    bound_check("rows predicted, of those left out, %",
                100.0 * all->of[GUESS_RT].count / all->asked, 100, 100, "100");
    for (int f = 0; f < GUESS_FIGURES; f++) {
        struct coverage *c = &all->of[f];
        char text[96];
        if (c->count == 0)
            continue;
        snprintf(text, sizeof text, "%s, %s: %s inside, %%", cluster, what, figure_names[f]);
        report_figure(text, c);
        bound_check(text, 100.0 * c->inside / c->count, min[f], 100, "90");
        scores_fini(&c->half_width);
        scores_fini(&c->error);
        scores_fini(&c->winkler);
        scores_fini(&c->off);
    }
    printf("  medians of the errors of RT by method");
    by_method_print(&all->methods);
    puts("");
    by_method_fini(&all->methods);
    memset(all, 0, sizeof *all);
}

static void judge_cluster(const char *cluster, const struct nereus_samples *all,
                          const int64_t limits[LIMITS], const double min[1 + LIMITS][GUESS_FIGURES],
                          struct by_distance *by)
{
    struct coverages c;
    char what[32];
    bool *kept = rows_flags(all->count);
    memset(&c, 0, sizeof c);
    for (int64_t pair = 0; pair < all->count; pair++) {
        if (rows_pair(all, pair) != pair)
            continue;
        for (int64_t i = 0; i < all->count; i++)
            kept[i] = rows_pair(all, i) != pair;
        cover(all, kept, 0, &c, by);
    }
    report(cluster, "a pair left out", min[0], &c);
    for (int l = 0; l < LIMITS; l++) {
        for (int64_t i = 0; i < all->count; i++)
            kept[i] = all->rows[i].ns <= limits[l] && all->rows[i].nt <= limits[l];
        cover(all, kept, limits[l], &c, by);
        snprintf(what, sizeof what, "beyond %lld", (long long)limits[l]);
        report(cluster, what, min[1 + l], &c);
    }
    free(kept);
}

static void hold_by_distance(const struct by_distance *by)
{
    static const char *const names[DISTANCES] = {
        "within the measured sizes", "up to 1 doubling beyond", "up to 2 doublings beyond",
        "more than 2 doublings beyond"};
    for (int d = 0; d < DISTANCES; d++) {
        char text[64];
        snprintf(text, sizeof text, "%s: RT inside, of %d, %%", names[d], by->count[d]);
        bound_check(text, 100.0 * by->inside[d] / by->count[d], d == 0 ? 88 : 85, 97,
                    d == 0 ? "90" : "85 at least");
    }
}

void judge_coverage(const struct judge_options *options)
{
    struct nereus_samples both = {.rows = NULL}, parallel = {.rows = NULL},
                          unequal = {.rows = NULL};
    struct nereus_provenances origins = {0};
    struct by_distance by = {{0}, {0}};
    rows_read(options->tables_file, &both);
    rows_read(options->parallel_file, &parallel);
    puts("\nIntervals");
    judge_cluster("ij120", &both, (const int64_t[]){80, 40, 20},
                  (const double[][GUESS_FIGURES]){
                      {87, 85, 85, 90}, {92, 80, 82, 90}, {82, 85, 85, 90}, {87, 85, 80, 90}},
                  &by);
    judge_cluster("mn5", &parallel, (const int64_t[]){896, 448, 224},
                  (const double[][GUESS_FIGURES]){{85}, {90}, {90}, {90}}, &by);
    if (options->unequal_file != NULL) {
        rows_read_on(options->unequal_file, options->hostfile, &unequal, &origins);
        judge_cluster("nasp", &unequal, (const int64_t[]){260, 208, 104},
                      (const double[][GUESS_FIGURES]){{90}, {85}, {80}, {90}}, &by);
    }
    hold_by_distance(&by);
    nereus_samples_fini(&both);
    nereus_samples_fini(&parallel);
    nereus_samples_fini(&unequal);
    nereus_provenances_fini(&origins);
}
