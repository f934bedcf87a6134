/**
 * @file fit_cells.h
 * Gathers step rows into cells: repeated measurements under the same conditions, which the fit uses
 * as one observation. Private to model/.
 */
#pragma once

#include "fit.h"

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

/** Set the 90 % interval of one more measurement, as factors of the model's value: the 5 % and 95 %
 * quantiles of the ratios measured / fitted, with a prior where there are few ratios.
 * @param logs    logarithms of the ratios, which are reordered
 * @param time_s  geometric mean of the times */
void nereus_fit_factors(double *logs, size_t n, size_t terms, double time_s,
                        struct nereus_linear_model *model);

/** One measurement of a step, and what the model says. */
struct nereus_fit_single {
    double time_s, value_s;
};

/** Set the factors of long steps, and the seconds by which short ones are early and late: a process
 * that is preempted delays a short step by as much as a long one, and not by as many times.
 * @param scratch  n values */
void nereus_fit_long_factors(const struct nereus_fit_single *singles, size_t n, size_t terms,
                             double *scratch, struct nereus_linear_model *model);
