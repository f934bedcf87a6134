/** @file grids.c  See grids.h. A value follows from its global index and the iteration. */
#include "grids.h"

#include <stdbool.h>
#include <string.h>

struct kind {
    const char *grid, *name;
    int bytes;
    bool varies;
    struct nereus_grid shape;
};

static const struct kind kinds[FIELDS] = {
    {"plane", "plane field", 8, true, {.dimensions = 2, .n = {37, 23}, .halo = {1, 1}}},
    {"ring",
     "ring field",
     2,
     false,
     {.dimensions = 3, .n = {29, 7, 5}, .halo = {2, 1, 0}, .periodic = {0, 1, 0}}},
    {"ring", "ring field 2", 8, true, {.dimensions = 0}},
    {"cyclic", "cyclic field", 4, true, {.dimensions = 2, .n = {29, 31}, .block = {3, 4}}},
    {"large",
     "large field",
     8,
     true,
     {.dimensions = 2, .n = {301, 203}, .halo = {1, 0}, .periodic = {1, 0}}},
};

static unsigned char byte_of(const struct grids *grids, int f, int64_t element, int b)
{
    const int64_t iteration = kinds[f].varies ? *grids->iteration : 0;
    return (unsigned char)(element * 31 + element / 256 * 7 + f * 5 + b * 11 + iteration);
}

/* ---- a walk over a box and its halo ---------------------------------------------------------- */

struct walk {
    const struct grids *grids;
    struct nereus_box box;
    int field;
    bool fill, halo; /* halo: the halo is compared, too */
    const char *difference;
};

/* Global index at a position of the box; -1: outside of the grid. */
static int64_t find_element(const struct nereus_box *box, const int64_t *at)
{
    int64_t element = 0;
    for (int d = 0; d < box->dimensions; d++) {
        const struct nereus_grid *grid = &box->grid;
        int64_t i = grid->block[d] > 0
                        ? nereus_grid_global_index(grid, d, box->coordinates[d], at[d])
                        : box->first[d] + at[d];
        if (grid->periodic[d])
            i = (i + grid->n[d]) % grid->n[d];
        if (i < 0 || i >= grid->n[d])
            return -1;
        element = element * grid->n[d] + i;
    }
    return element;
}

static void walk_element(struct walk *w, const int64_t *at)
{
    const int64_t element = find_element(&w->box, at);
    int64_t offset = 0;
    if (element < 0)
        return;
    for (int d = 0; d < w->box.dimensions; d++)
        offset += at[d] * w->box.stride[d];
    int owner;
    if (!w->halo &&
        (nereus_owner_of(w->grids->job, w->grids->fields[w->field], element, &owner) != NEREUS_OK ||
         owner != nereus_rank(w->grids->job)))
        w->difference = "the owner of an element of a field";
    unsigned char *value = (unsigned char *)w->box.values + offset * kinds[w->field].bytes;
    for (int b = 0; b < kinds[w->field].bytes; b++) {
        const unsigned char is = byte_of(w->grids, w->field, element, b);
        if (w->fill)
            value[b] = is;
        else if (value[b] != is)
            w->difference = w->halo ? "a field with its halo" : "an element of a field";
    }
}

static void walk_from(struct walk *w, int d, int64_t *at)
{
    if (d == w->box.dimensions) {
        walk_element(w, at);
        return;
    }
    const int64_t halo = w->halo ? w->box.grid.halo[d] : 0;
    for (at[d] = -halo; at[d] < w->box.count[d] + halo; at[d]++)
        walk_from(w, d + 1, at);
}

static const char *walk_field(const struct grids *grids, int field, bool fill, bool halo)
{
    struct walk w = {.grids = grids, .field = field, .fill = fill, .halo = halo};
    int64_t coordinates[NEREUS_GRID_DIMENSIONS];
    if (nereus_local_box(grids->job, grids->fields[field], &w.box) != NEREUS_OK)
        return "nereus_local_box";
    if (w.box.values != NULL)
        walk_from(&w, 0, coordinates);
    return w.difference;
}

/* ---- the test -------------------------------------------------------------------------------- */

enum nereus_status grids_register(struct grids *grids, nereus_job *job, const int64_t *iteration)
{
    static const MPI_Datatype types[] = {[2] = MPI_INT16_T, [4] = MPI_FLOAT, [8] = MPI_DOUBLE};
    enum nereus_status status = NEREUS_OK;
    *grids = (struct grids){.job = job, .iteration = iteration};
    for (int f = 0; f < FIELDS && status == NEREUS_OK; f++) {
        if (kinds[f].shape.dimensions == 0)
            grids->grids[f] = grids->grids[f - 1];
        else
            status = nereus_register_grid(job, kinds[f].grid, &kinds[f].shape, &grids->grids[f]);
        if (status == NEREUS_OK)
            status = nereus_register_field(
                job, kinds[f].name, types[kinds[f].bytes], grids->grids[f],
                kinds[f].varies ? NEREUS_VARIABLE : NEREUS_CONSTANT, &grids->fields[f]);
    }
    for (int f = 0; f < FIELDS && status == NEREUS_OK; f++)
        if (!nereus_is_received(job, grids->fields[f]))
            walk_field(grids, f, true, false);
    return status;
}

void grids_change(struct grids *grids)
{
    for (int f = 0; f < FIELDS && grids->job != NULL; f++)
        if (kinds[f].varies)
            walk_field(grids, f, true, false);
}

const char *grids_check(const struct grids *grids)
{
    const char *difference = NULL;
    for (int f = 0; f < FIELDS && grids->job != NULL && difference == NULL; f++)
        difference = walk_field(grids, f, false, false);
    return difference;
}

static const char *check_cartesian(const struct grids *grids, int f, const struct nereus_box *box)
{
    MPI_Comm comm;
    int rank, at[NEREUS_GRID_DIMENSIONS], lower[NEREUS_GRID_DIMENSIONS],
        upper[NEREUS_GRID_DIMENSIONS];
    if (nereus_grid_comm(grids->job, grids->grids[f], &comm) != NEREUS_OK ||
        nereus_grid_neighbours(grids->job, grids->grids[f], lower, upper) != NEREUS_OK)
        return "nereus_grid_comm";
    MPI_Comm_rank(comm, &rank);
    MPI_Cart_coords(comm, rank, box->dimensions, at);
    for (int d = 0; d < box->dimensions; d++) {
        int below, above;
        MPI_Cart_shift(comm, d, 1, &below, &above);
        if (at[d] != box->coordinates[d] ||
            (below == MPI_PROC_NULL) != (lower[d] == MPI_PROC_NULL) ||
            (above == MPI_PROC_NULL) != (upper[d] == MPI_PROC_NULL))
            return "Cartesian coordinates";
    }
    return NULL;
}

const char *grids_check_halos(const struct grids *grids)
{
    const char *difference = NULL;
    for (int f = 0; f < FIELDS && grids->job != NULL && difference == NULL; f++) {
        struct nereus_box box;
        if (nereus_local_box(grids->job, grids->fields[f], &box) != NEREUS_OK)
            return "nereus_local_box";
        if (nereus_grid_exchange(grids->job, grids->fields[f]) != NEREUS_OK)
            return "nereus_grid_exchange";
        difference = walk_field(grids, f, false, true);
        if (difference == NULL)
            difference = check_cartesian(grids, f, &box);
    }
    return difference;
}
