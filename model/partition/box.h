/** @file box.h  Finds the elements that the boxes of two processes share, and copies them. */
#pragma once

#include "model/util/base.h"
#include "nereus/grid.h"

/** A process in a grid. */
struct grid_side {
    const struct nereus_grid *grid;
    int64_t coordinates[NEREUS_GRID_DIMENSIONS];
};
/** The process at a place. */
struct grid_side nereus_grid_side(const struct nereus_grid *grid, int64_t place);

/** Progress through the intervals of a dimension. Zeroed: none was visited yet. */
struct shared_intervals {
    bool begun;
    int64_t block; /**< block-cyclic: number of the latest block */
};
/** Find the next interval of dimension d that both processes have, ascending; it lies within one
 * interval of each.
 * @return false: no more */
bool nereus_grid_next_shared(const struct grid_side *a, const struct grid_side *b, int d,
                             struct shared_intervals *intervals, struct nereus_range *shared);

/** Memory of a box with its halo. */
struct box_memory {
    int64_t elements;                        /**< with the halo; 0 for an empty box */
    int64_t origin;                          /**< offset of the first own element */
    int64_t strides[NEREUS_GRID_DIMENSIONS]; /**< elements to the next one in each dimension */
};
/** Shape of the memory of a place's box. */
struct box_memory nereus_box_memory(const struct nereus_grid *grid, int64_t place);
/** Has any dimension a halo? */
bool nereus_grid_has_halo(const struct nereus_grid *grid);

/** Room for "a grid of 12 x 10, halo 1 1, periodic 0 1". */
enum { NEREUS_GRID_TEXT = 480 };
/** Format the members that all processes must give alike, without zeros and numbers of processes.
 */
void nereus_grid_format(const struct nereus_grid *grid, char text[NEREUS_GRID_TEXT]);

/** A place's box in memory. */
struct box {
    const struct nereus_grid *grid;
    int64_t place;
    unsigned char *part; /**< as nereus_box_memory describes */
};

/** Copy the elements that two boxes share from a box into a buffer, and back, in the order of the
 * whole grid.
 * @param box, place  the box in memory; the other box is at `place` of `other_grid`
 * @return the number of bytes */
int64_t nereus_box_pack(const struct box *box, const struct nereus_grid *other_grid, int64_t place,
                        int64_t element_bytes, unsigned char *buffer);
int64_t nereus_box_unpack(const struct box *box, const struct nereus_grid *other_grid,
                          int64_t place, int64_t element_bytes, const unsigned char *buffer);

/** Copy the elements that two boxes share from one into the other, in pieces.
 * @param         limit_bytes  stop after the slice that exceeds this limit
 * @param[in,out] slice        number of the next slice in dimension 0; 0 at first
 * @param[in,out] done_bytes   increased by the bytes copied
 * @return true: all elements are copied */
bool nereus_box_copy(const struct box *from, const struct box *to, int64_t element_bytes,
                     int64_t limit_bytes, int64_t *slice, int64_t *done_bytes);

/** The one interval that two boxes share in a dimension: offsets of its first element in both. */
struct shared_block {
    bool known; /**< false: block-cyclic, there may be several */
    int64_t at_a, at_b, count;
};

/** Visit the shared elements in runs that are contiguous in both boxes. */
struct box_visit {
    struct grid_side a, b;
    struct box_memory memory_a, memory_b;
    struct shared_block blocks[NEREUS_GRID_DIMENSIONS];
    int last; /**< a run goes over the dimensions from this one on */
    /** first element of the run in both, and their number */
    void (*run)(struct box_visit *visit, int64_t at_a, int64_t at_b, int64_t count);
    void *user;
    int64_t element_bytes;
    int64_t skip;              /**< slices of dimension 0 that are skipped */
    int64_t limit, done_bytes; /**< bytes: stop before a slice once done >= limit */
    int64_t slice;             /**< slices that were passed */
};
/** Make the visit of the elements that a box shares with the box at `place` of `other_grid`; the
 * caller sets `run` and `user`. */
struct box_visit nereus_box_visit_of(const struct box *box, const struct nereus_grid *other_grid,
                                     int64_t place, int64_t element_bytes);
/** Call `run` for all runs, in ascending order of the whole grid. */
void nereus_box_visit(struct box_visit *visit);
