/**
 * @file bound_grid.c
 * Binds grids and fields, with dimensions in reverse order: the first of Fortran is the last of C.
 */

#include "bound.h"

static void reverse(int dimensions, const int64_t *from, int64_t *to)
{
    for (int d = 0; d < dimensions; d++)
        to[d] = from[dimensions - 1 - d];
}

int nereus_fortran_register_grid(nereus_job *job, const char *name, int dimensions,
                                 const int64_t numbers[5][NEREUS_GRID_DIMENSIONS], int *id)
{
    struct nereus_grid grid = NEREUS_GRID_INIT;
    int64_t *const places[5] = {grid.n, grid.halo, grid.periodic, grid.block, grid.fixed};
    grid.dimensions = dimensions;
    for (int i = 0; i < 5; i++)
        reverse(dimensions, numbers[i], places[i]);
    return (int)nereus_register_grid(job, name, &grid, id);
}

int nereus_fortran_register_field(nereus_job *job, const char *name, int element, int grid,
                                  int kind, int *id)
{
    const MPI_Datatype type = nereus_fortran_type(element);
    if (type == MPI_DATATYPE_NULL)
        return nereus_fortran_fail(
            job, "a field needs a type of elements, nereus_int32 to nereus_real64");
    const enum nereus_status status =
        nereus_register_field(job, name, type, grid, (enum nereus_data_kind)kind, id);
    if (status == NEREUS_OK)
        nereus_fortran_store_type(*id, element, NEREUS_FORTRAN_FIELD);
    return (int)status;
}

static int refuse_pointer(nereus_job *job, int id, int element, int dimensions, int registered)
{
    char sentence[256];
    snprintf(
        sentence, sizeof sentence,
        "nereus_local_box: '%s' was registered with elements of %s on a grid of %d dimensions; "
        "the pointer is for %s in %d dimensions",
        job->registry.data[id].entry.name, nereus_fortran_type_name(nereus_fortran_element_of(id)),
        registered, nereus_fortran_type_name(element), dimensions);
    return nereus_fortran_fail(job, sentence);
}

int nereus_fortran_local_box(nereus_job *job, int id, int element, int dimensions,
                             struct nereus_fortran_box *box)
{
    static int64_t nothing;
    struct nereus_box own_box;
    int64_t before = 0;
    *box = (struct nereus_fortran_box){.address = &nothing, .lower = {1, 1, 1, 1}};
    if (nereus_local_box(job, id, &own_box) != NEREUS_OK)
        return NEREUS_ERR_ARGUMENT;
    if (own_box.dimensions != dimensions || nereus_fortran_element_of(id) != element)
        return refuse_pointer(job, id, element, dimensions, own_box.dimensions);
    reverse(dimensions, own_box.first, box->first);
    reverse(dimensions, own_box.count, box->count);
    reverse(dimensions, own_box.coordinates, box->coordinates);
    reverse(dimensions, own_box.grid.processes, box->processes);
    if (own_box.values == NULL)
        return NEREUS_OK;
    for (int d = 0; d < dimensions; d++) {
        const int64_t halo = own_box.grid.halo[dimensions - 1 - d];
        before += halo * own_box.stride[dimensions - 1 - d];
        box->lower[d] = 1 - halo;
        box->extent[d] = box->count[d] + 2 * halo;
    }
    box->address =
        (unsigned char *)own_box.values - before * job->registry.data[id].entry.element_bytes;
    return NEREUS_OK;
}

/* `dimensions`: number of entries of the caller's arrays. */
int nereus_fortran_grid_neighbours(nereus_job *job, int grid, int dimensions, int *lower,
                                   int *upper)
{
    int below[NEREUS_GRID_DIMENSIONS], above[NEREUS_GRID_DIMENSIONS];
    const enum nereus_status status = nereus_grid_neighbours(job, grid, below, above);
    if (status != NEREUS_OK)
        return (int)status;
    if (job->registry.spaces[grid].partition.grid.dimensions != dimensions)
        return nereus_fortran_fail(
            job, "nereus_grid_neighbours: the arrays need one element per dimension of the grid");
    for (int d = 0; d < dimensions; d++) {
        lower[d] = below[dimensions - 1 - d];
        upper[d] = above[dimensions - 1 - d];
    }
    return NEREUS_OK;
}

int nereus_fortran_grid_comm(nereus_job *job, int grid, MPI_Fint *cartesian)
{
    MPI_Comm comm = MPI_COMM_NULL;
    const enum nereus_status status = nereus_grid_comm(job, grid, &comm);
    *cartesian = MPI_Comm_c2f(comm);
    return (int)status;
}
