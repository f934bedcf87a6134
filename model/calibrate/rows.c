/** @file rows.c  Finds the rows of samples that each cell has written, and so its runs and its
 * interval. */
#include "rows.h"

#include "model/statistics/statistics.h"
#include "nereus/profile.h"

/* Runs of pairs at once are counted by their smallest size (calibration/tasks/task_node.c), which
 * every link carries. */
static const double counted_pair_bytes = 1 << 16;

/* Runs of ping-pongs and data operations are counted by their row of this size, which all have. */
static const double counted_bytes = 16 << 20;

/* A cell with its parsed method. */
struct matched_cell {
    const struct nereus_calibration_cell *cell;
    struct nereus_method method;
    bool has_method;
};

/* One measured value. The values of a series are repetitions: a ping-pong has a series per size. */
struct value {
    int64_t series;
    double value_s;
};

static struct matched_cell make_matched_cell(const struct nereus_calibration_cell *cell)
{
    struct matched_cell matched = {.cell = cell};
    matched.has_method = cell->task == NEREUS_CELL_JOB &&
                         nereus_method_parse(cell->method, &matched.method, NULL) == NEREUS_OK;
    return matched;
}

/* Is the row one of the cell's pairs at once, between two nodes or within one? */
static bool is_pairs_of(const struct nereus_calibration_cell *cell, const struct nereus_sample *row)
{
    return row->kind == NEREUS_SAMPLE_OPERATION && 2 * row->old_processes == cell->processes &&
           row->operation == (cell->pair == NEREUS_PAIR_SAME_WORLD_SAME_NODE
                                  ? NEREUS_OPERATION_NODE_MEMORY
                                  : NEREUS_OPERATION_NODE);
}

/* Is the row one of the cell's data operations, within one world or between two? */
static bool is_operation_of(const struct nereus_calibration_cell *cell,
                            const struct nereus_sample *row)
{
    const bool between = row->operation == NEREUS_OPERATION_GET_INTER;
    return row->kind == NEREUS_SAMPLE_OPERATION && row->old_processes == 0 &&
           between == (cell->processes == 1);
}

static bool is_step_of(const struct nereus_calibration_cell *cell, const struct nereus_sample *row,
                       enum nereus_step_kind step)
{
    /* Rows of plain MPI calls have no bytes; rows of traces have 0 or more. */
    return row->kind == NEREUS_SAMPLE_STEP && row->step == step && isnan(row->bytes) &&
           row->old_processes == cell->processes && row->new_processes == cell->new_processes;
}

static bool is_reconfiguration_of(const struct matched_cell *matched,
                                  const struct nereus_sample *row)
{
    const struct nereus_calibration_cell *cell = matched->cell;
    const int64_t from =
        cell->counted_resize > 0 ? cell->sizes[cell->counted_resize - 1] : cell->processes;
    return row->kind == NEREUS_SAMPLE_RECONFIGURATION && row->ns == from &&
           row->nt == cell->sizes[cell->counted_resize] && row->bytes == (double)cell->bytes &&
           matched->has_method && nereus_method_equal(&matched->method, &row->method);
}

/* Largest size of the task (calibration/tasks/task_collective.c): 8 B, 64 B, ... 256 KiB, and at
 * most 16 MiB over all processes. */
static double compute_largest_collective(int64_t processes)
{
    int64_t bytes = 8;
    while (8 * bytes <= 1 << 18 && 8 * bytes * processes <= 1 << 24)
        bytes *= 8;
    return (double)bytes;
}

/* Iterations last about 1 or 10 ms (calibration/tasks/task_contention.c). */
static bool is_long(const struct nereus_sample *row)
{
    return row->t_iter_ns_s > 3.2e-3;
}

/* Is the row one of the program's start, or of its time from MPI_Init to nereus_init, which a run
 * writes before the start? */
static bool is_program_of(const struct nereus_calibration_cell *cell,
                          const struct nereus_sample *row)
{
    return (row->kind == NEREUS_SAMPLE_PROGRAM_START || row->kind == NEREUS_SAMPLE_PROGRAM_JOIN) &&
           row->new_processes == cell->new_processes && strcmp(row->program, cell->program) == 0;
}

static bool is_stage_of(const struct nereus_calibration_cell *cell, const struct nereus_sample *row)
{
    return row->kind == NEREUS_SAMPLE_STAGE && strcmp(row->program, cell->program) == 0;
}

/* Is the row one of a collective with the cell's processes, or of contention with its processes and
 * threads? */
static bool is_of_world(const struct nereus_calibration_cell *cell, const struct nereus_sample *row)
{
    if (cell->task == NEREUS_CELL_COLLECTIVE)
        return row->kind == NEREUS_SAMPLE_COLLECTIVE && row->old_processes == cell->processes;
    return row->kind == NEREUS_SAMPLE_CONTENTION && row->old_processes == cell->processes &&
           row->new_processes == cell->threads &&
           row->contention % NEREUS_BACKGROUND_COUNT == (int)cell->background;
}

/* Is this the last row that a run of the cell writes? */
static bool is_last_row(const struct matched_cell *matched, const struct nereus_sample *row)
{
    const struct nereus_calibration_cell *cell = matched->cell;
    switch (cell->task) {
    case NEREUS_CELL_PINGPONG:
        return row->kind == NEREUS_SAMPLE_PINGPONG && row->pair == cell->pair &&
               row->bytes == counted_bytes;
    case NEREUS_CELL_DATA:
        return row->kind == NEREUS_SAMPLE_OPERATION && row->bytes == counted_bytes &&
               row->operation == (cell->processes == 2 ? NEREUS_OPERATION_TOUCH_HUGE
                                                       : NEREUS_OPERATION_GET_INTER);
    case NEREUS_CELL_NODE:
        return is_pairs_of(cell, row) &&
               row->bytes == counted_pair_bytes * (double)row->old_processes;
    case NEREUS_CELL_SPAWN:
        return is_step_of(cell, row, NEREUS_STEP_MERGE);
    case NEREUS_CELL_SPLIT:
        return is_step_of(cell, row, NEREUS_STEP_GATHER);
    case NEREUS_CELL_COLLECTIVE:
        return is_of_world(cell, row) && row->collective == NEREUS_COLLECTIVE_ALLTOALL &&
               row->bytes == compute_largest_collective(cell->processes);
    case NEREUS_CELL_CONTENTION:
        return is_of_world(cell, row) &&
               row->contention / NEREUS_BACKGROUND_COUNT == NEREUS_STAGE_COUNT - 1 && is_long(row);
    case NEREUS_CELL_JOB:
        return is_reconfiguration_of(matched, row);
    case NEREUS_CELL_STAGE:
        return is_stage_of(cell, row);
    case NEREUS_CELL_PROGRAM:
        return is_program_of(cell, row) && row->kind == NEREUS_SAMPLE_PROGRAM_START;
    }
    return false;
}

/* Number of the series that a row belongs to: one per size; rows of other cells may have no size.
 */
static int64_t compute_series(const struct nereus_sample *row, int64_t kinds, int64_t kind)
{
    return isfinite(row->bytes) ? (int64_t)row->bytes * kinds + kind : kind;
}

/* Get the value of a row.
 * @return false: a row of another cell */
static bool get_value(const struct matched_cell *matched, const struct nereus_sample *row,
                      struct value *value)
{
    const struct nereus_calibration_cell *cell = matched->cell;
    value->series = 0;
    value->value_s = row->time_s;
    switch (cell->task) {
    case NEREUS_CELL_PINGPONG:
        value->series = compute_series(row, 1, 0);
        return row->kind == NEREUS_SAMPLE_PINGPONG && row->pair == cell->pair;
    case NEREUS_CELL_DATA:
        value->series = compute_series(row, NEREUS_OPERATION_COUNT, (int64_t)row->operation);
        return is_operation_of(cell, row);
    case NEREUS_CELL_NODE:
        value->series = compute_series(row, 1, 0);
        return is_pairs_of(cell, row);
    case NEREUS_CELL_SPAWN:
        return is_step_of(cell, row, NEREUS_STEP_SPAWN);
    case NEREUS_CELL_SPLIT:
        return is_step_of(cell, row, NEREUS_STEP_SPLIT);
    case NEREUS_CELL_COLLECTIVE:
        value->series = compute_series(row, NEREUS_COLLECTIVE_COUNT, (int64_t)row->collective);
        return is_of_world(cell, row);
    case NEREUS_CELL_CONTENTION:
        value->series = 2 * row->contention + is_long(row);
        value->value_s = row->time_s / row->t_iter_ns_s;
        return is_of_world(cell, row);
    case NEREUS_CELL_JOB:
        value->value_s = row->rt_s;
        return is_reconfiguration_of(matched, row);
    case NEREUS_CELL_STAGE:
        return is_stage_of(cell, row);
    case NEREUS_CELL_PROGRAM:
        return is_program_of(cell, row) && row->kind == NEREUS_SAMPLE_PROGRAM_START;
    }
    return false;
}

static int compare_series(const void *a, const void *b)
{
    const struct value *x = a, *y = b;
    return (x->series > y->series) - (x->series < y->series);
}

/* Relative half-width of the widest interval of a series. scratch: room for all values */
static double compute_widest_interval(struct value *values, int64_t count, double *scratch)
{
    double max = count > 0 ? 0.0 : INFINITY;
    qsort(values, (size_t)count, sizeof *values, compare_series);
    for (int64_t from = 0; from < count;) {
        int64_t n = 0;
        while (from + n < count && values[from + n].series == values[from].series) {
            scratch[n] = values[from + n].value_s;
            n++;
        }
        max = fmax(max, nereus_median_relative_half_width(scratch, n));
        from += n;
    }
    return max;
}

void nereus_calibration_cell_update(struct nereus_calibration_cell *cell,
                                    const struct nereus_samples *samples)
{
    const struct matched_cell matched = make_matched_cell(cell);
    struct value *values = malloc((size_t)(samples->count + 1) * sizeof *values);
    double *scratch = malloc((size_t)(samples->count + 1) * sizeof *scratch);
    int64_t count = 0;
    cell->runs = 0;
    cell->half_width = INFINITY;
    for (int64_t i = 0; i < samples->count; i++) {
        cell->runs += is_last_row(&matched, &samples->rows[i]);
        if (values != NULL)
            count += get_value(&matched, &samples->rows[i], &values[count]);
    }
    if (values != NULL && scratch != NULL)
        cell->half_width = compute_widest_interval(values, count, scratch);
    free(values);
    free(scratch);
}

void nereus_calibration_grid_update(struct nereus_calibration_grid *grid,
                                    const struct nereus_samples *samples)
{
    for (int i = 0; i < grid->count; i++)
        nereus_calibration_cell_update(&grid->cells[i], samples);
}

/* Whole reconfigurations on virtual nodes have one core per node on any machine
 * (predictor/calibrate/runner.c). */
static bool is_of_other_nodes(const struct nereus_sample *row, int64_t cores_per_node)
{
    const bool virtual_nodes =
        row->kind == NEREUS_SAMPLE_RECONFIGURATION && row->cores_per_node == 1;
    return row->cores_per_node != cores_per_node && !virtual_nodes;
}

/* Do the row's processes have another number of cores? Plain MPI calls are measured with a core per
 * process. */
static bool is_of_other_processes(const struct nereus_sample *row, int64_t each)
{
    return row->kind == NEREUS_SAMPLE_RECONFIGURATION && row->cores_per_node != 1 &&
           nereus_max(1, row->cores_per_process) != each;
}

enum nereus_status nereus_calibration_check_cores(const char *path,
                                                  const struct nereus_machine *machine,
                                                  const struct nereus_samples *samples,
                                                  struct nereus_error *err)
{
    const int64_t each = nereus_machine_cores_per_process(machine);
    const int64_t cores_per_node = machine->cores_per_node * each;
    for (int64_t i = 0; i < samples->count; i++) {
        const struct nereus_sample *row = &samples->rows[i];
        if (is_of_other_processes(row, each)) {
            return nereus_fail(
                err, NEREUS_ERR_ARGUMENT,
                "%.200s, line %lld: measured with %lld core%s a process, and this is a calibration "
                "with %lld; name another file with --samples or --output, or go on with these by "
                "--cores-per-process %lld",
                path, (long long)row->line, (long long)nereus_max(1, row->cores_per_process),
                nereus_plural_s(nereus_max(1, row->cores_per_process)), (long long)each,
                (long long)nereus_max(1, row->cores_per_process));
        }
        if (is_of_other_nodes(row, cores_per_node)) {
            return nereus_fail(
                err, NEREUS_ERR_ARGUMENT,
                "%.200s, line %lld: measured with %lld core%s a node, and this is a machine with "
                "%lld; name another file with --samples or --output, or go on with these by "
                "--cores-per-node %lld",
                path, (long long)row->line, (long long)row->cores_per_node,
                nereus_plural_s(row->cores_per_node), (long long)cores_per_node,
                (long long)row->cores_per_node);
        }
    }
    return NEREUS_OK;
}

int nereus_calibration_grid_count_missing(const struct nereus_calibration_grid *grid)
{
    int missing = 0;
    for (int i = 0; i < grid->count; i++)
        missing += grid->cells[i].runs == 0;
    return missing;
}

/* Median of an operation's rows with these bytes; NAN: no row, or no memory. */
static double compute_median_s(const struct nereus_samples *samples,
                               enum nereus_operation operation, double bytes)
{
    double *times_s = malloc((size_t)(samples->count + 1) * sizeof *times_s);
    int count = 0;
    for (int64_t i = 0; i < samples->count && times_s != NULL; i++) {
        const struct nereus_sample *row = &samples->rows[i];
        if (row->kind == NEREUS_SAMPLE_OPERATION && row->operation == operation &&
            row->bytes == bytes)
            times_s[count++] = row->time_s;
    }
    const double median = nereus_median(times_s, count);
    free(times_s);
    return median;
}

bool nereus_calibration_prefers_huge_pages(const struct nereus_samples *samples)
{
    double bytes = 0;
    for (int64_t i = 0; i < samples->count; i++) {
        const struct nereus_sample *row = &samples->rows[i];
        if (row->kind == NEREUS_SAMPLE_OPERATION && row->operation == NEREUS_OPERATION_TOUCH_HUGE)
            bytes = fmax(bytes, row->bytes);
    }
    return bytes > 0 && compute_median_s(samples, NEREUS_OPERATION_TOUCH_HUGE, bytes) <=
                            NEREUS_HUGE_PAGES_PAY_BELOW *
                                compute_median_s(samples, NEREUS_OPERATION_TOUCH, bytes);
}
