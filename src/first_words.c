/*
 * libfabric's tcp provider loses or swaps a message now and then when two processes that never spoke before send to each other at the
 * same time (seen with bare MPI calls too: docs/measured.md), as they do in a merge's agreement and in a pairwise exchange. There one
 * side speaks to each process of the other first. Nothing over other networks.
 *
 * And where one side may die before the commit (lookout.c) all get acquainted, over any network.
 */
#include <stdlib.h>
#include <string.h>

#include "job.h"

enum { HELLO_TAG = 12, ANSWER_TAG = 16 };

static bool needs_first_words(void)
{
    const char *netmod = getenv("MPIR_CVAR_CH4_NETMOD");
    return netmod != NULL && strcmp(netmod, "ofi") == 0;
}

enum nereus_status nereus_first_words(MPI_Comm inter, bool speaks, struct nereus_error *err)
{
    int peers;
    if (!needs_first_words())
        return NEREUS_OK;
    NEREUS_MPI(MPI_Comm_remote_size(inter, &peers), err);
    for (int peer = 0; peer < peers; peer++) {
        if (speaks)
            NEREUS_MPI(MPI_Send(NULL, 0, MPI_BYTE, peer, HELLO_TAG, inter), err);
        else
            NEREUS_MPI(MPI_Recv(NULL, 0, MPI_BYTE, peer, HELLO_TAG, inter, MPI_STATUS_IGNORE), err);
    }
    return NEREUS_OK;
}

/* ucx, within a host: what is longer than some 90 bytes is written into memory of the peer that is attached (/proc/PID/fd/N) when the
 * first such message is sent. If the peer is dead then, MPICH 5.0.2 gets an error there and crashes. */
enum { WORD_BYTES = 1024 };
static const char said[WORD_BYTES];

/* Of one peer: what it says, and the two requests. */
struct acquaintance {
    MPI_Request hears, speaks;
    char heard[WORD_BYTES];
};

/* One side speaks to each process of the other and is answered, so that none is spoken to for the first time later. */
static enum nereus_status exchange_words(MPI_Comm inter, bool speaks, int peers, struct acquaintance *with,
                                         struct nereus_error *err)
{
    for (int i = 0; i < peers; i++) {
        NEREUS_MPI(MPI_Irecv(with[i].heard, WORD_BYTES, MPI_BYTE, i, ANSWER_TAG, inter, &with[i].hears), err);
        if (speaks)
            NEREUS_MPI(MPI_Isend(said, WORD_BYTES, MPI_BYTE, i, ANSWER_TAG, inter, &with[i].speaks), err);
    }
    for (int i = 0; i < peers; i++) {
        NEREUS_TRY(nereus_wait(&with[i].hears, false, err));
        if (!speaks)
            NEREUS_MPI(MPI_Isend(said, WORD_BYTES, MPI_BYTE, i, ANSWER_TAG, inter, &with[i].speaks), err);
    }
    for (int i = 0; i < peers; i++)
        NEREUS_TRY(nereus_wait(&with[i].speaks, false, err));
    return NEREUS_OK;
}

enum nereus_status nereus_get_acquainted(MPI_Comm inter, bool speaks, struct nereus_error *err)
{
    int peers;
    NEREUS_MPI(MPI_Comm_remote_size(inter, &peers), err);
    struct acquaintance *with = malloc((size_t)peers * sizeof *with);
    if (with == NULL)
        return nereus_fail(err, NEREUS_ERR_MEMORY, "no memory to speak to %d processes", peers);
    NEREUS_TRY(exchange_words(inter, speaks, peers, with, err)); /* of who is lost MPI still holds some */
    free(with);
    return NEREUS_OK;
}
