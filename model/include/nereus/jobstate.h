/**
 * @file jobstate.h
 * Describes the state of a job: its worlds, the nodes that each spans, and its zombies. The runtime
 * writes it, predict and plan read it (--state). JSON:
 *
 *   {"version": 1, "processes": 4, "cores_per_node": 2, "next_world_id": 2,
 *    "worlds": [{"id": 0, "processes": 2, "zombies": 0, "first_node": 0, "nodes": 1}, ...],
 *    "segments": [{"world": 0, "node": 0, "count": 2}, ...], "sleepers": [],
 *    "machine": {"slots": 3, "cores_per_process": 1,
 *                "nodes": [{"name": "node5", "cores": 1, "allocation": "slurm:1234"}, ...]}}
 *
 * Only version and worlds are required. Without segments and sleepers the worlds fill their nodes
 * compactly, the oldest first.
 */
#ifndef NEREUS_JOBSTATE_H
#define NEREUS_JOBSTATE_H

#include <stdbool.h>
#include <stdint.h>

#include "layout.h"
#include "status.h"

NEREUS_BEGIN_C

/** One MPI_COMM_WORLD of the job. */
struct nereus_world {
    int64_t id;        /**< 0: the initial world; ids are never used twice in a job */
    int64_t processes; /**< active processes */
    int64_t zombies;
    int64_t first_node;
    int64_t nodes;
};

/** Active processes with consecutive ranks, of one world and on one node. */
struct nereus_segment {
    int64_t world; /**< id of the world */
    int64_t node;  /**< index in the machine */
    int64_t count;
};

struct nereus_jobstate {
    struct nereus_world *worlds; /**< owned */
    int64_t world_count;
    struct nereus_segment *segments; /**< active processes in rank order, owned */
    int64_t segment_count;
    /** zombies in the order in which they fell asleep, owned; the last wakes first */
    struct nereus_segment *sleepers;
    int64_t sleeper_count;
    int64_t next_world_id;
    int64_t cores_per_node; /**< 0: unknown */
};

/**
 * State of a job with one world of ns processes, placed compactly.
 * @param[out] state  to be freed with nereus_jobstate_fini
 * @return NEREUS_ERR_ARGUMENT, NEREUS_ERR_MEMORY
 */
enum nereus_status nereus_jobstate_initial(const struct nereus_machine *machine, int64_t ns,
                                           struct nereus_jobstate *state, struct nereus_error *err);

/**
 * State of a job with ns processes and one world per node, as after a parallel expansion.
 * @param[out] state  to be freed with nereus_jobstate_fini
 * @return NEREUS_ERR_ARGUMENT, NEREUS_ERR_MEMORY
 */
enum nereus_status nereus_jobstate_per_node(const struct nereus_machine *machine, int64_t ns,
                                            struct nereus_jobstate *state,
                                            struct nereus_error *err);

/**
 * State from the option --state: "initial", "per-node" or a JSON file, whose active processes must
 * be ns.
 * @param[out] state  to be freed with nereus_jobstate_fini
 * @return NEREUS_ERR_ARGUMENT, NEREUS_ERR_IO, NEREUS_ERR_PARSE
 */
enum nereus_status nereus_jobstate_from_option(const char *option,
                                               const struct nereus_machine *machine, int64_t ns,
                                               struct nereus_jobstate *state,
                                               struct nereus_error *err);

/**
 * Read a state file.
 * @param[out] state  to be freed with nereus_jobstate_fini
 * @return NEREUS_ERR_IO, NEREUS_ERR_PARSE, NEREUS_ERR_MEMORY
 */
enum nereus_status nereus_jobstate_read(const char *path, struct nereus_jobstate *state,
                                        struct nereus_error *err);
/**
 * Write a state file; an existing file is replaced atomically.
 * @param[in] machine  written too, if it has a list of nodes; may be NULL
 * @return NEREUS_ERR_IO, NEREUS_ERR_MEMORY
 */
enum nereus_status nereus_jobstate_write(const char *path, const struct nereus_jobstate *state,
                                         const struct nereus_machine *machine,
                                         struct nereus_error *err);

/**
 * Read the machine of a state file.
 * @param[out] machine  node_count is 0 if the file has none; to be freed with nereus_machine_fini
 * @return NEREUS_ERR_IO, NEREUS_ERR_PARSE, NEREUS_ERR_MEMORY
 */
enum nereus_status nereus_jobstate_read_machine(const char *path, struct nereus_machine *machine,
                                                struct nereus_error *err);

/** Number of active processes, and of zombies (NULL: of an initial state, none). O(worlds). */
int64_t nereus_jobstate_processes(const struct nereus_jobstate *state);
int64_t nereus_jobstate_zombies(const struct nereus_jobstate *state);

/** Node of a rank, and id of its world; -1: no such rank. O(segments). */
int64_t nereus_jobstate_node_of(const struct nereus_jobstate *state, int64_t rank);
int64_t nereus_jobstate_world_of(const struct nereus_jobstate *state, int64_t rank);

/** Number of active processes on a node. O(segments). */
int64_t nereus_jobstate_node_processes(const struct nereus_jobstate *state, int64_t node);

/** Index of a world by id; -1: no such world. O(log worlds). */
int64_t nereus_jobstate_find_world(const struct nereus_jobstate *state, int64_t id);

/**
 * Remove nodes without processes, active or asleep, from a job's machine; nodes are renumbered in
 * machine and state.
 * @param[in,out] machine, state  of the job
 * @param[in]     lost_nodes            indices of `count` nodes
 * @return NEREUS_ERR_STATE: a node has processes; NEREUS_ERR_ARGUMENT: no list of nodes. On an
 *         error machine and state are unchanged
 */
enum nereus_status nereus_machine_remove_nodes(struct nereus_machine *machine,
                                               const int64_t *lost_nodes, int64_t count,
                                               struct nereus_jobstate *state,
                                               struct nereus_error *err);

/**
 * Copy a state.
 * @param[out] to  to be freed with nereus_jobstate_fini
 * @return NEREUS_ERR_MEMORY
 */
enum nereus_status nereus_jobstate_copy(const struct nereus_jobstate *from,
                                        struct nereus_jobstate *to, struct nereus_error *err);
/** Free the arrays, and zero the struct. A zeroed state is allowed. */
void nereus_jobstate_fini(struct nereus_jobstate *state);

NEREUS_END_C
#endif
