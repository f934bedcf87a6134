/**
 * @file grid.c
 * Computes the geometry of grids: coordinates, boxes, and what two boxes share, in closed form.
 */
#include "nereus/grid.h"

#include "box.h"

/* A product of four such numbers fits into an int64_t. */
enum { FIXED_MAX = 46340 };

/* ---- the grid -------------------------------------------------------------------------------- */

static enum nereus_status check_dimension(const struct nereus_grid *grid, int d, int64_t before,
                                          struct nereus_error *err)
{
    if (grid->n[d] < 1 || grid->n[d] > INT64_MAX / before)
        return nereus_fail(err, NEREUS_ERR_ARGUMENT,
                           "dimension %d of a grid has %lld elements: at least 1, and no more in "
                           "all dimensions than 64 bits count",
                           d, (long long)grid->n[d]);
    if (grid->halo[d] < 0 || grid->halo[d] > grid->n[d])
        return nereus_fail(err, NEREUS_ERR_ARGUMENT,
                           "dimension %d of a grid has a halo of %lld: it is 0 to %lld", d,
                           (long long)grid->halo[d], (long long)grid->n[d]);
    if (grid->periodic[d] != 0 && grid->periodic[d] != 1)
        return nereus_fail(err, NEREUS_ERR_ARGUMENT,
                           "dimension %d of a grid: periodic is 0 or 1, not %lld", d,
                           (long long)grid->periodic[d]);
    if (grid->block[d] < 0 || (grid->block[d] > 0 && grid->halo[d] > 0))
        return nereus_fail(err, NEREUS_ERR_ARGUMENT,
                           "dimension %d of a grid has blocks of %lld elements and a halo of "
                           "%lld: a block-cyclic dimension has no halo, 0 is one block per process",
                           d, (long long)grid->block[d], (long long)grid->halo[d]);
    if (grid->fixed[d] < 0 || grid->fixed[d] > FIXED_MAX)
        return nereus_fail(
            err, NEREUS_ERR_ARGUMENT,
            "dimension %d of a grid is fixed to %lld processes: it is 1 to %d, and 0 "
            "lets them be chosen",
            d, (long long)grid->fixed[d], FIXED_MAX);
    return NEREUS_OK;
}

enum nereus_status nereus_grid_check(const struct nereus_grid *grid, struct nereus_error *err)
{
    int64_t count = 1;
    if (grid->dimensions < 1 || grid->dimensions > NEREUS_GRID_DIMENSIONS)
        return nereus_fail(err, NEREUS_ERR_ARGUMENT, "a grid has 1 to %d dimensions, not %lld",
                           NEREUS_GRID_DIMENSIONS, (long long)grid->dimensions);
    for (int d = 0; d < grid->dimensions; d++) {
        enum nereus_status status = check_dimension(grid, d, count, err);
        if (status != NEREUS_OK)
            return status;
        count *= grid->n[d];
    }
    for (int64_t d = grid->dimensions; d < NEREUS_GRID_DIMENSIONS; d++)
        if (grid->n[d] != 0 || grid->halo[d] != 0 || grid->periodic[d] != 0 ||
            grid->block[d] != 0 || grid->fixed[d] != 0)
            return nereus_fail(
                err, NEREUS_ERR_ARGUMENT,
                "a grid of %lld dimension%s has values for dimension %lld (the first "
                "dimension is 0)",
                (long long)grid->dimensions, nereus_plural_s(grid->dimensions), (long long)d);
    return NEREUS_OK;
}

/* Append "12 x 10", or halos and the like. */
static void append_numbers(const char *separator, const int64_t *numbers, int64_t count,
                           const char *between, char text[NEREUS_GRID_TEXT])
{
    for (int64_t d = 0; d < count; d++)
        nereus_append(text, NEREUS_GRID_TEXT, "%s%lld", d > 0 ? between : separator,
                      (long long)numbers[d]);
}

void nereus_grid_format(const struct nereus_grid *grid, char text[NEREUS_GRID_TEXT])
{
    static const int64_t none[NEREUS_GRID_DIMENSIONS] = {0};
    const struct {
        const char *name;
        const int64_t *numbers;
    } others[] = {{", halo ", grid->halo},
                  {", periodic ", grid->periodic},
                  {", block ", grid->block},
                  {", fixed ", grid->fixed}};
    text[0] = '\0';
    append_numbers("a grid of ", grid->n, grid->dimensions, " x ", text);
    for (size_t i = 0; i < NEREUS_COUNT_OF(others); i++)
        if (memcmp(others[i].numbers, none, sizeof none) != 0)
            append_numbers(others[i].name, others[i].numbers, grid->dimensions, " ", text);
}

int64_t nereus_grid_count(const struct nereus_grid *grid)
{
    int64_t count = 1;
    for (int d = 0; d < grid->dimensions; d++)
        count *= grid->n[d];
    return count;
}

bool nereus_grid_same(const struct nereus_grid *a, const struct nereus_grid *b)
{
    struct nereus_grid here = *a;
    memcpy(here.processes, b->processes, sizeof here.processes);
    return memcmp(&here, b, sizeof here) == 0;
}

bool nereus_grid_is_on(const struct nereus_grid *grid, int64_t processes)
{
    for (int d = 0; d < grid->dimensions; d++) {
        if (grid->processes[d] < 1 || processes % grid->processes[d] != 0)
            return false;
        processes /= grid->processes[d];
    }
    return processes == 1;
}

/* ---- coordinates ----------------------------------------------------------------------------- */

void nereus_grid_coordinates(const struct nereus_grid *grid, int64_t place,
                             int64_t coordinates[NEREUS_GRID_DIMENSIONS])
{
    for (int d = (int)grid->dimensions - 1; d >= 0; d--) {
        coordinates[d] = place % grid->processes[d];
        place /= grid->processes[d];
    }
}

int64_t nereus_grid_place(const struct nereus_grid *grid,
                          const int64_t coordinates[NEREUS_GRID_DIMENSIONS])
{
    int64_t place = 0;
    for (int d = 0; d < grid->dimensions; d++)
        place = place * grid->processes[d] + coordinates[d];
    return place;
}

int64_t nereus_grid_neighbour(const struct nereus_grid *grid, int64_t place, int dimension,
                              int direction)
{
    int64_t coordinates[NEREUS_GRID_DIMENSIONS];
    const int64_t processes = grid->processes[dimension];
    nereus_grid_coordinates(grid, place, coordinates);
    coordinates[dimension] += direction;
    if (coordinates[dimension] < 0 || coordinates[dimension] >= processes) {
        if (!grid->periodic[dimension])
            return -1;
        coordinates[dimension] = (coordinates[dimension] + processes) % processes;
    }
    return nereus_grid_place(grid, coordinates);
}

/* ---- one dimension --------------------------------------------------------------------------- */

/* Block-cyclic: block k belongs to coordinate k mod processes; the last block may be shorter. */
static struct nereus_range compute_cyclic_extent(int64_t n, int64_t block, int64_t processes,
                                                 int64_t at)
{
    const int64_t blocks = nereus_divide_up(n, block), each = blocks / processes,
                  more = blocks % processes, last_owner = (blocks - 1) % processes,
                  missing = blocks * block - n;
    const int64_t before = at * each + nereus_min(at, more), own = each + (at < more ? 1 : 0);
    return (struct nereus_range){before * block - (last_owner < at ? missing : 0),
                                 own * block - (last_owner == at ? missing : 0)};
}

struct nereus_range nereus_grid_extent(const struct nereus_grid *grid, int dimension,
                                       int64_t coordinate)
{
    const int64_t n = grid->n[dimension], processes = grid->processes[dimension];
    return grid->block[dimension] == 0
               ? nereus_block(n, processes, coordinate)
               : compute_cyclic_extent(n, grid->block[dimension], processes, coordinate);
}

int64_t nereus_grid_owner(const struct nereus_grid *grid, int dimension, int64_t i)
{
    const int64_t block = grid->block[dimension], processes = grid->processes[dimension];
    return block == 0 ? nereus_block_owner(grid->n[dimension], processes, i)
                      : i / block % processes;
}

int64_t nereus_grid_local_index(const struct nereus_grid *grid, int dimension, int64_t i)
{
    const int64_t block = grid->block[dimension], processes = grid->processes[dimension];
    if (block == 0)
        return i - nereus_grid_extent(grid, dimension, nereus_grid_owner(grid, dimension, i)).first;
    return i / block / processes * block + i % block;
}

int64_t nereus_grid_global_index(const struct nereus_grid *grid, int dimension, int64_t coordinate,
                                 int64_t k)
{
    const int64_t block = grid->block[dimension];
    if (block == 0)
        return nereus_grid_extent(grid, dimension, coordinate).first + k;
    return (k / block * grid->processes[dimension] + coordinate) * block + k % block;
}

static int64_t greatest_common_divisor(int64_t a, int64_t b)
{
    while (b > 0) {
        const int64_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

/* Find the first block of both coordinate a of P and coordinate b of Q processes; -1: none. Common
 * blocks are lcm(P, Q) apart: a + P x = b modulo Q, with the inverse of P / g modulo Q / g by
 * Euclid. */
static int64_t find_common_block(int64_t a, int64_t p, int64_t b, int64_t q)
{
    const int64_t g = greatest_common_divisor(p, q), m = q / g;
    int64_t r0 = m, r1 = p / g % m, t0 = 0, t1 = 1;
    if ((b - a) % g != 0)
        return -1;
    while (r1 > 0) {
        const int64_t quotient = r0 / r1, r = r0 - quotient * r1, t = t0 - quotient * t1;
        r0 = r1, r1 = r, t0 = t1, t1 = t;
    }
    const int64_t x = ((b - a) / g % m + m) % m * ((t0 % m + m) % m) % m;
    return a + p * x;
}

bool nereus_grid_next_shared(const struct grid_side *a, const struct grid_side *b, int d,
                             struct shared_intervals *intervals, struct nereus_range *shared)
{
    const int64_t n = a->grid->n[d], block = a->grid->block[d], p = a->grid->processes[d],
                  q = b->grid->processes[d];
    const bool first = !intervals->begun;
    intervals->begun = true;
    if (block == 0) {
        *shared = nereus_range_overlap(nereus_grid_extent(a->grid, d, a->coordinates[d]),
                                       nereus_grid_extent(b->grid, d, b->coordinates[d]));
        return first && shared->count > 0;
    }
    intervals->block = first ? find_common_block(a->coordinates[d], p, b->coordinates[d], q)
                             : intervals->block + p / greatest_common_divisor(p, q) * q;
    if (intervals->block < 0 || intervals->block >= nereus_divide_up(n, block))
        return false;
    *shared = (struct nereus_range){intervals->block * block,
                                    nereus_min(block, n - intervals->block * block)};
    return true;
}

/* Count the elements of dimension d that both processes have. */
static int64_t count_shared(const struct grid_side *a, const struct grid_side *b, int d)
{
    const int64_t block = a->grid->block[d], p = a->grid->processes[d], q = b->grid->processes[d];
    struct shared_intervals intervals = {0};
    struct nereus_range shared;
    if (!nereus_grid_next_shared(a, b, d, &intervals, &shared))
        return 0;
    if (block == 0)
        return shared.count;
    const int64_t blocks = nereus_divide_up(a->grid->n[d], block),
                  apart = p / greatest_common_divisor(p, q) * q,
                  common = (blocks - 1 - intervals.block) / apart + 1;
    const bool has_last = (blocks - 1 - intervals.block) % apart == 0;
    return common * block - (has_last ? blocks * block - a->grid->n[d] : 0);
}

/* ---- boxes ----------------------------------------------------------------------------------- */

struct grid_side nereus_grid_side(const struct nereus_grid *grid, int64_t place)
{
    struct grid_side side = {.grid = grid};
    nereus_grid_coordinates(grid, place, side.coordinates);
    return side;
}

/* range.first: number of elements in all places before this one. */
struct nereus_range nereus_grid_range(const struct nereus_grid *grid, int64_t place)
{
    struct nereus_range range = {0, 1};
    int64_t coordinates[NEREUS_GRID_DIMENSIONS], rest = nereus_grid_count(grid);
    nereus_grid_coordinates(grid, place, coordinates);
    for (int d = 0; d < grid->dimensions; d++) {
        const struct nereus_range extent = nereus_grid_extent(grid, d, coordinates[d]);
        rest /= grid->n[d];
        range.first += range.count * extent.first * rest;
        range.count *= extent.count;
    }
    return range;
}

struct nereus_range nereus_grid_peers(const struct nereus_grid *grid, int64_t place,
                                      const struct nereus_grid *other_grid)
{
    int64_t coordinates[NEREUS_GRID_DIMENSIONS], low[NEREUS_GRID_DIMENSIONS],
        high[NEREUS_GRID_DIMENSIONS];
    nereus_grid_coordinates(grid, place, coordinates);
    for (int d = 0; d < grid->dimensions; d++) {
        const struct nereus_range own_range = nereus_grid_extent(grid, d, coordinates[d]);
        if (own_range.count == 0)
            return (struct nereus_range){0, 0};
        const bool blocks = grid->block[d] == 0;
        low[d] = blocks ? nereus_grid_owner(other_grid, d, own_range.first) : 0;
        high[d] = blocks ? nereus_grid_owner(other_grid, d, own_range.first + own_range.count - 1)
                         : other_grid->processes[d] - 1;
    }
    const int64_t first = nereus_grid_place(other_grid, low);
    return (struct nereus_range){first, nereus_grid_place(other_grid, high) - first + 1};
}

int64_t nereus_grid_overlap(const struct nereus_grid *a, int64_t place_a,
                            const struct nereus_grid *b, int64_t place_b)
{
    const struct grid_side one = nereus_grid_side(a, place_a), other = nereus_grid_side(b, place_b);
    int64_t product = 1;
    for (int d = 0; d < a->dimensions && product > 0; d++)
        product *= count_shared(&one, &other, d);
    return product;
}
