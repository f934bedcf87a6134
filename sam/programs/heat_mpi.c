/* MPI for heat.f90: the MPI at hand may come without Fortran. */
#include <stdint.h>
#include <stdio.h>

#include "digest.h"

/* Called from Fortran only. A rank below 0: no process. */
void heat_shift(MPI_Fint comm, const double *send, int to, double *receive, int from, int64_t count,
                int tag);
void heat_report(MPI_Fint comm, const double *u, int64_t first, int64_t count, int changes);

static int rank_or_null(int rank)
{
    return rank < 0 ? MPI_PROC_NULL : rank;
}

/* Send to one process, and receive from another. */
void heat_shift(MPI_Fint comm, const double *send, int to, double *receive, int from, int64_t count,
                int tag)
{
    MPI_Sendrecv(send, (int)count, MPI_DOUBLE, rank_or_null(to), tag, receive, (int)count,
                 MPI_DOUBLE, rank_or_null(from), tag, MPI_Comm_f2c(comm), MPI_STATUS_IGNORE);
}

/* Rank 0 prints the answer.
 * @param first  from 0 */
void heat_report(MPI_Fint comm, const double *u, int64_t first, int64_t count, int changes)
{
    const MPI_Comm all = MPI_Comm_f2c(comm);
    int rank, size;
    MPI_Comm_rank(all, &rank);
    MPI_Comm_size(all, &size);
    const uint64_t answer = digest(u, first, count, all);
    if (rank == 0) {
        printf("answer %016llx, processes %d, changes of size %d\n", (unsigned long long)answer,
               size, changes);
        fflush(stdout);
    }
}
