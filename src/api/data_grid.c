/** @file data_grid.c  Registers grids and their fields, and answers for boxes, neighbours and
 * halos. */

#include "data.h"
#include "model/partition/box.h"
#include "src/grid/halo.h"
#include "src/job/calls.h"

/* ---- registration ---------------------------------------------------------------------------- */

static enum nereus_status claim_grid(struct index_space *space, const struct nereus_grid *grid,
                                     struct nereus_error *err)
{
    if (space->claimed)
        return nereus_fail(err, NEREUS_ERR_ARGUMENT,
                           "a grid or partition '%s' is registered already", space->name);
    if (nereus_grid_same(grid, &space->partition.grid))
        return NEREUS_OK;
    char here[NEREUS_GRID_TEXT], there[NEREUS_GRID_TEXT] = "a partition";
    nereus_grid_format(grid, here);
    if (nereus_partition_is_grid(&space->partition))
        nereus_grid_format(&space->partition.grid, there);
    return nereus_fail(err, NEREUS_ERR_MISMATCH, "'%s' is %s here, and was received as %s",
                       space->name, here, there);
}

static enum nereus_status add_grid(nereus_job *job, const char *name, struct nereus_grid *grid,
                                   struct nereus_error *err)
{
    NEREUS_TRY(nereus_check_new(job, name, err));
    if (!nereus_grid_allows(grid, job->size))
        return nereus_fail(err, NEREUS_ERR_ARGUMENT,
                           "the grid '%s' is fixed to numbers of processes whose product does not "
                           "divide %d",
                           name, job->size);
    nereus_grid_choose(job->size, NULL, 0, grid);
    if (nereus_grid_is_thin(grid))
        return nereus_fail(err, NEREUS_ERR_ARGUMENT,
                           "on %d processes parts of the grid '%s' would be thinner than its halo",
                           job->size, name);
    NEREUS_TRY(nereus_space_add(&job->registry, name, nereus_grid_count(grid), job->size, 0, err));
    job->registry.spaces[job->registry.space_count - 1].partition.grid = *grid;
    return NEREUS_OK;
}

enum nereus_status nereus_register_grid(nereus_job *job, const char *name,
                                        const struct nereus_grid *grid, int *id)
{
    struct registry *registry = &job->registry;
    NEREUS_TRY(nereus_callback_check_outside("registering a grid", &job->error));
    NEREUS_TRY(nereus_check_name(name, &job->error));
    struct nereus_error why;
    if (nereus_grid_check(grid, &why) != NEREUS_OK)
        return nereus_fail(&job->error, why.status, "'%s': %s", name, why.text);
    struct nereus_grid own_grid = *grid;
    memset(own_grid.processes, 0, sizeof own_grid.processes); /* the library chooses it */
    int64_t index = nereus_space_find(registry, name, 0);
    if (index >= 0) {
        NEREUS_TRY(claim_grid(&registry->spaces[index], &own_grid, &job->error));
    } else {
        NEREUS_TRY(add_grid(job, name, &own_grid, &job->error));
        index = registry->space_count - 1;
    }
    registry->spaces[index].claimed = true;
    *id = (int)index;
    return NEREUS_OK;
}

static enum nereus_status fail_no_grid(const nereus_job *job, int grid)
{
    /* const calls report errors in the job, too. */
    return nereus_fail(&((nereus_job *)job)->error, NEREUS_ERR_ARGUMENT, "%d is no grid", grid);
}

enum nereus_status nereus_register_field(nereus_job *job, const char *name, MPI_Datatype type,
                                         int grid, enum nereus_data_kind kind, int *id)
{
    const struct index_space *space = nereus_grid_space(job, grid);
    if (space == NULL)
        return fail_no_grid(job, grid);
    const struct nereus_description d = {
        name, type, space->partition.n, 0, kind, NEREUS_DISTRIBUTED, NEREUS_FIELD, grid};
    return nereus_register_dense(job, &d, id);
}

/* ---- the local box --------------------------------------------------------------------------- */

enum nereus_status nereus_local_box(const nereus_job *job, int id, struct nereus_box *box)
{
    const struct datum *datum = nereus_datum_of(job, id, 1u << NEREUS_FIELD);
    if (datum == NULL)
        return NEREUS_ERR_ARGUMENT;
    const struct box part = nereus_datum_box(&job->registry, datum, false);
    const struct box_memory memory = nereus_box_memory(part.grid, part.place);
    struct nereus_box own_box = {.dimensions = (int)part.grid->dimensions, .grid = *part.grid};
    nereus_grid_coordinates(part.grid, part.place, own_box.coordinates);
    for (int d = 0; d < own_box.dimensions; d++) {
        own_box.count[d] = nereus_grid_extent(part.grid, d, own_box.coordinates[d]).count;
        own_box.first[d] = nereus_grid_global_index(part.grid, d, own_box.coordinates[d], 0);
        own_box.stride[d] = memory.strides[d];
    }
    if (part.part != NULL)
        own_box.values = part.part + memory.origin * datum->entry.element_bytes;
    *box = own_box;
    return NEREUS_OK;
}

/* ---- neighbours ------------------------------------------------------------------------------ */

enum nereus_status nereus_grid_neighbours(const nereus_job *job, int grid,
                                          int lower[NEREUS_GRID_DIMENSIONS],
                                          int upper[NEREUS_GRID_DIMENSIONS])
{
    const struct index_space *space = nereus_grid_space(job, grid);
    if (space == NULL)
        return fail_no_grid(job, grid);
    const int64_t own = nereus_partition_place_of(&space->partition, job->rank);
    for (int d = 0; d < space->partition.grid.dimensions; d++)
        for (int direction = -1; direction <= 1; direction += 2) {
            const int64_t place = nereus_grid_neighbour(&space->partition.grid, own, d, direction);
            (direction < 0 ? lower : upper)[d] =
                place < 0 ? MPI_PROC_NULL
                          : (int)nereus_partition_range_rank(&space->partition, place);
        }
    return NEREUS_OK;
}

enum nereus_status nereus_grid_comm(nereus_job *job, int grid, MPI_Comm *cartesian)
{
    if (nereus_grid_space(job, grid) == NULL)
        return fail_no_grid(job, grid);
    if (nereus_grid_find_cartesian(job, grid, cartesian))
        return NEREUS_OK;
    NEREUS_TRY(nereus_callback_check_outside("nereus_grid_comm", &job->error));
    nereus_call_enter(job, "nereus_grid_comm");
    const enum nereus_status status = nereus_grid_make_cartesian(job, grid, cartesian, &job->error);
    nereus_call_leave(job);
    return status;
}

enum nereus_status nereus_grid_exchange(nereus_job *job, int id)
{
    const struct datum *datum = nereus_datum_of(job, id, 1u << NEREUS_FIELD);
    NEREUS_TRY(nereus_callback_check_outside("nereus_grid_exchange", &job->error));
    if (datum == NULL)
        return NEREUS_ERR_ARGUMENT;
    nereus_call_enter(job, "nereus_grid_exchange");
    const enum nereus_status status = nereus_halo_exchange(job, datum, &job->error);
    nereus_call_leave(job);
    return status;
}
