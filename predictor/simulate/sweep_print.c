/** @file sweep_print.c  Prints a sweep as a table, with a row for each combination. */

#include "sweep.h"

#define COLUMNS(X)                                                                                 \
    X("seeds", "seeds", NULL, nereus_cell_integer(row->seeds))                                     \
    X("mean_turnaround_s", "turnaround", "s", nereus_cell_real(mean->mean_turnaround_s))           \
    X("turnaround_ratio", "to first", NULL, nereus_cell_real(row->ratio.value))                    \
    X("ratio_low", "low", NULL, nereus_cell_real(nereus_interval_low(&row->ratio)))                \
    X("ratio_high", "high", NULL, nereus_cell_real(nereus_interval_high(&row->ratio)))             \
    X("mean_wait_s", "mean wait", "s", nereus_cell_real(mean->mean_wait_s))                        \
    X("mean_bounded_slowdown", "slowdown", NULL, nereus_cell_real(mean->mean_bounded_slowdown))    \
    X("makespan_s", "makespan", "s", nereus_cell_real(mean->makespan_s))                           \
    X("utilisation", "utilisation", NULL, nereus_cell_real(mean->utilisation))                     \
    X("resizes", "resizes", NULL, nereus_cell_real(row->resizes))                                  \
    X("reconfiguration_node_hours", "in resizes", "node-hours",                                    \
      nereus_cell_real(mean->reconfiguration_node_hours))                                          \
    X("energy_kwh", "energy", "kWh",                                                               \
      nereus_cell_if(!isnan(mean->energy_kwh), nereus_cell_real(mean->energy_kwh)))
/* Further columns that are used where nodes can fail. */
#define LOSS_COLUMNS(X)                                                                            \
    X("failures", "failures", NULL, nereus_cell_real(row->failures))                               \
    X("losses", "of jobs", NULL, nereus_cell_real(row->losses))                                    \
    X("unfinished", "unfinished", NULL, nereus_cell_real(row->unfinished))                         \
    NEREUS_NODE_HOUR_COLUMNS(X)
static const struct nereus_column figures[] = {COLUMNS(NEREUS_COLUMN) LOSS_COLUMNS(NEREUS_COLUMN)};
enum { FIGURES = NEREUS_COUNT_OF(figures), LOSSES = 10 };

/* Columns that are left out, in this order, if the text is too wide; the second list only if nodes
 * can fail. */
static const char *const dropped_columns[] = {
    "makespan_s", "mean_bounded_slowdown", "seeds", "utilisation", "resizes", NULL};
static const char *const dropped_loss_columns[] = {"reconfiguration_node_hours",
                                                   "useful_node_hours",
                                                   "failures",
                                                   "mean_wait_s",
                                                   "ratio_low",
                                                   "ratio_high",
                                                   NULL};

bool nereus_sweep_print(const struct nereus_sweep *sweep, const struct nereus_sweep_row *rows,
                        int count, enum nereus_format format, FILE *stream)
{
    struct nereus_column columns[NEREUS_SWEEP_AXES_MAX + FIGURES];
    const size_t axes = (size_t)sweep->axis_count;
    struct nereus_table table;
    for (size_t a = 0; a < axes; a++) {
        const char *name = sweep->axes[a].option->name;
        columns[a] = (struct nereus_column){name, name, NULL};
    }
    memcpy(columns + axes, figures, sizeof figures);
    nereus_table_init(&table, columns,
                      axes + FIGURES - (nereus_sweep_has_failures(rows, count) ? 0 : LOSSES));
    struct nereus_sweep_block block = {0, 1, (int)axes};
    for (int r = 0; r < count; r += block.count) {
        if (format == NEREUS_FORMAT_TEXT)
            block = nereus_sweep_find_block(sweep, rows, count, r);
        const struct nereus_sweep_row *row = &rows[r];
        const struct nereus_sim_summary *mean = &row->mean;
        const struct nereus_sim_losses *l = &mean->losses;
        const struct nereus_cell values[FIGURES] = {COLUMNS(NEREUS_CELL) LOSS_COLUMNS(NEREUS_CELL)};
        struct nereus_cell cells[NEREUS_SWEEP_AXES_MAX + FIGURES];
        for (size_t a = 0; a < axes; a++)
            cells[a] = nereus_cell_text((int)a < block.axis_count || sweep->axes[a].count == 1
                                            ? nereus_sweep_value(sweep, r, (int)a)
                                            : "any");
        memcpy(cells + axes, values, sizeof values);
        nereus_table_add(&table, cells);
    }
    if (format == NEREUS_FORMAT_TEXT)
        nereus_table_narrow(&table, dropped_columns);
    if (format == NEREUS_FORMAT_TEXT && nereus_sweep_has_failures(rows, count))
        nereus_table_narrow(&table, dropped_loss_columns);
    return nereus_table_print(&table, format, stream);
}
