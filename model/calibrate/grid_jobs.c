/**
 * @file grid_jobs.c
 * Adds the cells of reconfigurations, which nereus-calibrate-job measures: their traces hold the
 * times of the steps that plain MPI calls do not show.
 */

#include "grid_cells.h"
#include "model/plan/strategies/strategy.h"

/* Estimated seconds of a run within the cores: the start of mpiexec and three resizes, and the time
 * in which all data is touched and moved. The first measured runs correct them (order.c). */
static const double job_s = 0.6, job_bytes_per_s = 2e8;
/* Estimated seconds of a run with two resizes; asynchronous ones also have iterations before,
 * during and after them. */
static const double method_pair_s = 0.8, method_pair_async_s = 1.6;

/* Add a job with a few expansions by methods[0] and shrinks by methods[1] (NULL: by methods[0]).
 * Merge expands once more, so that zombies are woken; methods[1] makes zombies where the runtime
 * would end a whole world. */
static struct nereus_calibration_cell *add_job(struct nereus_calibration_grid *grid,
                                               const char *const methods[2], int64_t small,
                                               int64_t large, int64_t bytes, bool essential)
{
    const char *method = methods[0];
    const bool merge = strncmp(method, "merge", 5) == 0;
    struct nereus_calibration_cell cell = {.task = NEREUS_CELL_JOB,
                                           .peak_processes = merge ? large : small + large,
                                           .processes = small,
                                           .sizes = {large, small, merge ? large : 0},
                                           .size_count = merge ? 3 : 2,
                                           .methods = {NULL, methods[1]},
                                           .bytes = bytes,
                                           .counted_resize = merge ? 0 : 1,
                                           .essential = essential};
    snprintf(cell.method, sizeof cell.method, "%s", method);
    return nereus_calibration_grid_add_cell(grid, large, job_s + (double)bytes / job_bytes_per_s,
                                            &cell, "%s %lld -> %lld -> %lld, %lld MB", method,
                                            (long long)small, (long long)large, (long long)small,
                                            (long long)(bytes / 1000000));
}

/* Does the job grow from one whole node to two, with data? Such a job measures the rate of each
 * method over a link. */
static bool is_between(const struct nereus_machine *machine, int64_t small, int64_t large,
                       int64_t bytes)
{
    return machine->node_count > 1 && !nereus_calibration_grid_has_virtual_nodes(machine) &&
           small == machine->cores_per_node && large == 2 * small && bytes > 0;
}

/* Is the same pair of sizes before this one? */
static bool is_repeated(const int64_t (*from_to)[2], int pair)
{
    for (int i = 0; i < pair; i++)
        if (from_to[i][0] == from_to[pair][0] && from_to[i][1] == from_to[pair][1])
            return true;
    return false;
}

static void add_jobs(struct nereus_calibration_grid *grid)
{
    static const char *const methods[][2] = {{"merge/coll", "merge-zs/coll"},
                                             {"merge/p2p", "merge-zs/p2p"},
                                             {"baseline/coll", NULL},
                                             {"baseline/p2p", NULL}};
    static const int64_t bytes[] = {0, 1000000, 64000000};
    const int64_t cores = grid->machine->cores_per_node;
    const int64_t all_cores =
        cores * (grid->machine->node_count > 1 ? grid->machine->node_count : 1);
    /* Sizes within a node, over its cores, and over all nodes; the same pair counts once. */
    const int64_t from_to[][2] = {{1, 2},
                                  {cores / 2, cores},
                                  {cores, cores + (cores + 1) / 2},
                                  {cores, 2 * cores},
                                  {all_cores / 2, all_cores},
                                  {cores, all_cores}};
    for (int pair = 0; pair < (int)NEREUS_COUNT_OF(from_to); pair++) {
        int64_t small = from_to[pair][0], large = from_to[pair][1];
        if (small < 1 || large <= small || is_repeated(from_to, pair))
            continue;
        for (size_t m = 0; m < NEREUS_COUNT_OF(methods); m++) {
            for (size_t b = 0; b < NEREUS_COUNT_OF(bytes); b++) {
                /* Essential: the first sizes with each method, and merge and baseline
                 * oversubscribed. */
                add_job(grid, methods[m], small, large, bytes[b],
                        (pair == 0 && b == 1) ||
                            is_between(grid->machine, small, large, bytes[b]) ||
                            (small == cores && large == 2 * cores && b == 0 && m % 2 == 0));
            }
        }
    }
}

/* Add the baseline 1 -> 1. Old and new processes of a baseline exist at the same time: on two cores
 * only 1 -> 1 is not oversubscribed, and no other cell measures the disconnect of sources and
 * targets. */
static void add_replacement(struct nereus_calibration_grid *grid)
{
    if (nereus_machine_is_oversubscribed(grid->machine, 2) ||
        !nereus_machine_is_oversubscribed(grid->machine, 3))
        return;
    struct nereus_calibration_cell *cell =
        add_job(grid, (const char *const[2]){"baseline/coll"}, 1, 1, 0, false);
    if (cell != NULL) {
        cell->size_count = 1; /* no shrink back: it would count as a second run */
        cell->counted_resize = 0;
        snprintf(cell->label, sizeof cell->label, "baseline/coll 1 -> 1, 0 MB");
    }
}

/* ---- ways to move data ---- */

/* Data methods that add_jobs does not have: rma, shared and overlaps. All data of an overlap is
 * constant. Few bytes come with long iterations, so that a fit can separate the two effects. */
static const struct move {
    const char *method;
    int64_t bytes, iterate_us;
} moves[] = {
    {"merge/rma", 1000000, 0},
    {"merge/rma", 64000000, 0},
    {"merge/shared", 1000000, 0},
    {"merge/shared", 64000000, 0},
    {"merge/p2p-waitsources", 16000000, 2000},
    {"merge/p2p-waitsources", 1000000, 20000},
    {"merge/coll-thread", 16000000, 2000},
    {"merge/coll-thread", 1000000, 20000},
};

/* Estimated time of the iterations before, during and after an overlap. */
static const double iterations_s = 1.2;

/* Add rma from one node to two, and back; add_moves has them for nodes of one core. */
static void add_moves_between(struct nereus_calibration_grid *grid)
{
    const int64_t cores = grid->machine->cores_per_node;
    for (int64_t bytes = 1000000; bytes <= 64000000; bytes *= 64)
        if (cores > 1 && is_between(grid->machine, cores, 2 * cores, bytes))
            add_job(grid, (const char *const[2]){"merge/rma"}, cores, 2 * cores, bytes, true);
}

/* Add each way to move data, within the cores of a node, or between one process and two. */
static void add_moves(struct nereus_calibration_grid *grid)
{
    const int64_t cores = grid->machine->cores_per_node;
    const int64_t small = cores > 1 ? cores / 2 : 1, large = cores > 1 ? cores : 2;
    for (size_t m = 0; m < NEREUS_COUNT_OF(moves); m++) {
        const bool essential = strcmp(moves[m].method, "merge/rma") == 0 &&
                               is_between(grid->machine, small, large, moves[m].bytes);
        struct nereus_calibration_cell *cell = add_job(
            grid, (const char *const[2]){moves[m].method}, small, large, moves[m].bytes, essential);
        if (cell != NULL) {
            cell->iterate_us = moves[m].iterate_us;
            cell->constant = moves[m].iterate_us > 0;
            cell->expected_s += moves[m].iterate_us > 0 ? iterations_s : 0.0;
        }
    }
}

/* ---- ways to start and to end processes ---- */

/* A method of expansion and a method of shrink. */
struct method_pair {
    const char *expansion, *shrink;
    bool essential;     /* has a step that no other cell measures */
    bool groups;        /* needs several nodes with new processes */
    bool many;          /* its way to start processes is measured with many processes too */
    int64_t iterate_us; /* asynchronous: length of the iterations */
};

/* Plain merge and baseline are in add_jobs. The first row has the steps of spawn trees (tokens,
 * rounds of connections, new ranks, worlds that end); the next ones a launch and the connection
 * of a single spawn. */
static const struct method_pair method_pairs[] = {
    {"merge-diffusive/coll", "merge-ts/coll", true, true, false, 0},
    {"merge-launch/coll", "merge-ts/coll", true, false, true, 0},
    {"merge-single/coll", "merge-ts/coll", true, false, false, 0},
    {"merge-async/coll", "merge-async/coll", true, false, false, 2000},
    {"baseline-intra/coll", "baseline-intra/coll", false, false, false, 0},
    {"merge-single-async/coll", "merge-async/coll", false, false, false, 2000},
    {"merge-multiple/coll", "merge-ts/coll", false, true, false, 0},
    {"merge-hypercube/coll", "merge-ss/coll", false, true, false, 0},
    {"merge-launch-async/coll", "merge-ts/coll", false, false, false, 2000},
    {"baseline-single/coll", "baseline-multiple/coll", false, false, false, 0},
    {"baseline-diffusive/coll", "baseline-launch/coll", false, true, false, 0},
    {"baseline-async/coll", "baseline-async/coll", false, false, false, 20000},
};

static void add_method_pair(struct nereus_calibration_grid *grid, const struct method_pair *methods,
                            int64_t small, int64_t large, bool essential)
{
    const bool merge = strncmp(methods->expansion, "merge", 5) == 0;
    const int64_t max = merge ? large : small + large; /* a baseline's sources occupy nodes, too */
    struct nereus_calibration_cell cell = {
        .task = NEREUS_CELL_JOB,
        .peak_processes = max,
        .processes = small,
        .sizes = {large, small},
        .methods = {NULL, methods->shrink},
        .size_count = 2,
        .iterate_us = methods->iterate_us,
        .virtual_nodes = methods->groups && grid->machine->node_count < 2 ? max : 0,
        .essential = essential};
    snprintf(cell.method, sizeof cell.method, "%s", methods->expansion);
    nereus_calibration_grid_add_cell(grid, large,
                                     methods->iterate_us > 0 ? method_pair_async_s : method_pair_s,
                                     &cell, "%s %lld -> %lld, %s", methods->expansion,
                                     (long long)small, (long long)large, methods->shrink);
}

/* Add small sizes first, within the cores; groups need two nodes with new processes, which takes
 * three processes. Then add a node's cores, oversubscribed sizes and all nodes, without duplicates.
 * Launches of many processes are measured too: their time follows neither from small launches nor
 * from spawns of many. */
static void add_sizes(struct nereus_calibration_grid *grid, const struct method_pair *methods)
{
    const int64_t cores = grid->machine->cores_per_node,
                  nodes = grid->machine->node_count > 1 ? grid->machine->node_count : 1;
    const int64_t groups_from = nodes > 1 ? cores : 1, groups_to = nodes > 2 ? 3 * cores : 3;
    const int64_t from_to[][2] = {
        {methods->groups ? groups_from : 1, methods->groups ? groups_to : 2},
        {(cores + 1) / 2, cores},
        {cores, 2 * cores},
        {cores, nodes * cores},
        {1, methods->many ? 2 * cores : 1},
        {cores, methods->many ? 3 * cores : cores}};
    for (int pair = 0; pair < (int)NEREUS_COUNT_OF(from_to); pair++) {
        const int64_t small = from_to[pair][0], large = from_to[pair][1];
        const bool lacks_groups = methods->groups && pair > 0 && large < 3;
        if (large > small && !lacks_groups && !is_repeated(from_to, pair))
            add_method_pair(grid, methods, small, large, methods->essential && pair == 0);
    }
}

/* Add restarts of one process to a node's cores and back, without data and with two sizes of data.
 * Restarts measure what one process and all processes of a node write and read, fsync, and the
 * start of the program. Then add all nodes together or, on one node, more processes than cores. */
static void add_restarts(struct nereus_calibration_grid *grid)
{
    static const char *const method[2] = {"restart/file"};
    const int64_t cores = grid->machine->cores_per_node, nodes = grid->machine->node_count;
    const int64_t full = cores > 1 ? cores : 2, all_cores = nodes > 1 ? nodes * cores : 2 * full;
    add_job(grid, method, 1, full, 64000000, true);
    add_job(grid, method, 1, full, 0, true);
    add_job(grid, method, 1, full, 512000000, false);
    add_job(grid, method, full, all_cores, 0, false);
    add_job(grid, method, full, all_cores, 64000000, false);
}

static bool has_strategy(enum nereus_strategy strategy)
{
    struct nereus_method method;
    for (size_t w = 0; w < NEREUS_COUNT_OF(method_pairs); w++)
        if (nereus_method_parse(method_pairs[w].expansion, &method, NULL) == NEREUS_OK &&
            method.strategy == strategy)
            return true;
    return false;
}

/* Add the rows of the table, then an expansion by each strategy that the table lacks. */
static void add_method_pairs(struct nereus_calibration_grid *grid)
{
    for (size_t w = 0; w < NEREUS_COUNT_OF(method_pairs); w++)
        add_sizes(grid, &method_pairs[w]);
    for (int s = 0; s < NEREUS_STRATEGY_COUNT; s++) {
        const struct nereus_method method = {.process = NEREUS_MERGE,
                                             .strategy = (enum nereus_strategy)s,
                                             .has_data = true,
                                             .data = NEREUS_COLL};
        char text[NEREUS_METHOD_TEXT_MAX];
        const struct method_pair methods = {
            .expansion = nereus_method_format(&method, text),
            .shrink = "merge-ts/coll",
            .groups = nereus_strategy_ops_of(method.strategy)->several_worlds};
        if (s != NEREUS_PLAIN && !has_strategy(method.strategy))
            add_sizes(grid, &methods);
    }
}

void nereus_calibration_grid_add_jobs(struct nereus_calibration_grid *grid)
{
    add_jobs(grid);
    add_replacement(grid);
    add_moves(grid);
    add_moves_between(grid);
    add_method_pairs(grid);
    add_restarts(grid);
}
