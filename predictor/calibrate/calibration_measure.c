/** @file calibration_measure.c  Measures within the budget: chooses cells, runs them, keeps their
 * rows. */

#include "calibration.h"
#include "model/calibrate/order.h"
#include "model/calibrate/rows.h"
#include "model/util/clock.h"
#include "predictor/cli/command.h"
#include "predictor/run/interrupt.h"

/* Limits of a task: the rest of the budget plus its expected time, but at most overtime_s of it;
 * and at most task_limit_s. */
static const double overtime_s = 5.0, task_limit_s = 30.0;

/* NEREUS_TEST_JOB_S makes a simulated clock that advances by this value with each job, so that
 * tests of a budget count jobs. 0: the real clock. */
static double read_simulated_job_s(void)
{
    const char *text = getenv("NEREUS_TEST_JOB_S");
    return text != NULL ? nereus_strtod(text, NULL) : 0;
}

double nereus_calibration_spent_s(const struct nereus_calibration *calibration)
{
    if (read_simulated_job_s() > 0)
        return read_simulated_job_s() * (double)(calibration->tasks + calibration->failed_tasks);
    return nereus_monotonic_s() - calibration->started_s;
}

static double get_left_s(const struct nereus_calibration *calibration)
{
    return calibration->settings->budget_s - nereus_calibration_spent_s(calibration);
}

static void update_progress(void *user)
{
    struct nereus_calibration *calibration = user;
    nereus_progress_set_left(&calibration->progress, fmax(0.0, get_left_s(calibration)));
    nereus_progress_update(&calibration->progress, nereus_calibration_spent_s(calibration), NULL);
}

double nereus_calibration_precision(const struct nereus_calibration *calibration)
{
    return 0.01 * calibration->settings->precision_percent;
}

/* Report a failed task in a line; if all fail for the same reason, only once. */
static void note_failure(struct nereus_calibration *calibration,
                         struct nereus_calibration_cell *cell, const char *why)
{
    const bool told =
        calibration->tasks == 0 && nereus_cli_is_same_but_numbers(why, calibration->last_failure);
    cell->failures++;
    snprintf(cell->failure, sizeof cell->failure, "%.310s", why);
    snprintf(calibration->last_failure, sizeof calibration->last_failure, "%.255s", why);
    calibration->failed_tasks++;
    if (!told) {
        nereus_progress_print_line(&calibration->progress, "%s failed and is skipped: %s",
                                   cell->label, why);
    }
}

/* Keep the rows of a successful run. */
static enum nereus_status store_rows(struct nereus_calibration *calibration,
                                     struct nereus_calibration_cell *cell,
                                     const struct nereus_samples *rows, struct nereus_error *err)
{
    const int64_t old_runs = cell->runs;
    NEREUS_TRY(nereus_sample_store_append(&calibration->store, rows, err));
    NEREUS_TRY(nereus_samples_append(&calibration->stored_samples, rows, err));
    nereus_calibration_cell_update(cell, &calibration->stored_samples);
    calibration->rows += rows->count;
    if (cell->runs == old_runs) { /* otherwise it would be chosen forever */
        cell->failures++;
        snprintf(cell->failure, sizeof cell->failure, "the rows of a run were not complete");
    }
    return NEREUS_OK;
}

/* Run a cell and keep its rows. */
static enum nereus_status measure_cell(struct nereus_calibration *calibration, int index,
                                       struct nereus_error *err)
{
    struct nereus_calibration_cell *cell = &calibration->grid.cells[index];
    struct nereus_samples rows;
    double wall_s;
    const double simulated_s = read_simulated_job_s();
    const double rest_s = simulated_s > 0
                              ? task_limit_s
                              : get_left_s(calibration) + fmin(overtime_s, cell->expected_s);
    nereus_progress_update(&calibration->progress, nereus_calibration_spent_s(calibration),
                           cell->label);
    calibration->runner.huge_pages =
        nereus_calibration_prefers_huge_pages(&calibration->stored_samples);
    enum nereus_status status = nereus_calibration_run(
        &calibration->runner, cell, fmin(task_limit_s, rest_s), &rows, &wall_s, err);
    wall_s = simulated_s > 0 ? simulated_s : wall_s;
    if (status == NEREUS_ERR_STATE)
        return status;
    if (status != NEREUS_OK) {
        cell->expected_s = fmax(cell->expected_s, wall_s);
        if (rest_s < task_limit_s && wall_s >= rest_s) {
            calibration->stopped_tasks++;
            nereus_progress_print_line(&calibration->progress,
                                       "%s was stopped at the end of the budget", cell->label);
        } else {
            note_failure(calibration, cell, err->text);
            nereus_calibration_grid_give_up_program(&calibration->grid, index);
        }
        return NEREUS_OK;
    }
    calibration->tasks++;
    nereus_calibration_grid_record_time(&calibration->grid, index, wall_s);
    status = store_rows(calibration, cell, &rows, err);
    nereus_samples_fini(&rows);
    return status;
}

enum nereus_status nereus_calibration_measure(struct nereus_calibration *calibration, int64_t seed,
                                              struct nereus_error *err)
{
    unsigned short state[3] = {(unsigned short)(seed & 0xffff),
                               (unsigned short)(seed >> 16 & 0xffff),
                               (unsigned short)(seed >> 32 & 0xffff)};
    enum nereus_status status = NEREUS_OK;
    calibration->runner.on_tick = update_progress;
    calibration->runner.user = calibration;
    calibration->started_s = nereus_monotonic_s();
    int next =
        nereus_calibration_grid_next(&calibration->grid, nereus_calibration_precision(calibration),
                                     get_left_s(calibration), state);
    if (next < 0)
        return NEREUS_OK;
    nereus_progress_start(&calibration->progress, "calibrating", calibration->settings->budget_s);
    while (next >= 0 && status == NEREUS_OK && nereus_interrupted() == 0 &&
           !calibration->nothing_works) {
        status = measure_cell(calibration, next, err);
        calibration->nothing_works =
            nereus_calibration_grid_has_failed(&calibration->grid, calibration->tasks);
        next = nereus_calibration_grid_next(&calibration->grid,
                                            nereus_calibration_precision(calibration),
                                            get_left_s(calibration), state);
    }
    calibration->interrupt = nereus_interrupted();
    char done[96];
    snprintf(done, sizeof done, "%lld measurement%s, %lld row%s", (long long)calibration->tasks,
             nereus_plural_s(calibration->tasks), (long long)calibration->rows,
             nereus_plural_s(calibration->rows));
    nereus_progress_end(&calibration->progress, done);
    return calibration->interrupt != 0 ? NEREUS_OK : status;
}
