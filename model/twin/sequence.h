/**
 * @file sequence.h
 * Describes a part of a program that repeats, as one process carries it out: computing, and what
 * each collective call or exchange of messages moves.
 */
#pragma once

#include "calls.h"
#include "twin.h"

/** A message that the process sends: mean bytes over the occurrences. */
struct nereus_sent {
    int peer; /**< rank of the receiver - own rank */
    double bytes;
};

/** A collective call, or an exchange of messages until their wait. */
struct nereus_block {
    const char *type;         /**< type of stage of a collective; NULL: messages */
    double bytes;             /**< collective: mean over the occurrences */
    int processes;            /**< of the communicator of a collective; below 1: all */
    int root;                 /**< of a collective that has one */
    double before_s;          /**< computing before it, and inside the exchange before it */
    double overlap_s;         /**< messages: computing between the first one and the wait */
    struct nereus_sent *sent; /**< owned */
    int sent_count;
};

struct nereus_call_sequence {
    struct nereus_block *blocks; /**< owned */
    int count;
    double after_s;                 /**< computing after the last block */
    double total_s;                 /**< all computing */
    struct nereus_twin_range range; /**< of the call whose bytes differ most */
    const char *root_changing_type; /**< of a collective whose root differs; NULL: none */
    bool changes_partner;           /**< a message does not always go to the same process */
};

/** Indices at which a repeating sequence of `period` calls starts, and how its repetitions are
 * aggregated. */
struct nereus_occurrences {
    const int64_t *indices; /**< indices in the calls, rising */
    int64_t count, period;
    double quantile; /**< quantile of times over the repetitions; below 0: mean */
    /** messages with less computing than this between them belong to one exchange */
    double overlap_s;
};

/** @param[out] sequence  to be ended with nereus_call_sequence_fini in any case */
enum nereus_status nereus_call_sequence_make(const struct nereus_calls *calls,
                                             const struct nereus_occurrences *occurrences,
                                             struct nereus_call_sequence *sequence,
                                             struct nereus_error *err);
void nereus_call_sequence_fini(struct nereus_call_sequence *sequence);

/** Kind of the calls that a type of stage stands for: NEREUS_CALL_SEND for exchanges;
 * NEREUS_CALL_OTHER: none. */
enum nereus_call_kind nereus_stage_kind(const char *type);

/** Take the other one if its bytes differ more. */
void nereus_twin_range_widen(struct nereus_twin_range *range,
                             const struct nereus_twin_range *other);

/** Have both the same blocks, whatever they move? */
bool nereus_call_sequence_has_same_blocks(const struct nereus_call_sequence *a,
                                          const struct nereus_call_sequence *b);
