/**
 * @file grid_bare.c
 * Adds the cells of plain MPI calls, each of which a task of nereus-calibrate measures
 * (calibration/tasks): messages, data operations, spawns, splits, collectives, stages, contention,
 * and the start-up of a program.
 */
#include "grid_cells.h"

/* Largest world of a collective, because the time of a task is limited (calibration/tasks). */
enum { COLLECTIVE_MAX = 1024 };

/* Estimates, in seconds, of a run within the cores: the start of mpiexec, and the time that the
 * task gives to each of its sizes (calibration/tasks). Each measured run of a task scales the
 * estimates of its cells that have neither a time nor a failure yet (order.c). */
static const double messages_s = 0.8, messages_between_nodes_s = 4, data_of_one_world_s = 1.8,
                    data_of_two_worlds_s = 0.8, pairs_s = 1.5, spawn_s = 0.3, split_s = 0.3,
                    collective_s = 1, stage_s = 1, start_up_s = 1;
/* Estimates too. A contention run measures three lengths of iterations, alone and with threads, and
 * repeats starts of processes. */
static const double contention_s = 1.4, contention_of_starts_s = 2.4, each_thread_a_core_s = 0.5;

static void add_pingpongs(struct nereus_calibration_grid *grid)
{
    for (int pair = 0; pair < NEREUS_PAIR_CLASS_COUNT; pair++) {
        bool inter_node = pair == NEREUS_PAIR_SAME_WORLD_DIFFERENT_NODES ||
                          pair == NEREUS_PAIR_DIFFERENT_WORLDS_DIFFERENT_NODES;
        bool one_world = pair == NEREUS_PAIR_SAME_WORLD_SAME_NODE ||
                         pair == NEREUS_PAIR_SAME_WORLD_DIFFERENT_NODES;
        const struct nereus_calibration_cell cell = {.task = NEREUS_CELL_PINGPONG,
                                                     .peak_processes = 2,
                                                     .pair = (enum nereus_pair_class)pair,
                                                     .processes = one_world ? 2 : 1,
                                                     .essential = true};
        if (!inter_node || grid->machine->node_count >= 2) {
            nereus_calibration_grid_add_cell(
                grid, 2, inter_node ? messages_between_nodes_s : messages_s, &cell, "ping-pong %s",
                nereus_pair_class_name(cell.pair));
        }
    }
}

/* Data operations are measured on one node, within a world and between two. */
static void add_data(struct nereus_calibration_grid *grid)
{
    for (int64_t processes = 2; processes >= 1; processes--) {
        const struct nereus_calibration_cell cell = {.task = NEREUS_CELL_DATA,
                                                     .peak_processes = 2,
                                                     .processes = processes,
                                                     .essential = true};
        nereus_calibration_grid_add_cell(
            grid, 2, processes == 2 ? data_of_one_world_s : data_of_two_worlds_s, &cell, "data %s",
            processes == 2 ? "within a world" : "between worlds");
    }
}

static void add_pairs(struct nereus_calibration_grid *grid, int64_t pairs, bool inter_node,
                      bool essential)
{
    const struct nereus_calibration_cell cell = {
        .task = NEREUS_CELL_NODE,
        .peak_processes = 2 * pairs,
        .processes = 2 * pairs,
        .pair =
            inter_node ? NEREUS_PAIR_SAME_WORLD_DIFFERENT_NODES : NEREUS_PAIR_SAME_WORLD_SAME_NODE,
        .essential = essential};
    nereus_calibration_grid_add_cell(
        grid, cell.peak_processes, pairs_s, &cell, "%lld pair%s at once, %s", (long long)pairs,
        nereus_plural_s(pairs), inter_node ? "of two nodes" : "within a node");
}

/* Pairs between two nodes use 1, 2, 4, ... and all cores of each node. Within a node there are at
 * most half as many pairs as cores, so that each process has a core. No other cell measures pairs
 * at once. Virtual nodes are left out: they have no link. */
static void add_nodes(struct nereus_calibration_grid *grid)
{
    const struct nereus_machine *machine = grid->machine;
    const int64_t half = machine->cores_per_node / 2;
    for (int64_t k = 1; k < half; k *= 2)
        add_pairs(grid, k, false, false);
    if (half > 0)
        add_pairs(grid, half, false, false);
    if (machine->node_count < 2 || nereus_calibration_grid_has_virtual_nodes(machine))
        return;
    const int64_t all_cores =
        nereus_min(nereus_machine_cores(machine, 0), nereus_machine_cores(machine, 1));
    for (int64_t k = 1; k < all_cores; k *= 2)
        add_pairs(grid, k, true, k == 1);
    add_pairs(grid, all_cores, true, true);
}

static void add_spawn(struct nereus_calibration_grid *grid, int64_t old, int64_t new_processes,
                      bool essential)
{
    const struct nereus_calibration_cell cell = {.task = NEREUS_CELL_SPAWN,
                                                 .peak_processes = old + new_processes,
                                                 .processes = old,
                                                 .new_processes = new_processes,
                                                 .essential = essential};
    nereus_calibration_grid_add_cell(grid, cell.peak_processes, spawn_s, &cell,
                                     "spawn %lld from %lld", (long long)new_processes,
                                     (long long)old);
}

static void add_split(struct nereus_calibration_grid *grid, int64_t from)
{
    const struct nereus_calibration_cell cell = {.task = NEREUS_CELL_SPLIT,
                                                 .peak_processes = from,
                                                 .processes = from,
                                                 .staying_processes = (from + 1) / 2,
                                                 .essential =
                                                     from == grid->machine->cores_per_node};
    nereus_calibration_grid_add_cell(grid, from, split_s, &cell, "split %lld -> %lld",
                                     (long long)from, (long long)cell.staying_processes);
}

/* Old and new worlds have one process, half a node, a node and more, so that nodes are empty, full
 * and overloaded. */
static void add_spawns(struct nereus_calibration_grid *grid)
{
    int64_t cores = grid->machine->cores_per_node,
            nodes = grid->machine->node_count > 1 ? grid->machine->node_count : 1;
    int64_t old[NEREUS_CALIBRATION_GRID_SIZES_MAX],
        new_processes[NEREUS_CALIBRATION_GRID_SIZES_MAX];
    int old_count = 0, new_count = 0;
    old_count = nereus_calibration_grid_add_size(old, old_count, 1);
    old_count = nereus_calibration_grid_add_size(old, old_count, cores / 2);
    old_count = nereus_calibration_grid_add_size(old, old_count, cores);
    old_count = nereus_calibration_grid_add_size(old, old_count, 2 * cores);
    new_count = nereus_calibration_grid_add_size(new_processes, new_count, 1);
    new_count = nereus_calibration_grid_add_size(new_processes, new_count, cores / 2);
    new_count = nereus_calibration_grid_add_size(new_processes, new_count, cores);
    new_count = nereus_calibration_grid_add_size(new_processes, new_count, cores + (cores + 1) / 2);
    for (int64_t n = 2; n < nodes && old_count < NEREUS_CALIBRATION_GRID_SIZES_MAX &&
                        new_count < NEREUS_CALIBRATION_GRID_SIZES_MAX;
         n *= 2) {
        old_count = nereus_calibration_grid_add_size(old, old_count, n * cores);
        new_count = nereus_calibration_grid_add_size(new_processes, new_count, n * cores);
    }
    for (int i = 0; i < old_count; i++) {
        for (int j = 0; j < new_count; j++) {
            if (old[i] + new_processes[j] <= 3 * cores * nodes || old[i] + new_processes[j] <= 3) {
                add_spawn(grid, old[i], new_processes[j],
                          (old[i] == 1 && new_processes[j] == 1) ||
                              (old[i] == cores && new_processes[j] == cores));
            }
        }
    }
}

/* Splits are measured only within the cores. Oversubscribed, the barriers between the calls would
 * measure mainly the scheduler's time slices (milliseconds; the same split in a reconfiguration
 * takes a tenth); the traces of jobs have oversubscribed splits. */
static void add_splits(struct nereus_calibration_grid *grid)
{
    int64_t cores = grid->machine->cores_per_node, from[NEREUS_CALIBRATION_GRID_SIZES_MAX];
    int count = 0;
    count = nereus_calibration_grid_add_size(from, count, 2);
    count = nereus_calibration_grid_add_size(from, count, cores);
    for (int64_t n = 2; n <= grid->machine->node_count && count < NEREUS_CALIBRATION_GRID_SIZES_MAX;
         n *= 2)
        count = nereus_calibration_grid_add_size(from, count, n * cores);
    for (int i = 0; i < count; i++)
        if (from[i] > 1 && !nereus_machine_is_oversubscribed(grid->machine, from[i]))
            add_split(grid, from[i]);
}

/* Stages have the default granularity, and that of twins (predictor/run). */
static void add_stages(struct nereus_calibration_grid *grid)
{
    static const char *const stages[] = {"pi:100", "pi:20", "matrix:100"};
    for (size_t i = 0; i < NEREUS_COUNT_OF(stages); i++) {
        const struct nereus_calibration_cell cell = {
            .task = NEREUS_CELL_STAGE, .processes = 1, .peak_processes = 1, .program = stages[i]};
        nereus_calibration_grid_add_cell(grid, 1, stage_s, &cell, "an operation of %s", stages[i]);
    }
}

/* Worlds stay within the cores, for the same reason as splits. */
static void add_collectives(struct nereus_calibration_grid *grid)
{
    int64_t cores = grid->machine->cores_per_node, sizes[NEREUS_CALIBRATION_GRID_SIZES_MAX];
    int count = 0;
    count = nereus_calibration_grid_add_size(sizes, count, 2);
    count = nereus_calibration_grid_add_size(sizes, count, cores / 2);
    count = nereus_calibration_grid_add_size(sizes, count, cores);
    for (int64_t n = 2; n <= grid->machine->node_count && count < NEREUS_CALIBRATION_GRID_SIZES_MAX;
         n *= 2)
        count = nereus_calibration_grid_add_size(sizes, count, n * cores);
    for (int i = 0; i < count; i++) {
        const struct nereus_calibration_cell cell = {
            .task = NEREUS_CELL_COLLECTIVE, .peak_processes = sizes[i], .processes = sizes[i]};
        if (sizes[i] > 1 && sizes[i] <= COLLECTIVE_MAX &&
            !nereus_machine_is_oversubscribed(grid->machine, sizes[i]))
            nereus_calibration_grid_add_cell(grid, sizes[i], collective_s, &cell,
                                             "collectives of %lld", (long long)sizes[i]);
    }
}

static void add_contention_cell(struct nereus_calibration_grid *grid, int64_t processes,
                                int64_t threads, enum nereus_background background)
{
    const bool starting = background == NEREUS_BACKGROUND_STARTING;
    const struct nereus_calibration_cell like = {
        .task = NEREUS_CELL_CONTENTION,
        .peak_processes = processes,
        .processes = processes,
        .threads = threads,
        .background = background,
        .essential = processes == grid->machine->cores_per_node && threads == processes};
    struct nereus_calibration_cell *cell =
        processes > 0 && threads > 0
            ? nereus_calibration_grid_add_cell(
                  grid, processes + (starting ? threads : 0), 0, &like,
                  "iterations of %lld with %lld %s %s", (long long)processes, (long long)threads,
                  nereus_background_name(background), starting ? "processes" : "threads")
            : NULL;
    if (cell != NULL) {
        cell->expected_s =
            (starting ? contention_of_starts_s : contention_s) +
            each_thread_a_core_s * (double)threads / (double)grid->machine->cores_per_node;
    }
}

/* Half a node runs with a thread for each remaining core, and a full node with a thread on half of
 * the cores, one on each, and two on each. Starting processes use all cores, at loads of 1, 1.5, 2
 * and 3. Each process has a core, so that iterations alone are undisturbed. Virtual nodes are left
 * out: their threads would spread over all cores of the host. */
static void add_contention(struct nereus_calibration_grid *grid)
{
    const int64_t cores = grid->machine->cores_per_node;
    if (nereus_calibration_grid_has_virtual_nodes(grid->machine))
        return;
    const int64_t sizes[][2] = {
        {cores / 2, cores - cores / 2}, {cores, cores / 2}, {cores, cores}, {cores, 2 * cores}};
    for (size_t i = 0; i < NEREUS_COUNT_OF(sizes); i++)
        for (int background = 0; background < NEREUS_BACKGROUND_COUNT; background++)
            add_contention_cell(grid, sizes[i][0], sizes[i][1], (enum nereus_background)background);
}

void nereus_calibration_grid_add_bare(struct nereus_calibration_grid *grid)
{
    add_pingpongs(grid);
    add_data(grid);
    add_nodes(grid);
    add_spawns(grid);
    add_splits(grid);
    add_collectives(grid);
    add_stages(grid);
    add_contention(grid);
}

/* One process starts the others. On several nodes it has a core of its own, because rows above the
 * cores count as measured on one node (docs/formats.md). */
void nereus_calibration_grid_add_program(const char *command, struct nereus_calibration_grid *grid)
{
    const int64_t cores = grid->machine->cores_per_node;
    const int64_t max =
        grid->machine->node_count > 1 ? nereus_machine_total_cores(grid->machine) - 1 : 2 * cores;
    int64_t sizes[NEREUS_CALIBRATION_GRID_SIZES_MAX];
    int count = 0;
    count = nereus_calibration_grid_add_size(sizes, count, 1);
    count = nereus_calibration_grid_add_size(sizes, count, cores / 2);
    count = nereus_calibration_grid_add_size(sizes, count, cores);
    for (int64_t n = 2;
         (n <= grid->machine->node_count || n == 2) && count < NEREUS_CALIBRATION_GRID_SIZES_MAX;
         n *= 2)
        count = nereus_calibration_grid_add_size(sizes, count, nereus_min(n * cores, max));
    for (int i = 0; i < count; i++) {
        const struct nereus_calibration_cell like = {.task = NEREUS_CELL_PROGRAM,
                                                     .peak_processes = 1 + sizes[i],
                                                     .processes = 1,
                                                     .new_processes = sizes[i],
                                                     .program = command,
                                                     .essential = true};
        struct nereus_calibration_cell *cell = nereus_calibration_grid_add_cell(
            grid, like.peak_processes, start_up_s, &like, "start-up of %lld", (long long)sizes[i]);
        if (cell != NULL)
            cell->estimate_s = cell->expected_s;
    }
}
