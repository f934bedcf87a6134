/**
 * @file large_counts.h
 * Provides MPI 4's calls with large counts, for an MPI of version 3 (Open MPI 5.0): static
 * functions with the same names, for those that Nereus uses. Exception: MPI_Alltoallv_c, which
 * src/move/exchange.c replaces by messages. With MPI 4 this header only includes mpi.h. A count
 * above INT_MAX becomes one element of a derived type. Reductions, which have no operation for
 * derived types, and broadcasts are split into pieces.
 */
#pragma once

#include <mpi.h>

#if MPI_VERSION < 4
#include <limits.h>
#include <stdbool.h>
#include <stddef.h>

#define NEREUS_MAYBE_UNUSED __attribute__((unused)) static

/** Make a type of `count` elements of `type` that begin `offset` bytes after the buffer; the caller
 * frees it. It has two blocks: a whole number of large ones, and the rest. */
NEREUS_MAYBE_UNUSED MPI_Datatype nereus_large_type(MPI_Count count, MPI_Datatype type,
                                                   MPI_Aint offset)
{
    enum { BLOCK = 1 << 30 };
    const MPI_Count blocks = count / BLOCK;
    MPI_Aint lower, extent;
    MPI_Datatype block, whole;
    MPI_Type_get_extent(type, &lower, &extent);
    MPI_Type_contiguous(BLOCK, type, &block);
    MPI_Type_create_struct(2, (int[]){(int)blocks, (int)(count % BLOCK)},
                           (MPI_Aint[]){offset, offset + (MPI_Aint)blocks * BLOCK * extent},
                           (MPI_Datatype[]){block, type}, &whole);
    MPI_Type_commit(&whole);
    MPI_Type_free(&block);
    return whole;
}

/** Count and type that together describe `count` elements of `type`. */
struct nereus_large {
    int count;
    MPI_Datatype type;
    bool derived;
};

NEREUS_MAYBE_UNUSED struct nereus_large nereus_large(MPI_Count count, MPI_Datatype type)
{
    if (count <= INT_MAX)
        return (struct nereus_large){(int)count, type, false};
    return (struct nereus_large){1, nereus_large_type(count, type, 0), true};
}

/** Free the derived type. A type may be freed while a transfer uses it (MPI 3.1, 4.1.9). */
NEREUS_MAYBE_UNUSED int nereus_large_end(struct nereus_large *large, int code)
{
    if (large->derived)
        MPI_Type_free(&large->type);
    return code;
}

/** Number of elements in the next piece of a call that is split. */
NEREUS_MAYBE_UNUSED int nereus_large_piece(MPI_Count left)
{
    enum { PIECE = 1 << 30 };
    return left < PIECE ? (int)left : PIECE;
}

NEREUS_MAYBE_UNUSED int MPI_Type_get_envelope_c(MPI_Datatype type, MPI_Count *integers,
                                                MPI_Count *addresses, MPI_Count *large_counts,
                                                MPI_Count *types, int *combiner)
{
    int small[3];
    const int code = MPI_Type_get_envelope(type, &small[0], &small[1], &small[2], combiner);
    *integers = small[0];
    *addresses = small[1];
    *large_counts = 0;
    *types = small[2];
    return code;
}

NEREUS_MAYBE_UNUSED int MPI_Send_c(const void *data, MPI_Count count, MPI_Datatype type, int to,
                                   int tag, MPI_Comm comm)
{
    struct nereus_large large = nereus_large(count, type);
    return nereus_large_end(&large, MPI_Send(data, large.count, large.type, to, tag, comm));
}

NEREUS_MAYBE_UNUSED int MPI_Recv_c(void *data, MPI_Count count, MPI_Datatype type, int from,
                                   int tag, MPI_Comm comm, MPI_Status *status)
{
    struct nereus_large large = nereus_large(count, type);
    return nereus_large_end(&large,
                            MPI_Recv(data, large.count, large.type, from, tag, comm, status));
}

NEREUS_MAYBE_UNUSED int MPI_Isend_c(const void *data, MPI_Count count, MPI_Datatype type, int to,
                                    int tag, MPI_Comm comm, MPI_Request *request)
{
    struct nereus_large large = nereus_large(count, type);
    return nereus_large_end(&large,
                            MPI_Isend(data, large.count, large.type, to, tag, comm, request));
}

NEREUS_MAYBE_UNUSED int MPI_Irecv_c(void *data, MPI_Count count, MPI_Datatype type, int from,
                                    int tag, MPI_Comm comm, MPI_Request *request)
{
    struct nereus_large large = nereus_large(count, type);
    return nereus_large_end(&large,
                            MPI_Irecv(data, large.count, large.type, from, tag, comm, request));
}

NEREUS_MAYBE_UNUSED int MPI_Mrecv_c(void *data, MPI_Count count, MPI_Datatype type,
                                    MPI_Message *message, MPI_Status *status)
{
    struct nereus_large large = nereus_large(count, type);
    return nereus_large_end(&large, MPI_Mrecv(data, large.count, large.type, message, status));
}

/** Count the elements that were received. Correct only for a predefined type, for which MPI counts
 * basic elements. */
NEREUS_MAYBE_UNUSED int MPI_Get_count_c(const MPI_Status *status, MPI_Datatype type,
                                        MPI_Count *count)
{
    return MPI_Get_elements_x(status, type, count);
}

NEREUS_MAYBE_UNUSED int MPI_Bcast_c(void *data, MPI_Count count, MPI_Datatype type, int root,
                                    MPI_Comm comm)
{
    MPI_Aint lower, extent;
    int code = MPI_Type_get_extent(type, &lower, &extent);
    for (char *position = data; code == MPI_SUCCESS && count > 0;) {
        const int piece = nereus_large_piece(count);
        code = MPI_Bcast(position, piece, type, root, comm);
        position += (size_t)piece * (size_t)extent;
        count -= piece;
    }
    return code;
}

NEREUS_MAYBE_UNUSED int MPI_Ibcast_c(void *data, MPI_Count count, MPI_Datatype type, int root,
                                     MPI_Comm comm, MPI_Request *request)
{
    struct nereus_large large = nereus_large(count, type);
    return nereus_large_end(&large, MPI_Ibcast(data, large.count, large.type, root, comm, request));
}

/** In place only. */
NEREUS_MAYBE_UNUSED int MPI_Allreduce_c(const void *in_place, void *data, MPI_Count count,
                                        MPI_Datatype type, MPI_Op op, MPI_Comm comm)
{
    MPI_Aint lower, extent;
    int code = MPI_Type_get_extent(type, &lower, &extent);
    for (char *position = data; code == MPI_SUCCESS && count > 0;) {
        const int piece = nereus_large_piece(count);
        code = MPI_Allreduce(in_place, position, piece, type, op, comm);
        position += (size_t)piece * (size_t)extent;
        count -= piece;
    }
    return code;
}

NEREUS_MAYBE_UNUSED int MPI_Rget_c(void *data, MPI_Count count, MPI_Datatype type, int from,
                                   MPI_Aint at, MPI_Count from_count, MPI_Datatype from_type,
                                   MPI_Win window, MPI_Request *request)
{
    struct nereus_large here = nereus_large(count, type),
                        there = nereus_large(from_count, from_type);
    const int code =
        MPI_Rget(data, here.count, here.type, from, at, there.count, there.type, window, request);
    nereus_large_end(&there, code);
    return nereus_large_end(&here, code);
}
#endif
