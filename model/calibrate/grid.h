/**
 * @file grid.h
 * Defines the grid of cells that a calibration measures. One run of a cell is one program under
 * mpiexec, which writes a few rows of samples. rows.h counts the runs of each cell, order.h chooses
 * the cell to run next.
 */
#pragma once

#include "model/util/base.h"
#include "nereus/layout.h"
#include "nereus/samples.h"

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
    char label[80];                    /**< for messages: "spawn 2 from 1" */
    enum nereus_pair_class pair;       /**< PINGPONG, NODE: where the two processes run */
    int64_t processes;                 /**< processes that mpiexec starts */
    int64_t new_processes;             /**< SPAWN, PROGRAM: processes that the task starts */
    int64_t staying_processes;         /**< SPLIT: processes that stay */
    int64_t threads;                   /**< CONTENTION: all threads, or all processes that start */
    enum nereus_background background; /**< CONTENTION: what the threads do */
    /** PROGRAM: command; STAGE: "pi:100"; owned by the caller */
    const char *program;
    char method[NEREUS_METHOD_TEXT_MAX];  /**< JOB */
    int64_t sizes[NEREUS_CELL_SIZES_MAX]; /**< JOB: processes after each resize */
    /** JOB: method of each resize; NULL: `method`; literals */
    const char *methods[NEREUS_CELL_SIZES_MAX];
    int size_count;
    /** JOB: index of the resize that no other cell has; its rows count the runs. */
    int counted_resize;
    /** JOB: nodes of one core that the job declares on this host, so that methods with a group per
     * node can run; 0: none. */
    int64_t virtual_nodes;
    int64_t iterate_us;     /**< JOB: computing time of an iteration */
    int64_t bytes;          /**< JOB: distributed data */
    int64_t peak_processes; /**< at most so many processes exist at a time */
    bool constant;          /**< JOB: all data is constant; false: half of the data */
    bool essential;         /**< measured first: some step is measured in no other cell */
    double estimate_s;      /**< time of a run, as assumed before any run of the task */
    double expected_s;      /**< time of the next run (nereus_calibration_grid_record_time) */
    bool timed;             /**< run in this calibration: expected_s is a measured time */
    int64_t runs;           /**< runs whose rows the samples have */
    /** relative half-width of the widest 90 % interval of its medians; INFINITY: too few runs */
    double half_width;
    int failures;      /**< failed runs of this calibration */
    char failure[320]; /**< why the last one failed */
};

struct nereus_calibration_grid {
    const struct nereus_machine *machine;  /**< owned by the caller; read while cells are added */
    struct nereus_calibration_cell *cells; /**< owned */
    int count;
    bool lacks_memory; /**< a cell could not be added */
    /** Measured and estimated time of all runs so far, by task. */
    double took_s[NEREUS_CELL_TASK_COUNT], estimated_s[NEREUS_CELL_TASK_COUNT];
};

/** Make the grid of a machine. Sizes go from one process to more than a node's cores, but never
 * above the declared slots. Classes of different nodes occur only where the machine has several
 * nodes. */
enum nereus_status nereus_calibration_grid_make(const struct nereus_machine *machine,
                                                struct nereus_calibration_grid *grid,
                                                struct nereus_error *err);
/** Add the cells of a program's start-up: one process, half a node, a node, twice as many and more
 * nodes start; essential.
 * @param[in] command  must outlive the grid */
void nereus_calibration_grid_add_program(const char *command, struct nereus_calibration_grid *grid);
void nereus_calibration_grid_fini(struct nereus_calibration_grid *grid);

/** @return name of a task in messages: "ping-pongs", "spawns", ... */
const char *nereus_calibration_task_name(enum nereus_cell_task task);
