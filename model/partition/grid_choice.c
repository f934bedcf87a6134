/**
 * @file grid_choice.c
 * Chooses the process grid of a number of processes. All process grids are tried: there are few
 * (560 for 8192 processes in four dimensions).
 *
 * A process computes its box and exchanges its surface in each iteration, which happens more often
 * than a reconfiguration: so the largest box and the surface decide first, within tolerances; of
 * the remaining grids the one that keeps most elements in place wins.
 */

#include "box.h"
#include "nereus/grid.h"

/* Tolerances of the largest box and of its surface: percent above the least. For a cube the process
 * grids within them differ by the order of the dimensions, or by one factor 2 or 3 with many
 * processes. */
enum { BOX_PERCENT = 5, SURFACE_PERCENT = 20 };

/* Boxes that are tolerated if no grid is without: empty ones; then ones thinner than the halo, too.
 */
enum tolerated { NONE, EMPTY, THIN };

enum criterion { LEAST_BOX, LEAST_SURFACE, BEST };

struct search {
    const struct nereus_grid *old_grid;
    int64_t staying_processes;
    enum criterion criterion;
    enum tolerated tolerated;
    bool found;
    int64_t box, surface;  /* least values found */
    int64_t kept_elements; /* elements kept by best_grid */
    struct nereus_grid grid, best_grid;
};

/* Multiply the fixed numbers of processes.
 * @param[out] free  a dimension has none */
static int64_t multiply_fixed(const struct nereus_grid *grid, bool *free)
{
    int64_t product = 1;
    *free = grid->dimensions == 0;
    for (int d = 0; d < grid->dimensions; d++) {
        *free = *free || grid->fixed[d] == 0;
        product *= grid->fixed[d] > 0 ? grid->fixed[d] : 1;
    }
    return product;
}

bool nereus_grid_allows(const struct nereus_grid *grid, int64_t processes)
{
    bool free;
    const int64_t fixed = multiply_fixed(grid, &free);
    return free ? processes % fixed == 0 : processes == fixed;
}

static int64_t compute_largest_box(const struct nereus_grid *grid)
{
    int64_t box = 1;
    for (int d = 0; d < grid->dimensions; d++)
        box *= nereus_grid_extent(grid, d, 0).count;
    return box;
}

/* Elements next to other processes. A dimension on two processes has one neighbour, unless it is
 * periodic. */
static int64_t compute_largest_surface(const struct nereus_grid *grid)
{
    const int64_t box = compute_largest_box(grid);
    int64_t surface = 0;
    for (int d = 0; d < grid->dimensions; d++) {
        const int64_t faces = grid->processes[d] == 1                         ? 0
                              : grid->processes[d] == 2 && !grid->periodic[d] ? 1
                                                                              : 2;
        surface += faces * (box / nereus_max(1, nereus_grid_extent(grid, d, 0).count));
    }
    return surface;
}

/* Nothing is received in a dimension on one process that is not periodic. */
bool nereus_grid_is_thin(const struct nereus_grid *grid)
{
    for (int d = 0; d < grid->dimensions; d++)
        if ((grid->processes[d] > 1 || grid->periodic[d]) &&
            nereus_grid_extent(grid, d, grid->processes[d] - 1).count < grid->halo[d])
            return true;
    return false;
}

static bool has_empty_part(const struct nereus_grid *grid)
{
    for (int d = 0; d < grid->dimensions; d++)
        if (grid->processes[d] > grid->n[d])
            return true;
    return false;
}

static bool is_tolerated(const struct nereus_grid *grid, enum tolerated tolerated)
{
    return tolerated == THIN ||
           (!nereus_grid_is_thin(grid) && (tolerated == EMPTY || !has_empty_part(grid)));
}

static int64_t count_kept(const struct search *search)
{
    int64_t kept_elements = 0;
    for (int64_t k = 0; k < search->staying_processes; k++)
        kept_elements += nereus_grid_overlap(search->old_grid, k, &search->grid, k);
    return kept_elements;
}

static bool is_near(int64_t value, int64_t least, int64_t percent)
{
    return (double)value <= (double)least * (1 + (double)percent / 100);
}

/* Compare a grid with the best. Of equals the first wins, in which the first dimensions have most
 * processes, as in MPI_Dims_create. */
static void judge_grid(struct search *search)
{
    const int64_t box = compute_largest_box(&search->grid),
                  surface = compute_largest_surface(&search->grid);
    if (!is_tolerated(&search->grid, search->tolerated))
        return;
    if (search->criterion == LEAST_BOX) {
        search->box = search->found ? nereus_min(search->box, box) : box;
        search->found = true;
        return;
    }
    if (!is_near(box, search->box, BOX_PERCENT))
        return;
    if (search->criterion == LEAST_SURFACE) {
        search->surface = search->surface < 0 ? surface : nereus_min(search->surface, surface);
        return;
    }
    if (!is_near(surface, search->surface, SURFACE_PERCENT))
        return;
    const int64_t kept_elements = count_kept(search);
    const int64_t best_surface =
        search->kept_elements < 0 ? 0 : compute_largest_surface(&search->best_grid);
    if (kept_elements > search->kept_elements ||
        (kept_elements == search->kept_elements && surface < best_surface)) {
        search->kept_elements = kept_elements;
        search->best_grid = search->grid;
    }
}

/* Try all numbers of processes of dimension d that divide those that remain. */
static void try_dimension(struct search *search, int d, int64_t remaining)
{
    const int64_t fixed = search->grid.fixed[d];
    const bool last = d == search->grid.dimensions - 1;
    for (int64_t number = remaining; number >= 1; number--) {
        if (remaining % number != 0 || (fixed > 0 && number != fixed) ||
            (last && number != remaining))
            continue;
        search->grid.processes[d] = number;
        if (last)
            judge_grid(search);
        else
            try_dimension(search, d + 1, remaining / number);
    }
}

void nereus_grid_choose(int64_t processes, const struct nereus_grid *old_grid, int64_t staying,
                        struct nereus_grid *grid)
{
    struct search search = {.old_grid = old_grid,
                            .staying_processes =
                                old_grid == NULL ? 0 : nereus_min(staying, processes),
                            .surface = -1,
                            .kept_elements = -1,
                            .grid = *grid};
    while (try_dimension(&search, 0, processes), !search.found)
        search.tolerated++;
    search.criterion = LEAST_SURFACE;
    try_dimension(&search, 0, processes);
    search.criterion = BEST;
    try_dimension(&search, 0, processes);
    memcpy(grid->processes, search.best_grid.processes, sizeof grid->processes);
}
