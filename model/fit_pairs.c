/*
 * Hockney pieces of a pair class, or of an operation: t(bytes) = alpha + beta bytes between protocol breakpoints (eager,
 * rendezvous).
 *
 * Medians by size; every way to cut the sizes into up to PIECES_MAX pieces is tried by dynamic programming,
 * each piece a straight line of least relative error, and the number of pieces is the one with the least BIC:
 * a break must pay for its two numbers.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "fit.h"

enum { PIECES_MAX = 4, PIECE_SIZES = 3, SIZES_MAX = 128 };

struct points {
    size_t count;
    double bytes[SIZES_MAX], time_s[SIZES_MAX];
};

static int by_bytes(const void *a, const void *b)
{
    const struct nereus_sample *const *x = a, *const *y = b;
    return ((*x)->bytes > (*y)->bytes) - ((*x)->bytes < (*y)->bytes);
}

/* Medians of the sorted rows of one class, by size. */
static void take_medians(const struct nereus_sample **rows, size_t count, double *scratch,
                         struct points *points)
{
    points->count = 0;
    for (size_t i = 0; i < count && points->count < SIZES_MAX;) {
        size_t n = 0, j = i;
        for (; j < count && rows[j]->bytes <= rows[i]->bytes; j++)
            scratch[n++] = rows[j]->time_s;
        points->bytes[points->count] = rows[i]->bytes;
        points->time_s[points->count++] = nereus_median(scratch, n);
        i = j;
    }
}

struct piece {
    double alpha, beta, cost; /* cost: sum of squared relative errors */
};

/* Weighted least squares of alpha + beta b on points from..to-1, rows scaled by 1 / time; neither below 0. */
static struct piece line(const struct points *p, size_t from, size_t to)
{
    double s = 0, sb = 0, sbb = 0, st = 0, sbt = 0;
    for (size_t i = from; i < to; i++) {
        const double w = 1 / (p->time_s[i] * p->time_s[i]), b = p->bytes[i], t = p->time_s[i];
        s += w;
        sb += w * b;
        sbb += w * b * b;
        st += w * t;
        sbt += w * b * t;
    }
    const double determinant = s * sbb - sb * sb;
    struct piece piece = {st / s, 0, 0};
    if (determinant > 1e-12 * s * sbb) {
        piece.beta = (s * sbt - sb * st) / determinant;
        piece.alpha = (st - piece.beta * sb) / s;
        if (piece.beta < 0)
            piece = (struct piece){st / s, 0, 0};
        else if (piece.alpha < 0)
            piece = (struct piece){0, sbt / sbb, 0};
    }
    for (size_t i = from; i < to; i++) {
        const double r = 1 - (piece.alpha + piece.beta * p->bytes[i]) / p->time_s[i];
        piece.cost += r * r;
    }
    return piece;
}

/* best[k][n]: least cost of the first n points in k + 1 pieces; cut[k][n]: where the last of them begins. */
struct table {
    double best[PIECES_MAX][SIZES_MAX + 1];
    size_t cut[PIECES_MAX][SIZES_MAX + 1];
};

static void fill_table(const struct points *p, struct table *t)
{
    for (int k = 0; k < PIECES_MAX; k++)
        for (size_t n = 0; n <= p->count; n++)
            t->best[k][n] = INFINITY;
    for (size_t n = 1; n <= p->count; n++) {
        t->best[0][n] = line(p, 0, n).cost;
        t->cut[0][n] = 0;
    }
    for (int k = 1; k < PIECES_MAX; k++)
        for (size_t n = PIECE_SIZES; n <= p->count; n++)
            for (size_t from = PIECE_SIZES; from + PIECE_SIZES <= n; from++) {
                const double cost = t->best[k - 1][from] + line(p, from, n).cost;
                if (cost < t->best[k][n]) {
                    t->best[k][n] = cost;
                    t->cut[k][n] = from;
                }
            }
}

static int choose_pieces(const struct points *p, const struct table *t)
{
    const double n = (double)p->count, least = 1e-4; /* of the mean squared error: 1 %, finer is noise */
    int best = 0;
    double best_bic = INFINITY;
    for (int k = 0; k < PIECES_MAX; k++) {
        const double bic = n * log(t->best[k][p->count] / n + least) + 3 * (k + 1) * log(n);
        if (isfinite(t->best[k][p->count]) && bic < best_bic) {
            best_bic = bic;
            best = k;
        }
    }
    return best;
}

static void store(const struct points *p, const struct table *t, int last, struct nereus_hockney *pair)
{
    size_t end = p->count;
    pair->pieces = last + 1;
    for (int k = last; k >= 0; k--) {
        const size_t from = t->cut[k][end];
        const struct piece piece = line(p, from, end);
        pair->from_bytes[k] = k == 0 ? 0 : p->bytes[from];
        pair->alpha_s[k] = piece.alpha;
        pair->beta_s_per_byte[k] = piece.beta;
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
    qsort(rows, count, sizeof *rows, by_bytes);
    take_medians(rows, count, scratch, &points);
    fill_table(&points, table);
    store(&points, table, choose_pieces(&points, table), pair);
    for (size_t i = 0; i < count; i++)
        scratch[i] = 1 - nereus_hockney_s(pair, rows[i]->bytes) / rows[i]->time_s;
    pair->spread = nereus_fit_spread(scratch, count, 2 * (size_t)pair->pieces);
    pair->rows = (int64_t)count;
    pair->max_bytes = rows[count - 1]->bytes;
    pair->basis = NEREUS_BASIS_FITTED;
    free(table);
    free(scratch);
    return NEREUS_OK;
}

/* Is it a row of this pair class, or of this operation? */
static bool is_of(const struct nereus_sample *row, enum nereus_sample_kind kind, int which)
{
    return row->kind == kind &&
           (kind == NEREUS_SAMPLE_PINGPONG ? (int)row->pair : (int)row->operation) == which;
}

static enum nereus_status fit_classes(const struct nereus_fit_rows *rows, enum nereus_sample_kind kind,
                                      int count, struct nereus_hockney *classes, struct nereus_error *err)
{
    const struct nereus_sample **some = malloc((rows->count + 1) * sizeof *some);
    enum nereus_status status = NEREUS_OK;
    if (some == NULL)
        return nereus_fail(err, NEREUS_ERR_MEMORY, "no memory for a fit of %zu rows", rows->count);
    for (int which = 0; which < count && status == NEREUS_OK; which++) {
        size_t n = 0;
        /* Two processes that share a core measure the scheduler: only where there is nothing else. */
        for (int over = 0; over < 2 && n == 0; over++)
            for (size_t i = 0; i < rows->count; i++)
                if (is_of(rows->rows[i], kind, which) && rows->rows[i]->oversubscribed == (over == 1))
                    some[n++] = rows->rows[i];
        if (n > 0)
            status = nereus_fit_hockney(some, n, &classes[which], err);
    }
    free(some);
    return status;
}

enum nereus_status nereus_fit_pairs(const struct nereus_fit_rows *rows, struct nereus_profile *profile,
                                    struct nereus_error *err)
{
    enum nereus_status status =
        fit_classes(rows, NEREUS_SAMPLE_PINGPONG, NEREUS_PAIR_CLASS_COUNT, profile->pairs, err);
    if (status == NEREUS_OK)
        status = fit_classes(rows, NEREUS_SAMPLE_OPERATION, NEREUS_OPERATION_COUNT, profile->operations, err);
    return status;
}
