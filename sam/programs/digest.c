/* A sum modulo 2^64 does not depend on the order of its terms. */
#include "digest.h"

#include <string.h>

uint64_t digest_part(const double *values, int64_t first, int64_t count)
{
    uint64_t sum = 0, bits;
    for (int64_t i = 0; i < count; i++) {
        memcpy(&bits, &values[i], sizeof bits);
        sum += (bits ^ bits >> 29) * (2 * (uint64_t)(first + i) + 1);
    }
    return sum;
}

uint64_t digest(const double *values, int64_t first, int64_t count, MPI_Comm comm)
{
    const uint64_t own_digest = digest_part(values, first, count);
    uint64_t total_digest;
    MPI_Allreduce(&own_digest, &total_digest, 1, MPI_UINT64_T, MPI_SUM, comm);
    return total_digest;
}
