/* Collectives by which the source sends to the target: within one group, and from one group to
 * another. */
#include "data_operations.h"

static void exchange(struct data_pair *pair, size_t bytes, bool blocks)
{
    /* By rank in the communicator, or in the other group of an inter-communicator. */
    const int peer = pair->inter || !pair->is_source ? 0 : 1;
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

static void blocking_round(struct data_pair *pair, size_t bytes)
{
    exchange(pair, bytes, true);
}

static void other_round(struct data_pair *pair, size_t bytes)
{
    exchange(pair, bytes, false);
}

const struct data_operation nereus_data_alltoallv = {.operation = NEREUS_OPERATION_ALLTOALLV,
                                                     .round = blocking_round};
const struct data_operation nereus_data_ialltoallv = {.operation = NEREUS_OPERATION_IALLTOALLV,
                                                      .round = other_round};
const struct data_operation nereus_data_alltoallv_inter = {
    .operation = NEREUS_OPERATION_ALLTOALLV_INTER, .inter = true, .round = blocking_round};
const struct data_operation nereus_data_ialltoallv_inter = {
    .operation = NEREUS_OPERATION_IALLTOALLV_INTER, .inter = true, .round = other_round};
