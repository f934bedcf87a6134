/**
 * @file grid.h
 * Describes a grid of 1 to 4 dimensions, cut into one box per process: in each dimension by the
 * block distribution, or block-cyclically as ScaLAPACK does. The last dimension is contiguous in
 * memory, as in a C array; for Fortran's order give the dimensions in reverse.
 *
 * Processes are numbered along the process grid in the order of MPI_Cart_create, the last
 * coordinate first; that number is the box' place. In a file, and for sizes, the boxes follow each
 * other in the order of their places (box order), each with its elements in the order of memory.
 */
#ifndef NEREUS_GRID_H
#define NEREUS_GRID_H

#include <stdbool.h>
#include <stdint.h>

#include "distribution.h"
#include "status.h"

NEREUS_BEGIN_C

enum { NEREUS_GRID_DIMENSIONS = 4 };

/** A grid. Dimensions that it does not have are zero. Plain numbers, all of 64 bit. */
struct nereus_grid {
    int64_t dimensions;                   /**< 1 to 4; 0: no grid */
    int64_t n[NEREUS_GRID_DIMENSIONS];    /**< elements in all processes */
    int64_t halo[NEREUS_GRID_DIMENSIONS]; /**< width of the halo on both sides */
    int64_t
        periodic[NEREUS_GRID_DIMENSIONS]; /**< 1: the first and the last element are neighbours */
    /** Block-cyclic: elements of a block, which has no halo. 0: one block per process */
    int64_t block[NEREUS_GRID_DIMENSIONS];
    int64_t fixed[NEREUS_GRID_DIMENSIONS]; /**< processes, at every size; 0: chosen at each size */
    /** The process grid at the present size; set by the library */
    int64_t processes[NEREUS_GRID_DIMENSIONS];
};
#define NEREUS_GRID_INIT                                                                           \
    {                                                                                              \
        0, {0}, {0}, {0}, {0}, {0},                                                                \
        {                                                                                          \
            0                                                                                      \
        }                                                                                          \
    }

/** Check a grid that an application gives.
 * @return NEREUS_ERR_ARGUMENT, naming the dimension */
enum nereus_status nereus_grid_check(const struct nereus_grid *grid, struct nereus_error *err);
/** Number of elements. */
int64_t nereus_grid_count(const struct nereus_grid *grid);
/** Is b the same grid as a, on whatever number of processes? */
bool nereus_grid_same(const struct nereus_grid *a, const struct nereus_grid *b);

/** Can this number of processes be the process grid of the grid: does the product of the fixed
 * numbers divide it, and equal it if all are fixed? Always true without a grid (dimensions 0). */
bool nereus_grid_allows(const struct nereus_grid *grid, int64_t processes);
/**
 * Choose a process grid: among those whose busiest process has nearly the fewest elements and the
 * smallest surface, the one that moves the fewest elements.
 * @param[in]     processes  >= 1, allowed by the grid
 * @param[in]     old_grid     the grid on its present processes, of which `staying` (places 0 ..
 *                           staying - 1 of both) keep their memory; NULL: there are none
 * @param[in,out] grid       `processes` is set
 */
void nereus_grid_choose(int64_t processes, const struct nereus_grid *old_grid, int64_t staying,
                        struct nereus_grid *grid);

/** Is a part of some process thinner than the halo beside it, so that the halo would need more than
 * one neighbour? */
bool nereus_grid_is_thin(const struct nereus_grid *grid);
/** Is the process grid one of this number of processes, with at least one in each dimension? */
bool nereus_grid_is_on(const struct nereus_grid *grid, int64_t processes);

/** Coordinates of a place in the process grid, and back.
 * @param[out] coordinates  one per dimension */
void nereus_grid_coordinates(const struct nereus_grid *grid, int64_t place,
                             int64_t coordinates[NEREUS_GRID_DIMENSIONS]);
int64_t nereus_grid_place(const struct nereus_grid *grid,
                          const int64_t coordinates[NEREUS_GRID_DIMENSIONS]);
/** Place of the neighbour in a dimension, in direction -1 or 1; -1: none, the grid ends here. */
int64_t nereus_grid_neighbour(const struct nereus_grid *grid, int64_t place, int dimension,
                              int direction);

/** Elements of a coordinate in a dimension: `count` of them, `first` before them in the coordinates
 * below it. One block per process: elements first .. first + count - 1. O(1). */
struct nereus_range nereus_grid_extent(const struct nereus_grid *grid, int dimension,
                                       int64_t coordinate);
/** Coordinate that has element i of a dimension. O(1). */
int64_t nereus_grid_owner(const struct nereus_grid *grid, int dimension, int64_t i);
/** Number of element i of a dimension within its process, and of a process' k-th element in the
 * whole. O(1). */
int64_t nereus_grid_local_index(const struct nereus_grid *grid, int dimension, int64_t i);
int64_t nereus_grid_global_index(const struct nereus_grid *grid, int dimension, int64_t coordinate,
                                 int64_t k);

/** The box of a place, as a range in box order. O(dimensions). */
struct nereus_range nereus_grid_range(const struct nereus_grid *grid, int64_t place);
/** Places of `other_grid`, first and last, that may share elements with a box of `grid`. */
struct nereus_range nereus_grid_peers(const struct nereus_grid *grid, int64_t place,
                                      const struct nereus_grid *other_grid);
/** Number of elements that two boxes of the same grid share, on two process grids. */
int64_t nereus_grid_overlap(const struct nereus_grid *a, int64_t place_a,
                            const struct nereus_grid *b, int64_t place_b);

NEREUS_END_C
#endif
