/** @file calibration_report.c  Prints the result of a calibration at its end. */
#include <jansson.h>
#include <stdio.h>
#include <string.h>

#include "calibration.h"
#include "model/calibrate/order.h"
#include "model/calibrate/rows.h"
#include "model/util/text.h"
#include "predictor/cli/output.h"
#include "summary.h"

static json_t *make_interval_json(const struct nereus_interval *interval)
{
    return nereus_json_pack("[f, f, f]", interval->low, interval->value, interval->high);
}

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
            calibration->cluster, "cores_per_node", (json_int_t)calibration->origin.cores_per_node,
            "new_rows", (json_int_t)calibration->rows, "rows", (json_int_t)rows, "failed_tasks",
            (json_int_t)calibration->failed_tasks, "grid_cells", calibration->grid.count,
            "cells_not_measured", missing, "cells_not_narrow",
            nereus_calibration_grid_count_wide(&calibration->grid,
                                               nereus_calibration_precision(calibration)),
            "precision_percent", calibration->settings->precision_percent, "seed", (json_int_t)seed,
            "cells", nereus_calibration_summary_json(&calibration->grid), "rates",
            nereus_calibration_rates_json(&calibration->held), "restart",
            make_restart_json(calibration), "installed",
            calibration->installed[0] != '\0' ? calibration->installed : NULL, "replaced",
            calibration->replaced[0] != '\0' ? calibration->replaced : NULL),
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
           calibration->replaced[0] != '\0' ? ", replacing " : "", calibration->replaced);
    if (cluster != NULL)
        printf("`nereus profile use %s` makes it the one that is taken here\n", cluster);
}

bool nereus_calibration_report(const struct nereus_calibration *calibration, int64_t seed,
                               int64_t rows)
{
    const int missing = nereus_calibration_grid_count_missing(&calibration->grid);
    const int wide = nereus_calibration_grid_count_wide(&calibration->grid,
                                                        nereus_calibration_precision(calibration));
    if (calibration->settings->format == 1) {
        print_json(calibration, seed, rows);
        return true;
    }
    printf("%s: %d kind%s of measurement, %d of them made so far; %lld row%s in %s (seed %lld)\n",
           calibration->cluster, calibration->grid.count, nereus_plural_s(calibration->grid.count),
           calibration->grid.count - missing, (long long)rows, nereus_plural_s(rows),
           calibration->samples_path, (long long)seed);
    const bool printed = nereus_calibration_summary_print(&calibration->grid, &calibration->machine,
                                                          &calibration->held, stdout);
    print_restart(calibration);
    if (wide > 0) {
        printf("%d kind%s %s not yet within %.3g %%: the same command again continues with them\n",
               wide, nereus_plural_s(wide), nereus_agree(wide, "is", "are"),
               calibration->settings->precision_percent);
    } else {
        print_early_end(calibration);
    }
    if (strcmp(calibration->output, calibration->installed) != 0)
        printf("profile: %s\n", calibration->output);
    print_installed(calibration);
    return printed;
}
