/**
 * @file transfer.h
 * Computes how much a redistribution moves: messages and elements out of and into the busiest
 * processes, elements that they keep, and the new part. Messages are those between different
 * processes; kept elements are copied locally.
 */
#pragma once

#include "model/util/base.h"
#include "nereus/layout.h"
#include "nereus/method.h"
#include "nereus/partition.h"
#include "nereus/price.h"

/** Numbers of messages and elements. Each is the maximum over the processes, possibly of different
 * ones; totals are over all processes. */
struct nereus_transfer {
    int64_t messages_out;              /**< from one source to other processes */
    int64_t messages_in;               /**< from other processes to one target */
    int64_t elements_out, elements_in; /**< elements out of one source, and into one target */
    int64_t kept_elements;             /**< elements that one process copies to itself */
    int64_t
        touched_elements; /**< elements of one target's new part, whose pages are touched first */
    int64_t moved_total, kept_total;
    /** elements of the busiest node (node_traffic.c); set by keep and weighted, else 0 */
    int64_t node_elements;
};

/** Compute a transfer from blocks to blocks, in time O(log processes). Elements are exact; messages
 * are those of some process, at most one below the maximum.
 * @param[in] respawn  no process is both source and target; else source r and target r are the same
 * process, as in a merge whose last ranks join or leave */
void nereus_transfer_blocks(int64_t n, int64_t ns, int64_t nt, bool respawn,
                            struct nereus_transfer *transfer);

/** Compute a transfer between any partitions of the same index space, exactly, in a time that grows
 * with the pairs of processes that share elements.
 * @param[in]  sources   by target: the source that is the same process, or -1; NULL: no process is
 *                       both
 * @param[out] transfer  without node_elements
 * @return NEREUS_ERR_MEMORY */
enum nereus_status nereus_transfer_partitions(const struct nereus_partition *old_partition,
                                              const struct nereus_partition *new_partition,
                                              const int64_t *sources,
                                              struct nereus_transfer *transfer,
                                              struct nereus_error *err);

enum { NEREUS_TRANSFER_KEEP_PROCESSES = 64 };

/** Are the ranges of keep computed for a redistribution? Up to this many processes of a merge;
 * others with own ranges are priced as equal blocks.
 * @param method  as carried out */
bool nereus_transfer_knows_keep(const struct nereus_method *method, int64_t ns, int64_t nt);

/** Sizes of a redistribution: n elements, from ns to nt processes. */
struct nereus_transfer_sizes {
    const struct nereus_machine *machine; /**< NULL: node_elements are not wanted */
    int64_t n, ns, nt;
    bool respawn; /**< no process is both source and target; never for keep */
};

/** Sources by target, in a merge whose last ranks join or leave: the same ranks, up to the smaller
 * number; -1 for others, and for all if sizes->respawn. To be freed with free; NULL: no memory. */
int64_t *nereus_transfer_make_sources(const struct nereus_transfer_sizes *sizes);
/** nereus_transfer_partitions, and node_elements if sizes->machine is not NULL. */
enum nereus_status nereus_transfer_count(const struct nereus_transfer_sizes *sizes,
                                         const struct nereus_partition *old_partition,
                                         const struct nereus_partition *new_partition,
                                         const int64_t *sources, struct nereus_transfer *transfer,
                                         struct nereus_error *err);

/** Compute a transfer from blocks to the ranges of keep (keep.h), in a merge whose last ranks join
 * or leave.
 * @param cells  as in nereus_keep_partition
 * @return NEREUS_ERR_ARGUMENT, NEREUS_ERR_MEMORY */
enum nereus_status nereus_transfer_keep(const struct nereus_transfer_sizes *sizes, int64_t cells,
                                        struct nereus_transfer *transfer, struct nereus_error *err);

enum { NEREUS_TRANSFER_GRID_PROCESSES = 4096, NEREUS_TRANSFER_CYCLIC_PROCESSES = 1024 };
/** Are the boxes of a grid (NULL: none) computed? Up to this many processes, of sizes that the grid
 * allows; others are priced as equal blocks. */
bool nereus_transfer_knows_grid(const struct nereus_grid *grid, int64_t ns, int64_t nt);
/** Compute the transfer of the fields of a grid, in elements of the grid, exactly. The first
 * processes stay, unless sizes->respawn.
 * @param sizes  n is not used
 * @param grid   `processes` is the present process grid, if it is one of ns processes
 * @param keep   the distribution keep
 * @return NEREUS_ERR_MEMORY */
enum nereus_status nereus_transfer_grid(const struct nereus_transfer_sizes *sizes,
                                        const struct nereus_grid *grid, bool keep,
                                        struct nereus_transfer *transfer, struct nereus_error *err);

/** Computing powers of the ranks, and the ranges of the data before. */
struct nereus_transfer_powers {
    const double *values; /**< rank r has values[r % count] */
    int64_t count;
    /** `count` powers that gave the ranges before; NULL: see blocks_before */
    const double *old_powers;
    bool blocks_before; /**< sources hold equal blocks; else ranges by `values` */
};

/** @return powers of a scenario. A job that was never resized has its data in blocks. */
struct nereus_transfer_powers nereus_transfer_powers_of(const struct nereus_scenario *scenario);

/** Compute a transfer to ranges in proportion to the powers of the targets (weighted.h), with
 * elements of equal weight.
 * @return NEREUS_ERR_MEMORY */
enum nereus_status nereus_transfer_weighted(const struct nereus_transfer_sizes *sizes,
                                            const struct nereus_transfer_powers *powers,
                                            struct nereus_transfer *transfer,
                                            struct nereus_error *err);

/* node_traffic.c: Computes what a redistribution moves between nodes, because the processes of a
 * node share its link (Gropp, Olson and Samfass (2016)). Private to model/. The traffic is exact,
 * and that of the busiest node: the larger number of elements that leave or reach this node. Old
 * and new ranks are placed compactly, or by the machine's layout (node_walk.h). */

/** Traffic with equal blocks of n elements, in constant time on equal nodes with a core for each
 * process, else in O(nodes x rounds).
 * @param[in] respawn  all targets are new: a layout has other nodes for them than in a merge */
int64_t nereus_node_traffic(const struct nereus_machine *machine, bool respawn, int64_t n,
                            int64_t ns, int64_t nt);

/** Traffic with any partitions of the same index space, in O(NS + NT + nodes).
 * @return NEREUS_ERR_MEMORY */
enum nereus_status nereus_node_traffic_partitions(const struct nereus_machine *machine,
                                                  bool respawn,
                                                  const struct nereus_partition *old_partition,
                                                  const struct nereus_partition *new_partition,
                                                  int64_t *traffic, struct nereus_error *err);
