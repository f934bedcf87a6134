/**
 * @file task.h
 * What a calibration task is: one small measurement, made by one run of nereus-calibrate under
 * mpiexec.
 *
 * Processes started by mpiexec and spawned ones run the same program with the same options; spawned
 * ones have a parent. Rank 0 of the first world writes the rows.
 *
 * Errors: a function that returns bool returns false after a message on stderr; main aborts the job
 * when a task does. Functions without a result abort it themselves.
 */
#pragma once

#include <mpi.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "nereus/samples.h"

enum { NEREUS_TASK_PROCESSES_MAX = 1024 };
/** Sizes of the messages of pingpong and data, first touch excepted. */
enum { NEREUS_TASK_BYTES_MIN = 8, NEREUS_TASK_BYTES_MAX = 16 << 20 };

/** The command line, and this process. */
struct nereus_task_run {
    char **argv;       /**< options of the task, handed on to spawned processes; NULL-terminated */
    int new_processes; /**< --new */
    int staying;       /**< --to: processes that stay in a split */
    int repeats;       /**< --repeats */
    int threads;       /**< --threads */
    enum nereus_background background; /**< --background: what they do */
    double bytes;                      /**< --bytes: one message size; < 0: all of them */
    enum nereus_pair_class pair;       /**< --pair */
    bool verbose;           /**< --verbose: each process says on standard error what its part was */
    const char *hosts;      /**< --hosts: where to spawn; NULL: the launcher's choice */
    const char *program;    /**< --program: command of the program whose start-up is measured */
    const char *stage;      /**< --stage: what computes, as "pi:100" */
    const char *cluster;    /**< --cluster */
    int64_t cores_per_node; /**< --cores */
    int64_t nodes;          /**< --nodes */
    FILE *rows;             /**< where rows go; NULL in all processes except the writing one */
    MPI_Comm parent;        /**< MPI_COMM_NULL in the first world */
    int rank, size;         /**< in this process' world */
};

/** A task: one file task_NAME.c ends with its table entry. */
struct nereus_task {
    const char *name;
    const char *help;
    bool threads; /**< needs MPI_THREAD_MULTIPLE */
    /** Runs in every process, spawned ones included.
     * @return false after an error message on stderr */
    bool (*run)(struct nereus_task_run *run);
};

extern const struct nereus_task nereus_task_pingpong;
extern const struct nereus_task nereus_task_spawn;
extern const struct nereus_task nereus_task_split;
extern const struct nereus_task nereus_task_data;
extern const struct nereus_task nereus_task_node;
extern const struct nereus_task nereus_task_collective;
extern const struct nereus_task nereus_task_contention;
extern const struct nereus_task nereus_task_stage;
extern const struct nereus_task nereus_task_program;

/**
 * Write one row of a step (nothing where run->rows is NULL).
 * @return false: the row could not be written
 */
bool nereus_task_write_step(const struct nereus_task_run *run, enum nereus_step_kind step,
                            int64_t old_processes, int64_t new_processes, double time_s, int64_t n);

/** Write one ping-pong row: time_s one way. */
bool nereus_task_write_pingpong(const struct nereus_task_run *run, double bytes, double time_s,
                                int64_t n);

/**
 * Write one row of an operation (model/include/nereus/operation.h).
 * @param pairs  of processes that move the bytes together; 0: unknown
 */
bool nereus_task_write_operation(const struct nereus_task_run *run, enum nereus_operation operation,
                                 int64_t pairs, double bytes, double time_s, int64_t n);

/** Write one row of a collective of this world. bytes: of one process' part */
bool nereus_task_write_collective(const struct nereus_task_run *run,
                                  enum nereus_collective collective, double bytes, double time_s,
                                  int64_t n);

/**
 * Write one row of iterations: alone_s without threads, time_s with run->threads threads of the
 * kind run->background.
 */
bool nereus_task_write_contention(const struct nereus_task_run *run, enum nereus_stage stage,
                                  double alone_s, double time_s, int64_t n);

/**
 * Write one row of the start-up of run->program.
 * @param kind   NEREUS_SAMPLE_PROGRAM_START or _JOIN
 * @param own_s  of the calibration's own program; both seconds are above 0
 */
bool nereus_task_write_program(const struct nereus_task_run *run, enum nereus_sample_kind kind,
                               double own_s, double time_s);

/** Write one row of run->stage: one operation takes time_s. */
bool nereus_task_write_stage(const struct nereus_task_run *run, double time_s);

/**
 * Bind this process with its threads to a core of its own, as the runtime does; with fewer cores
 * than processes it is not bound. Collective over MPI_COMM_WORLD.
 * With --verbose each process says on which cores it may run.
 */
void nereus_task_bind(const struct nereus_task_run *run);

/**
 * Spawn copies of this program with the same options, from all of comm; collective over it.
 * @param[out] inter  to be ended with nereus_task_disconnect
 * @return false after an error message on stderr
 */
bool nereus_task_spawn_copies(const struct nereus_task_run *run, MPI_Comm comm, int copies,
                              MPI_Comm *inter);

/**
 * Spawn copies of any program, as nereus_task_spawn_copies does of this one.
 * @param[in] arguments  NULL-terminated
 */
bool nereus_task_spawn_program(const struct nereus_task_run *run, const char *program,
                               char **arguments, MPI_Comm comm, int copies, MPI_Comm *inter);

/**
 * Check that each peer is on the same node, or on another one, as --pair says. Collective over
 * comm, as the first process reports any pair's error.
 * @return false after an error message on stderr
 */
bool nereus_task_check_pair(const struct nereus_task_run *run, MPI_Comm comm, int peer);

/** Abort the job, with a message on stderr. */
_Noreturn void nereus_task_abort(const char *reason);

/** Allocate zeroed memory, or abort the job. */
void *nereus_task_allocate(size_t bytes);

/** Disconnect an inter-communicator, after a barrier on it. */
void nereus_task_disconnect(MPI_Comm *inter);
