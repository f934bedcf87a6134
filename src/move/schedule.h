/* Message schedules of a redistribution: sends and receives of a process, computed from the
 * partitions before and after. Private to src/; no MPI. */
#ifndef NEREUS_SCHEDULE_H
#define NEREUS_SCHEDULE_H

#include <stdbool.h>
#include <stdint.h>

#include "rank_map.h"
#include "registry.h"

/* Sources and targets as this process sees them. Both are numbered from 0; the maps say which rank
 * each is in the communicator (the other group's ranks, where it is an inter-communicator). */
struct parties {
    int64_t ns, nt;
    int64_t source; /* this process' number among the sources, -1: none */
    int64_t target; /* and among the targets */
    struct rank_map source_ranks, target_ranks;
};

/* Smaller parts are packed together with others. */
enum { PACK_BELOW_BYTES = 64 * 1024 };

/* Bytes to or from one peer, at an offset of the batch's memory. */
struct message {
    int64_t peer; /* number among the sources, or the targets */
    int64_t rank; /* in the communicator */
    int64_t offset, bytes;
};

/* Which of the registered data a redistribution moves: the constant arrays, the variable arrays and
 * replicated values, or all. */
enum data_selection { DATA_CONSTANT = 1, DATA_VARIABLE = 2, DATA_ALL = 3 };
bool nereus_is_selected(const struct datum *datum, enum data_selection selection);

/* Sends and receives of this process for one batch of arrays; never to itself. The memory is
 * borrowed: the arrays themselves or, for a packed batch, a buffer of the caller, who sets
 * send_from in both cases, once parts may no longer be reallocated. */
struct message_schedule {
    unsigned char *send_from, *receive_into;
    struct message *sends, *receives;
    int64_t send_count, receive_count;
    int64_t send_bytes, receive_bytes;
};

/* Those arrays first .. first + count - 1 of the registry that are selected go together: one
 * straight from its memory, or several small ones packed. */
struct batch {
    int64_t first, count;
    bool packed;
    enum data_selection selection;
};

/* What a packed batch may need at most, in each direction, unless a method has no bound
 * (INT64_MAX). */
enum { PACK_BUFFER_BYTES = 8 * 1024 * 1024 };

/* The next batch from array `from` on; the same in every process.
 * @return false when none is left */
bool nereus_batch_next(const struct registry *registry, const struct parties *parties,
                       enum data_selection selection, int64_t pack_limit_bytes, int64_t from,
                       struct batch *batch);
/* Compute the messages. Of a batch that is not packed, old and new parts must be there. Free with
 * nereus_schedule_fini. */
enum nereus_status nereus_schedule_make(const struct registry *registry,
                                        const struct parties *parties, const struct batch *batch,
                                        struct message_schedule *schedule,
                                        struct nereus_error *err);
/* Of a packed batch, before and after the move. */
void nereus_schedule_pack(const struct registry *registry, const struct parties *parties,
                          const struct batch *batch, const struct message_schedule *schedule);
void nereus_schedule_unpack(const struct registry *registry, const struct parties *parties,
                            const struct batch *batch, const struct message_schedule *schedule);
void nereus_schedule_fini(struct message_schedule *schedule);

/* How far the data that a process keeps (a source that is a target too) has been copied: it never
 * goes through MPI. Zeroed: nothing yet. */
struct own_copy {
    int64_t datum, bytes;
};
/* Copy at most this many further bytes. @return all is copied */
bool nereus_copy_own(const struct registry *registry, const struct parties *parties,
                     enum data_selection selection, int64_t limit_bytes, struct own_copy *at);

#endif
