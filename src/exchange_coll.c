/*
 * Collective: one MPI_Alltoallv_c per batch over the communicator that holds sources and targets
 * (data-redistribution, algorithm 2).
 *
 * In MPICH an alltoallv on an intra-communicator is a set of scattered isend/irecv, on an inter-communicator
 * a pairwise exchange, one peer after the other: there it loses to point to point as soon as there are many
 * peers. Its arrays of counts are as long as the communicator, whatever is sent.
 */
#include <stdlib.h>
#include <string.h>

#include "exchange.h"
#include "job.h"

/* Counts and displacements of one direction, dense. */
struct row {
    MPI_Count *counts;
    MPI_Aint *offsets;
};

static struct row make_row(int64_t peers, const struct message *messages, int64_t count)
{
    struct row row = {calloc((size_t)peers + 1, sizeof(MPI_Count)),
                      calloc((size_t)peers + 1, sizeof(MPI_Aint))};
    for (int64_t i = 0; row.counts != NULL && row.offsets != NULL && i < count; i++) {
        row.counts[messages[i].rank] = (MPI_Count)messages[i].bytes;
        row.offsets[messages[i].rank] = (MPI_Aint)messages[i].offset;
    }
    return row;
}

static void free_row(struct row row)
{
    free(row.counts);
    free(row.offsets);
}

/*
 * libfabric's tcp provider loses a message now and then when two processes that never spoke before send to each other at the same time
 * (seen with bare MPI calls too: docs/measured.md), and the pairwise exchange does just that. There the sources speak first.
 */
static bool speaks_one_way_first(const struct exchange *exchange)
{
    const char *netmod = getenv("MPIR_CVAR_CH4_NETMOD");
    return exchange->inter && netmod != NULL && strcmp(netmod, "ofi") == 0;
}

static enum nereus_status speak_first(const struct exchange *exchange, int peers, struct nereus_error *err)
{
    enum { HELLO_TAG = 12 };
    for (int peer = 0; peer < peers; peer++) {
        if (exchange->parties.source >= 0)
            NEREUS_MPI(MPI_Send(NULL, 0, MPI_BYTE, peer, HELLO_TAG, exchange->comm), err);
        else
            NEREUS_MPI(MPI_Recv(NULL, 0, MPI_BYTE, peer, HELLO_TAG, exchange->comm, MPI_STATUS_IGNORE), err);
    }
    return NEREUS_OK;
}

static enum nereus_status move(const struct exchange *exchange, const struct traffic *traffic,
                               struct nereus_error *err)
{
    int peers;
    if (exchange->inter)
        NEREUS_MPI(MPI_Comm_remote_size(exchange->comm, &peers), err);
    else
        NEREUS_MPI(MPI_Comm_size(exchange->comm, &peers), err);
    if (speaks_one_way_first(exchange))
        NEREUS_TRY(speak_first(exchange, peers, err));
    const struct row out = make_row(peers, traffic->sends, traffic->send_count);
    const struct row in = make_row(peers, traffic->receives, traffic->receive_count);
    enum nereus_status status = NEREUS_OK;
    if (out.counts == NULL || out.offsets == NULL || in.counts == NULL || in.offsets == NULL) {
        status = nereus_fail(err, NEREUS_ERR_MEMORY, "no memory for the counts of %d peers", peers);
    } else {
        const int code =
            MPI_Alltoallv_c(traffic->send_from, out.counts, out.offsets, MPI_BYTE, traffic->receive_into,
                            in.counts, in.offsets, MPI_BYTE, exchange->comm);
        if (code != MPI_SUCCESS)
            status = nereus_mpi_failed(code, "MPI_Alltoallv_c", err);
    }
    free_row(out);
    free_row(in);
    return status;
}

const struct exchange_method nereus_exchange_coll = {.move = move};
