/**
 * @file transfer.h
 * How much a redistribution moves: of the processes that have most to do, messages and elements out and in, what they keep, and the
 * new part. Messages are those between different processes; what a process keeps it copies itself.
 */
#ifndef NEREUS_TRANSFER_H
#define NEREUS_TRANSFER_H

#include <stdbool.h>
#include <stdint.h>

#include "nereus/method.h"
#include "nereus/partition.h"
#include "nereus/status.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Each number is the largest of any process, and not all of the same one; the totals are of all processes. In elements. */
struct nereus_transfer {
    int64_t messages_out; /**< of one source, to other processes */
    int64_t messages_in;  /**< of one target, from other processes */
    int64_t out, in;      /**< of one source, of one target */
    int64_t kept;         /**< copied by one process to itself */
    int64_t touched;      /**< of one target's new part: pages that it touches first */
    int64_t moved_total, kept_total;
};

/**
 * Blocks to blocks, without a look at every process: time O(log processes). Elements are exact; the messages are those of some process, and at most one below the most.
 * @param[in] respawn  nobody is source and target; else source r and target r are the same process, as in a merge whose last ranks come or leave
 */
void nereus_transfer_blocks(int64_t n, int64_t ns, int64_t nt, bool respawn,
                            struct nereus_transfer *transfer);

/**
 * Any partitions of the same index space: exact, in time O(NS + NT).
 * @param[in] sources  by target: the source that is the same process, or -1; NULL: nobody is both
 */
void nereus_transfer_partitions(const struct nereus_partition *before, const struct nereus_partition *after,
                                const int64_t *sources, struct nereus_transfer *transfer);

enum { NEREUS_TRANSFER_KEEP_PROCESSES = 64 };

/** Is what a redistribution moves found out from the ranges of keep? Up to so many processes of a merge; what else has ranges of its own is
 * priced as equal blocks. @param method  as it is carried out */
bool nereus_transfer_knows_keep(const struct nereus_method *method, int64_t ns, int64_t nt);

/**
 * Blocks to the ranges of keep (keep.h), of a merge whose last ranks come or leave.
 * @param cells  as of nereus_keep_partition
 * @return NEREUS_ERR_ARGUMENT, NEREUS_ERR_MEMORY
 */
enum nereus_status nereus_transfer_keep(int64_t n, int64_t ns, int64_t nt, int64_t cells,
                                        struct nereus_transfer *transfer, struct nereus_error *err);

#ifdef __cplusplus
}
#endif
#endif
