/** @file data_reduce.c  Local reduction: gamma, in Hockney's notation. The source is idle. */
#include "data_operations.h"

static void reduce_round(struct nereus_data_pair *pair, size_t bytes)
{
    /* the largest size reduces one half into the other, twice */
    const size_t half = pair->largest_bytes / 2;
    const size_t once = bytes < half ? bytes : half;
    for (size_t done = 0; done < bytes && !pair->is_source; done += once)
        MPI_Reduce_local(pair->buffer, pair->buffer + half, (int)(once / sizeof(double)),
                         MPI_DOUBLE, MPI_MAX);
}

const struct nereus_data_operation nereus_data_reduce_local = {
    .operation = NEREUS_OPERATION_REDUCE_LOCAL, .round = reduce_round};
