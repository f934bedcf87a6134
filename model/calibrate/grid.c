/** @file grid.c  The grid of a calibration: which cells there are. */
#include "grid.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/plan/strategies/strategy.h"
#include "model/util/arith.h"
#include "model/util/grow.h"
#include "model/util/text.h"
#include "model/util/try.h"

enum { SIZES_TRIED = 8, COLLECTIVE_MAX = 1024 };

/* ---- building ---- */

/* A rough estimate: oversubscribed processes take turns. */
static double guess_s(const struct nereus_machine *machine, int64_t most, double base_s)
{
    double cores = (double)machine->cores_per_node;
    double turns = ceil((double)most / cores / fmax(1.0, (double)machine->node_count));
    return base_s * turns;
}

/*
 * A copy of a cell, with its label and the time that it takes. size: of its largest job, above
 * which `most`, the processes at the same time, may briefly be with a baseline.
 * @return NULL: there are too few slots for it, or there is no memory
 */
static struct nereus_calibration_cell *
add_cell(struct nereus_calibration_grid *grid, int64_t size, double base_s,
         const struct nereus_calibration_cell *like, const char *label, ...)
    __attribute__((format(printf, 5, 6)));

static struct nereus_calibration_cell *add_cell(struct nereus_calibration_grid *grid, int64_t size,
                                                double base_s,
                                                const struct nereus_calibration_cell *like,
                                                const char *label, ...)
{
    if (grid->machine->slots > 0 && size > grid->machine->slots)
        return NULL;
    struct nereus_calibration_cell *cells = nereus_grow(grid->cells, grid->count, sizeof *cells);
    if (cells == NULL) {
        grid->lacks_memory = true;
        return NULL;
    }
    grid->cells = cells;
    struct nereus_calibration_cell *cell = &grid->cells[grid->count++];
    *cell = *like;
    cell->cost_s = guess_s(grid->machine, like->most, base_s);
    va_list arguments;
    va_start(arguments, label);
    vsnprintf(cell->label, sizeof cell->label, label, arguments);
    va_end(arguments);
    return cell;
}

static void add_pingpongs(struct nereus_calibration_grid *grid)
{
    for (int pair = 0; pair < NEREUS_PAIR_CLASS_COUNT; pair++) {
        bool inter_node = pair == NEREUS_PAIR_SAME_WORLD_DIFFERENT_NODES ||
                          pair == NEREUS_PAIR_DIFFERENT_WORLDS_DIFFERENT_NODES;
        bool one_world = pair == NEREUS_PAIR_SAME_WORLD_SAME_NODE ||
                         pair == NEREUS_PAIR_SAME_WORLD_DIFFERENT_NODES;
        const struct nereus_calibration_cell cell = {.task = NEREUS_CELL_PINGPONG,
                                                     .most = 2,
                                                     .pair = (enum nereus_pair_class)pair,
                                                     .processes = one_world ? 2 : 1,
                                                     .essential = true};
        if (!inter_node || grid->machine->node_count >= 2) {
            add_cell(grid, 2, inter_node ? 4.0 : 0.8, &cell, "ping-pong %s",
                     nereus_pair_class_name(cell.pair));
        }
    }
}

/* Data operations within a world and between two, on one node. */
static void add_data(struct nereus_calibration_grid *grid)
{
    for (int64_t processes = 2; processes >= 1; processes--) {
        const struct nereus_calibration_cell cell = {
            .task = NEREUS_CELL_DATA, .most = 2, .processes = processes, .essential = true};
        add_cell(grid, 2, processes == 2 ? 1.8 : 0.8, &cell, "data %s",
                 processes == 2 ? "within a world" : "between worlds");
    }
}

/* Parts of one host. */
static bool has_virtual_nodes(const struct nereus_machine *machine)
{
    return machine->node_count > 0 && strchr(machine->nodes[0].name, '/') != NULL;
}

static void add_pairs(struct nereus_calibration_grid *grid, int64_t pairs, bool inter_node,
                      bool essential)
{
    const struct nereus_calibration_cell cell = {
        .task = NEREUS_CELL_NODE,
        .most = 2 * pairs,
        .processes = 2 * pairs,
        .pair =
            inter_node ? NEREUS_PAIR_SAME_WORLD_DIFFERENT_NODES : NEREUS_PAIR_SAME_WORLD_SAME_NODE,
        .essential = essential};
    add_cell(grid, cell.most, 1.5, &cell, "%lld pair%s at once, %s", (long long)pairs,
             nereus_plural_s(pairs), inter_node ? "of two nodes" : "within a node");
}

/* One core and all cores of a node against those of another, which nothing else measures, and
 * 2, 4 .. of them; likewise half of a node's cores against the other half. Virtual nodes have no
 * link. */
static void add_nodes(struct nereus_calibration_grid *grid)
{
    const struct nereus_machine *machine = grid->machine;
    const int64_t half = machine->cores_per_node / 2;
    for (int64_t k = 1; k < half; k *= 2)
        add_pairs(grid, k, false, false);
    if (half > 0)
        add_pairs(grid, half, false, false);
    if (machine->node_count < 2 || has_virtual_nodes(machine))
        return;
    const int64_t all =
        nereus_min(nereus_machine_cores(machine, 0), nereus_machine_cores(machine, 1));
    for (int64_t k = 1; k < all; k *= 2)
        add_pairs(grid, k, true, k == 1);
    add_pairs(grid, all, true, true);
}

static void add_spawn(struct nereus_calibration_grid *grid, int64_t old, int64_t new_processes,
                      bool essential)
{
    const struct nereus_calibration_cell cell = {.task = NEREUS_CELL_SPAWN,
                                                 .most = old + new_processes,
                                                 .processes = old,
                                                 .new_processes = new_processes,
                                                 .essential = essential};
    add_cell(grid, cell.most, 0.3, &cell, "spawn %lld from %lld", (long long)new_processes,
             (long long)old);
}

static void add_split(struct nereus_calibration_grid *grid, int64_t from)
{
    const struct nereus_calibration_cell cell = {.task = NEREUS_CELL_SPLIT,
                                                 .most = from,
                                                 .processes = from,
                                                 .to = (from + 1) / 2,
                                                 .essential =
                                                     from == grid->machine->cores_per_node};
    add_cell(grid, from, 0.3, &cell, "split %lld -> %lld", (long long)from, (long long)cell.to);
}

/* A few expansions by methods[0] and shrinks by methods[1] (NULL: by the same). Merge expands once
 * more, so that zombies are woken; methods[1] asks for zombies where the runtime would end a whole
 * world. */
static struct nereus_calibration_cell *add_job(struct nereus_calibration_grid *grid,
                                               const char *const methods[2], int64_t small,
                                               int64_t large, int64_t bytes, bool essential)
{
    const char *method = methods[0];
    const bool merge = strncmp(method, "merge", 5) == 0;
    struct nereus_calibration_cell cell = {.task = NEREUS_CELL_JOB,
                                           .most = merge ? large : small + large,
                                           .processes = small,
                                           .sizes = {large, small, merge ? large : 0},
                                           .size_count = merge ? 3 : 2,
                                           .methods = {NULL, methods[1]},
                                           .bytes = bytes,
                                           .mark = merge ? 0 : 1,
                                           .essential = essential};
    snprintf(cell.method, sizeof cell.method, "%s", method);
    return add_cell(grid, large, 0.6 + (double)bytes / 2e8, &cell,
                    "%s %lld -> %lld -> %lld, %lld MB", method, (long long)small, (long long)large,
                    (long long)small, (long long)(bytes / 1000000));
}

/* Add a size unless it is below 1 or already there. @return the new count */
static int add_size(int64_t *sizes, int count, int64_t size)
{
    for (int i = 0; i < count; i++)
        if (sizes[i] == size)
            return count;
    sizes[count] = size;
    return size >= 1 ? count + 1 : count;
}

/* Old and new worlds of one process, half a node, a node and more: empty, full and overloaded
 * nodes. */
static void add_spawns(struct nereus_calibration_grid *grid)
{
    int64_t cores = grid->machine->cores_per_node,
            nodes = grid->machine->node_count > 1 ? grid->machine->node_count : 1;
    int64_t old[SIZES_TRIED], new_processes[SIZES_TRIED];
    int old_count = 0, new_count = 0;
    old_count = add_size(old, old_count, 1);
    old_count = add_size(old, old_count, cores / 2);
    old_count = add_size(old, old_count, cores);
    old_count = add_size(old, old_count, 2 * cores);
    new_count = add_size(new_processes, new_count, 1);
    new_count = add_size(new_processes, new_count, cores / 2);
    new_count = add_size(new_processes, new_count, cores);
    new_count = add_size(new_processes, new_count, cores + (cores + 1) / 2);
    for (int64_t n = 2; n < nodes && old_count < SIZES_TRIED && new_count < SIZES_TRIED; n *= 2) {
        old_count = add_size(old, old_count, n * cores);
        new_count = add_size(new_processes, new_count, n * cores);
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

/* Only within the cores: oversubscribed, the barriers between the calls measure mainly the
 * scheduler's time slices (milliseconds; the same split in a reconfiguration takes a tenth).
 * Oversubscribed splits come from the traces of jobs. */
static void add_splits(struct nereus_calibration_grid *grid)
{
    int64_t cores = grid->machine->cores_per_node, from[SIZES_TRIED];
    int count = 0;
    count = add_size(from, count, 2);
    count = add_size(from, count, cores);
    for (int64_t n = 2; n <= grid->machine->node_count && count < SIZES_TRIED; n *= 2)
        count = add_size(from, count, n * cores);
    for (int i = 0; i < count; i++)
        if (from[i] > 1 && !nereus_machine_oversubscribed(grid->machine, from[i]))
            add_split(grid, from[i]);
}

/* The default granularity, and that of twins (predictor/run). */
static void add_stages(struct nereus_calibration_grid *grid)
{
    static const char *const stages[] = {"pi:100", "pi:20", "matrix:100"};
    for (size_t i = 0; i < NEREUS_COUNT_OF(stages); i++) {
        const struct nereus_calibration_cell cell = {
            .task = NEREUS_CELL_STAGE, .processes = 1, .most = 1, .program = stages[i]};
        add_cell(grid, 1, 1.0, &cell, "an operation of %s", stages[i]);
    }
}

/* Within the cores, like splits. */
static void add_collectives(struct nereus_calibration_grid *grid)
{
    int64_t cores = grid->machine->cores_per_node, sizes[SIZES_TRIED];
    int count = 0;
    count = add_size(sizes, count, 2);
    count = add_size(sizes, count, cores / 2);
    count = add_size(sizes, count, cores);
    for (int64_t n = 2; n <= grid->machine->node_count && count < SIZES_TRIED; n *= 2)
        count = add_size(sizes, count, n * cores);
    for (int i = 0; i < count; i++) {
        const struct nereus_calibration_cell cell = {
            .task = NEREUS_CELL_COLLECTIVE, .most = sizes[i], .processes = sizes[i]};
        if (sizes[i] > 1 && sizes[i] <= COLLECTIVE_MAX &&
            !nereus_machine_oversubscribed(grid->machine, sizes[i]))
            add_cell(grid, sizes[i], 1.0, &cell, "collectives of %lld", (long long)sizes[i]);
    }
}

static void add_contention_cell(struct nereus_calibration_grid *grid, int64_t processes,
                                int64_t threads, enum nereus_background company)
{
    const bool starting = company == NEREUS_BACKGROUND_STARTING;
    const struct nereus_calibration_cell like = {
        .task = NEREUS_CELL_CONTENTION,
        .most = processes,
        .processes = processes,
        .threads = threads,
        .company = company,
        .essential = processes == grid->machine->cores_per_node && threads == processes};
    struct nereus_calibration_cell *cell =
        processes > 0 && threads > 0
            ? add_cell(grid, processes + (starting ? threads : 0), 0, &like,
                       "iterations of %lld with %lld %s %s", (long long)processes,
                       (long long)threads, nereus_background_name(company),
                       starting ? "processes" : "threads")
            : NULL;
    if (cell != NULL) {
        cell->cost_s =
            (starting ? 2.4 : 1.4) + 0.5 * (double)threads / (double)grid->machine->cores_per_node;
    }
}

/* Half a node with a thread for each remaining core, and a full node with a thread on half of
 * the cores, on each core, and two on each. Starting processes use all cores: loads of 1, 1.5, 2
 * and 3. Each process has a core, so that iterations alone are undisturbed. Not on virtual
 * nodes, whose threads would spread over all cores of the host. */
static void add_contention(struct nereus_calibration_grid *grid)
{
    const int64_t cores = grid->machine->cores_per_node;
    if (has_virtual_nodes(grid->machine))
        return;
    const int64_t sizes[][2] = {
        {cores / 2, cores - cores / 2}, {cores, cores / 2}, {cores, cores}, {cores, 2 * cores}};
    for (size_t i = 0; i < NEREUS_COUNT_OF(sizes); i++)
        for (int company = 0; company < NEREUS_BACKGROUND_COUNT; company++)
            add_contention_cell(grid, sizes[i][0], sizes[i][1], (enum nereus_background)company);
}

/* Data between two nodes: no other cell measures the rate of each method over a link. */
static bool is_between(const struct nereus_machine *machine, int64_t small, int64_t large,
                       int64_t bytes)
{
    return machine->node_count > 1 && !has_virtual_nodes(machine) &&
           small == machine->cores_per_node && large == 2 * small && bytes > 0;
}

static void add_jobs(struct nereus_calibration_grid *grid)
{
    static const char *const methods[][2] = {{"merge/coll", "merge-zs/coll"},
                                             {"merge/p2p", "merge-zs/p2p"},
                                             {"baseline/coll", NULL},
                                             {"baseline/p2p", NULL}};
    static const int64_t bytes[] = {0, 1000000, 64000000};
    const int64_t cores = grid->machine->cores_per_node;
    const int64_t all = cores * (grid->machine->node_count > 1 ? grid->machine->node_count : 1);
    /* Within a node, over its cores, and over all nodes; the same pair of sizes counts once. */
    const int64_t from_to[][2] = {
        {1, 2},         {cores / 2, cores}, {cores, cores + (cores + 1) / 2}, {cores, 2 * cores},
        {all / 2, all}, {cores, all}};
    for (int pair = 0; pair < (int)NEREUS_COUNT_OF(from_to); pair++) {
        int64_t small = from_to[pair][0], large = from_to[pair][1];
        bool seen = small < 1 || large <= small;
        for (int before = 0; before < pair; before++)
            seen = seen || (from_to[before][0] == small && from_to[before][1] == large);
        for (size_t m = 0; m < NEREUS_COUNT_OF(methods) && !seen; m++) {
            for (size_t b = 0; b < NEREUS_COUNT_OF(bytes); b++) {
                /* One pair of sizes with each method, and both processes oversubscribed. */
                add_job(grid, methods[m], small, large, bytes[b],
                        (pair == 0 && b == 1) ||
                            is_between(grid->machine, small, large, bytes[b]) ||
                            (small == cores && large == 2 * cores && b == 0 && m % 2 == 0));
            }
        }
    }
}

/* A baseline has its old and new processes at the same time: on two cores only 1 -> 1 is not
 * oversubscribed, and the disconnect of sources and targets is measured in no other cell. */
static void add_replacement(struct nereus_calibration_grid *grid)
{
    if (nereus_machine_oversubscribed(grid->machine, 2) ||
        !nereus_machine_oversubscribed(grid->machine, 3))
        return;
    struct nereus_calibration_cell *cell =
        add_job(grid, (const char *const[2]){"baseline/coll"}, 1, 1, 0, false);
    if (cell != NULL) {
        cell->size_count = 1; /* no shrink back: it would count as a second run */
        cell->mark = 0;
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

/* Time of the iterations before, during and after an overlap. */
static const double iterations_s = 1.2;

/* By rma from one node to two, and back; add_moves has them for nodes of one core. */
static void add_moves_between(struct nereus_calibration_grid *grid)
{
    const int64_t cores = grid->machine->cores_per_node;
    for (int64_t bytes = 1000000; bytes <= 64000000; bytes *= 64)
        if (cores > 1 && is_between(grid->machine, cores, 2 * cores, bytes))
            add_job(grid, (const char *const[2]){"merge/rma"}, cores, 2 * cores, bytes, true);
}

/* Within the cores of a node, or between one process and two. */
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
            cell->cost_s += moves[m].iterate_us > 0 ? iterations_s : 0.0;
        }
    }
}

/* ---- ways to start and to end processes ---- */

/* A method to expand by and one to shrink by. */
struct method_pair {
    const char *up, *down;
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
    const bool merge = strncmp(methods->up, "merge", 5) == 0;
    const int64_t most = merge ? large : small + large; /* a baseline's sources occupy nodes, too */
    struct nereus_calibration_cell cell = {
        .task = NEREUS_CELL_JOB,
        .most = most,
        .processes = small,
        .sizes = {large, small},
        .methods = {NULL, methods->down},
        .size_count = 2,
        .iterate_us = methods->iterate_us,
        .virtual_nodes = methods->groups && grid->machine->node_count < 2 ? most : 0,
        .essential = essential};
    snprintf(cell.method, sizeof cell.method, "%s", methods->up);
    add_cell(grid, large, methods->iterate_us > 0 ? 1.6 : 0.8, &cell, "%s %lld -> %lld, %s",
             methods->up, (long long)small, (long long)large, methods->down);
}

/* Small sizes first, within the cores; groups need two nodes with new processes, so three
 * processes at least. Then a node's cores, oversubscribed sizes and all nodes; duplicates are
 * left out. Launches of many processes are measured too: their time does not follow from small
 * launches, nor from spawns of many. */
static void add_sizes(struct nereus_calibration_grid *grid, const struct method_pair *methods)
{
    const int64_t cores = grid->machine->cores_per_node,
                  nodes = grid->machine->node_count > 1 ? grid->machine->node_count : 1;
    const int64_t groups_from = nodes > 1 ? cores : 1, groups_to = nodes > 2 ? 3 * cores : 3;
    const int64_t from_to[][2] = {
        {methods->groups ? groups_from : 1, methods->groups ? groups_to : 2},
        {(cores + 1) / 2, cores},
        {cores, cores + (cores + 1) / 2},
        {cores, nodes * cores},
        {1, methods->many ? 2 * cores : 1},
        {cores, methods->many ? 3 * cores : cores}};
    for (int pair = 0; pair < (int)NEREUS_COUNT_OF(from_to); pair++) {
        const int64_t small = from_to[pair][0], large = from_to[pair][1];
        bool seen = large <= small || (methods->groups && pair > 0 && large < 3);
        for (int before = 0; before < pair; before++)
            seen = seen || (from_to[before][0] == small && from_to[before][1] == large);
        if (!seen)
            add_method_pair(grid, methods, small, large, methods->essential && pair == 0);
    }
}

/* Restarts of one process to a node's cores and back, without data and with two sizes: what a
 * process and all of a node write and read, fsync, the start of the program. Then more processes
 * than cores, and all nodes together. */
static void add_restarts(struct nereus_calibration_grid *grid)
{
    static const char *const method[2] = {"restart/file"};
    const int64_t cores = grid->machine->cores_per_node, nodes = grid->machine->node_count;
    const int64_t full = cores > 1 ? cores : 2, all = nodes > 1 ? nodes * cores : 2 * full;
    add_job(grid, method, 1, full, 64000000, true);
    add_job(grid, method, 1, full, 0, true);
    add_job(grid, method, 1, full, 512000000, false);
    add_job(grid, method, full, all, 0, false);
    add_job(grid, method, full, all, 64000000, false);
}

static bool has_strategy(enum nereus_strategy strategy)
{
    struct nereus_method method;
    for (size_t w = 0; w < NEREUS_COUNT_OF(method_pairs); w++)
        if (nereus_method_parse(method_pairs[w].up, &method, NULL) == NEREUS_OK &&
            method.strategy == strategy)
            return true;
    return false;
}

/* The table's rows, then an expansion by each strategy that the table does not have. */
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
        const struct method_pair methods = {.up = nereus_method_print(&method, text),
                                            .down = "merge-ts/coll",
                                            .groups =
                                                nereus_strategy(method.strategy)->several_worlds};
        if (s != NEREUS_PLAIN && !has_strategy(method.strategy))
            add_sizes(grid, &methods);
    }
}

enum nereus_status nereus_calibration_grid_make(const struct nereus_machine *machine,
                                                struct nereus_calibration_grid *grid,
                                                struct nereus_error *err)
{
    memset(grid, 0, sizeof *grid);
    grid->machine = machine;
    if (machine->slots == 1) { /* contention alone makes no profile */
        return nereus_fail(
            err, NEREUS_ERR_ARGUMENT,
            "nothing can be measured with %lld slot%s; a calibration needs at least 2",
            (long long)machine->slots, nereus_plural_s(machine->slots));
    }
    add_pingpongs(grid);
    add_data(grid);
    add_nodes(grid);
    add_spawns(grid);
    add_splits(grid);
    add_collectives(grid);
    add_stages(grid);
    add_contention(grid);
    add_jobs(grid);
    add_replacement(grid);
    add_moves(grid);
    add_moves_between(grid);
    add_method_pairs(grid);
    add_restarts(grid);
    NEREUS_TRY_MEMORY(!grid->lacks_memory, err, "for the list of measurements");
    for (int i = 0; i < grid->count; i++)
        grid->cells[i].guess_s = grid->cells[i].cost_s;
    return NEREUS_OK;
}

/* One process starts them. On several nodes it has a core of its own: rows above the cores are of
 * one node (docs/formats.md). */
void nereus_calibration_grid_add_program(const char *command, struct nereus_calibration_grid *grid)
{
    const int64_t cores = grid->machine->cores_per_node;
    const int64_t most =
        grid->machine->node_count > 1 ? nereus_machine_total_cores(grid->machine) - 1 : 2 * cores;
    int64_t sizes[SIZES_TRIED];
    int count = 0;
    count = add_size(sizes, count, 1);
    count = add_size(sizes, count, cores / 2);
    count = add_size(sizes, count, cores);
    for (int64_t n = 2; (n <= grid->machine->node_count || n == 2) && count < SIZES_TRIED; n *= 2)
        count = add_size(sizes, count, nereus_min(n * cores, most));
    for (int i = 0; i < count; i++) {
        const struct nereus_calibration_cell like = {.task = NEREUS_CELL_PROGRAM,
                                                     .most = 1 + sizes[i],
                                                     .processes = 1,
                                                     .new_processes = sizes[i],
                                                     .program = command,
                                                     .essential = true};
        struct nereus_calibration_cell *cell =
            add_cell(grid, like.most, 1.0, &like, "start-up of %lld", (long long)sizes[i]);
        if (cell != NULL)
            cell->guess_s = cell->cost_s;
    }
}

void nereus_calibration_grid_fini(struct nereus_calibration_grid *grid)
{
    free(grid->cells);
    grid->cells = NULL;
    grid->count = 0;
}

const char *nereus_calibration_task_name(enum nereus_cell_task task)
{
    static const char *const names[NEREUS_CELL_TASK_COUNT] = {
        [NEREUS_CELL_PINGPONG] = "messages",
        [NEREUS_CELL_SPAWN] = "spawns and merges",
        [NEREUS_CELL_SPLIT] = "splits and gathers",
        [NEREUS_CELL_DATA] = "operations that move data",
        [NEREUS_CELL_NODE] = "pairs of processes at once",
        [NEREUS_CELL_COLLECTIVE] = "collectives",
        [NEREUS_CELL_CONTENTION] = "iterations with threads",
        [NEREUS_CELL_JOB] = "reconfigurations",
        [NEREUS_CELL_STAGE] = "operations of stages",
        [NEREUS_CELL_PROGRAM] = "start-ups of the program",
    };
    return names[task];
}
