/**
 * @file sweep.h
 * Runs many simulations: every combination of values of some options, each with several seeds.
 *
 *     malleable=0,0.5 method=merge,baseline price-scale=0:10:5 seed=1:5
 */
#pragma once

#include "predictor/cli/output.h"
#include "predictor/picture/picture.h"
#include "sim_options.h"

enum { NEREUS_SWEEP_AXES_MAX = 8, NEREUS_SWEEP_VALUES_MAX = 100, NEREUS_SWEEP_ROWS_MAX = 100000 };

/** An option and the values that it takes. */
struct nereus_sweep_axis {
    const struct nereus_option *option; /**< an option of sim_options.h */
    char **values;                      /**< owned, with its texts */
    int count;
};
struct nereus_sweep {
    struct nereus_sweep_axis axes[NEREUS_SWEEP_AXES_MAX]; /**< without seed */
    int axis_count;
    struct nereus_sweep_axis seed; /**< without values: only the seed of the options */
};

/** The sweep with the name "malleability": the effect of malleable jobs on a cluster. */
#define NEREUS_SWEEP_MALLEABILITY                                                                  \
    "malleable=0,0.5,1 policy=both,equipartition method=best,baseline bytes-per-process=64MB,1GB " \
    "seed=1:5"
/** The same with one policy, that of --policy. */
#define NEREUS_SWEEP_ONE_POLICY                                                                    \
    "malleable=0,0.5,1 method=best,baseline bytes-per-process=64MB,1GB seed=1:5"

/**
 * Parse NAME=VALUE,... separated by blanks; LOW:HIGH and LOW:HIGH:STEP are numbers at even steps.
 * "malleability" alone is NEREUS_SWEEP_MALLEABILITY.
 * @param[out] sweep  to be ended with nereus_sweep_fini after NEREUS_OK
 * @return NEREUS_ERR_PARSE, NEREUS_ERR_ARGUMENT; NEREUS_ERR_MEMORY
 */
enum nereus_status nereus_sweep_parse(const char *text, struct nereus_sweep *sweep,
                                      struct nereus_error *err);
void nereus_sweep_fini(struct nereus_sweep *sweep);

/** @return number of combinations without seeds, and of simulations of each */
int nereus_sweep_rows(const struct nereus_sweep *sweep);
int nereus_sweep_seeds(const struct nereus_sweep *sweep);
/** @return value of an axis in a row; the last axis changes fastest */
const char *nereus_sweep_value(const struct nereus_sweep *sweep, int row, int axis);
/** Set the values of a row and a seed in options that are a copy of those of the command line. */
enum nereus_status nereus_sweep_set(const struct nereus_sweep *sweep, int row, int seed,
                                    struct nereus_sim_options *options, struct nereus_error *err);

/** Means over the seeds of a row, and how it compares with the first row. */
struct nereus_sweep_row {
    struct nereus_sim_summary mean;
    /**
     * Geometric mean over the seeds of the turnaround over that of the first row with the same
     * seed, and its 90 % interval by Student's t (no width with one seed).
     */
    struct nereus_interval ratio;
    double resizes;                      /**< mean; the summary has a whole number */
    double failures, losses, unfinished; /**< means */
    int seeds;
};
/** Summarise a row.
 * @param summaries  summaries of the row, and of the first row, by seed */
void nereus_sweep_summarise(const struct nereus_sim_summary *summaries,
                            const struct nereus_sim_summary *first, int seeds,
                            struct nereus_sweep_row *row);

/** Rows that follow each other and are the same, over all values of the last options. */
struct nereus_sweep_block {
    int first, count;
    int axis_count; /**< options that tell it from the others: the first ones */
};
/** The largest such block that begins at a row; one row alone is a block, too.
 * @param count  rows so far */
struct nereus_sweep_block nereus_sweep_find_block(const struct nereus_sweep *sweep,
                                                  const struct nereus_sweep_row *rows, int count,
                                                  int first);

/** Could nodes fail in any of these rows? */
bool nereus_sweep_has_failures(const struct nereus_sweep_row *rows, int count);

/** Print rows as a table; in text a block is one line.
 * @return as nereus_table_print */
bool nereus_sweep_print(const struct nereus_sweep *sweep, const struct nereus_sweep_row *rows,
                        int count, enum nereus_format format, FILE *stream);
/**
 * Make a text with a line for each value of each option except its first: the least and the largest
 * ratio of turnaround, wait, slowdown, makespan and, if it is known, energy to those of the first
 * value, with all other options equal. The ratios are of means.
 * @param rows  of all combinations
 * @param turnaround_only  leave the others out
 * @return the caller's; NULL: no memory
 */
char *nereus_sweep_effects(const struct nereus_sweep *sweep, const struct nereus_sweep_row *rows,
                           bool turnaround_only);
/** Draw ratios with intervals, a row for each block; where nodes can fail, what became of the
 * node-hours.
 * @return as nereus_chart_write */
enum nereus_status nereus_sweep_draw(const struct nereus_sweep *sweep,
                                     const struct nereus_sweep_row *rows, int count,
                                     const struct nereus_picture_settings *settings,
                                     struct nereus_error *err);
