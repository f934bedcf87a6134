/*
 * Point to point: every receive is posted, then every send, then all are waited for (data-redistribution,
 * algorithm 1). Sizes need not be sent ahead: both sides compute them.
 *
 * Cost per rank: messages x alpha + bytes x beta of the pair class. It loses to the collective where each
 * process has very many peers.
 */
#include "exchange.h"
#include "job.h"

/* Two ranks exchange their loads in the same order, but packed ones later than others that come behind them. */
enum { DIRECT_TAG = 11, PACKED_TAG = 13 };

int64_t nereus_exchange_message_count(const struct transfer *transfer, const struct load *load)
{
    (void)transfer;
    return load->traffic.send_count + load->traffic.receive_count;
}

enum nereus_status nereus_exchange_begin_messages(struct transfer *transfer, struct load *load,
                                                  struct nereus_error *err)
{
    const struct exchange *exchange = &transfer->exchange;
    const struct traffic *traffic = &load->traffic;
    const int tag = load->batch.packed ? PACKED_TAG : DIRECT_TAG;
    MPI_Request *requests = load->requests;
    for (int64_t i = 0; i < traffic->receive_count; i++) {
        const struct message *m = &traffic->receives[i];
        NEREUS_MPI(MPI_Irecv_c(traffic->receive_into + m->offset, (MPI_Count)m->bytes, MPI_BYTE, (int)m->rank,
                               tag, exchange->comm, requests++),
                   err);
    }
    /* Start behind oneself, so that not everybody sends to target 0 first. */
    int64_t begin = 0;
    while (begin < traffic->send_count && traffic->sends[begin].peer < exchange->parties.source)
        begin++;
    for (int64_t i = 0; i < traffic->send_count; i++) {
        const struct message *m = &traffic->sends[(begin + i) % traffic->send_count];
        NEREUS_MPI(MPI_Isend_c(traffic->send_from + m->offset, (MPI_Count)m->bytes, MPI_BYTE, (int)m->rank,
                               tag, exchange->comm, requests++),
                   err);
    }
    return NEREUS_OK;
}

const struct exchange_method nereus_exchange_p2p = {
    .pack_limit_bytes = PACK_BUFFER_BYTES,
    .request_count = nereus_exchange_message_count,
    .begin = nereus_exchange_begin_messages,
};
