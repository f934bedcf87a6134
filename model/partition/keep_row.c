/**
 * @file keep_row.c
 * Does one step of the dynamic programming (keep.h): from the values at the positions of bound k to
 * those of bound k + 1.
 *
 * State 0: the stayer whose old range contains the position has no new range yet (or there is
 * none); state 1: it has one. The maximum of a window is at the front of a queue of positions with
 * falling values (monotone queue).
 */

#include "keep_search.h"

struct row {
    struct keep_search *search;
    const int64_t *from, *to; /* positions */
    int64_t from_count, to_count;
    const int64_t *old;  /* values at the positions `from`, two a point */
    int64_t *new_values; /* values at the positions `to` */
    struct keep_choice *choices;
};

enum measure {
    EITHER, /* the better of both states */
    UNUSED, /* state 0 */
    USED,   /* state 1 */
    /* state 0 minus the position: the gain of a stayer whose range begins at the bound grows with
     * the distance to it */
    UNUSED_LESS
};

static int64_t get_value(const struct row *row, enum measure measure, int64_t i)
{
    const int64_t unused = row->old[2 * i], used = row->old[2 * i + 1];
    switch (measure) {
    case EITHER:
        return nereus_max(unused, used);
    case UNUSED:
        return unused;
    case USED:
        return used;
    case UNUSED_LESS:
        return unused < 0 ? INT64_MIN : unused - row->from[i];
    }
    return -1;
}

static bool is_possible(const struct row *row, enum measure measure, int64_t i)
{
    return get_value(row, measure == UNUSED_LESS ? UNUSED : measure, i) >= 0;
}

/* @return the best position; -1: none */
static int64_t find_best(struct keep_queue *queue, const struct row *row, enum measure measure,
                         int64_t first, int64_t last)
{
    for (; queue->next < row->from_count && row->from[queue->next] <= last; queue->next++) {
        if (!is_possible(row, measure, queue->next))
            continue;
        const int64_t value = get_value(row, measure, queue->next);
        while (queue->back > queue->front &&
               get_value(row, measure, queue->points[queue->back - 1]) < value)
            queue->back--;
        queue->points[queue->back++] = (int32_t)queue->next;
    }
    while (queue->front < queue->back && row->from[queue->points[queue->front]] < first)
        queue->front++;
    return queue->front < queue->back ? queue->points[queue->front] : -1;
}

static struct keep_queue make_queue(const struct row *row, int number, int64_t next)
{
    return (struct keep_queue){.points = row->search->queues + number * row->search->longest,
                               .next = next};
}

static int64_t find_lower_bound(const int64_t *positions, int64_t count, int64_t position)
{
    int64_t low = 0, high = count;
    while (low < high) {
        const int64_t middle = low + (high - low) / 2;
        if (positions[middle] < position)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static void offer_choice(const struct row *row, int64_t to, int state, int64_t value,
                         struct keep_choice choice)
{
    if (value <= row->new_values[2 * to + state])
        return;
    row->new_values[2 * to + state] = value;
    row->choices[2 * to + state] = choice;
}

static void offer_either(const struct row *row, int64_t to, int state, int64_t gain, int64_t from,
                         int64_t stayer)
{
    const int used = row->old[2 * from + 1] > row->old[2 * from];
    offer_choice(row, to, state, row->old[2 * from + used] + gain,
                 (struct keep_choice){(int32_t)from, (int32_t)stayer, used});
}

/* Find the first stayer whose old range ends above a position. */
static int64_t find_first_ending_above(const struct keep_search *s, int64_t position)
{
    int64_t low = 0, high = s->stayer_count;
    while (low < high) {
        const int64_t middle = low + (high - low) / 2;
        if (s->stayers[middle].end <= position)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* The range x .. y - 1 goes to a process that keeps no elements of it. */
static void extend_without_stayer(const struct row *row)
{
    const struct keep_search *s = row->search;
    struct keep_queue below = make_queue(row, 0, 0), unused = make_queue(row, 1, 0),
                      used = make_queue(row, 2, 0);
    int64_t t = find_first_ending_above(s, row->to[0]);
    for (int64_t i = 0; i < row->to_count; i++) {
        const int64_t y = row->to[i], first = y - s->max, last = y - s->min;
        while (t < s->stayer_count && s->stayers[t].end <= y)
            t++;
        /* First element of the stayer across y; the bound before lies at or below it, or within its
         * range. */
        const int64_t begin =
            t < s->stayer_count && s->stayers[t].first < y ? s->stayers[t].first : y;
        int64_t x = find_best(&below, row, EITHER, first, nereus_min(last, begin));
        if (x >= 0)
            offer_either(row, i, 0, 0, x, -1);
        if (begin == y)
            continue;
        x = find_best(&unused, row, UNUSED, nereus_max(first, begin + 1), last);
        if (x >= 0)
            offer_choice(row, i, 0, row->old[2 * x], (struct keep_choice){(int32_t)x, -1, 0});
        /* Both bounds in the old range of a stayer that has a range already: better only on coarse
         * positions, else exchanging the two ranges is as good. */
        x = find_best(&used, row, USED, nereus_max(first, begin + 1), last);
        if (x >= 0)
            offer_choice(row, i, 1, row->old[2 * x + 1], (struct keep_choice){(int32_t)x, -1, 1});
    }
}

/* The range x .. y - 1 goes to a stayer, which keeps its old elements of it. */
static void extend_with_stayer(const struct row *row, int64_t number)
{
    const struct keep_search *s = row->search;
    const struct keep_stayer *stayer = &s->stayers[number];
    const int64_t begin = find_lower_bound(row->to, row->to_count, stayer->first + 1);
    struct keep_queue below = make_queue(row, 0, 0), inside = make_queue(row, 1, 0);
    below.next = find_lower_bound(row->from, row->from_count, stayer->first + 1 - s->max);
    inside.next = find_lower_bound(row->from, row->from_count, stayer->first + 1);
    for (int64_t i = begin; i < row->to_count && row->to[i] < stayer->end + s->max; i++) {
        const int64_t y = row->to[i], first = y - s->max, last = y - s->min;
        const int64_t end = nereus_min(stayer->end, y);
        const int state = y < stayer->end;
        int64_t x = find_best(&below, row, EITHER, first, nereus_min(last, stayer->first));
        if (x >= 0)
            offer_either(row, i, state, end - stayer->first, x, number);
        x = find_best(&inside, row, UNUSED_LESS, first, nereus_min(last, stayer->end - 1));
        if (x >= 0 && row->from[x] < end)
            offer_choice(row, i, state, row->old[2 * x] + end - row->from[x],
                         (struct keep_choice){(int32_t)x, (int32_t)number, 0});
    }
}

void nereus_keep_compute_row(struct keep_search *search, int64_t k)
{
    const int64_t here = search->starts[k], next = search->starts[k + 1],
                  after = search->starts[k + 2];
    int64_t *old = search->values + (k % 2 == 0 ? 0 : 2 * search->longest);
    int64_t *new_values = search->values + (k % 2 == 0 ? 2 * search->longest : 0);
    const struct row row = {search,
                            search->points + here,
                            search->points + next,
                            next - here,
                            after - next,
                            old,
                            new_values,
                            search->choices + 2 * next};
    for (int64_t i = 0; i < 2 * row.to_count; i++)
        new_values[i] = -1;
    extend_without_stayer(&row);
    /* Stayers whose old range overlaps the possible new range. */
    for (int64_t t = find_first_ending_above(search, row.from[0]);
         t < search->stayer_count && search->stayers[t].first < row.to[row.to_count - 1]; t++)
        extend_with_stayer(&row, t);
}
