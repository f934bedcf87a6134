/**
 * @file grid_cells.h
 * Adds cells to a grid, for the files that choose the cells (grid_bare.c, grid_jobs.c). Private to
 * model/calibrate.
 */
#pragma once

#include "grid.h"

/** Largest number of sizes of one kind of cell; sizes that double with the nodes stop there. */
enum { NEREUS_CALIBRATION_GRID_SIZES_MAX = 8 };

/** Append a copy of a cell, with its label and the estimated time of a run.
 * @param size    processes of its largest job; the cell's peak_processes may briefly be above that
 *                in a baseline
 * @param base_s  estimated time of a run within the cores, in seconds
 * @param label   printf format of the label
 * @return NULL: the machine has too few slots for it, or there is no memory */
struct nereus_calibration_cell *
nereus_calibration_grid_add_cell(struct nereus_calibration_grid *grid, int64_t size, double base_s,
                                 const struct nereus_calibration_cell *like, const char *label, ...)
    __attribute__((format(printf, 5, 6)));

/** Add a size to a list unless it is below 1 or already there.
 * @return the new count */
int nereus_calibration_grid_add_size(int64_t *sizes, int count, int64_t size);

/** Are the machine's nodes parts of one host? */
bool nereus_calibration_grid_has_virtual_nodes(const struct nereus_machine *machine);

/** Add the cells of plain MPI calls, without this library. */
void nereus_calibration_grid_add_bare(struct nereus_calibration_grid *grid);

/** Add the cells of reconfigurations, by nereus-calibrate-job. */
void nereus_calibration_grid_add_jobs(struct nereus_calibration_grid *grid);
