/*
 * The MPI calls of a program, through PMPI: which call, how many bytes, with whom, from when to when.
 * `nereus twin` loads this library before the program's own (LD_PRELOAD); nothing is compiled anew.
 * Each process keeps its calls in memory and writes them in MPI_Finalize, to rank-N.csv in the folder
 * NEREUS_WATCH; a bounded number, the latest ones, so that a long run is watched at its end.
 *
 * It links nothing, as it is loaded into mpiexec and its helpers, too.
 */
/* RTLD_NEXT */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <dlfcn.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { CALLS_MAX = 1 << 18, NOBODY = -1 };

/* The main thread's: programs whose threads call MPI are not watched (calls of others are lost). */
static struct call {
    const char *name;
    long long bytes;
    int peer;
    double begin_s, end_s;
} * calls;
static long long count;
static int depth; /* of calls that MPI makes itself, as in MPI-IO */

static double now_s(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static void keep(const char *name, long long bytes, int peer, double begin_s)
{
    if (depth > 1)
        return;
    if (calls == NULL)
        calls = malloc(CALLS_MAX * sizeof *calls);
    if (calls != NULL)
        calls[count++ % CALLS_MAX] = (struct call){name, bytes, peer, begin_s, now_s()};
}

static long long bytes_of(long long elements, MPI_Datatype type)
{
    int size = 0;
    PMPI_Type_size(type, &size);
    return elements * size;
}

static long long sum_of(const int *counts, MPI_Comm comm)
{
    int size;
    long long sum = 0;
    PMPI_Comm_size(comm, &size);
    for (int i = 0; i < size; i++)
        sum += counts[i];
    return sum;
}

static int size_of(MPI_Comm comm)
{
    int size;
    PMPI_Comm_size(comm, &size);
    return size;
}

static int rank_of(MPI_Comm comm)
{
    int rank;
    PMPI_Comm_rank(comm, &rank);
    return rank;
}

/* WRAP(call, name, bytes, peer, parameters, arguments) */
#define WRAP(call, name, bytes, peer, parameters, arguments)                                       \
    int MPI_##call parameters                                                                      \
    {                                                                                              \
        const double begin_s = now_s();                                                            \
        depth++;                                                                                   \
        const int code = PMPI_##call arguments;                                                    \
        keep(name, bytes, peer, begin_s);                                                          \
        depth--;                                                                                   \
        return code;                                                                               \
    }

WRAP(Barrier, "barrier", 0, NOBODY, (MPI_Comm comm), (comm))
WRAP(Bcast, "bcast", bytes_of(n, type), NOBODY,
     (void *buffer, int n, MPI_Datatype type, int root, MPI_Comm comm),
     (buffer, n, type, root, comm))
WRAP(Reduce, "reduce", bytes_of(n, type), NOBODY,
     (const void *send, void *receive, int n, MPI_Datatype type, MPI_Op op, int root,
      MPI_Comm comm),
     (send, receive, n, type, op, root, comm))
WRAP(Allreduce, "allreduce", bytes_of(n, type), NOBODY,
     (const void *send, void *receive, int n, MPI_Datatype type, MPI_Op op, MPI_Comm comm),
     (send, receive, n, type, op, comm))
WRAP(Scan, "allreduce", bytes_of(n, type), NOBODY,
     (const void *send, void *receive, int n, MPI_Datatype type, MPI_Op op, MPI_Comm comm),
     (send, receive, n, type, op, comm))
WRAP(Allgather, "allgather", size_of(comm) * bytes_of(n, type), NOBODY,
     (const void *send, int sent, MPI_Datatype sent_type, void *receive, int n, MPI_Datatype type,
      MPI_Comm comm),
     (send, sent, sent_type, receive, n, type, comm))
WRAP(Allgatherv, "allgather", bytes_of(sum_of(counts, comm), type), NOBODY,
     (const void *send, int sent, MPI_Datatype sent_type, void *receive, const int counts[],
      const int offsets[], MPI_Datatype type, MPI_Comm comm),
     (send, sent, sent_type, receive, counts, offsets, type, comm))
WRAP(Gather, "gather", size_of(comm) * bytes_of(sent, sent_type), NOBODY,
     (const void *send, int sent, MPI_Datatype sent_type, void *receive, int n, MPI_Datatype type,
      int root, MPI_Comm comm),
     (send, sent, sent_type, receive, n, type, root, comm))
WRAP(Gatherv, "gather", size_of(comm) * bytes_of(sent, sent_type), NOBODY,
     (const void *send, int sent, MPI_Datatype sent_type, void *receive, const int counts[],
      const int offsets[], MPI_Datatype type, int root, MPI_Comm comm),
     (send, sent, sent_type, receive, counts, offsets, type, root, comm))
WRAP(Scatter, "scatter", size_of(comm) * bytes_of(n, type), NOBODY,
     (const void *send, int sent, MPI_Datatype sent_type, void *receive, int n, MPI_Datatype type,
      int root, MPI_Comm comm),
     (send, sent, sent_type, receive, n, type, root, comm))
WRAP(Scatterv, "scatter", size_of(comm) * bytes_of(n, type), NOBODY,
     (const void *send, const int counts[], const int offsets[], MPI_Datatype sent_type,
      void *receive, int n, MPI_Datatype type, int root, MPI_Comm comm),
     (send, counts, offsets, sent_type, receive, n, type, root, comm))
WRAP(Alltoall, "alltoall", size_of(comm) * bytes_of(sent, sent_type), NOBODY,
     (const void *send, int sent, MPI_Datatype sent_type, void *receive, int n, MPI_Datatype type,
      MPI_Comm comm),
     (send, sent, sent_type, receive, n, type, comm))
WRAP(Alltoallv, "alltoall", bytes_of(sum_of(sent, comm), sent_type), NOBODY,
     (const void *send, const int sent[], const int from[], MPI_Datatype sent_type, void *receive,
      const int counts[], const int to[], MPI_Datatype type, MPI_Comm comm),
     (send, sent, from, sent_type, receive, counts, to, type, comm))
WRAP(Send, "send", bytes_of(n, type), peer - rank_of(comm),
     (const void *send, int n, MPI_Datatype type, int peer, int tag, MPI_Comm comm),
     (send, n, type, peer, tag, comm))
WRAP(Ssend, "send", bytes_of(n, type), peer - rank_of(comm),
     (const void *send, int n, MPI_Datatype type, int peer, int tag, MPI_Comm comm),
     (send, n, type, peer, tag, comm))
WRAP(Recv, "recv", bytes_of(n, type), 0,
     (void *receive, int n, MPI_Datatype type, int peer, int tag, MPI_Comm comm,
      MPI_Status *status),
     (receive, n, type, peer, tag, comm, status))
WRAP(Sendrecv, "sendrecv", peer == MPI_PROC_NULL ? 0 : bytes_of(sent, sent_type),
     peer == MPI_PROC_NULL ? 1 : peer - rank_of(comm),
     (const void *send, int sent, MPI_Datatype sent_type, int peer, int tag, void *receive, int n,
      MPI_Datatype type, int from, int from_tag, MPI_Comm comm, MPI_Status *status),
     (send, sent, sent_type, peer, tag, receive, n, type, from, from_tag, comm, status))
WRAP(Isend, "isend", peer == MPI_PROC_NULL ? 0 : bytes_of(n, type),
     peer == MPI_PROC_NULL ? 1 : peer - rank_of(comm),
     (const void *send, int n, MPI_Datatype type, int peer, int tag, MPI_Comm comm,
      MPI_Request *request),
     (send, n, type, peer, tag, comm, request))
WRAP(Irecv, "irecv", bytes_of(n, type), 0,
     (void *receive, int n, MPI_Datatype type, int peer, int tag, MPI_Comm comm,
      MPI_Request *request),
     (receive, n, type, peer, tag, comm, request))
WRAP(Wait, "wait", 0, NOBODY, (MPI_Request * request, MPI_Status *status), (request, status))
WRAP(Waitall, "wait", 0, NOBODY, (int n, MPI_Request requests[], MPI_Status statuses[]),
     (n, requests, statuses))
WRAP(File_write_at_all, "write", size_of(MPI_COMM_WORLD) * bytes_of(n, type), NOBODY,
     (MPI_File file, MPI_Offset offset, const void *buffer, int n, MPI_Datatype type,
      MPI_Status *status),
     (file, offset, buffer, n, type, status))
WRAP(File_read_at_all, "read", size_of(MPI_COMM_WORLD) * bytes_of(n, type), NOBODY,
     (MPI_File file, MPI_Offset offset, void *buffer, int n, MPI_Datatype type, MPI_Status *status),
     (file, offset, buffer, n, type, status))

/* The program's own mark of an iteration. */
int MPI_Pcontrol(const int level, ...)
{
    keep("mark", level, NOBODY, now_s());
    return MPI_SUCCESS;
}

/* Of libnereus, where the program has it: a point ends an iteration, and what happens in it is not
 * the application's. */
int nereus_point(void *job, int *action);
int nereus_point(void *job, int *action)
{
    static int (*next)(void *, int *);
    const double begin_s = now_s();
    if (next == NULL)
        *(void **)&next = dlsym(RTLD_NEXT, "nereus_point");
    depth++;
    const int status = next(job, action);
    depth--;
    keep("mark", 0, NOBODY, begin_s);
    return status;
}

static void write_calls(const char *folder)
{
    char path[4096];
    const int rank = rank_of(MPI_COMM_WORLD), size = size_of(MPI_COMM_WORLD);
    snprintf(path, sizeof path, "%s/rank-%d.csv", folder, rank);
    FILE *file = fopen(path, "w");
    if (file == NULL) {
        fprintf(stderr, "nereus twin: process %d cannot write '%s'\n", rank, path);
        return;
    }
    const long long first = count > CALLS_MAX ? count - CALLS_MAX : 0;
    fprintf(file, "processes,%d\ncall,bytes,peer,begin_s,end_s\n", size);
    for (long long i = first; i < count; i++) {
        const struct call *call = &calls[i % CALLS_MAX];
        fprintf(file, "%s,%lld,%d,%.9f,%.9f\n", call->name, call->bytes, call->peer, call->begin_s,
                call->end_s);
    }
    fclose(file);
}

int MPI_Finalize(void)
{
    const char *folder = getenv("NEREUS_WATCH");
    if (folder != NULL && count > 0)
        write_calls(folder);
    free(calls);
    calls = NULL;
    count = 0;
    return PMPI_Finalize();
}
