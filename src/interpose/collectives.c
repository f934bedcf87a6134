/**
 * @file collectives.c
 * Reports collectives on MPI_COMM_WORLD, or on a duplicate of it, after a change of size. A
 * separate library, loaded by nereus-mpiexec with NEREUS_CHECK=1 (LD_PRELOAD), so that other jobs
 * call MPI directly. It links nothing, as it is loaded into mpiexec and its helpers, too; symbols
 * are resolved at the first call.
 */
#include "objects.h"
#include "src/mpi/weak_handles.h"

/* WRAP(name, parameters, arguments): the communicator among them is called comm. */
#define WRAP(name, parameters, arguments)                                                          \
    int MPI_##name parameters                                                                      \
    {                                                                                              \
        nereus_report_collective("MPI_" #name, comm);                                              \
        return PMPI_##name arguments;                                                              \
    }

WRAP(Barrier, (MPI_Comm comm), (comm))
WRAP(Bcast, (void *data, int count, MPI_Datatype type, int root, MPI_Comm comm),
     (data, count, type, root, comm))
WRAP(Reduce,
     (const void *from, void *to, int count, MPI_Datatype type, MPI_Op op, int root, MPI_Comm comm),
     (from, to, count, type, op, root, comm))
WRAP(Allreduce,
     (const void *from, void *to, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm),
     (from, to, count, type, op, comm))
WRAP(Scan, (const void *from, void *to, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm),
     (from, to, count, type, op, comm))
WRAP(Exscan, (const void *from, void *to, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm),
     (from, to, count, type, op, comm))
WRAP(Gather,
     (const void *from, int sends, MPI_Datatype send_type, void *to, int receives,
      MPI_Datatype receive_type, int root, MPI_Comm comm),
     (from, sends, send_type, to, receives, receive_type, root, comm))
WRAP(Gatherv,
     (const void *from, int sends, MPI_Datatype send_type, void *to, const int receives[],
      const int offsets[], MPI_Datatype receive_type, int root, MPI_Comm comm),
     (from, sends, send_type, to, receives, offsets, receive_type, root, comm))
WRAP(Scatter,
     (const void *from, int sends, MPI_Datatype send_type, void *to, int receives,
      MPI_Datatype receive_type, int root, MPI_Comm comm),
     (from, sends, send_type, to, receives, receive_type, root, comm))
WRAP(Scatterv,
     (const void *from, const int sends[], const int offsets[], MPI_Datatype send_type, void *to,
      int receives, MPI_Datatype receive_type, int root, MPI_Comm comm),
     (from, sends, offsets, send_type, to, receives, receive_type, root, comm))
WRAP(Allgather,
     (const void *from, int sends, MPI_Datatype send_type, void *to, int receives,
      MPI_Datatype receive_type, MPI_Comm comm),
     (from, sends, send_type, to, receives, receive_type, comm))
WRAP(Allgatherv,
     (const void *from, int sends, MPI_Datatype send_type, void *to, const int receives[],
      const int offsets[], MPI_Datatype receive_type, MPI_Comm comm),
     (from, sends, send_type, to, receives, offsets, receive_type, comm))
WRAP(Alltoall,
     (const void *from, int sends, MPI_Datatype send_type, void *to, int receives,
      MPI_Datatype receive_type, MPI_Comm comm),
     (from, sends, send_type, to, receives, receive_type, comm))
WRAP(Alltoallv,
     (const void *from, const int sends[], const int send_offsets[], MPI_Datatype send_type,
      void *to, const int receives[], const int receive_offsets[], MPI_Datatype receive_type,
      MPI_Comm comm),
     (from, sends, send_offsets, send_type, to, receives, receive_offsets, receive_type, comm))
WRAP(Ibarrier, (MPI_Comm comm, MPI_Request *request), (comm, request))
WRAP(Ibcast,
     (void *data, int count, MPI_Datatype type, int root, MPI_Comm comm, MPI_Request *request),
     (data, count, type, root, comm, request))
WRAP(Iallreduce,
     (const void *from, void *to, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm,
      MPI_Request *request),
     (from, to, count, type, op, comm, request))
