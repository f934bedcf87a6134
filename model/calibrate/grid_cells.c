/** @file grid_cells.c  Adds one cell to a grid, with its estimated time, and keeps lists of sizes.
 */
#include "grid_cells.h"

/* Oversubscribed processes take turns on their cores. */
static double estimate_run_s(const struct nereus_machine *machine, int64_t processes, double base_s)
{
    double cores = (double)machine->cores_per_node;
    double turns = ceil((double)processes / cores / fmax(1.0, (double)machine->node_count));
    return base_s * turns;
}

struct nereus_calibration_cell *
nereus_calibration_grid_add_cell(struct nereus_calibration_grid *grid, int64_t size, double base_s,
                                 const struct nereus_calibration_cell *like, const char *label, ...)
{
    if (grid->machine->slots > 0 && size > grid->machine->slots)
        return NULL;
    struct nereus_calibration_cell *cells = nereus_grow(grid->cells, grid->count, sizeof *cells);
    if (cells == NULL) {
        grid->lacks_memory = true;
        return NULL;
    }
    grid->cells = cells;
    struct nereus_calibration_cell *cell = &grid->cells[grid->count++];
    *cell = *like;
    cell->expected_s = estimate_run_s(grid->machine, like->peak_processes, base_s);
    va_list arguments;
    va_start(arguments, label);
    vsnprintf(cell->label, sizeof cell->label, label, arguments);
    va_end(arguments);
    return cell;
}

int nereus_calibration_grid_add_size(int64_t *sizes, int count, int64_t size)
{
    for (int i = 0; i < count; i++)
        if (sizes[i] == size)
            return count;
    if (size < 1)
        return count;
    sizes[count] = size;
    return count + 1;
}

bool nereus_calibration_grid_has_virtual_nodes(const struct nereus_machine *machine)
{
    return machine->node_count > 0 && strchr(machine->nodes[0].name, '/') != NULL;
}
