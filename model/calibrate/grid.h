/**
 * @file grid.h
 * The grid of cells that a calibration measures. A run of a cell is a program under mpiexec that
 * gives a few rows of samples. Runs are counted in rows.h, the order of cells is in order.h.
 */
#ifndef NEREUS_MODEL_CALIBRATE_GRID_H
#define NEREUS_MODEL_CALIBRATE_GRID_H

#include <stdbool.h>
#include <stdint.h>

#include "nereus/layout.h"
#include "nereus/samples.h"
#include "nereus/status.h"

enum nereus_cell_task {
    NEREUS_CELL_PINGPONG, /**< nereus-calibrate pingpong */
    NEREUS_CELL_SPAWN,    /**< nereus-calibrate spawn */
    NEREUS_CELL_SPLIT,    /**< nereus-calibrate split */
    NEREUS_CELL_DATA,     /**< nereus-calibrate data: in one world (2 processes), or between two (1,
                             which spawns) */
    NEREUS_CELL_NODE,     /**< nereus-calibrate node: pairs of processes at once */
    NEREUS_CELL_COLLECTIVE, /**< nereus-calibrate collective */
    NEREUS_CELL_CONTENTION, /**< nereus-calibrate contention: on one node */
    NEREUS_CELL_JOB,        /**< nereus-calibrate-job: reconfigurations with a trace */
    NEREUS_CELL_STAGE,      /**< nereus-calibrate stage: one operation of a stage that computes */
    NEREUS_CELL_PROGRAM     /**< nereus-calibrate program: start-up of the user's program */
};

enum { NEREUS_CELL_TASK_COUNT = NEREUS_CELL_PROGRAM + 1, NEREUS_CELL_SIZES_MAX = 4 };

struct nereus_calibration_cell {
    enum nereus_cell_task task;
    char label[80];              /**< for messages: "spawn 2 from 1" */
    enum nereus_pair_class pair; /**< of a ping-pong, and of pairs at once */
    int64_t processes;           /**< started by mpiexec */
    int64_t new_processes;       /**< of a spawn, and of a program: started by the task */
    int64_t staying;             /**< of a split: processes that stay */
    int64_t threads;             /**< of contention: threads in total, or processes that start */
    enum nereus_background background;    /**< of contention: what these do */
    const char *program;                  /**< its command; of a stage "pi:100"; the caller's */
    char method[NEREUS_METHOD_TEXT_MAX];  /**< of a job */
    int64_t sizes[NEREUS_CELL_SIZES_MAX]; /**< of a job: after each resize */
    const char *methods[NEREUS_CELL_SIZES_MAX]; /**< of each resize, if not `method`; literals */
    int size_count;
    /** Of a job, the index of the resize that no other cell has: its rows count the runs. */
    int counted_resize;
    /** Nodes of one core that a job declares on this host, for methods with a group per node;
     * 0: none. */
    int64_t virtual_nodes;
    int64_t iterate_us;     /**< of a job: computing time of an iteration */
    int64_t bytes;          /**< of a job: distributed data */
    int64_t peak_processes; /**< processes that exist at the same time */
    bool constant;          /**< of a job: all data is constant, else half of it */
    bool essential;         /**< measured first: some step is measured in no other cell */
    double estimate_s;      /**< time of a run, as assumed before any run of the task */
    double expected_s;      /**< time of the next run (nereus_calibration_grid_took) */
    bool timed;             /**< run in this calibration: expected_s is a measured time */
    int64_t runs;           /**< in the samples */
    /** relative half-width of the widest 90 % interval of its medians; INFINITY: too few runs */
    double half_width;
    int failures;      /**< in this calibration */
    char failure[320]; /**< why the last one failed */
};

struct nereus_calibration_grid {
    const struct nereus_machine *machine;  /**< the caller's, for as long as cells are added */
    struct nereus_calibration_cell *cells; /**< owned */
    int count;
    bool lacks_memory; /**< a cell could not be added */
    /** measured time of all runs so far, by task, and what was estimated for them */
    double took_s[NEREUS_CELL_TASK_COUNT], estimated_s[NEREUS_CELL_TASK_COUNT];
};

/**
 * The grid of a machine: sizes from one process to more than a node's cores, never above the
 * declared slots; classes of different nodes only where the machine has several.
 */
enum nereus_status nereus_calibration_grid_make(const struct nereus_machine *machine,
                                                struct nereus_calibration_grid *grid,
                                                struct nereus_error *err);
/**
 * Add the cells of a program's start-up: one process, half a node, a node, twice as many and more
 * nodes start; essential.
 * @param[in] command  must outlive the grid
 */
void nereus_calibration_grid_add_program(const char *command, struct nereus_calibration_grid *grid);
void nereus_calibration_grid_fini(struct nereus_calibration_grid *grid);

/** Name of a task in messages: "ping-pongs", "spawns", ... */
const char *nereus_calibration_task_name(enum nereus_cell_task task);

#endif
