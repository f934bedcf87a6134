/**
 * @file events.h
 * Writes results while the job runs: JSON Lines, an event for each iteration, each of its stages,
 * and each change of size (docs/formats.md). The runtime's trace goes to the same file. No MPI
 * here.
 *
 * Rank 0 appends whole lines with one write, as the trace does: a job that dies leaves
 * what was measured until then.
 */
#pragma once

#include "results.h"

/** Does this file name (.jsonl) request events instead of one document at the end? */
bool sam_events_are_wanted(const char *path);

/**
 * Find the trace's file: that of the configuration, else $NEREUS_TRACE, else the results if they
 * are events.
 * @return NULL: none; else borrowed from one of these
 */
const char *sam_events_find_trace(const struct sam_config *config, const char *results);

/** Lines that have not been appended yet. Zeroed: none. */
struct sam_events {
    char *text; /**< owned */
    size_t bytes;
    FILE *stream;
};

/** One measured iteration. */
struct sam_iteration {
    int64_t group, iteration, processes, nodes;
    double start_s, time_s; /**< start_s: from the beginning of the job */
    bool overlapped;        /**< overlapped by a reconfiguration, on the sources */
};

/** Replace the file by the line of the job. */
enum nereus_status sam_events_begin(const char *path, const char *file,
                                    const struct sam_config *config, struct nereus_error *err);

/** Add the line of an iteration and those of its stages. sam_events_append reports a lack of
 * memory. */
void sam_events_add_iteration(struct sam_events *events, const struct sam_iteration *iteration);
/** Add the line of one stage of an iteration. */
void sam_events_add_stage(struct sam_events *events, const struct sam_iteration *iteration,
                          int64_t stage, int64_t type, double time_s);
/** Add the line of the change of size that led to a group.
 * @param start_s  when rank 0 left the group before, from the beginning of the job */
void sam_events_add_change(struct sam_events *events, const struct sam_config *config,
                           const struct sam_record *records, int64_t group, double start_s);

/** Append the lines to the file with one write, and clear them.
 * @return NEREUS_ERR_IO, _MEMORY */
enum nereus_status sam_events_append(struct sam_events *events, const char *path,
                                     struct nereus_error *err);
/** Free the lines. */
void sam_events_fini(struct sam_events *events);
