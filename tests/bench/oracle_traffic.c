/**
 * @file oracle_traffic.c
 * oracle-traffic WAY NS NT BYTES: the messages of a redistribution of equal blocks in SimGrid's
 * SMPI. Each process prints the seconds that it takes.
 *
 *   p2p      one group: a message for each pair of blocks that overlap, all at once
 *   coll     one group: the same in batches of 32 peers, as MPICH's blocking MPI_Alltoallv
 *            (alltoallv_intra_scattered.c)
 *   ring     one group: MPI_Alltoallv by the algorithm of smpi/alltoallv
 *   rounds   two groups: max(NS, NT) rounds of MPI_Sendrecv, as MPICH's blocking MPI_Alltoallv
 *            between groups
 *
 * Bytes only have a size: no data is copied, and buffers are addresses that nobody reads.
 */
#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "nereus/distribution.h"

/* Blocks of more than 2^31 bytes are counted in the largest elementary type: SMPI copies data of
 * derived ones. */
#define UNIT MPI_C_LONG_DOUBLE_COMPLEX
enum { UNIT_BYTES = sizeof(long double _Complex), TAG = 1, MPICH_BATCH = 32 };

struct traffic {
    int rank, peers; /* peers: of one side */
    int64_t units, ns, nt;
    int source, target; /* ranks in their groups; -1: not one of these */
    int *out, *in, *out_at, *in_at;
    char *data;
};

static void copy_nothing(smx_activity_t comm, void *buffer, size_t bytes)
{
    (void)comm, (void)buffer, (void)bytes;
}

/* Units of each peer's block in one's own, and where they begin; what stays is not moved. */
static void overlaps(const struct traffic *t, int own_rank, int64_t of, int64_t others, int stays,
                     int *count, int *at)
{
    if (own_rank < 0)
        return;
    const struct nereus_range own_range = nereus_block(t->units, of, own_rank);
    for (int peer = 0; peer < others; peer++) {
        const struct nereus_range both =
            nereus_range_overlap(own_range, nereus_block(t->units, others, peer));
        count[peer] = peer != stays ? (int)both.count : 0;
        at[peer] = both.count > 0 ? (int)(both.first - own_range.first) : 0;
    }
}

static void *address(const struct traffic *t, const int *at, int peer)
{
    return t->data + (int64_t)at[peer] * UNIT_BYTES;
}

/* Receives from rank + i, sends to rank - i, `batch` of them at once. */
static void in_batches(const struct traffic *t, int batch)
{
    MPI_Request *requests = malloc(2 * (size_t)batch * sizeof(MPI_Request));
    for (int first = 0; first < t->peers; first += batch) {
        const int end = first + batch < t->peers ? first + batch : t->peers;
        int n = 0;
        for (int i = first; i < end; i++) {
            const int peer = (t->rank + i) % t->peers;
            if (t->in[peer] > 0)
                MPI_Irecv(address(t, t->in_at, peer), t->in[peer], UNIT, peer, TAG, MPI_COMM_WORLD,
                          &requests[n++]);
        }
        for (int i = first; i < end; i++) {
            const int peer = (t->rank - i + t->peers) % t->peers;
            if (t->out[peer] > 0)
                MPI_Isend(address(t, t->out_at, peer), t->out[peer], UNIT, peer, TAG,
                          MPI_COMM_WORLD, &requests[n++]);
        }
        MPI_Waitall(n, requests, MPI_STATUSES_IGNORE);
    }
    free(requests);
}

static void by_rounds(const struct traffic *t)
{
    const int max = t->peers, ns = (int)t->ns;
    for (int round = 0; round < max; round++) {
        const int to = t->source >= 0 ? (t->source + round) % max : max;
        const int from = t->target >= 0 ? (t->target - round + max) % max : max;
        const int sent = to < t->nt ? t->out[to] : 0, received = from < t->ns ? t->in[from] : 0;
        MPI_Sendrecv(t->data, sent, UNIT, to < t->nt ? ns + to : MPI_PROC_NULL, TAG, t->data,
                     received, UNIT, from < t->ns ? from : MPI_PROC_NULL, TAG, MPI_COMM_WORLD,
                     MPI_STATUS_IGNORE);
    }
}

static void move(const char *way, const struct traffic *t)
{
    if (strcmp(way, "rounds") == 0)
        by_rounds(t);
    else if (strcmp(way, "p2p") == 0)
        in_batches(t, t->peers);
    else if (strcmp(way, "coll") == 0)
        in_batches(t, MPICH_BATCH);
    else
        MPI_Alltoallv(t->data, t->out, t->out_at, UNIT, t->data, t->in, t->in_at, UNIT,
                      MPI_COMM_WORLD);
}

static void prepare(struct traffic *t, const char *way, int64_t bytes)
{
    const int apart = strcmp(way, "rounds") == 0, second = apart ? (int)t->ns : 0;
    t->units = bytes / UNIT_BYTES;
    t->source = t->rank < t->ns ? t->rank : -1;
    t->target = t->rank >= second && t->rank < second + t->nt ? t->rank - second : -1;
    t->peers = (int)(t->ns > t->nt ? t->ns : t->nt);
    int *numbers = calloc(4 * (size_t)t->peers, sizeof *numbers);
    t->out = numbers, t->in = numbers + t->peers;
    t->out_at = t->in + t->peers, t->in_at = t->out_at + t->peers;
    overlaps(t, t->source, t->ns, t->nt, apart ? -1 : t->rank, t->out, t->out_at);
    overlaps(t, t->target, t->nt, t->ns, apart ? -1 : t->rank, t->in, t->in_at);
    const int64_t block = t->units / (t->ns < t->nt ? t->ns : t->nt) + 1;
    t->data = mmap(NULL, (size_t)block * UNIT_BYTES, PROT_READ | PROT_WRITE,
                   MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (t->data == MAP_FAILED)
        MPI_Abort(MPI_COMM_WORLD, EXIT_FAILURE);
}

int main(int argc, char **argv)
{
    struct traffic t;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &t.rank);
    if (argc != 5)
        return EXIT_FAILURE;
    t.ns = atoll(argv[2]), t.nt = atoll(argv[3]);
    prepare(&t, argv[1], atoll(argv[4]));
    smpi_comm_set_copy_data_callback(copy_nothing);
    MPI_Barrier(MPI_COMM_WORLD);
    const double begin_s = MPI_Wtime();
    move(argv[1], &t);
    printf("%.9g\n", MPI_Wtime() - begin_s);
    MPI_Finalize();
    return EXIT_SUCCESS;
}
