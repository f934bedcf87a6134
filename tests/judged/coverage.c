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
#include "choices.h"
#include "guess.h"
#include "judge.h"
#include "rows.h"
#include "scores.h"

/* Of one figure. */
struct coverage {
    int inside, count;
    struct scores half_width, error;
    struct scores winkler; /* interval scores of the logarithm, of the model's intervals */
    struct scores off;     /* |log(measured / predicted)|: what a constant band is judged by */
};

/* Of the rows that were left out; figures but RT are those of asynchronous methods. */
struct coverages {
    int asked;
    struct coverage of[GUESS_FIGURES];
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

/* The rows that are not kept, from those that are. */
static void cover(const struct nereus_samples *all, const bool *kept, struct coverages *c)
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
    bound_hold("rows predicted, of those left out, %", 100.0 * all->of[GUESS_RT].count / all->asked,
               100, 100, "100");
    for (int f = 0; f < GUESS_FIGURES; f++) {
        struct coverage *c = &all->of[f];
        char text[96];
        if (c->count == 0)
            continue;
        snprintf(text, sizeof text, "%s, %s: %s inside, %%", cluster, what, figure_names[f]);
        report_figure(text, c);
        bound_hold(text, 100.0 * c->inside / c->count, min[f], 100, "90");
        scores_fini(&c->half_width);
        scores_fini(&c->error);
        scores_fini(&c->winkler);
        scores_fini(&c->off);
    }
    memset(all, 0, sizeof *all);
}

static void judge_cluster(const char *cluster, const struct nereus_samples *all,
                          const int64_t limits[2], const double min[3][GUESS_FIGURES])
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
        cover(all, kept, &c);
    }
    report(cluster, "a pair left out", min[0], &c);
    for (int l = 0; l < 2; l++) {
        for (int64_t i = 0; i < all->count; i++)
            kept[i] = all->rows[i].ns <= limits[l] && all->rows[i].nt <= limits[l];
        cover(all, kept, &c);
        snprintf(what, sizeof what, "beyond %lld", (long long)limits[l]);
        report(cluster, what, min[1 + l], &c);
    }
    free(kept);
}

void judge_coverage(const struct judge_options *options)
{
    struct nereus_samples both = {.rows = NULL}, parallel = {.rows = NULL};
    rows_read(options->tables_file, &both);
    rows_read(options->parallel_file, &parallel);
    puts("\nIntervals");
    judge_cluster(
        "ij120", &both, (const int64_t[]){80, 40},
        (const double[3][GUESS_FIGURES]){{87, 85, 85, 90}, {92, 80, 82, 90}, {82, 85, 85, 90}});
    judge_cluster("mn5", &parallel, (const int64_t[]){896, 448},
                  (const double[3][GUESS_FIGURES]){{85}, {90}, {90}});
    nereus_samples_fini(&both);
    nereus_samples_fini(&parallel);
}
