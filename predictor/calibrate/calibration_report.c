/** @file calibration_report.c  Prints the result of a calibration at its end. */

#include "calibration.h"
#include "model/calibrate/order.h"
#include "model/calibrate/rows.h"
#include "model/fit/fit_node.h"
#include "model/statistics/statistics.h"
#include "predictor/cli/output.h"

/* ---- the measurements, with their numbers and intervals ---- */

enum { NAMED_MAX = 8 }; /* largest number of cells without a measurement that are named */

/* Counts over the cells of one task. */
struct group {
    int64_t cells, measured_count, min, max;
    int widths; /* number of cells that have a half-width */
};

/* Count the cells of a task.
 * @param[out] half_width  half-widths of the cells that have one, ascending; room for all */
static struct group count_cells(const struct nereus_calibration_grid *grid,
                                enum nereus_cell_task task, double *half_width)
{
    struct group group = {.min = INT64_MAX};
    for (int i = 0; i < grid->count; i++) {
        const struct nereus_calibration_cell *cell = &grid->cells[i];
        if (cell->task != task)
            continue;
        group.cells++;
        group.measured_count += cell->runs > 0;
        group.min = cell->runs < group.min ? cell->runs : group.min;
        group.max = cell->runs > group.max ? cell->runs : group.max;
        if (cell->runs > 0 && isfinite(cell->half_width))
            half_width[group.widths++] = cell->half_width;
    }
    nereus_sort(half_width, group.widths);
    return group;
}

static const char *get_missing_reason(const struct nereus_calibration_cell *cell)
{
    return cell->runs > 0 ? NULL : cell->failures > 0 ? cell->failure : "the budget was spent";
}

#define COLUMNS(X)                                                                                 \
    X("task", "measured", NULL, nereus_cell_text(nereus_calibration_task_name(task)))              \
    X("cells", "cells", NULL, nereus_cell_integer(group.cells))                                    \
    X("cells_measured", "of them", NULL, nereus_cell_integer(group.measured_count))                \
    X("least_runs", "least runs", NULL, nereus_cell_integer(group.min))                            \
    X("most_runs", "most runs", NULL, nereus_cell_integer(group.max))                              \
    X("cells_with_interval", "with an interval", NULL, nereus_cell_integer(n))                     \
    X("half_width", "typical +-", "%", nereus_cell_real(n > 0 ? 100 * half_width[n / 2] : NAN))    \
    X("widest_half_width", "widest +-", "%",                                                       \
      nereus_cell_real(n > 0 ? 100 * half_width[n - 1] : NAN))

static bool print_table(const struct nereus_calibration_grid *grid, FILE *stream)
{
    static const struct nereus_column columns[] = {COLUMNS(NEREUS_COLUMN)};
    struct nereus_table table;
    double *half_width = malloc((size_t)grid->count * sizeof *half_width);
    if (half_width == NULL)
        return false;
    nereus_table_init(&table, columns, NEREUS_COUNT_OF(columns));
    for (int t = 0; t < NEREUS_CELL_TASK_COUNT; t++) {
        const enum nereus_cell_task task = (enum nereus_cell_task)t;
        const struct group group = count_cells(grid, task, half_width);
        const int n = group.widths;
        const struct nereus_cell cells[] = {COLUMNS(NEREUS_CELL)};
        if (group.cells > 0)
            nereus_table_add(&table, cells);
    }
    const bool printed = nereus_table_print(&table, NEREUS_FORMAT_TEXT, stream);
    free(half_width);
    return printed;
}

/* Does the cell before have the same failure, which is reported once? */
static bool is_repeated_failure(const struct nereus_calibration_grid *grid, int i)
{
    return i > 0 && grid->cells[i].task == NEREUS_CELL_PROGRAM &&
           strcmp(grid->cells[i].failure, grid->cells[i - 1].failure) == 0;
}

/* List failed cells with their reasons, and in one line the cells that the budget did not reach. */
static void print_missing(const struct nereus_calibration_grid *grid, FILE *stream)
{
    int unmeasured = 0;
    for (int i = 0; i < grid->count; i++) {
        const struct nereus_calibration_cell *cell = &grid->cells[i];
        if (cell->runs == 0 && cell->failures > 0 && !is_repeated_failure(grid, i))
            fprintf(stream, "not measured: %s: %s\n", cell->label, get_missing_reason(cell));
    }
    for (int i = 0; i < grid->count; i++) {
        const struct nereus_calibration_cell *cell = &grid->cells[i];
        if (cell->runs == 0 && cell->failures == 0 && ++unmeasured <= NAMED_MAX) {
            fprintf(stream, "%s%s",
                    unmeasured == 1 ? "not measured, as the budget was spent: " : "; ",
                    cell->label);
        }
    }
    if (unmeasured > NAMED_MAX)
        fprintf(stream, "; and %d more", unmeasured - NAMED_MAX);
    fputs(unmeasured > 0 ? "\n" : "", stream);
}

/* Fit the rates of pairs at once between nodes, or within one.
 * @return false: not measured */
static bool fit_rates(const struct nereus_samples *samples, bool inside,
                      struct nereus_node_rates *rates)
{
    const enum nereus_operation operation =
        inside ? NEREUS_OPERATION_NODE_MEMORY : NEREUS_OPERATION_NODE;
    return nereus_fit_node_samples(samples, operation, rates, NULL) == NEREUS_OK && rates->rows > 0;
}

static void print_fitted(const char *what, const struct nereus_interval *fitted, double unit,
                         const char *name, FILE *stream)
{
    fprintf(stream, "%s %.4g %s (%.4g to %.4g)", what, fitted->value / unit, name,
            fitted->low / unit, fitted->high / unit);
}

/* Print the cost of a message and the rates of a process and a node, with 90 % intervals. */
static void print_rates(const struct nereus_samples *samples, FILE *stream)
{
    static const double us = 1e-6, megabyte = 1e6;
    for (int inside = 0; inside < 2; inside++) {
        struct nereus_node_rates rates;
        if (fit_rates(samples, inside == 1, &rates)) {
            fputs(inside ? "within a node: " : "between nodes: ", stream);
            print_fitted("a message", &rates.alpha, us, "us", stream);
            print_fitted(", a process", &rates.process, megabyte, "MB/s", stream);
            print_fitted(inside ? ", all of a node's" : ", a node", &rates.node, megabyte, "MB/s",
                         stream);
            fputc('\n', stream);
        }
    }
}

static json_t *make_interval_json(const struct nereus_interval *interval)
{
    return nereus_json_pack("[f, f, f]", interval->low, interval->value, interval->high);
}

/* Rates between nodes and within a node, null where they were not measured; each the low end, the
 * value and the high end at 90 %. */
static json_t *make_rates_json(const struct nereus_samples *samples)
{
    json_t *object = json_object();
    for (int inside = 0; inside < 2; inside++) {
        struct nereus_node_rates rates;
        json_object_set_new(
            object, inside ? "within_node" : "between_nodes",
            fit_rates(samples, inside == 1, &rates)
                ? nereus_json_pack("{s:o, s:o, s:o}", "message_s", make_interval_json(&rates.alpha),
                                   "process_bytes_per_s", make_interval_json(&rates.process),
                                   "node_bytes_per_s", make_interval_json(&rates.node))
                : json_null());
    }
    return object;
}

/* Print a table by kind of measurement, the rates of processes and nodes, and the missing cells.
 * @return false: no memory, or the stream failed */
static bool print_summary(const struct nereus_calibration_grid *grid,
                          const struct nereus_machine *machine,
                          const struct nereus_samples *samples, FILE *stream)
{
    if (!print_table(grid, stream))
        return false;
    fprintf(
        stream,
        "+-: half of the 90 %% interval of a kind's median, from the order of its runs (from %d "
        "runs on)\n",
        NEREUS_MEDIAN_VALUES_MIN);
    print_rates(samples, stream);
    print_missing(grid, stream);
    if (machine->node_count < 2) {
        fprintf(stream,
                "not measured: anything between nodes, as there is one node (--hostfile names "
                "more): the rate of a node's link is unknown, and answers for several nodes take "
                "data to move as fast as within this one\n");
    }
    if (machine->slots > 0) {
        fprintf(stream, "not measured: more than %lld process%s (--slots allows more)\n",
                (long long)machine->slots, nereus_plural_es(machine->slots));
    }
    return ferror(stream) == 0;
}

/* An object for each cell; half_width null: too few runs; not_measured: why, or null. */
static json_t *make_cells_json(const struct nereus_calibration_grid *grid)
{
    json_t *cells = json_array();
    for (int i = 0; i < grid->count && cells != NULL; i++) {
        const struct nereus_calibration_cell *cell = &grid->cells[i];
        json_array_append_new(
            cells,
            nereus_json_pack("{s:s, s:s, s:b, s:I, s:o, s:s?}", "label", cell->label, "task",
                             nereus_calibration_task_name(cell->task), "essential",
                             (int)cell->essential, "runs", (json_int_t)cell->runs, "half_width",
                             nereus_json_real(cell->runs > 0 ? cell->half_width : NAN),
                             "not_measured", get_missing_reason(cell)));
    }
    return cells;
}

/* ---- the whole ---- */

static json_t *make_restart_json(const struct nereus_calibration *calibration)
{
    const struct nereus_restart_costs *costs = &calibration->restart;
    return !calibration->has_restart
               ? json_null()
               : nereus_json_pack("{s:s, s:I, s:o, s:o, s:o, s:o, s:o, s:o, s:o}", "folder",
                                  calibration->checkpoints.path, "processes",
                                  (json_int_t)costs->processes, "fsync_s",
                                  make_interval_json(&costs->sync_s), "process_write_bytes_per_s",
                                  make_interval_json(&costs->write[0]), "node_write_bytes_per_s",
                                  make_interval_json(&costs->write[1]), "process_read_bytes_per_s",
                                  make_interval_json(&costs->read[0]), "node_read_bytes_per_s",
                                  make_interval_json(&costs->read[1]), "process_start_s",
                                  make_interval_json(&costs->start_s[0]), "node_start_s",
                                  make_interval_json(&costs->start_s[1]));
}

static void print_json(const struct nereus_calibration *calibration, int64_t seed, int64_t rows)
{
    const int missing = nereus_calibration_grid_count_missing(&calibration->grid);
    nereus_json_write(
        nereus_json_pack(
            "{s:s, s:s, s:s, s:I, s:I, s:I, s:I, s:i, s:i, s:i, s:f, s:I, s:o, s:o, s:o, s:s?, "
            "s:s?}",
            "profile", calibration->output, "samples", calibration->samples_path, "cluster",
            calibration->cluster, "cores_per_node",
            (json_int_t)calibration->provenance.cores_per_node, "new_rows",
            (json_int_t)calibration->rows, "rows", (json_int_t)rows, "failed_tasks",
            (json_int_t)calibration->failed_tasks, "grid_cells", calibration->grid.count,
            "cells_not_measured", missing, "cells_not_narrow",
            nereus_calibration_grid_count_wide(&calibration->grid,
                                               nereus_calibration_precision(calibration)),
            "precision_percent", calibration->settings->precision_percent, "seed", (json_int_t)seed,
            "cells", make_cells_json(&calibration->grid), "rates",
            make_rates_json(&calibration->stored_samples), "restart",
            make_restart_json(calibration), "installed",
            calibration->installed[0] != '\0' ? calibration->installed : NULL, "replaced",
            calibration->replaced_profile[0] != '\0' ? calibration->replaced_profile : NULL),
        stdout);
}

/* Cells that failed twice count as complete; the summary above names them. */
static void print_early_end(const struct nereus_calibration *calibration)
{
    int given_up = 0;
    for (int i = 0; i < calibration->grid.count; i++)
        given_up += nereus_calibration_cell_is_given_up(&calibration->grid.cells[i]);
    printf("complete after %.0f s of a budget of %.0f s: every median is within %.3g %%",
           nereus_calibration_spent_s(calibration), calibration->settings->budget_s,
           calibration->settings->precision_percent);
    if (given_up > 0)
        printf(", except %d kind%s that failed twice", given_up, nereus_plural_s(given_up));
    putchar('\n');
}

/* Name the folder of the checkpoints, on which the cost of a restart depends. */
static void print_restart(const struct nereus_calibration *calibration)
{
    char text[NEREUS_RESTART_COSTS_TEXT];
    if (calibration->has_restart) {
        printf("restart, checkpoints in %s: %s\n", calibration->checkpoints.path,
               nereus_restart_costs_text(&calibration->restart, text));
    }
}

/* Print which profile was replaced, and how to use a profile with another name. */
static void print_installed(const struct nereus_calibration *calibration)
{
    const char *cluster = calibration->settings->cluster;
    if (calibration->installed[0] == '\0')
        return;
    printf("installed: %s%s%s\n", calibration->installed,
           calibration->replaced_profile[0] != '\0' ? ", replacing " : "",
           calibration->replaced_profile);
    if (cluster != NULL)
        printf("`nereus profile use %s` makes it the one that is taken here\n", cluster);
}

bool nereus_calibration_report(const struct nereus_calibration *calibration, int64_t seed,
                               int64_t rows)
{
    const int missing = nereus_calibration_grid_count_missing(&calibration->grid);
    const int wide = nereus_calibration_grid_count_wide(&calibration->grid,
                                                        nereus_calibration_precision(calibration));
    if (calibration->settings->format == NEREUS_CALIBRATION_JSON) {
        print_json(calibration, seed, rows);
        return true;
    }
    printf("%s: %d kind%s of measurement, %d of them made so far; %lld row%s in %s (seed %lld)\n",
           calibration->cluster, calibration->grid.count, nereus_plural_s(calibration->grid.count),
           calibration->grid.count - missing, (long long)rows, nereus_plural_s(rows),
           calibration->samples_path, (long long)seed);
    const bool printed = print_summary(&calibration->grid, &calibration->machine,
                                       &calibration->stored_samples, stdout);
    print_restart(calibration);
    if (wide > 0) {
        printf("%d kind%s %s not yet within %.3g %%: the same command again continues with them\n",
               wide, nereus_plural_s(wide), nereus_choose_plural(wide, "is", "are"),
               calibration->settings->precision_percent);
    } else {
        print_early_end(calibration);
    }
    if (strcmp(calibration->output, calibration->installed) != 0)
        printf("profile: %s\n", calibration->output);
    print_installed(calibration);
    return printed;
}
