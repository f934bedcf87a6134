/**
 * @file data_alltoallv.c
 * The collective by which the source sends to the target, within one group.
 */
#include "data_operations.h"

static void send_to_target(struct nereus_data_pair *pair, size_t bytes)
{
    const int peer = pair->is_source ? 1 : 0;
    const int none[2] = {0, 0};
    int counts[2] = {0, 0};
    counts[peer] = (int)bytes;
    MPI_Alltoallv(pair->buffer, pair->is_source ? counts : none, none, MPI_BYTE, pair->buffer,
                  pair->is_source ? none : counts, none, MPI_BYTE, pair->comm);
}

const struct nereus_data_operation nereus_data_alltoallv = {.operation = NEREUS_OPERATION_ALLTOALLV,
                                                            .round = send_to_target};
