/**
 * @file bare.c
 * The floor of a reconfiguration: the same MPI calls in the same order, without Nereus.
 *
 *   bare METHOD NT BYTES      under mpiexec -n NS; METHOD is baseline or merge
 *
 * Prints the seconds from the first call at the sources to the last target's return, on one host
 * (one clock).
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

struct run {
    int ns, nt;
    long bytes;
    int baseline;
};

static double now_s(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static long part(const struct run *run, int processes, int rank, long *first)
{
    const long small = run->bytes / processes, larger = run->bytes % processes;
    *first = rank * small + (rank < larger ? rank : larger);
    return small + (rank < larger ? 1 : 0);
}

/* Counts and offsets of what [first, first + own_count) shares with the blocks of `processes`
 * others. */
static void overlaps(const struct run *run, long first, long own_count, int processes, int *counts,
                     int *offsets)
{
    for (int peer = 0; peer < processes; peer++) {
        long theirs_first, theirs = part(run, processes, peer, &theirs_first);
        const long from = first > theirs_first ? first : theirs_first;
        const long to =
            first + own_count < theirs_first + theirs ? first + own_count : theirs_first + theirs;
        counts[peer] = to > from ? (int)(to - from) : 0;
        offsets[peer] = to > from ? (int)(from - first) : 0;
    }
}

/* What a source holds, before the clock runs: an application has touched its data. */
static char *source_data(const struct run *run, int rank)
{
    long first;
    const long own_count = part(run, run->ns, rank, &first);
    char *data = malloc((size_t)own_count + 1);
    memset(data, 1, (size_t)own_count + 1);
    return data;
}

/* source, target: ranks, -1 if none. */
static void transfer(const struct run *run, MPI_Comm comm, int source, char *out, int target)
{
    const int peers = run->ns > run->nt ? run->ns : run->nt;
    int *numbers = calloc(4 * (size_t)peers, sizeof *numbers);
    long first, own_count;
    char *in = NULL;
    if (source >= 0) {
        own_count = part(run, run->ns, source, &first);
        overlaps(run, first, own_count, run->nt, numbers, numbers + peers);
    }
    if (target >= 0) {
        own_count = part(run, run->nt, target, &first);
        in = malloc((size_t)own_count + 1);
        overlaps(run, first, own_count, run->ns, numbers + 2 * peers, numbers + 3 * peers);
    }
    MPI_Alltoallv(out, numbers, numbers + peers, MPI_BYTE, in, numbers + 2 * peers,
                  numbers + 3 * peers, MPI_BYTE, comm);
    free(numbers);
    free(out);
    free(in);
}

static void report(double start_s, MPI_Comm targets)
{
    int rank;
    double end_s = now_s(), last_s;
    MPI_Reduce(&end_s, &last_s, 1, MPI_DOUBLE, MPI_MAX, 0, targets);
    MPI_Comm_rank(targets, &rank);
    if (rank == 0)
        printf("%.9f\n", last_s - start_s);
    fflush(stdout);
}

static void child(struct run *run, MPI_Comm parent)
{
    int rank;
    double start_s;
    MPI_Comm merged;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (run->baseline) {
        transfer(run, parent, -1, NULL, rank);
        MPI_Bcast(&start_s, 1, MPI_DOUBLE, 0, parent);
        MPI_Barrier(parent);
        MPI_Comm_disconnect(&parent);
        report(start_s, MPI_COMM_WORLD);
        return;
    }
    MPI_Intercomm_merge(parent, 1, &merged);
    transfer(run, merged, -1, NULL, run->ns + rank);
    report(0, merged);
    MPI_Barrier(merged);
}

static void parent(const struct run *run, char **argv)
{
    int rank;
    MPI_Comm next = MPI_COMM_NULL;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    char *data = source_data(run, rank);
    MPI_Barrier(MPI_COMM_WORLD);
    double start_s = now_s();
    if (run->nt < run->ns && !run->baseline) {
        transfer(run, MPI_COMM_WORLD, rank, data, rank < run->nt ? rank : -1);
        MPI_Comm_split(MPI_COMM_WORLD, rank < run->nt ? 0 : MPI_UNDEFINED, rank, &next);
        if (next != MPI_COMM_NULL)
            report(start_s, next);
        MPI_Barrier(MPI_COMM_WORLD);
        return;
    }
    MPI_Comm_spawn(argv[0], argv + 1, run->baseline ? run->nt : run->nt - run->ns, MPI_INFO_NULL, 0,
                   MPI_COMM_WORLD, &next, MPI_ERRCODES_IGNORE);
    if (run->baseline) {
        transfer(run, next, rank, data, -1);
        MPI_Bcast(&start_s, 1, MPI_DOUBLE, rank == 0 ? MPI_ROOT : MPI_PROC_NULL, next);
        MPI_Barrier(next);
        MPI_Comm_disconnect(&next);
        return;
    }
    MPI_Comm merged;
    MPI_Intercomm_merge(next, 0, &merged);
    transfer(run, merged, rank, data, rank);
    report(start_s, merged);
    MPI_Barrier(merged);
}

int main(int argc, char **argv)
{
    struct run run;
    MPI_Comm parents;
    char sizes[32], *words[6] = {argv[0],
                                 argc > 1 ? argv[1] : NULL,
                                 argc > 2 ? argv[2] : NULL,
                                 argc > 3 ? argv[3] : NULL,
                                 sizes,
                                 NULL};
    MPI_Init(&argc, &argv);
    if (argc < 4) {
        fprintf(stderr, "bare: METHOD NT BYTES\n");
        MPI_Abort(MPI_COMM_WORLD, 2);
    }
    MPI_Comm_get_parent(&parents);
    MPI_Comm_size(MPI_COMM_WORLD, &run.ns);
    if (argc > 4)
        run.ns = atoi(argv[4]); /* a child is told */
    snprintf(sizes, sizeof sizes, "%d", run.ns);
    run.baseline = strcmp(argv[1], "baseline") == 0;
    run.nt = atoi(argv[2]);
    run.bytes = atol(argv[3]);
    if (parents != MPI_COMM_NULL)
        child(&run, parents);
    else
        parent(&run, words);
    MPI_Finalize();
    return 0;
}
