/**
 * @file fit_cells.h
 * Step rows gathered into cells: what was measured again and again under the same conditions. Private to model/.
 */
#ifndef NEREUS_FIT_CELLS_H
#define NEREUS_FIT_CELLS_H

#include "fit.h"

/** One cell: the same step of the same reconfiguration, measured several times. */
struct nereus_fit_cell {
    struct nereus_sample sample; /**< its first row, with time_s the median of all */
    bool
        starts; /**< of reconfigurations that start processes (nereus_fit_starts); of kinds without that term always */
    const double *times_s; /**< of its rows, ascending */
    size_t count;
    double sigma; /**< relative standard error of the median, with a floor for what no model follows */
};

struct nereus_fit_cells {
    struct nereus_fit_cell *cells; /**< owned */
    size_t count;
    double *times_s; /**< owned; of all cells */
};

/**
 * Cells of the step rows, in the order of their first rows. The same cell: kind, old and new processes, sizes, bytes within
 * 3 %, cores per node, the method's ways of making processes and moving data, and whether any are started,
 * where the kind has a term for it.
 */
enum nereus_status nereus_fit_cells_make(const struct nereus_fit_rows *rows, bool oversubscribed,
                                         struct nereus_fit_cells *cells, struct nereus_error *err);
void nereus_fit_cells_fini(struct nereus_fit_cells *cells);

/** Quantile of n values in ascending order; beyond the first and last it is theirs. */
double nereus_fit_quantile(const double *ascending, size_t n, double probability);

/**
 * What one more measurement will lie between with 90 %, as factors of the model's value, from the ratios
 * measured / fitted: their 5 % and 95 % quantiles, and where there are few what is usual for times of that length.
 * @param logs  logarithms of the ratios, which are reordered @param time_s  the usual one of these rows
 */
void nereus_fit_factors(double *logs, size_t n, size_t terms, double time_s,
                        struct nereus_linear_model *model);

#endif
