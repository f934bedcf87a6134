/**
 * @file collectives.c
 * Reports collectives on MPI_COMM_WORLD, or on a duplicate of it, after a change of size. A
 * separate library, loaded by nereus-mpiexec with NEREUS_CHECK=1 (LD_PRELOAD), so that other jobs
 * call MPI directly. It links no library, because it is also loaded into mpiexec and its helpers;
 * symbols are resolved at the first call.
 */
#include "objects.h"
#include "src/mpi/weak_handles.h"

/* The parameter with the communicator must be named comm. suffix: _c for MPI 4's calls with large
 * counts, or empty */
#define REPORTED(name, suffix, parameters, arguments)                                              \
    int MPI_##name##suffix parameters                                                              \
    {                                                                                              \
        nereus_report_collective("MPI_" #name, comm);                                              \
        return PMPI_##name##suffix arguments;                                                      \
    }
#define NOT_REPORTED(name, suffix, parameters, arguments)

/* By the kind of the call (NEREUS_MPI_KIND_LIST). */
#define BCAST          REPORTED
#define REDUCE         REPORTED
#define ALLREDUCE      REPORTED
#define ALLGATHER      REPORTED
#define GATHER         REPORTED
#define SCATTER        REPORTED
#define ALLTOALL       REPORTED
#define REDUCE_SCATTER REPORTED
#define BEGINS(kind)   REPORTED
#define NAMED(kind)    REPORTED
#define SEND           NOT_REPORTED
#define RECV           NOT_REPORTED
#define SENDRECV       NOT_REPORTED
#define ISEND          NOT_REPORTED
#define IRECV          NOT_REPORTED
#define WRITE          NOT_REPORTED
#define READ           NOT_REPORTED
#define RMA            NOT_REPORTED

REPORTED(Barrier, , (MPI_Comm comm), (comm))
REPORTED(Ibarrier, , (MPI_Comm comm, MPI_Request *request), (comm, request))
#define WRAP(name, kind, bytes, peer, parameters, arguments) kind(name, , parameters, arguments)
#define INIT(name, kind, bytes, peer, parameters, arguments)
#define COUNT  int
#define OFFSET int
#include "counted_calls.inc"
#if MPI_VERSION >= 4
#undef WRAP
#undef COUNT
#undef OFFSET
#define WRAP(name, kind, bytes, peer, parameters, arguments) kind(name, _c, parameters, arguments)
#define COUNT                                                MPI_Count
#define OFFSET                                               MPI_Aint
#include "counted_calls.inc"
#endif
