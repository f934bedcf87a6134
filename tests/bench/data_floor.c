/** @file data_floor.c  Bare calls, and memcpy: see data_floor.h. */
#include "data_floor.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>

#include "nereus/distribution.h"
#include "src/mpi/large_counts.h"

/* From so many bytes on one repeat is enough: first touches take most of the time. */
enum { PROCESSES_MAX = 4, REPEATS = 3, LARGE_BYTES = 500000000, TAG = 7 };

struct floor {
    const char *kind;
    MPI_Comm comm;
    int rank;
    int64_t bytes, ns, nt;
    struct nereus_range from, into; /* of this process, in bytes; count 0: none */
    unsigned char *source, *target;
};

static void *pages(int64_t bytes, bool touched)
{
    void *memory =
        mmap(NULL, (size_t)bytes + 1, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) {
        fprintf(stderr, "data-job: no memory for %lld bytes\n", (long long)bytes);
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
    if (touched)
        memset(memory, 3, (size_t)bytes);
    return memory;
}

/* What this process has in common with a process of the other side, and where it begins here. */
static int64_t common(const struct floor *floor, struct nereus_range own_range, int64_t others,
                      int peer, int64_t *at)
{
    if (peer >= others || own_range.count == 0)
        return 0;
    const struct nereus_range both =
        nereus_range_overlap(own_range, nereus_block(floor->bytes, others, peer));
    *at = both.first - own_range.first;
    return both.count;
}

static void copy_own(const struct floor *floor)
{
    const struct nereus_range own_range = nereus_range_overlap(floor->from, floor->into);
    if (floor->from.count > 0 && own_range.count > 0)
        memcpy(floor->target + (own_range.first - floor->into.first),
               floor->source + (own_range.first - floor->from.first), (size_t)own_range.count);
}

static void by_messages(const struct floor *floor)
{
    MPI_Request requests[2 * PROCESSES_MAX];
    int count = 0;
    for (int peer = 0; peer < PROCESSES_MAX; peer++) {
        int64_t at = 0, bytes = common(floor, floor->into, floor->ns, peer, &at);
        if (peer != floor->rank && bytes > 0)
            MPI_Irecv_c(floor->target + at, bytes, MPI_BYTE, peer, TAG, floor->comm,
                        &requests[count++]);
    }
    for (int peer = 0; peer < PROCESSES_MAX; peer++) {
        int64_t at = 0, bytes = common(floor, floor->from, floor->nt, peer, &at);
        if (peer != floor->rank && bytes > 0)
            MPI_Isend_c(floor->source + at, bytes, MPI_BYTE, peer, TAG, floor->comm,
                        &requests[count++]);
    }
    copy_own(floor);
    MPI_Waitall(count, requests, MPI_STATUSES_IGNORE);
}

#if MPI_VERSION < 4
/* Messages in its place, as in src/move/exchange.c. */
static void by_collective(const struct floor *floor)
{
    by_messages(floor);
}
#else
static void by_collective(const struct floor *floor)
{
    MPI_Count out[PROCESSES_MAX], in[PROCESSES_MAX];
    MPI_Aint out_at[PROCESSES_MAX] = {0}, in_at[PROCESSES_MAX] = {0};
    for (int peer = 0; peer < PROCESSES_MAX; peer++) {
        int64_t at = 0;
        out[peer] = peer == floor->rank ? 0 : common(floor, floor->from, floor->nt, peer, &at);
        out_at[peer] = at;
        at = 0;
        in[peer] = peer == floor->rank ? 0 : common(floor, floor->into, floor->ns, peer, &at);
        in_at[peer] = at;
    }
    copy_own(floor);
    MPI_Alltoallv_c(floor->source, out, out_at, MPI_BYTE, floor->target, in, in_at, MPI_BYTE,
                    floor->comm);
}
#endif

static void run(const struct floor *floor)
{
    if (strcmp(floor->kind, "p2p") == 0)
        by_messages(floor);
    else if (strcmp(floor->kind, "coll") == 0)
        by_collective(floor);
    else if (floor->into.count > 0)
        memcpy(floor->target, floor->source, (size_t)floor->into.count);
}

static int compare(const void *a, const void *b)
{
    const double *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

double data_faults(void)
{
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return (double)usage.ru_minflt;
}

/* One run: its time, of the slowest process, and the page faults of all. */
static double run_once(const struct floor *floor, double *faults)
{
    double time_s = 0;
    MPI_Barrier(floor->comm);
    const double faults_before = data_faults(), start_s = MPI_Wtime();
    run(floor);
    const double mine_s = MPI_Wtime() - start_s, my_faults = data_faults() - faults_before;
    MPI_Allreduce(&mine_s, &time_s, 1, MPI_DOUBLE, MPI_MAX, floor->comm);
    MPI_Allreduce(&my_faults, faults, 1, MPI_DOUBLE, MPI_SUM, floor->comm);
    return time_s;
}

/* Touched pages are the same in all repeats, fresh ones are new each time. */
static void measure(struct floor *floor, bool touched, const char *name)
{
    double times[REPEATS], faults[REPEATS];
    const int repeats = floor->bytes < LARGE_BYTES ? REPEATS : 1;
    const size_t mapped = (size_t)floor->into.count + 1;
    floor->target = pages(floor->into.count, touched);
    for (int i = 0; i < repeats; i++) {
        times[i] = run_once(floor, &faults[i]);
        if (touched || i + 1 == repeats)
            continue;
        munmap(floor->target, mapped);
        floor->target = pages(floor->into.count, false);
    }
    munmap(floor->target, mapped);
    qsort(times, (size_t)repeats, sizeof times[0], compare);
    qsort(faults, (size_t)repeats, sizeof faults[0], compare);
    const char *pages_are = touched ? "touched" : "fresh";
    if (floor->rank == 0)
        printf("%s_%s_s %.9f\n%s_%s_faults %.0f\n", name, pages_are, times[repeats / 2], name,
               pages_are, faults[repeats / 2]);
}

void data_floor(MPI_Comm comm, const char *kind, int64_t bytes, int64_t ns, int64_t nt,
                const char *name)
{
    struct floor floor = {.kind = kind, .comm = comm, .bytes = bytes, .ns = ns, .nt = nt};
    MPI_Comm_rank(comm, &floor.rank);
    if (floor.rank < ns)
        floor.from = nereus_block(bytes, ns, floor.rank);
    if (floor.rank < nt)
        floor.into = nereus_block(bytes, nt, floor.rank);
    const int64_t needed =
        floor.from.count > floor.into.count ? floor.from.count : floor.into.count;
    floor.source = pages(needed, true); /* memcpy needs one in every target */
    measure(&floor, false, name);
    measure(&floor, true, name);
    munmap(floor.source, (size_t)needed + 1);
    fflush(stdout);
}
