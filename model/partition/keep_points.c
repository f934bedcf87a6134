/**
 * @file keep_points.c
 * Chooses the positions that the search tries (keep.h): all that the balance allows, if these are
 * few enough; else steps around the bound of the block distribution, and the old bounds nearest to
 * it.
 */

#include "keep_search.h"

static int64_t multiply_capped(int64_t a, int64_t b, int64_t n)
{
    return b > 0 && a > n / b ? n : nereus_min(a * b, n);
}

static struct nereus_range find_window(const struct keep_search *s, int64_t k)
{
    const int64_t low = nereus_max(
        /* k least <= n, as least <= n / nt */
        k * s->min, s->n - multiply_capped(s->max, s->nt - k, s->n));
    const int64_t high = nereus_min(multiply_capped(s->max, k, s->n), s->n - (s->nt - k) * s->min);
    return (struct nereus_range){low, high - low + 1};
}

static int64_t block_bound(const struct keep_search *s, int64_t k)
{
    return k == s->nt ? s->n : nereus_block(s->n, s->nt, k).first;
}

/* Count the steps from the block bound within window and band. */
static int64_t count_steps_below(const struct keep_search *s, int64_t k, int64_t band)
{
    return nereus_min(band, (block_bound(s, k) - find_window(s, k).first) / s->step);
}

static int64_t count_steps_above(const struct keep_search *s, int64_t k, int64_t band)
{
    const struct nereus_range w = find_window(s, k);
    return nereus_min(band, (w.first + w.count - 1 - block_bound(s, k)) / s->step);
}

/* Work of a point relative to a point without stayers: several may fit into one range. */
static double estimate_point_work(const struct keep_search *s)
{
    return 1 + (double)s->stayer_count * (double)s->max / (double)(s->n + 1) / 4;
}

/* Choose the finest step, then the widest band. A step above the allowed difference of ranges would
 * leave only the block distribution.
 * @return the band, in steps */
static int64_t choose_step(struct keep_search *s)
{
    const double cells = (double)s->cells / estimate_point_work(s);
    double width = 0;
    for (int64_t k = 0; k <= s->nt; k++)
        width += (double)find_window(s, k).count;
    const int64_t coarsest = nereus_max(1, (s->max - s->min) / 8);
    if (width > cells)
        s->step = nereus_max(2, (int64_t)(width / cells) + 1);
    if (s->step <= coarsest)
        return INT64_MAX;
    s->step = coarsest;
    if (width / (double)s->step <= cells)
        return INT64_MAX;
    s->optimal = false;
    return nereus_max(1, (int64_t)(cells / 2 / (double)(s->nt + 1)));
}

/* Finds the old bounds of stayers in a window that are nearest to a position. */
enum { NEAR = 2 };
struct bound_finder {
    int64_t next; /* stayers before this one begin below the block bound */
};

static void insert_point(int64_t *points, int64_t *count, int64_t position, struct nereus_range w)
{
    if (position < w.first || position >= w.first + w.count)
        return;
    int64_t index = *count;
    while (index > 0 && points[index - 1] > position)
        index--;
    if (index > 0 && points[index - 1] == position)
        return;
    for (int64_t i = *count; i > index; i--)
        points[i] = points[i - 1];
    points[index] = position;
    ++*count;
}

static void insert_old_bounds(const struct keep_search *s, int64_t k, struct bound_finder *finder,
                              int64_t *points, int64_t *count)
{
    const struct nereus_range w = find_window(s, k);
    const int64_t middle = block_bound(s, k);
    while (finder->next < s->stayer_count && s->stayers[finder->next].first < middle)
        finder->next++;
    for (int64_t i = nereus_max(0, finder->next - NEAR);
         i < nereus_min(s->stayer_count, finder->next + NEAR) && s->step > 1; i++) {
        insert_point(points, count, s->stayers[i].first, w);
        insert_point(points, count, s->stayers[i].end, w);
    }
}

static void fill_points(struct keep_search *s, int64_t band)
{
    struct bound_finder finder = {0};
    int64_t index = 0;
    for (int64_t k = 0; k <= s->nt; k++) {
        const int64_t below = count_steps_below(s, k, band), above = count_steps_above(s, k, band);
        int64_t count = 0;
        s->starts[k] = index;
        for (int64_t i = -below; i <= above; i++)
            s->points[index + count++] = block_bound(s, k) + i * s->step;
        insert_old_bounds(s, k, &finder, s->points + index, &count);
        s->longest = nereus_max(s->longest, count);
        index += count;
    }
    s->starts[s->nt + 1] = index;
}

enum nereus_status nereus_keep_make_rows(struct keep_search *search, struct nereus_error *err)
{
    const int64_t band = choose_step(search);
    int64_t points = 0;
    for (int64_t k = 0; k <= search->nt; k++)
        points += count_steps_below(search, k, band) + count_steps_above(search, k, band) + 1 +
                  (search->step > 1 ? 4 * NEAR : 0);
    search->starts = malloc(((size_t)search->nt + 2) * sizeof *search->starts);
    search->points = malloc((size_t)points * sizeof *search->points);
    search->choices = malloc(2 * (size_t)points * sizeof *search->choices);
    if (search->starts != NULL && search->points != NULL && search->choices != NULL) {
        fill_points(search, band);
        search->values = malloc(4 * (size_t)search->longest * sizeof *search->values);
        search->queues = malloc(KEEP_QUEUES * (size_t)search->longest * sizeof *search->queues);
    }
    NEREUS_TRY_MEMORY(search->values && search->queues, err, "to search %lld positions for bounds",
                      (long long)points);
    search->values[0] = 0;
    search->values[1] = -1;
    return NEREUS_OK;
}
