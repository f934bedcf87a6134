/**
 * @file fit_cells.h
 * Gathers step rows into cells: repeated measurements under the same conditions, which the fit uses
 * as one observation. Private to model/.
 */
#pragma once

#include "fit_rows.h"

/** One cell: the same step of the same reconfiguration, measured several times. */
struct nereus_fit_cell {
    /** first row of the cell, with time_s set to the median of all rows */
    struct nereus_sample sample;
    /** The reconfigurations start processes (nereus_fit_starts_processes); always true for kinds
     * without the term `starts`. */
    bool starts;
    const double *times_s; /**< times of the rows, ascending */
    size_t count;
    /** relative standard error of the median, with a floor for the error of any model */
    double sigma;
};

struct nereus_fit_cells {
    struct nereus_fit_cell *cells; /**< owned */
    size_t count;
    double *times_s; /**< owned; times of all cells */
};

/** Make the cells of the step rows, in the order of their first rows. Rows of a cell have the same
 * kind, old and new processes, sizes, bytes (within 3 %), nodes, cores per node and per process,
 * process and data method, at a spawn also the same kind of strategy (the root alone spawns, or
 * all), and starts or none, if the kind has the term `starts`. Of a restart only the
 * steps that no other method has are in cells. */
enum nereus_status nereus_fit_cells_make(const struct nereus_fit_rows *rows, bool oversubscribed,
                                         struct nereus_fit_cells *cells, struct nereus_error *err);
void nereus_fit_cells_fini(struct nereus_fit_cells *cells);
