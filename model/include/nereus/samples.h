/**
 * @file samples.h
 * Reads and writes samples: measurements as CSV, one per line.
 *
 * Columns of a reconfiguration, in any order (a field is empty where it does not apply; unknown
 * columns are ignored):
 *   cluster, cores_per_node, ns, nt, method, t_iter_ns_s, t_iter_nt_s, bytes, rt_s, ct_s,
 *   iterations, statistic, n
 * Rows of a calibration also have:
 *   kind            empty or "reconfiguration"; a step kind; "pingpong"; an operation (bytes of
 *                   one process); a collective; "core-contention", "program-start", "program-join",
 *                   "stage"; "iteration" and unknown kinds are ignored
 *   pair            pingpong: "same-world" or "different-worlds", then "/same-node" or
 *                   "/different-nodes"; contention: "compute/waiting", ... (contention.h); program:
 *                   its command; stage: what it computes and its granularity, "pi:100"
 *   oversubscribed  0 or 1
 *   old_processes   of a step, a collective, contention
 *   new_processes   of a step; contention: the threads (t_iter_ns_s: an iteration without them,
 *                   time_s: with them); program: processes that start (time_s: until the last has
 *                   left MPI_Init, or from there to nereus_init; t_iter_ns_s: the same of the
 *                   calibration's own program)
 *   time_s          measured time of a row that is no reconfiguration
 * Rows of unequal nodes leave cores_per_node empty and have:
 *   hostfile        the nodes' host file, relative to the samples' folder; empty: as the provenance
 *                   says (provenance.h)
 *   state           "initial" (or empty) or "per-node": each node had a world of its own
 * A redistribution alone has ns, nt, method, bytes and redistribute_s; written rows have the kind
 * "redistribution" and time_s. On one node it is read as a step.
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

/** 4 EiB: far above any memory, and safe in sums of 64 bits. */
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

enum { NEREUS_PROGRAM_MAX = 256 };

/** Classes of process pairs, each with a Hockney model. */
enum nereus_pair_class {
    NEREUS_PAIR_SAME_WORLD_SAME_NODE,
    NEREUS_PAIR_SAME_WORLD_DIFFERENT_NODES,
    NEREUS_PAIR_DIFFERENT_WORLDS_SAME_NODE,
    NEREUS_PAIR_DIFFERENT_WORLDS_DIFFERENT_NODES,
    NEREUS_PAIR_CLASS_COUNT
};
/** Name of a pair class, such as "same-world/same-node"; NULL out of range. */
const char *nereus_pair_class_name(enum nereus_pair_class pair);

struct nereus_sample {
    char cluster[64];
    enum nereus_sample_kind kind;
    enum nereus_step_kind step;
    enum nereus_pair_class pair;
    enum nereus_operation operation;
    enum nereus_collective collective;
    int contention; /**< index of nereus_contention_name */
    /** command of a program; "pi:100" of a stage; else "" */
    char program[NEREUS_PROGRAM_MAX];
    int64_t cores_per_node;    /**< with `machine`: of its largest node */
    int64_t cores_per_process; /**< 0 is the same as 1 */
    /** unequal nodes, filled in order; owned by the provenances that the row was read with. NULL:
     * equal nodes, as many as needed */
    const struct nereus_machine *machine;
    int64_t ns, nt;
    struct nereus_method method;     /**< method of a reconfiguration or redistribution row */
    double t_iter_ns_s, t_iter_nt_s; /**< NAN if empty, as all doubles */
    double bytes, rt_s, ct_s, iterations, time_s;
    int64_t old_processes, new_processes;
    bool oversubscribed;
    int64_t n;    /**< number of measurements that the row summarises; 1 if empty */
    int64_t line; /**< line number in the file, for messages */
};

struct nereus_samples {
    struct nereus_sample *rows; /**< owned */
    int64_t count;
    /** number of last rows without a line end, which may be truncated; line of the first one */
    int64_t left_out, first_left_out;
};

/**
 * Append the rows of a file; on an error nothing. A last row without a line end is left out, as it
 * may be truncated. A file without a row is an error, unless `tolerate_cut` (an interrupted
 * calibration continues from its samples).
 * @param[in,out] samples  zeroed, or with rows that stay; to be freed with nereus_samples_fini
 * @return NEREUS_ERR_IO, NEREUS_ERR_PARSE with "FILE:LINE: ...", NEREUS_ERR_MEMORY
 */
enum nereus_status nereus_samples_read(const char *path, bool tolerate_cut,
                                       struct nereus_samples *samples, struct nereus_error *err);
/**
 * Append copies of other samples.
 * @param[in,out] samples  unchanged on error
 * @return NEREUS_ERR_MEMORY
 */
enum nereus_status nereus_samples_append(struct nereus_samples *samples,
                                         const struct nereus_samples *more,
                                         struct nereus_error *err);
/** Free the rows. */
void nereus_samples_fini(struct nereus_samples *samples);

/**
 * The header line of written rows, without newline.
 * @param[in] per_process  with the column cores_per_process
 */
const char *nereus_samples_header(bool per_process);
/**
 * Can written rows be appended below this header line?
 * @param[in]     line         without newline
 * @param[in,out] per_process  in: the rows need the column cores_per_process; out: the file has it
 */
bool nereus_samples_header_fits(const char *line, bool *per_process);

/**
 * Prepare a file for appending: a last line without line end becomes a comment, or is removed if it
 * is the header line.
 * @param[in] file  open for reading and writing
 * @return false: errno says why
 */
bool nereus_samples_repair_last_line(int file);

/**
 * Write one row, with newline.
 * @param[in,out] stream_file  a FILE *
 * @return NEREUS_ERR_IO
 */
enum nereus_status nereus_samples_write_row(void *stream_file, const struct nereus_sample *sample,
                                            bool per_process, struct nereus_error *err);

NEREUS_END_C
#endif
