/*
 * Point to point: every receive is posted, then every send, then all are waited for (data-redistribution,
 * algorithm 1). Sizes need not be sent ahead: both sides compute them.
 *
 * Cost per rank: messages x alpha + bytes x beta of the pair class. It loses to the collective where each
 * process has very many peers.
 */
#include <stdlib.h>

#include "exchange.h"
#include "job.h"

enum { DATA_TAG = 11 };

static enum nereus_status start(const struct exchange *exchange, const struct traffic *traffic,
                                MPI_Request *requests, struct nereus_error *err)
{
    for (int64_t i = 0; i < traffic->receive_count; i++) {
        const struct message *m = &traffic->receives[i];
        NEREUS_MPI(MPI_Irecv_c(traffic->receive_into + m->offset, (MPI_Count)m->bytes, MPI_BYTE, (int)m->rank,
                               DATA_TAG, exchange->comm, requests++),
                   err);
    }
    /* Start behind oneself, so that not everybody sends to target 0 first. */
    int64_t begin = 0;
    while (begin < traffic->send_count && traffic->sends[begin].peer < exchange->parties.source)
        begin++;
    for (int64_t i = 0; i < traffic->send_count; i++) {
        const struct message *m = &traffic->sends[(begin + i) % traffic->send_count];
        NEREUS_MPI(MPI_Isend_c(traffic->send_from + m->offset, (MPI_Count)m->bytes, MPI_BYTE, (int)m->rank,
                               DATA_TAG, exchange->comm, requests++),
                   err);
    }
    return NEREUS_OK;
}

static enum nereus_status move(const struct exchange *exchange, const struct traffic *traffic,
                               struct nereus_error *err)
{
    const int64_t count = traffic->send_count + traffic->receive_count;
    MPI_Request *requests = malloc(((size_t)count + 1) * sizeof(MPI_Request));
    if (requests == NULL)
        return nereus_fail(err, NEREUS_ERR_MEMORY, "no memory for %lld requests", (long long)count);
    enum nereus_status status = start(exchange, traffic, requests, err);
    if (status == NEREUS_OK) {
        const int code = MPI_Waitall((int)count, requests, MPI_STATUSES_IGNORE);
        if (code != MPI_SUCCESS)
            status = nereus_mpi_failed(code, "MPI_Waitall", err);
    }
    free(requests);
    return status;
}

const struct exchange_method nereus_exchange_p2p = {.move = move};
