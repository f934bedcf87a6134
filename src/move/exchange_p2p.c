/**
 * @file exchange_p2p.c
 * Moves data point to point: every receive is posted, then every send, then the process waits for
 * all of them (Martín-Álvarez et al. (2023), algorithm 1). No sizes are sent: both sides compute
 * them.
 *
 * Cost per rank: messages x alpha + bytes x beta of the pair class. Slower than the collective if
 * each process has very many peers.
 */
#include "exchange.h"
#include "src/mpi/large_counts.h"
#include "src/util/error.h"
#include "src/util/tags.h"
#include "src/util/wait.h"

static int choose_tag(const struct transfer *transfer, const struct load *load)
{
    return load->batch.packed ? PACKED_TAG
                              : DIRECT_TAG + (int)((load - transfer->loads) % DIRECT_TAGS);
}

int64_t nereus_exchange_message_count(const struct transfer *transfer, const struct load *load)
{
    (void)transfer;
    return load->schedule.sends.count + load->schedule.receives.count;
}

enum nereus_status nereus_exchange_receive(struct transfer *transfer, struct load *load, int64_t i,
                                           MPI_Request *request, struct nereus_error *err)
{
    const struct message *m = &load->schedule.receives.messages[i];
    NEREUS_MPI(MPI_Irecv_c(load->schedule.receive_into + m->offset, (MPI_Count)m->bytes, MPI_BYTE,
                           (int)m->rank, choose_tag(transfer, load), transfer->exchange.comm,
                           request),
               err);
    return NEREUS_OK;
}

enum nereus_status nereus_exchange_send(struct transfer *transfer, struct load *load, int64_t i,
                                        MPI_Request *request, struct nereus_error *err)
{
    const struct message *m = &load->schedule.sends.messages[i];
    NEREUS_MPI(MPI_Isend_c(load->schedule.send_from + m->offset, (MPI_Count)m->bytes, MPI_BYTE,
                           (int)m->rank, choose_tag(transfer, load), transfer->exchange.comm,
                           request),
               err);
    return NEREUS_OK;
}

enum nereus_status nereus_exchange_begin_messages(struct transfer *transfer, struct load *load,
                                                  struct nereus_error *err)
{
    const struct message_schedule *schedule = &load->schedule;
    MPI_Request *requests = load->requests;
    for (int64_t i = 0; i < schedule->receives.count; i++)
        NEREUS_TRY(nereus_exchange_receive(transfer, load, i, requests++, err));
    /* Start with the target after this rank, to spread the load on the targets. */
    int64_t begin = 0;
    while (begin < schedule->sends.count &&
           schedule->sends.messages[begin].peer < transfer->exchange.parties.source)
        begin++;
    for (int64_t i = 0; i < schedule->sends.count; i++)
        NEREUS_TRY(nereus_exchange_send(transfer, load, (begin + i) % schedule->sends.count,
                                        requests++, err));
    return NEREUS_OK;
}

const struct exchange_method nereus_exchange_p2p = {
    .request_count = nereus_exchange_message_count,
    .begin = nereus_exchange_begin_messages,
};
