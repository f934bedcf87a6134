/**
 * @file transfer_grid.c
 * Computes what a redistribution of the fields of a grid moves, as the runtime cuts them
 * (model/partition/grid_choice.c): each process shares elements with a few boxes of the other
 * process grid, in closed form for each pair. The number of processes is limited: from 2048 to 4096
 * it takes 9 ms for each candidate method of a decision, for which the job waits.
 */

#include "model/partition/keep.h"
#include "transfer.h"

/* A lower limit for block-cyclic grids, in which each process exchanges with nearly all others. */
static int64_t limit_processes(const struct nereus_grid *grid)
{
    for (int d = 0; d < grid->dimensions; d++)
        if (grid->block[d] > 0)
            return NEREUS_TRANSFER_CYCLIC_PROCESSES;
    return NEREUS_TRANSFER_GRID_PROCESSES;
}

bool nereus_transfer_knows_grid(const struct nereus_grid *grid, int64_t ns, int64_t nt)
{
    return grid != NULL && nereus_grid_allows(grid, ns) && nereus_grid_allows(grid, nt) &&
           ns <= limit_processes(grid) && nt <= limit_processes(grid);
}

/* The present process grid, if it is one of NS processes; else the one that is chosen for them. */
static struct nereus_partition make_partition_before(const struct nereus_grid *grid, int64_t ns)
{
    struct nereus_partition partition = nereus_partition_block(nereus_grid_count(grid), ns);
    partition.grid = *grid;
    return nereus_grid_is_on(grid, ns) ? partition : nereus_partition_resized(&partition, ns, 0);
}

enum nereus_status nereus_transfer_grid(const struct nereus_transfer_sizes *sizes,
                                        const struct nereus_grid *grid, bool keep,
                                        struct nereus_transfer *transfer, struct nereus_error *err)
{
    const int64_t ns = sizes->ns, nt = sizes->nt, staying = sizes->respawn ? 0 : nereus_min(ns, nt);
    const struct nereus_partition old_partition = make_partition_before(grid, ns);
    struct nereus_partition new_partition = nereus_partition_resized(&old_partition, nt, staying);
    enum nereus_status status = NEREUS_OK;
    int64_t *sources = nereus_transfer_make_sources(sizes);
    NEREUS_TRY_MEMORY(sources, err, "for %lld processes", (long long)nt);
    const struct nereus_keep_targets targets = {nt, sources, 0, 0, 0};
    const struct nereus_grid chosen = new_partition.grid;
    if (keep)
        status = nereus_keep_grid(&old_partition, &chosen, &targets, &new_partition, err);
    if (status == NEREUS_OK) {
        status =
            nereus_transfer_count(sizes, &old_partition, &new_partition, sources, transfer, err);
        nereus_partition_fini(&new_partition);
    }
    free(sources);
    return status;
}
