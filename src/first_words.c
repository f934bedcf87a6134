/*
 * libfabric's tcp provider loses or swaps a message now and then when two processes that never spoke before send to each other at the
 * same time (seen with bare MPI calls too: docs/measured.md), as they do in a merge's agreement and in a pairwise exchange. There one
 * side speaks to each process of the other first. Nothing over other networks.
 *
 * And where one side may die before the commit (lookout.c) all get acquainted, over any network; the side that may die speaks first, so that
 * nobody ever speaks to a process that is dead already.
 */
#include <stdlib.h>
#include <string.h>

#include "job.h"

enum { HELLO_TAG = 12, ANSWER_TAG = 16 };

bool nereus_is_over_libfabric(void)
{
    const char *netmod = getenv("MPIR_CVAR_CH4_NETMOD");
    return netmod != NULL && strcmp(netmod, "ofi") == 0;
}

enum nereus_status nereus_first_words(MPI_Comm inter, bool speaks, struct nereus_error *err)
{
    int peers;
    if (!nereus_is_over_libfabric())
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
/* Not memory that could be lacking: who stayed away would be waited for without limit. Nobody reads it, so that it does no harm if a word
 * of a lost world comes into it later. */
static char heard[WORD_BYTES];

static enum nereus_status say(MPI_Comm inter, int peer, struct nereus_error *err)
{
    MPI_Request request;
    NEREUS_MPI(MPI_Isend(said, WORD_BYTES, MPI_BYTE, peer, ANSWER_TAG, inter, &request), err);
    return nereus_wait(&request, false, err);
}

static enum nereus_status hear(MPI_Comm inter, int peer, struct nereus_error *err)
{
    MPI_Request request;
    NEREUS_MPI(MPI_Irecv(heard, WORD_BYTES, MPI_BYTE, peer, ANSWER_TAG, inter, &request), err);
    return nereus_wait(&request, false, err);
}

/* One peer after the other, both sides in the order of ranks: each pair comes after those of lower ranks, so that none waits in a circle.
 * Over libfabric who has spoken needs no answer: the connection stands. */
enum nereus_status nereus_get_acquainted(MPI_Comm inter, bool speaks, struct nereus_error *err)
{
    const bool answers = !nereus_is_over_libfabric();
    int peers;
    NEREUS_MPI(MPI_Comm_remote_size(inter, &peers), err);
    for (int peer = 0; peer < peers; peer++) {
        if (speaks)
            NEREUS_TRY(say(inter, peer, err));
        if (!speaks || answers)
            NEREUS_TRY(hear(inter, peer, err));
        if (!speaks && answers)
            NEREUS_TRY(say(inter, peer, err));
    }
    return NEREUS_OK;
}
