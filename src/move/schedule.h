/**
 * @file schedule.h
 * Makes message schedules: the sends and receives of a process, computed from the partitions before
 * and after. No MPI.
 */
#pragma once

#include "rank_map.h"
#include "registry.h"

/** Numbers and ranks of sources and targets. Both are numbered from 0; the maps give the ranks in
 * the communicator (in the other group, for an inter-communicator). */
struct parties {
    int64_t ns, nt;
    int64_t source; /**< this process' number as a source; -1: none */
    int64_t target; /**< this process' number as a target; -1: none */
    struct rank_map source_ranks, target_ranks;
};

/** Parts below this size are packed. */
enum { PACK_BELOW_BYTES = 64 * 1024 };

/** Bytes to or from one peer, at an offset in the batch's memory. */
struct message {
    int64_t peer; /**< number among the sources, or the targets */
    int64_t rank; /**< rank in the communicator */
    int64_t offset, bytes;
};

/** Data that a redistribution moves: constant arrays, variable arrays and replicated values, or
 * all. */
enum data_selection { DATA_CONSTANT = 1, DATA_VARIABLE = 2, DATA_ALL = 3 };
/** Does the datum belong to the selection? */
bool nereus_is_selected(const struct datum *datum, enum data_selection selection);

/** The messages of one direction; owned. */
struct message_list {
    struct message *messages;
    int64_t count, bytes;
};

/** Sends and receives of this process for one batch of arrays, without messages to itself. The
 * memory is borrowed: the arrays themselves, or a packing buffer of the caller. The caller sets
 * send_from after the last reallocation of the parts. */
struct message_schedule {
    unsigned char *send_from, *receive_into;
    struct message_list sends, receives;
};

/** The selected arrays among first .. first + count - 1: one array that is sent directly, or
 * several that are packed. */
struct batch {
    int64_t first, count;
    bool packed;
    enum data_selection selection;
};

/** Limit on a packed batch, in each direction. */
enum { PACK_BUFFER_BYTES = 8 * 1024 * 1024 };

/** The next batch from array `from` on; the same in every process.
 * @return false: no more */
bool nereus_batch_next(const struct registry *registry, const struct parties *parties,
                       enum data_selection selection, int64_t pack_limit_bytes, int64_t from,
                       struct batch *batch);
/** Compute the messages. For a direct batch old and new parts must exist. Free with
 * nereus_schedule_fini. */
enum nereus_status nereus_schedule_make(const struct registry *registry,
                                        const struct parties *parties, const struct batch *batch,
                                        struct message_schedule *schedule,
                                        struct nereus_error *err);
/** Pack a batch. */
void nereus_schedule_pack(const struct registry *registry, const struct parties *parties,
                          const struct batch *batch, const struct message_schedule *schedule);
/** Unpack a packed batch. */
void nereus_schedule_unpack(const struct registry *registry, const struct parties *parties,
                            const struct batch *batch, const struct message_schedule *schedule);
/** Free the schedule. */
void nereus_schedule_fini(struct message_schedule *schedule);

/** Progress of copying the data that a process keeps as source and target, which never goes through
 * MPI. Zeroed: nothing copied yet. */
struct own_copy {
    int64_t datum, bytes;
    int64_t slice; /**< of a field: nereus_box_copy */
};
/** Copy at most this many bytes.
 * @return true: complete */
bool nereus_copy_own(const struct registry *registry, const struct parties *parties,
                     enum data_selection selection, int64_t limit_bytes, struct own_copy *progress);
