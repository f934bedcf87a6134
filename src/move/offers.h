/* Offers: what each source of a transfer sends each of its targets before they can take its data
 * themselves, and the target's answer. Private to src/. */
#ifndef NEREUS_OFFERS_H
#define NEREUS_OFFERS_H

#include <mpi.h>
#include <stdbool.h>
#include <stdint.h>

#include "exchange.h"

/* The peers of all messages of one direction: one offer each. */
struct offer_peers {
    int64_t *ranks; /* sorted, each once */
    int64_t count;
    int64_t *offers;  /* `words` for each */
    int64_t *answers; /* one for each */
    MPI_Request *offer_requests, *answer_requests;
};

struct offers {
    int64_t words;
    struct offer_peers targets, sources; /* targets of this process, and its sources */
};

/* Memory for all loads of a transfer, and for its method's state: one block of `bytes`, zeroed,
 * that begins with a struct offers. Also after a failure: freed by nereus_offers_free. Local. */
enum nereus_status nereus_offers_reserve(struct transfer *transfer, size_t bytes, int64_t words,
                                         struct nereus_error *err);
void nereus_offers_free(struct transfer *transfer);
/* The place of a rank in a list; it is there. */
int64_t nereus_offers_find(const struct offer_peers *offer_peers, int64_t rank);
/* The offer of, or to, that peer. */
int64_t *nereus_offer(const struct offers *offers, const struct offer_peers *offer_peers,
                      int64_t at);
/* Post everything: written offers are sent, those of the sources and the answers of the targets
 * received. */
enum nereus_status nereus_offers_post(struct offers *offers, MPI_Comm comm,
                                      struct nereus_error *err);
/* Has the offer of the source, or the answer of the target, come? */
enum nereus_status nereus_offer_came(struct offers *offers, int64_t source, bool *came,
                                     struct nereus_error *err);
enum nereus_status nereus_answer_came(struct offers *offers, int64_t target, bool *came,
                                      struct nereus_error *err);
enum nereus_status nereus_offer_answer(struct offers *offers, int64_t source, int64_t answer,
                                       MPI_Comm comm, struct nereus_error *err);
/* Are all posted messages complete? */
enum nereus_status nereus_offers_all_done(struct offers *offers, bool *done,
                                          struct nereus_error *err);

#endif
