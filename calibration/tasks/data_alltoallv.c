/**
 * @file data_alltoallv.c
 * Collectives by which the source sends to the target, within one group.
 */
#include "data_operations.h"

static void send_to_target(struct nereus_data_pair *pair, size_t bytes, bool blocks)
{
    const int peer = pair->is_source ? 1 : 0;
    const int none[2] = {0, 0};
    int counts[2] = {0, 0};
    MPI_Request request;
    counts[peer] = (int)bytes;
    const int *out = pair->is_source ? counts : none, *in = pair->is_source ? none : counts;
    if (blocks) {
        MPI_Alltoallv(pair->buffer, out, none, MPI_BYTE, pair->buffer, in, none, MPI_BYTE,
                      pair->comm);
        return;
    }
    MPI_Ialltoallv(pair->buffer, out, none, MPI_BYTE, pair->buffer, in, none, MPI_BYTE, pair->comm,
                   &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
}

static void blocking_round(struct nereus_data_pair *pair, size_t bytes)
{
    send_to_target(pair, bytes, true);
}

static void nonblocking_round(struct nereus_data_pair *pair, size_t bytes)
{
    send_to_target(pair, bytes, false);
}

const struct nereus_data_operation nereus_data_alltoallv = {.operation = NEREUS_OPERATION_ALLTOALLV,
                                                            .round = blocking_round};
const struct nereus_data_operation nereus_data_ialltoallv = {
    .operation = NEREUS_OPERATION_IALLTOALLV, .round = nonblocking_round};
