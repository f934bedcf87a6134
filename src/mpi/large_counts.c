#include "large_counts.h"

#if MPI_VERSION < 4
#include <stdlib.h>
#include <string.h>

/* One side of MPI_Alltoallw, in the memory of the caller's arrays: counts and displacements in that
 * of the counts, types in that of the displacements. */
struct side {
    int *counts, *displacements;
    MPI_Datatype *types;
};

_Static_assert(sizeof(MPI_Count) >= 2 * sizeof(int) && sizeof(MPI_Aint) >= sizeof(MPI_Datatype),
               "MPI_Alltoallw's arrays fit into those of MPI_Alltoallv_c");

/* @param room  of `peers` ints */
static struct side convert(int peers, MPI_Count *counts, MPI_Aint *displacements, MPI_Datatype type,
                           int *room)
{
    const struct side side = {(int *)counts, (int *)counts + peers, (MPI_Datatype *)displacements};
    for (int i = 0; i < peers; i++) {
        const MPI_Count count = counts[i];
        const MPI_Aint offset = displacements[i];
        const bool fits = count <= INT_MAX && offset <= INT_MAX;
        side.counts[i] = fits ? (int)count : 1;
        room[i] = fits ? (int)offset : 0;
        side.types[i] = fits ? type : nereus_large_type(count, type, offset);
    }
    memcpy(side.displacements, room, (size_t)peers * sizeof *room);
    return side;
}

/* The handles stay in the array, as MPI may look at it until the operation is complete. */
static void free_types(const struct side *side, int peers, MPI_Datatype type)
{
    for (int i = 0; i < peers; i++) {
        MPI_Datatype derived = side->types[i];
        if (derived != type)
            MPI_Type_free(&derived);
    }
}

int nereus_large_ialltoallv(const void *send, MPI_Count *sent, MPI_Aint *from,
                            MPI_Datatype sent_type, void *receive, MPI_Count *received,
                            MPI_Aint *to, MPI_Datatype type, MPI_Comm comm, MPI_Request *request)
{
    int peers, code = MPI_Comm_size(comm, &peers);
    int *room = code == MPI_SUCCESS ? malloc((size_t)peers * sizeof *room) : NULL;
    if (room == NULL)
        return code == MPI_SUCCESS ? MPI_ERR_NO_MEM : code;
    const struct side out = convert(peers, sent, from, sent_type, room),
                      in = convert(peers, received, to, type, room);
    free(room);
    code = MPI_Ialltoallw(send, out.counts, out.displacements, out.types, receive, in.counts,
                          in.displacements, in.types, comm, request);
    free_types(&out, peers, sent_type);
    free_types(&in, peers, type);
    return code;
}

int nereus_large_alltoallv(const void *send, MPI_Count *sent, MPI_Aint *from,
                           MPI_Datatype sent_type, void *receive, MPI_Count *received, MPI_Aint *to,
                           MPI_Datatype type, MPI_Comm comm)
{
    MPI_Request request;
    const int code = nereus_large_ialltoallv(send, sent, from, sent_type, receive, received, to,
                                             type, comm, &request);
    return code == MPI_SUCCESS ? MPI_Wait(&request, MPI_STATUS_IGNORE) : code;
}
#endif
