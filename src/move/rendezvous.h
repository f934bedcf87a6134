/**
 * @file rendezvous.h
 * Exchanges rendezvous: the message in which a source tells a target where its data lies, so that
 * the target can fetch it, and the target's acknowledgement.
 */
#pragma once

#include <mpi.h>

#include "exchange.h"

/** The peers of one direction, with one message each. */
struct rendezvous_peers {
    int64_t *ranks; /**< sorted, each once */
    int64_t count;
    int64_t *rendezvous; /**< `words` words for each peer */
    int64_t *answers;    /**< one per peer */
    MPI_Request *offer_requests, *answer_requests;
};

/** Messages with all peers; each has `words` words. */
struct rendezvous {
    int64_t words;
    struct rendezvous_peers targets, sources; /**< targets and sources of this process */
};

/** Allocate memory for all loads of a transfer and for the method's state: one zeroed block of
 * `bytes` that begins with a struct rendezvous. Freed by nereus_rendezvous_free, also after a
 * failure. Local. */
enum nereus_status nereus_rendezvous_reserve(struct transfer *transfer, size_t bytes, int64_t words,
                                             struct nereus_error *err);
/** Free that memory, also after a failure. */
void nereus_rendezvous_free(struct transfer *transfer);
/** Index of a rank, which must be in the list. */
int64_t nereus_rendezvous_find(const struct rendezvous_peers *rendezvous_peers, int64_t rank);
/** The message from or to that peer. */
int64_t *nereus_rendezvous_message(const struct rendezvous *rendezvous,
                                   const struct rendezvous_peers *rendezvous_peers, int64_t index);
/** Post all sends of written messages, and all receives of messages and acknowledgements. */
enum nereus_status nereus_rendezvous_post(struct rendezvous *rendezvous, MPI_Comm comm,
                                          struct nereus_error *err);
/** Has the message of that source arrived? */
enum nereus_status nereus_rendezvous_test_message(struct rendezvous *rendezvous, int64_t source,
                                                  bool *arrived, struct nereus_error *err);
/** Has the acknowledgement of that target arrived? */
enum nereus_status nereus_rendezvous_test_answer(struct rendezvous *rendezvous, int64_t target,
                                                 bool *arrived, struct nereus_error *err);
/** Acknowledge the message of that source. */
enum nereus_status nereus_rendezvous_answer(struct rendezvous *rendezvous, int64_t source,
                                            int64_t answer, MPI_Comm comm,
                                            struct nereus_error *err);
/** Are all posted messages complete? */
enum nereus_status nereus_rendezvous_test_all(struct rendezvous *rendezvous, bool *done,
                                              struct nereus_error *err);
