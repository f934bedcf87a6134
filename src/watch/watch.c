/*
 * The MPI calls of a program, between it and MPI: which call, how many bytes, with whom, from when to
 * when. This library is loaded before the program's own (LD_PRELOAD); nothing is compiled anew.
 *
 * - `nereus twin` (NEREUS_WATCH): each process keeps its calls in memory and writes them in
 *   MPI_Finalize, to rank-N.csv in that folder; a bounded number, the latest ones, so that a long run
 *   is watched at its end.
 * - nereus-mpiexec with NEREUS_MONITOR: calls are counted by kind, and libnereus asks for the counts
 *   (uses.h).
 *
 * It links nothing, as it is loaded into mpiexec and its helpers, too. A call goes on to the next
 * library that has it (RTLD_NEXT), which may be that of NEREUS_CHECK, or libnereus.
 */
/* RTLD_NEXT */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <dlfcn.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "uses.h"

/* Kinds from REDUCE_SCATTER on are counted only: a twin has no stages like them. */
enum { CALLS_MAX = 1 << 18, NOBODY = -1, MARK = NEREUS_MPI_REDUCE_SCATTER };

#define WORD(name, word) word,
static const char *const words[NEREUS_MPI_KIND_COUNT] = {NEREUS_MPI_KIND_LIST(WORD)};

/* The main thread's: programs whose threads call MPI are not watched (calls of others are lost). */
static struct call {
    int kind; /* MARK: the end of an iteration */
    long long bytes;
    int peer;
    double begin_s, end_s;
} * calls;
static long long count;

/* Of each thread: an auxiliary thread of libnereus calls MPI while the application does. */
static _Thread_local struct nereus_mpi_use uses[NEREUS_MPI_KIND_COUNT];
static _Thread_local int depth; /* of calls that MPI makes itself, as in MPI-IO */

static double now_s(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static void keep(int kind, long long bytes, int peer, double begin_s)
{
    static enum { UNKNOWN, NO, YES } records;
    if (records == UNKNOWN)
        records = getenv("NEREUS_WATCH") != NULL ? YES : NO;
    if (records == NO)
        return;
    if (calls == NULL)
        calls = malloc(CALLS_MAX * sizeof *calls);
    if (calls != NULL)
        calls[count++ % CALLS_MAX] = (struct call){kind, bytes, peer, begin_s, now_s()};
}

/* After a call of the application. */
static void note(enum nereus_mpi_kind kind, long long bytes, int peer, double begin_s)
{
    if (depth > 1)
        return;
    uses[kind].calls++;
    uses[kind].bytes += bytes;
    uses[kind].time_s += now_s() - begin_s;
    if (kind < NEREUS_MPI_REDUCE_SCATTER)
        keep((int)kind, bytes, peer, begin_s);
}

void nereus_watch_uses(struct nereus_mpi_use given[NEREUS_MPI_KIND_COUNT])
{
    memcpy(given, uses, sizeof uses);
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

/* The next library's function. */
#define NEXT(next, name)                                                                           \
    do {                                                                                           \
        if ((next) == NULL)                                                                        \
            *(void **)&(next) = dlsym(RTLD_NEXT, name);                                            \
    } while (0)

/* WRAP(call, kind, bytes, peer, parameters, arguments) */
#define WRAP(call, kind, bytes, peer, parameters, arguments)                                       \
    int MPI_##call parameters                                                                      \
    {                                                                                              \
        static int(*next) parameters;                                                              \
        const double begin_s = now_s();                                                            \
        NEXT(next, "MPI_" #call);                                                                  \
        depth++;                                                                                   \
        const int code = next arguments;                                                           \
        note(NEREUS_MPI_##kind, bytes, peer, begin_s);                                             \
        depth--;                                                                                   \
        return code;                                                                               \
    }

WRAP(Barrier, BARRIER, 0, NOBODY, (MPI_Comm comm), (comm))
WRAP(Bcast, BCAST, bytes_of(n, type), NOBODY,
     (void *buffer, int n, MPI_Datatype type, int root, MPI_Comm comm),
     (buffer, n, type, root, comm))
WRAP(Reduce, REDUCE, bytes_of(n, type), NOBODY,
     (const void *send, void *receive, int n, MPI_Datatype type, MPI_Op op, int root,
      MPI_Comm comm),
     (send, receive, n, type, op, root, comm))
WRAP(Allreduce, ALLREDUCE, bytes_of(n, type), NOBODY,
     (const void *send, void *receive, int n, MPI_Datatype type, MPI_Op op, MPI_Comm comm),
     (send, receive, n, type, op, comm))
WRAP(Scan, ALLREDUCE, bytes_of(n, type), NOBODY,
     (const void *send, void *receive, int n, MPI_Datatype type, MPI_Op op, MPI_Comm comm),
     (send, receive, n, type, op, comm))
WRAP(Allgather, ALLGATHER, size_of(comm) * bytes_of(n, type), NOBODY,
     (const void *send, int sent, MPI_Datatype sent_type, void *receive, int n, MPI_Datatype type,
      MPI_Comm comm),
     (send, sent, sent_type, receive, n, type, comm))
WRAP(Allgatherv, ALLGATHER, bytes_of(sum_of(counts, comm), type), NOBODY,
     (const void *send, int sent, MPI_Datatype sent_type, void *receive, const int counts[],
      const int offsets[], MPI_Datatype type, MPI_Comm comm),
     (send, sent, sent_type, receive, counts, offsets, type, comm))
WRAP(Gather, GATHER, size_of(comm) * bytes_of(sent, sent_type), NOBODY,
     (const void *send, int sent, MPI_Datatype sent_type, void *receive, int n, MPI_Datatype type,
      int root, MPI_Comm comm),
     (send, sent, sent_type, receive, n, type, root, comm))
WRAP(Gatherv, GATHER, size_of(comm) * bytes_of(sent, sent_type), NOBODY,
     (const void *send, int sent, MPI_Datatype sent_type, void *receive, const int counts[],
      const int offsets[], MPI_Datatype type, int root, MPI_Comm comm),
     (send, sent, sent_type, receive, counts, offsets, type, root, comm))
WRAP(Scatter, SCATTER, size_of(comm) * bytes_of(n, type), NOBODY,
     (const void *send, int sent, MPI_Datatype sent_type, void *receive, int n, MPI_Datatype type,
      int root, MPI_Comm comm),
     (send, sent, sent_type, receive, n, type, root, comm))
WRAP(Scatterv, SCATTER, size_of(comm) * bytes_of(n, type), NOBODY,
     (const void *send, const int counts[], const int offsets[], MPI_Datatype sent_type,
      void *receive, int n, MPI_Datatype type, int root, MPI_Comm comm),
     (send, counts, offsets, sent_type, receive, n, type, root, comm))
WRAP(Alltoall, ALLTOALL, size_of(comm) * bytes_of(sent, sent_type), NOBODY,
     (const void *send, int sent, MPI_Datatype sent_type, void *receive, int n, MPI_Datatype type,
      MPI_Comm comm),
     (send, sent, sent_type, receive, n, type, comm))
WRAP(Alltoallv, ALLTOALL, bytes_of(sum_of(sent, comm), sent_type), NOBODY,
     (const void *send, const int sent[], const int from[], MPI_Datatype sent_type, void *receive,
      const int counts[], const int to[], MPI_Datatype type, MPI_Comm comm),
     (send, sent, from, sent_type, receive, counts, to, type, comm))
WRAP(Send, SEND, bytes_of(n, type), peer - rank_of(comm),
     (const void *send, int n, MPI_Datatype type, int peer, int tag, MPI_Comm comm),
     (send, n, type, peer, tag, comm))
WRAP(Ssend, SEND, bytes_of(n, type), peer - rank_of(comm),
     (const void *send, int n, MPI_Datatype type, int peer, int tag, MPI_Comm comm),
     (send, n, type, peer, tag, comm))
WRAP(Recv, RECV, bytes_of(n, type), 0,
     (void *receive, int n, MPI_Datatype type, int peer, int tag, MPI_Comm comm,
      MPI_Status *status),
     (receive, n, type, peer, tag, comm, status))
WRAP(Sendrecv, SENDRECV, peer == MPI_PROC_NULL ? 0 : bytes_of(sent, sent_type),
     peer == MPI_PROC_NULL ? 1 : peer - rank_of(comm),
     (const void *send, int sent, MPI_Datatype sent_type, int peer, int tag, void *receive, int n,
      MPI_Datatype type, int from, int from_tag, MPI_Comm comm, MPI_Status *status),
     (send, sent, sent_type, peer, tag, receive, n, type, from, from_tag, comm, status))
WRAP(Isend, ISEND, peer == MPI_PROC_NULL ? 0 : bytes_of(n, type),
     peer == MPI_PROC_NULL ? 1 : peer - rank_of(comm),
     (const void *send, int n, MPI_Datatype type, int peer, int tag, MPI_Comm comm,
      MPI_Request *request),
     (send, n, type, peer, tag, comm, request))
WRAP(Irecv, IRECV, bytes_of(n, type), 0,
     (void *receive, int n, MPI_Datatype type, int peer, int tag, MPI_Comm comm,
      MPI_Request *request),
     (receive, n, type, peer, tag, comm, request))
WRAP(Wait, WAIT, 0, NOBODY, (MPI_Request * request, MPI_Status *status), (request, status))
WRAP(Waitall, WAIT, 0, NOBODY, (int n, MPI_Request requests[], MPI_Status statuses[]),
     (n, requests, statuses))
WRAP(File_write_at_all, WRITE, size_of(MPI_COMM_WORLD) * bytes_of(n, type), NOBODY,
     (MPI_File file, MPI_Offset offset, const void *buffer, int n, MPI_Datatype type,
      MPI_Status *status),
     (file, offset, buffer, n, type, status))
WRAP(File_read_at_all, READ, size_of(MPI_COMM_WORLD) * bytes_of(n, type), NOBODY,
     (MPI_File file, MPI_Offset offset, void *buffer, int n, MPI_Datatype type, MPI_Status *status),
     (file, offset, buffer, n, type, status))

/* Calls without a partner, some of which twins have no stages for. */
WRAP(Reduce_scatter, REDUCE_SCATTER, bytes_of(sum_of(counts, comm), type), NOBODY,
     (const void *send, void *receive, const int counts[], MPI_Datatype type, MPI_Op op,
      MPI_Comm comm),
     (send, receive, counts, type, op, comm))
WRAP(Reduce_scatter_block, REDUCE_SCATTER, size_of(comm) * bytes_of(n, type), NOBODY,
     (const void *send, void *receive, int n, MPI_Datatype type, MPI_Op op, MPI_Comm comm),
     (send, receive, n, type, op, comm))
WRAP(Exscan, ALLREDUCE, bytes_of(n, type), NOBODY,
     (const void *send, void *receive, int n, MPI_Datatype type, MPI_Op op, MPI_Comm comm),
     (send, receive, n, type, op, comm))
WRAP(Waitany, WAIT, 0, NOBODY, (int n, MPI_Request requests[], int *which, MPI_Status *status),
     (n, requests, which, status))
WRAP(Waitsome, WAIT, 0, NOBODY,
     (int n, MPI_Request requests[], int *done, int which[], MPI_Status all[]),
     (n, requests, done, which, all))
WRAP(Test, TEST, 0, NOBODY, (MPI_Request * request, int *done, MPI_Status *status),
     (request, done, status))
WRAP(Testall, TEST, 0, NOBODY, (int n, MPI_Request requests[], int *done, MPI_Status statuses[]),
     (n, requests, done, statuses))
WRAP(Testany, TEST, 0, NOBODY,
     (int n, MPI_Request requests[], int *which, int *done, MPI_Status *status),
     (n, requests, which, done, status))
WRAP(Probe, PROBE, 0, NOBODY, (int peer, int tag, MPI_Comm comm, MPI_Status *status),
     (peer, tag, comm, status))
WRAP(Iprobe, TEST, 0, NOBODY, (int peer, int tag, MPI_Comm comm, int *here, MPI_Status *status),
     (peer, tag, comm, here, status))
WRAP(Ibarrier, NONBLOCKING, 0, NOBODY, (MPI_Comm comm, MPI_Request *request), (comm, request))
WRAP(Ibcast, NONBLOCKING, bytes_of(n, type), NOBODY,
     (void *buffer, int n, MPI_Datatype type, int root, MPI_Comm comm, MPI_Request *request),
     (buffer, n, type, root, comm, request))
WRAP(Iallreduce, NONBLOCKING, bytes_of(n, type), NOBODY,
     (const void *send, void *receive, int n, MPI_Datatype type, MPI_Op op, MPI_Comm comm,
      MPI_Request *request),
     (send, receive, n, type, op, comm, request))
WRAP(Ireduce, NONBLOCKING, bytes_of(n, type), NOBODY,
     (const void *send, void *receive, int n, MPI_Datatype type, MPI_Op op, int root, MPI_Comm comm,
      MPI_Request *request),
     (send, receive, n, type, op, root, comm, request))
WRAP(Iallgather, NONBLOCKING, size_of(comm) * bytes_of(n, type), NOBODY,
     (const void *send, int sent, MPI_Datatype sent_type, void *receive, int n, MPI_Datatype type,
      MPI_Comm comm, MPI_Request *request),
     (send, sent, sent_type, receive, n, type, comm, request))
WRAP(Iallgatherv, NONBLOCKING, bytes_of(sum_of(counts, comm), type), NOBODY,
     (const void *send, int sent, MPI_Datatype sent_type, void *receive, const int counts[],
      const int offsets[], MPI_Datatype type, MPI_Comm comm, MPI_Request *request),
     (send, sent, sent_type, receive, counts, offsets, type, comm, request))
WRAP(Ialltoall, NONBLOCKING, size_of(comm) * bytes_of(sent, sent_type), NOBODY,
     (const void *send, int sent, MPI_Datatype sent_type, void *receive, int n, MPI_Datatype type,
      MPI_Comm comm, MPI_Request *request),
     (send, sent, sent_type, receive, n, type, comm, request))
WRAP(Put, RMA, bytes_of(n, type), NOBODY,
     (const void *from, int n, MPI_Datatype type, int peer, MPI_Aint at, int there,
      MPI_Datatype there_type, MPI_Win window),
     (from, n, type, peer, at, there, there_type, window))
WRAP(Get, RMA, bytes_of(n, type), NOBODY,
     (void *to, int n, MPI_Datatype type, int peer, MPI_Aint at, int there, MPI_Datatype there_type,
      MPI_Win window),
     (to, n, type, peer, at, there, there_type, window))
WRAP(Accumulate, RMA, bytes_of(n, type), NOBODY,
     (const void *from, int n, MPI_Datatype type, int peer, MPI_Aint at, int there,
      MPI_Datatype there_type, MPI_Op op, MPI_Win window),
     (from, n, type, peer, at, there, there_type, op, window))
WRAP(Win_fence, RMA_SYNC, 0, NOBODY, (int assertion, MPI_Win window), (assertion, window))
WRAP(Win_flush, RMA_SYNC, 0, NOBODY, (int peer, MPI_Win window), (peer, window))
WRAP(Win_flush_all, RMA_SYNC, 0, NOBODY, (MPI_Win window), (window))
WRAP(Win_unlock, RMA_SYNC, 0, NOBODY, (int peer, MPI_Win window), (peer, window))
WRAP(Win_unlock_all, RMA_SYNC, 0, NOBODY, (MPI_Win window), (window))

/* The program's own mark of an iteration. */
int MPI_Pcontrol(const int level, ...)
{
    keep(MARK, level, NOBODY, now_s());
    return MPI_SUCCESS;
}

/* Calls of libnereus that call MPI, where the program has it: what happens in them is not the
 * application's. A point ends an iteration. */
#define LIBRARY(name, ends_iteration, parameters, arguments)                                       \
    enum nereus_status name parameters                                                             \
    {                                                                                              \
        static enum nereus_status(*next) parameters;                                               \
        const double begin_s = now_s();                                                            \
        NEXT(next, #name);                                                                         \
        depth++;                                                                                   \
        const enum nereus_status status = next arguments;                                          \
        depth--;                                                                                   \
        if (ends_iteration)                                                                        \
            keep(MARK, 0, NOBODY, begin_s);                                                        \
        return status;                                                                             \
    }

LIBRARY(nereus_init, 0,
        (int *argc, char ***argv, const struct nereus_options *options, nereus_job **job),
        (argc, argv, options, job))
LIBRARY(nereus_point, 1, (nereus_job * job, enum nereus_action *action), (job, action))
/* The point in it ends the iteration. */
LIBRARY(nereus_balance, 0,
        (nereus_job * job, const struct nereus_balance_options *options,
         enum nereus_action *action),
        (job, options, action))
LIBRARY(nereus_finalize, 0, (nereus_job * *job), (job))

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
        fprintf(file, "%s,%lld,%d,%.9f,%.9f\n", call->kind == MARK ? "mark" : words[call->kind],
                call->bytes, call->peer, call->begin_s, call->end_s);
    }
    fclose(file);
}

int MPI_Finalize(void)
{
    static int (*next)(void);
    const char *folder = getenv("NEREUS_WATCH");
    NEXT(next, "MPI_Finalize");
    if (folder != NULL && count > 0)
        write_calls(folder);
    free(calls);
    calls = NULL;
    count = 0;
    return next();
}
