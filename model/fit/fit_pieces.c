/**
 * @file fit_pieces.c
 * Fits the Hockney pieces of a pair class or of an operation: t(bytes) = alpha + beta bytes between
 * protocol breakpoints (eager, rendezvous). Model: Hockney (1994).
 *
 * The points are the medians by size. Dynamic programming finds the best partition of the sizes
 * into up to PIECES_MAX pieces, each a straight line of least loss; the number of pieces is that
 * with the least BIC (two coefficients and a breakpoint a piece).
 *
 * The loss is capped at three times the noise. With plain squares one disturbed size (the largest,
 * which exceeds the caches; one with a preemption) would outweigh the change of a protocol, a
 * factor of two in a few small sizes. The noise is estimated without any fit, from the distance of
 * each size to the line between its neighbours, so that an outlier costs the same for any number of
 * pieces.
 */
#include "fit_pieces.h"

#include <gsl/gsl_fit.h>
#include <gsl/gsl_statistics.h>

#include "model/profile/terms.h"
#include "model/statistics/statistics.h"
#include "scatter.h"

enum { PIECES_MAX = 4, PIECE_SIZES = 3, SIZES_MAX = 128, PARAMETERS = 3, PASSES = 25 };
/* cap of the loss, in units of the noise; 1 of 370 normal errors is larger */
static const double loss_cap = 3;
static const double noise_min = 0.01; /* least relative noise: no measurement repeats better */

struct points {
    size_t count;
    double bytes[SIZES_MAX], time_s[SIZES_MAX];
    double noise; /* relative noise of one size */
};

static int compare_bytes(const void *a, const void *b)
{
    const struct nereus_sample *const *x = a, *const *y = b;
    return ((*x)->bytes > (*y)->bytes) - ((*x)->bytes < (*y)->bytes);
}

/* Compute the medians by size of the sorted rows of one class. */
static void compute_medians(const struct nereus_sample **rows, size_t count, double *scratch,
                            struct points *points)
{
    points->count = 0;
    for (size_t i = 0; i < count && points->count < SIZES_MAX;) {
        size_t n = 0, j = i;
        for (; j < count && rows[j]->bytes <= rows[i]->bytes; j++)
            scratch[n++] = rows[j]->time_s;
        points->bytes[points->count] = rows[i]->bytes;
        points->time_s[points->count++] = nereus_median(scratch, (int)n);
        i = j;
    }
}

/* Estimate the relative noise of a size: the median distance to the line between the neighbours, as
 * breakpoints and outliers are few. */
static double estimate_noise(const struct points *p)
{
    double off[SIZES_MAX];
    size_t n = 0;
    for (size_t i = 1; i + 1 < p->count; i++) {
        const double share = (p->bytes[i] - p->bytes[i - 1]) / (p->bytes[i + 1] - p->bytes[i - 1]);
        const double between_s = (1 - share) * p->time_s[i - 1] + share * p->time_s[i + 1];
        /* the distance contains the neighbours' noise, too */
        off[n++] = fabs(1 - between_s / p->time_s[i]) /
                   sqrt(1 + share * share + (1 - share) * (1 - share));
    }
    return n > 0 ? fmax(1.4826 * nereus_median(off, (int)n), noise_min) : noise_min;
}

struct piece {
    double alpha, beta, cost; /* cost: sum of squared errors in units of the noise, each capped */
};

/* Weighted least squares of alpha + beta b on points from..to-1; neither below 0. */
static struct piece fit_weighted_line(const struct points *p, size_t from, size_t to,
                                      const double *weights)
{
    const double *const b = p->bytes + from, *const t = p->time_s + from, *const w = weights + from;
    struct piece piece = {0, 0, 0};
    double unused[4];
    gsl_fit_wlinear(b, 1, w, 1, t, 1, to - from, &piece.alpha, &piece.beta, unused, unused + 1,
                    unused + 2, unused + 3);
    if (!(piece.beta >= 0)) /* NAN too: a single size determines no line */
        piece = (struct piece){gsl_stats_wmean(w, 1, t, 1, to - from), 0, 0};
    else if (piece.alpha < 0) {
        piece.alpha = 0;
        gsl_fit_wmul(b, 1, w, 1, t, 1, to - from, &piece.beta, unused, unused + 1);
    }
    return piece;
}

/* Error of a piece at one size, in units of the noise. */
static double compute_error(const struct points *p, size_t i, const struct piece *piece)
{
    return fabs(1 - (piece->alpha + piece->beta * p->bytes[i]) / p->time_s[i]) / p->noise;
}

/* Huber's line, by reweighting rows scaled by 1 / time: it minimises squares within the noise and
 * absolute errors beyond it, so that it follows the majority of the sizes. */
static struct piece fit_robust_line(const struct points *p, size_t from, size_t to)
{
    double weights[SIZES_MAX];
    struct piece piece = {0, 0, 0};
    for (size_t i = from; i < to; i++)
        weights[i] = pow(p->time_s[i], -2);
    for (int pass = 0; pass < PASSES; pass++) {
        piece = fit_weighted_line(p, from, to, weights);
        for (size_t i = from; i < to; i++)
            weights[i] = pow(p->time_s[i], -2) / fmax(compute_error(p, i, &piece), 1);
    }
    for (size_t i = from; i < to; i++)
        piece.cost += pow(fmin(compute_error(p, i, &piece), loss_cap), 2);
    return piece;
}

/* best[k][n]: least cost of the first n points in k pieces; cut[k][n]: first point of the last
 * piece. */
struct table {
    double best[PIECES_MAX + 1][SIZES_MAX + 1];
    size_t cut[PIECES_MAX + 1][SIZES_MAX + 1];
};

static void fill_table(const struct points *p, struct table *t)
{
    for (int k = 0; k <= PIECES_MAX; k++)
        for (size_t n = 0; n <= p->count; n++)
            t->best[k][n] = k > 0 || n > 0 ? INFINITY : 0;
    for (size_t n = 1; n <= p->count; n++)
        for (size_t from = 0; from == 0 || from + PIECE_SIZES <= n;
             from += from == 0 ? PIECE_SIZES : 1) {
            const double last = fit_robust_line(p, from, n).cost;
            for (int k = 1; k <= PIECES_MAX; k++)
                if (t->best[k - 1][from] + last < t->best[k][n]) {
                    t->best[k][n] = t->best[k - 1][from] + last;
                    t->cut[k][n] = from;
                }
        }
}

/* Store the pieces of least BIC; with a known noise, -2 log(likelihood) is the sum of squares in
 * its units. */
static void store_pieces(const struct points *p, const struct table *t, struct nereus_hockney *pair)
{
    const double penalty = PARAMETERS * log((double)p->count);
    size_t end = p->count;
    pair->pieces = 1;
    for (int k = 2; k <= PIECES_MAX; k++)
        if (t->best[k][end] + k * penalty < t->best[pair->pieces][end] + pair->pieces * penalty)
            pair->pieces = k;
    for (int k = pair->pieces; k > 0; k--) {
        const size_t from = t->cut[k][end];
        const struct piece piece = fit_robust_line(p, from, end);
        pair->from_bytes[k - 1] = k == 1 ? 0 : p->bytes[from];
        pair->alpha_s[k - 1] = piece.alpha;
        pair->beta_s_per_byte[k - 1] = piece.beta;
        end = from;
    }
}

enum nereus_status nereus_fit_hockney(const struct nereus_sample **rows, size_t count,
                                      struct nereus_hockney *pair, struct nereus_error *err)
{
    struct table *table = malloc(sizeof *table);
    double *scratch = malloc(count * sizeof *scratch);
    struct points points;
    if (table == NULL || scratch == NULL) {
        free(table);
        free(scratch);
        return nereus_fail(err, NEREUS_ERR_MEMORY, "no memory for a fit of %zu rows", count);
    }
    qsort(rows, count, sizeof *rows, compare_bytes);
    compute_medians(rows, count, scratch, &points);
    points.noise = estimate_noise(&points);
    fill_table(&points, table);
    store_pieces(&points, table, pair);
    for (size_t i = 0; i < count; i++)
        scratch[i] = log(rows[i]->time_s / nereus_hockney_s(pair, rows[i]->bytes));
    pair->log_sd = nereus_fit_log_sd(scratch, count, 2 * (size_t)pair->pieces);
    pair->rows = (int64_t)count;
    pair->max_bytes = rows[count - 1]->bytes;
    pair->basis = NEREUS_BASIS_FITTED;
    free(table);
    free(scratch);
    return NEREUS_OK;
}
