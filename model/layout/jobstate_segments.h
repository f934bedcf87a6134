/**
 * @file jobstate_segments.h
 * Lists of segments, and assigning processes to nodes. Private to jobstate*.c and placement*.c.
 */
#ifndef NEREUS_MODEL_LAYOUT_JOBSTATE_SEGMENTS_H
#define NEREUS_MODEL_LAYOUT_JOBSTATE_SEGMENTS_H

#include "nereus/jobstate.h"

/* Bounds the memory that a mistyped size takes. */
enum { NEREUS_SEGMENTS_MAX = 1 << 24 };

enum nereus_status nereus_segments_too_many(struct nereus_error *err);

/* The caller frees the items. */
struct nereus_segments {
    struct nereus_segment *items;
    int64_t count;
};

/* Adjacent segments of one world and node are merged. */
enum nereus_status nereus_segments_append(struct nereus_segments *list, int64_t world, int64_t node,
                                          int64_t count, struct nereus_error *err);

enum nereus_status nereus_segments_append_all(struct nereus_segments *list,
                                              const struct nereus_segment *items, int64_t count,
                                              struct nereus_error *err);

/* Derive segments and sleepers from the worlds: each fills its nodes compactly, the oldest first;
 * its zombies are its last processes. machine NULL: nodes of cores_per_node cores, or nodes that
 * share each world evenly. */
enum nereus_status nereus_jobstate_derive(const struct nereus_machine *machine,
                                          struct nereus_jobstate *state, struct nereus_error *err);

/* nereus_jobstate_read; a file without segments is laid out on this machine, or NULL. */
enum nereus_status nereus_jobstate_read_on(const char *path, const struct nereus_machine *machine,
                                           struct nereus_jobstate *state, struct nereus_error *err);

/* Further processes of each node, by the rule of layout.h. Nodes with 0 cores get none; at least
 * one has more. O(nodes log n). */
void nereus_assign_processes(const int64_t *cores, const int64_t *used, int64_t nodes, int64_t n,
                             int64_t *given);

#endif
