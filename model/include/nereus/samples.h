/**
 * @file samples.h
 * Samples: CSV, a header line, one measurement a line.
 *
 * Columns of whole reconfigurations (any order, empty where a column does not apply, unknown
 * columns ignored):
 *   cluster, cores_per_node, ns, nt, method, t_iter_ns_s, t_iter_nt_s, bytes, rt_s, ct_s,
 *   iterations,
 *   statistic, n
 * Rows of the project's own calibration have these columns, too:
 *   kind            "reconfiguration" (or empty: the same), a step kind ("spawn", "merge", ...),
 *                   "pingpong", an operation ("alltoallv", "window", ...; bytes: of one process), a
 *                   collective of a world ("allreduce", ...), "core-contention", "program-start",
 *                   "program-join" or "stage"; "iteration" and unknown kinds are ignored
 *   pair            pingpong: "same-world" or "different-worlds", then "/same-node" or
 *                   "/different-nodes"; contention: "compute/waiting" and so on (contention.h);
 *                   program: its command; stage: what it computes and the granularity, "pi:100"
 *   oversubscribed  0 or 1
 *   old_processes   of a step row (ns and nt then repeat them); of a collective and of contention
 *                   its processes
 *   new_processes   of a step row; of contention the threads (t_iter_ns_s: an iteration without
 *                   them, time_s: with them); of a program those that start (time_s: until the last
 *                   has left MPI_Init, or from there to nereus_init; t_iter_ns_s: the same of the
 *                   calibration's own program)
 *   time_s          the measured time of a step or ping-pong (one way) row; rt_s stays empty
 * Rows of unequal nodes leave cores_per_node empty and have
 *   hostfile        the nodes' host file, relative to the samples' folder; empty: as the provenance
 *                   says (provenance.h)
 *   state           "initial" (or empty) or "per-node": each node had a world of its own
 * Rows of a redistribution alone leave rt_s and kind empty and have ns, nt, method
 * (with its data part), bytes, and
 *   redistribute_s  seconds of the redistribution; rows that are written have the kind
 *                   "redistribution" and time_s instead; on one node they are step rows
 */
#ifndef NEREUS_SAMPLES_H
#define NEREUS_SAMPLES_H

#include <stdbool.h>
#include <stdint.h>

#include "collective.h"
#include "contention.h"
#include "layout.h"
#include "method.h"
#include "operation.h"
#include "plan.h"
#include "status.h"

NEREUS_BEGIN_C

/** 4 EiB, 2^62: far above any memory, and safe in sums of 64 bits. */
#define NEREUS_BYTES_MAX 4611686018427387904.0

enum nereus_sample_kind {
    NEREUS_SAMPLE_RECONFIGURATION,
    NEREUS_SAMPLE_STEP,
    NEREUS_SAMPLE_PINGPONG,
    NEREUS_SAMPLE_OPERATION,
    NEREUS_SAMPLE_COLLECTIVE,
    NEREUS_SAMPLE_CONTENTION,
    NEREUS_SAMPLE_PROGRAM_START,
    NEREUS_SAMPLE_PROGRAM_JOIN,
    NEREUS_SAMPLE_STAGE,
    NEREUS_SAMPLE_REDISTRIBUTION
};

enum { NEREUS_PROGRAM_MAX = 256 }; /**< characters of a command, with the terminator */

/** Hockney pair classes. */
enum nereus_pair_class {
    NEREUS_PAIR_SAME_WORLD_SAME_NODE,
    NEREUS_PAIR_SAME_WORLD_DIFFERENT_NODES,
    NEREUS_PAIR_DIFFERENT_WORLDS_SAME_NODE,
    NEREUS_PAIR_DIFFERENT_WORLDS_DIFFERENT_NODES,
    NEREUS_PAIR_CLASS_COUNT
};
const char *nereus_pair_class_name(enum nereus_pair_class pair); /**< "same-world/same-node", ... */

struct nereus_sample {
    char cluster[64];
    enum nereus_sample_kind kind;
    enum nereus_step_kind step;        /**< of a step row */
    enum nereus_pair_class pair;       /**< of a ping-pong row */
    enum nereus_operation operation;   /**< of an operation's row */
    enum nereus_collective collective; /**< of a collective's row */
    int contention;                    /**< of such a row: which (nereus_contention_name) */
    /** of a program's row: its command; of a stage's "pi:100"; else "" */
    char program[NEREUS_PROGRAM_MAX];
    int64_t cores_per_node;    /**< of machine: of its largest node */
    int64_t cores_per_process; /**< that a process takes; 0 or 1: one */
    /** unequal nodes, filled one after the other; NULL: equal ones, as many as needed. Owned by the
     * provenances that the row was read with */
    const struct nereus_machine *machine;
    int64_t ns, nt;
    struct nereus_method method;     /**< of a reconfiguration or redistribution row */
    double t_iter_ns_s, t_iter_nt_s; /**< NAN where empty; so are the following doubles */
    double bytes, rt_s, ct_s, iterations, time_s;
    int64_t old_processes, new_processes;
    bool oversubscribed;
    int64_t n;    /**< measurements behind the row; 1 if empty */
    int64_t line; /**< of the file, for messages */
};

struct nereus_samples {
    struct nereus_sample *rows; /**< owned */
    int64_t count;
    /** rows that were left out, as they were not written to their end, and the line of the first in
     * its file; set by reading, for a note */
    int64_t left_out, first_left_out;
};

/**
 * Append the rows of a file. Errors name file, line and column, what was found and what would be
 * right; nothing is appended then. A last row without a line end is left out: its last number may be
 * cut. A file with a header and no row is an error, unless `tolerate_cut` (an interrupted
 * calibration goes on from its samples).
 */
enum nereus_status nereus_samples_read(const char *path, bool tolerate_cut,
                                       struct nereus_samples *samples, struct nereus_error *err);
/** Append copies of other rows. @return NEREUS_ERR_MEMORY: nothing is appended */
enum nereus_status nereus_samples_append(struct nereus_samples *samples,
                                         const struct nereus_samples *more,
                                         struct nereus_error *err);
void nereus_samples_fini(struct nereus_samples *samples);

/**
 * The header line that the project's own calibration writes, without newline.
 * @param per_process  with the column cores_per_process: for processes that take several
 */
const char *nereus_samples_header(bool per_process);

/**
 * Make a file ready for rows to be appended: a last line without its end, which was not written
 * whole, becomes a comment; where it is the header line, the file becomes empty.
 * @param file  a descriptor that may read and write. @return false: errno says why
 */
bool nereus_samples_mend(int file);

/** Write one row, with newline, in the order of nereus_samples_header. @return NEREUS_ERR_IO if the
 * stream failed */
enum nereus_status nereus_samples_write_row(void *stream_file, const struct nereus_sample *sample,
                                            bool per_process, struct nereus_error *err);

NEREUS_END_C
#endif
