/**
 * @file jobstate_segments.h
 * Private to jobstate*.c and placement*.c: lists of segments, and dealing processes out to nodes.
 */
#ifndef NEREUS_JOBSTATE_SEGMENTS_H
#define NEREUS_JOBSTATE_SEGMENTS_H

#include "nereus/jobstate.h"

/* Above the nodes of any machine; bounds the memory that a mistyped size takes. */
enum { NEREUS_SEGMENTS_MAX = 1 << 24 };

/* The sentence for it. @return NEREUS_ERR_ARGUMENT */
enum nereus_status nereus_segments_too_many(struct nereus_error *err);

/* A list that grows; the caller frees its items. */
struct nereus_segments {
    struct nereus_segment *items;
    int64_t count;
};

/* Count 0 appends nothing; a segment of the same world and node as the last one is merged with
 * it. */
enum nereus_status nereus_segments_append(struct nereus_segments *list, int64_t world, int64_t node,
                                          int64_t count, struct nereus_error *err);

/* The same, all of another list. */
enum nereus_status nereus_segments_append_all(struct nereus_segments *list,
                                              const struct nereus_segment *items, int64_t count,
                                              struct nereus_error *err);

/* Fill segments and sleepers of a state that has worlds only: each fills its nodes compactly, the
 * oldest first; its zombies are the last of its processes. machine NULL: nodes of cores_per_node
 * cores or, where that is not known, nodes that share each world evenly. */
enum nereus_status nereus_jobstate_derive(const struct nereus_machine *machine,
                                          struct nereus_jobstate *state, struct nereus_error *err);

/* As nereus_jobstate_read, where a file without segments is laid out on this machine (or NULL). */
enum nereus_status nereus_jobstate_read_on(const char *path, const struct nereus_machine *machine,
                                           struct nereus_jobstate *state, struct nereus_error *err);

/* How many of n further processes each node gets, by the rule of layout.h: free cores in the order
 * of the nodes, then further rounds over all of them. A node with 0 cores gets none; at least one
 * must have more. O(nodes log n). */
void nereus_assign_processes(const int64_t *cores, const int64_t *used, int64_t nodes, int64_t n,
                             int64_t *given);

#endif
