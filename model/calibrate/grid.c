/**
 * @file grid.c
 * Makes the grid of a calibration from the cells of plain MPI calls (grid_bare.c) and the cells of
 * reconfigurations (grid_jobs.c), and names the tasks for messages.
 */
#include "grid.h"

#include "grid_cells.h"

enum nereus_status nereus_calibration_grid_make(const struct nereus_machine *machine,
                                                struct nereus_calibration_grid *grid,
                                                struct nereus_error *err)
{
    memset(grid, 0, sizeof *grid);
    grid->machine = machine;
    if (machine->slots == 1) { /* contention alone makes no profile */
        return nereus_fail(err, NEREUS_ERR_ARGUMENT,
                           "nothing can be measured with 1 slot; a calibration needs at least 2");
    }
    nereus_calibration_grid_add_bare(grid);
    nereus_calibration_grid_add_jobs(grid);
    NEREUS_TRY_MEMORY(!grid->lacks_memory, err, "for the list of measurements");
    for (int i = 0; i < grid->count; i++)
        grid->cells[i].estimate_s = grid->cells[i].expected_s;
    return NEREUS_OK;
}

void nereus_calibration_grid_fini(struct nereus_calibration_grid *grid)
{
    free(grid->cells);
    grid->cells = NULL;
    grid->count = 0;
}

const char *nereus_calibration_task_name(enum nereus_cell_task task)
{
    static const char *const names[NEREUS_CELL_TASK_COUNT] = {
        [NEREUS_CELL_PINGPONG] = "messages",
        [NEREUS_CELL_SPAWN] = "spawns and merges",
        [NEREUS_CELL_SPLIT] = "splits and gathers",
        [NEREUS_CELL_DATA] = "operations that move data",
        [NEREUS_CELL_NODE] = "pairs of processes at once",
        [NEREUS_CELL_COLLECTIVE] = "collectives",
        [NEREUS_CELL_CONTENTION] = "iterations with threads",
        [NEREUS_CELL_JOB] = "reconfigurations",
        [NEREUS_CELL_STAGE] = "operations of stages",
        [NEREUS_CELL_PROGRAM] = "start-ups of the program",
    };
    return names[task];
}
