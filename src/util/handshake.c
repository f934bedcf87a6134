/**
 * @file handshake.c
 * libfabric's tcp provider sometimes loses or swaps a message if two processes that have never
 * exchanged one send to each other at the same time (also with bare MPI calls), as
 * they do in an agreement after a merge. Therefore one side first sends an empty message to each
 * process of the other. Other networks do not need this.
 *
 * If one side may die before the commit (steps/failure_detector.c) messages are exchanged over any
 * network; the side that may die sends first, so that no process sends its first message to a dead
 * one.
 */
#include "handshake.h"

#include "error.h"
#include "src/mpi/mpi_library.h"
#include "tags.h"

enum nereus_status nereus_handshake_ordered(MPI_Comm inter, bool sends_first,
                                            struct nereus_error *err)
{
    int peers;
    if (!nereus_mpi_is_over_ofi())
        return NEREUS_OK;
    NEREUS_MPI(MPI_Comm_remote_size(inter, &peers), err);
    for (int peer = 0; peer < peers; peer++)
        if (sends_first)
            NEREUS_MPI(MPI_Send(NULL, 0, MPI_BYTE, peer, FIRST_TAG, inter), err);
        else
            NEREUS_MPI(MPI_Recv(NULL, 0, MPI_BYTE, peer, FIRST_TAG, inter, MPI_STATUS_IGNORE), err);
    return NEREUS_OK;
}

/* Bytes of a handshake message. With ucx within a host, messages of more than about 90 bytes go
 * through memory of the peer, which is attached (/proc/PID/fd/N) at the first such message; if the
 * peer has died by then MPICH 5.0.2 crashes. The handshake is long enough to attach the memory. */
enum { MESSAGE_BYTES = 1024 };
static const char outgoing[MESSAGE_BYTES];
/* Static, so that no allocation can fail: all would wait for a process that misses the handshake.
 * The content is never read, so that a late message of a lost world does no harm. */
static char incoming[MESSAGE_BYTES];

static enum nereus_status send_one(MPI_Comm inter, int peer, struct nereus_wait_mode wait_mode,
                                   struct nereus_error *err)
{
    MPI_Request request;
    NEREUS_MPI(
        MPI_Isend(outgoing, MESSAGE_BYTES, MPI_BYTE, peer, HANDSHAKE_ANSWER_TAG, inter, &request),
        err);
    return nereus_wait(&request, wait_mode, err);
}

static enum nereus_status receive_one(MPI_Comm inter, int peer, struct nereus_wait_mode wait_mode,
                                      struct nereus_error *err)
{
    return nereus_receive(incoming, MESSAGE_BYTES,
                          (struct nereus_sender){inter, peer, HANDSHAKE_ANSWER_TAG}, wait_mode,
                          err);
}

/* One peer after the other, both sides in rank order: each pair waits only for pairs of lower
 * ranks, so that no cycle is possible. Over libfabric the first message needs no answer, as it
 * establishes the connection. */
enum nereus_status nereus_handshake_all(MPI_Comm inter, bool sends_first,
                                        struct nereus_wait_mode wait_mode, struct nereus_error *err)
{
    const bool answers = !nereus_mpi_is_over_ofi();
    int peers;
    wait_mode.backs_off = false;
    NEREUS_MPI(MPI_Comm_remote_size(inter, &peers), err);
    for (int peer = 0; peer < peers; peer++) {
        if (sends_first)
            NEREUS_TRY(send_one(inter, peer, wait_mode, err));
        if (!sends_first || answers)
            NEREUS_TRY(receive_one(inter, peer, wait_mode, err));
        if (!sends_first && answers)
            NEREUS_TRY(send_one(inter, peer, wait_mode, err));
    }
    return NEREUS_OK;
}
