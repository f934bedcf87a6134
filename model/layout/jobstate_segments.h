/**
 * @file jobstate_segments.h
 * Keeps lists of segments, and assigns processes to nodes. Private to jobstate*.c and placement*.c.
 */
#pragma once

#include "model/util/base.h"
#include "nereus/jobstate.h"

/** Largest number of segments, so that a mistyped size cannot take all memory. */
enum { NEREUS_SEGMENTS_MAX = 1 << 24 };

enum nereus_status nereus_segments_fail_too_many(struct nereus_error *err);

/** A list of segments; the caller frees the items. */
struct nereus_segments {
    struct nereus_segment *items;
    int64_t count;
};

/** Append a segment; adjacent segments of one world and node are merged. */
enum nereus_status nereus_segments_append(struct nereus_segments *list, int64_t world, int64_t node,
                                          int64_t count, struct nereus_error *err);

enum nereus_status nereus_segments_append_all(struct nereus_segments *list,
                                              const struct nereus_segment *items, int64_t count,
                                              struct nereus_error *err);

/** Derive segments and sleepers from the worlds. Each world fills its nodes compactly, the oldest
 * first, and its zombies are its last processes. machine NULL: nodes of cores_per_node cores, or
 * nodes that share each world evenly. */
enum nereus_status nereus_jobstate_derive(const struct nereus_machine *machine,
                                          struct nereus_jobstate *state, struct nereus_error *err);

/** As nereus_jobstate_read, but the processes of a file without segments are placed on this machine
 * (NULL: on the file's). */
enum nereus_status nereus_jobstate_read_on(const char *path, const struct nereus_machine *machine,
                                           struct nereus_jobstate *state, struct nereus_error *err);

/** Compute how many of n further processes each node gets, by the rule of layout.h, in O(nodes log
 * n). Nodes with 0 cores get none; at least one node must have cores. */
void nereus_assign_processes(const int64_t *cores, const int64_t *used_cores, int64_t nodes,
                             int64_t n, int64_t *given);
