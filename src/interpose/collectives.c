/**
 * @file collectives.c
 * Reports collectives on MPI_COMM_WORLD, or on a duplicate of it, after a change of size. A
 * separate library, loaded by nereus-mpiexec with NEREUS_CHECK=1 (LD_PRELOAD), so that other jobs
 * call MPI directly. It links nothing, as it is loaded into mpiexec and its helpers, too; symbols
 * are resolved at the first call.
 */
#include <mpi.h>
#include <stdbool.h>
#include <stddef.h>

/* Weak: defined by libnereus (src/job/calls.h), if the program links it. */
void nereus_check_collective(const char *call) __attribute__((weak));

/* Duplicates of MPI_COMM_WORLD; MPI_COMM_NULL: free entry. Further duplicates are not tracked. Main
 * thread only. */
enum { COPIES_MAX = 16 };
static MPI_Comm copies[COPIES_MAX];
static bool begun;

static MPI_Comm *find(MPI_Comm comm)
{
    for (int i = 0; !begun && i < COPIES_MAX; i++)
        copies[i] = MPI_COMM_NULL;
    begun = true;
    for (int i = 0; i < COPIES_MAX; i++)
        if (copies[i] == comm)
            return &copies[i];
    return NULL;
}

static void report_collective(const char *call, MPI_Comm comm)
{
    if (nereus_check_collective != NULL &&
        (comm == MPI_COMM_WORLD || (comm != MPI_COMM_NULL && find(comm) != NULL)))
        nereus_check_collective(call);
}

int MPI_Comm_dup(MPI_Comm comm, MPI_Comm *copy)
{
    report_collective("MPI_Comm_dup", comm);
    const int code = PMPI_Comm_dup(comm, copy);
    MPI_Comm *place = find(MPI_COMM_NULL);
    if (code == MPI_SUCCESS && comm == MPI_COMM_WORLD && place != NULL)
        *place = *copy;
    return code;
}

int MPI_Comm_free(MPI_Comm *comm)
{
    MPI_Comm *place = *comm != MPI_COMM_NULL ? find(*comm) : NULL;
    if (place != NULL)
        *place = MPI_COMM_NULL;
    return PMPI_Comm_free(comm);
}

/* WRAP(name, parameters, arguments): the communicator among them is called comm. */
#define WRAP(name, parameters, arguments)                                                          \
    int MPI_##name parameters                                                                      \
    {                                                                                              \
        report_collective("MPI_" #name, comm);                                                     \
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
WRAP(Comm_split, (MPI_Comm comm, int color, int key, MPI_Comm *part), (comm, color, key, part))
