/**
 * @file fit_cells.h
 * Step rows gathered into cells: repeated measurements under the same conditions. Private to
 * model/.
 */
#ifndef NEREUS_MODEL_FIT_FIT_CELLS_H
#define NEREUS_MODEL_FIT_FIT_CELLS_H

#include "fit.h"

/** One cell: the same step of the same reconfiguration, measured several times. */
struct nereus_fit_cell {
    struct nereus_sample sample; /**< its first row, with time_s the median of all */
    /** The reconfigurations start processes (nereus_fit_starts); always true for kinds without
     * that term. */
    bool starts;
    const double *times_s; /**< of its rows, ascending */
    size_t count;
    /** relative standard error of the median, with a floor for the error of any model */
    double sigma;
};

struct nereus_fit_cells {
    struct nereus_fit_cell *cells; /**< owned */
    size_t count;
    double *times_s; /**< owned; of all cells */
};

/**
 * Cells of the step rows, in the order of their first rows. Rows of a cell have the same kind, old
 * and new processes, sizes, bytes (within 3 %), cores per node, process and data method, and starts
 * or none, if the kind has a term for that.
 */
enum nereus_status nereus_fit_cells_make(const struct nereus_fit_rows *rows, bool oversubscribed,
                                         struct nereus_fit_cells *cells, struct nereus_error *err);
void nereus_fit_cells_fini(struct nereus_fit_cells *cells);

/**
 * 90 % interval of one more measurement, as factors of the model's value, from the ratios measured
 * / fitted: their 5 % and 95 % quantiles, with a prior where there are few.
 * @param logs    logarithms of the ratios, which are reordered
 * @param time_s  geometric mean of the times
 */
void nereus_fit_factors(double *logs, size_t n, size_t terms, double time_s,
                        struct nereus_linear_model *model);

#endif
