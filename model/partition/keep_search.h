/**
 * @file keep_search.h
 * Describes the state of the search for the partition that moves least. Private to keep*.c.
 */
#pragma once

#include "keep.h"

/** A process that stays (a stayer), with its old range first .. end - 1. */
struct keep_stayer {
    int64_t first, end, rank;
};

/** Predecessor of the best value at a point. */
struct keep_choice {
    int32_t from;   /* point of the bound before */
    int32_t stayer; /* owner of the range in between; -1: the range keeps nothing */
    int32_t used;
};

/** Monotone queue: positions in rising order, the best of the window at the front. */
struct keep_queue {
    int32_t *points;
    int64_t front, back;
    int64_t next; /* first point that was not examined */
};

/** Arrays have one entry for each point: a position at which a bound is tried. */
struct keep_search {
    int64_t n, nt, min, max, cells;
    struct keep_stayer *stayers; /* sorted by first element */
    int64_t stayer_count;
    int64_t step;
    bool optimal;
    int64_t *starts; /* the points of bound k are starts[k] .. starts[k + 1] - 1; nt + 2 entries */
    int64_t *points; /* rising within a bound */
    struct keep_choice *choices; /* 2 a point: state 0 and state 1 (keep_row.c) */
    int64_t *values; /* 2 a point of two bounds: this one's and the next one's; -1: impossible */
    int64_t longest; /* largest number of points of a bound */
    int32_t *queues; /* memory of the queues: QUEUES * longest */
};
enum { KEEP_QUEUES = 3 };

/** Give the remaining ranks to the ranges without a rank (-1), in rank order.
 * @param placed  scratch, indexed by rank */
void nereus_keep_fill_order(int64_t nt, int64_t *order, bool *placed);
/** Choose the points, and allocate the arrays (keep_points.c). */
enum nereus_status nereus_keep_make_rows(struct keep_search *search, struct nereus_error *err);
/** Compute the values at bound k + 1 from those at bound k (keep_row.c). */
void nereus_keep_compute_row(struct keep_search *search, int64_t k);
