/*
 * What moving data costs beside the same bytes moved by bare calls, among the same processes in the same job:
 *
 *   data-job DATA BYTES FLOOR      under nereus-mpiexec -n 2
 *
 * An array of so many bytes goes from 2 to 4 processes and back, twice, by merge and merge-zs; the second time the processes know
 * each other already, and these are the reconfigurations to compare (NEREUS_TRACE has their steps). In between, on the four
 * processes, the floor: p2p (isend and irecv), coll (alltoallv) or copy (memcpy of as many bytes in each target at the same
 * time); into fresh pages and into touched ones. Printed: the median of three, of the slowest process.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "distribution.h"
#include "nereus.h"

enum { FEW = 2, MANY = 4, REPEATS = 3, FLOORS_AT = 7, LAST = 10, TAG = 7 };

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
    void *memory = mmap(NULL, (size_t)bytes + 1, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) {
        fprintf(stderr, "data-job: no memory for %lld bytes\n", (long long)bytes);
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
    if (touched)
        memset(memory, 3, (size_t)bytes);
    return memory;
}

/* What this process has in common with a process of the other side, and where it begins here. */
static int64_t common(const struct floor *floor, struct nereus_range mine, int64_t others, int peer,
                      int64_t *at)
{
    if (peer >= others || mine.count == 0)
        return 0;
    const struct nereus_range both = nereus_range_overlap(mine, nereus_block(floor->bytes, others, peer));
    *at = both.first - mine.first;
    return both.count;
}

static void copy_own(const struct floor *floor)
{
    const struct nereus_range own = nereus_range_overlap(floor->from, floor->into);
    if (floor->from.count > 0 && own.count > 0)
        memcpy(floor->target + (own.first - floor->into.first),
               floor->source + (own.first - floor->from.first), (size_t)own.count);
}

static void by_messages(const struct floor *floor)
{
    MPI_Request requests[2 * MANY];
    int count = 0;
    for (int peer = 0; peer < MANY; peer++) {
        int64_t at = 0, bytes = common(floor, floor->into, floor->ns, peer, &at);
        if (peer != floor->rank && bytes > 0)
            MPI_Irecv_c(floor->target + at, bytes, MPI_BYTE, peer, TAG, floor->comm, &requests[count++]);
    }
    for (int peer = 0; peer < MANY; peer++) {
        int64_t at = 0, bytes = common(floor, floor->from, floor->nt, peer, &at);
        if (peer != floor->rank && bytes > 0)
            MPI_Isend_c(floor->source + at, bytes, MPI_BYTE, peer, TAG, floor->comm, &requests[count++]);
    }
    copy_own(floor);
    MPI_Waitall(count, requests, MPI_STATUSES_IGNORE);
}

static void by_collective(const struct floor *floor)
{
    MPI_Count out[MANY], in[MANY];
    MPI_Aint out_at[MANY] = {0}, in_at[MANY] = {0};
    for (int peer = 0; peer < MANY; peer++) {
        int64_t at = 0;
        out[peer] = peer == floor->rank ? 0 : common(floor, floor->from, floor->nt, peer, &at);
        out_at[peer] = at;
        at = 0;
        in[peer] = peer == floor->rank ? 0 : common(floor, floor->into, floor->ns, peer, &at);
        in_at[peer] = at;
    }
    copy_own(floor);
    MPI_Alltoallv_c(floor->source, out, out_at, MPI_BYTE, floor->target, in, in_at, MPI_BYTE, floor->comm);
}

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

static double measure(struct floor *floor, bool touched)
{
    double times[REPEATS];
    const int64_t needed = floor->from.count > floor->into.count ? floor->from.count : floor->into.count;
    floor->source = pages(needed, true); /* memcpy needs one in every target */
    for (int i = 0; i < REPEATS; i++) {
        floor->target = pages(floor->into.count, touched);
        MPI_Barrier(floor->comm);
        const double start_s = MPI_Wtime();
        run(floor);
        const double mine_s = MPI_Wtime() - start_s;
        MPI_Allreduce(&mine_s, &times[i], 1, MPI_DOUBLE, MPI_MAX, floor->comm);
        munmap(floor->target, (size_t)floor->into.count + 1);
    }
    munmap(floor->source, (size_t)needed + 1);
    qsort(times, REPEATS, sizeof times[0], compare);
    return times[REPEATS / 2];
}

static void floors(MPI_Comm comm, const char *kind, int64_t bytes, int64_t ns, int64_t nt, const char *name)
{
    struct floor floor = {.kind = kind, .comm = comm, .bytes = bytes, .ns = ns, .nt = nt};
    MPI_Comm_rank(comm, &floor.rank);
    if (floor.rank < ns)
        floor.from = nereus_block(bytes, ns, floor.rank);
    if (floor.rank < nt)
        floor.into = nereus_block(bytes, nt, floor.rank);
    const double fresh_s = measure(&floor, false), touched_s = measure(&floor, true);
    if (floor.rank == 0)
        printf("%s_fresh_s %.9f\n%s_touched_s %.9f\n", name, fresh_s, name, touched_s);
    fflush(stdout);
}

static void fill(const nereus_job *job, int id)
{
    int64_t count;
    void *part;
    nereus_local(job, id, &part, NULL, &count);
    if (count > 0)
        memset(part, 1, (size_t)count);
}

int main(int argc, char **argv)
{
    char grow[64], shrink[64];
    struct nereus_options options = NEREUS_OPTIONS_INIT;
    enum nereus_action action = NEREUS_CONTINUE;
    int64_t iteration = 0;
    int id, iteration_id;
    nereus_job *job;
    if (argc != 4) {
        fprintf(stderr, "data-job: DATA BYTES FLOOR\n");
        return EXIT_FAILURE;
    }
    const int64_t bytes = atoll(argv[2]);
    snprintf(grow, sizeof grow, "merge/%s", argv[1]);
    snprintf(shrink, sizeof shrink, "merge-zs/%s", argv[1]);
    const struct nereus_resize resizes[] = {
        {2, MANY, grow}, {4, FEW, shrink}, {6, MANY, grow}, {8, FEW, shrink}};
    options.schedule = resizes;
    options.schedule_count = 4;
    if (nereus_init(&argc, &argv, &options, &job) != NEREUS_OK)
        return EXIT_FAILURE;
    if (nereus_register_array(job, "x", MPI_BYTE, bytes, NEREUS_VARIABLE, &id) != NEREUS_OK ||
        nereus_register_replicated(job, "iteration", MPI_INT64_T, 1, NEREUS_VARIABLE, &iteration,
                                   &iteration_id) != NEREUS_OK)
        return EXIT_FAILURE;
    fill(job, id);
    while (action != NEREUS_LEAVE && iteration < LAST) {
        iteration++;
        if (iteration == FLOORS_AT) {
            floors(nereus_comm(job), argv[3], bytes, FEW, MANY, "floor_expand");
            floors(nereus_comm(job), argv[3], bytes, MANY, FEW, "floor_shrink");
        }
        if (nereus_point(job, &action) != NEREUS_OK)
            return EXIT_FAILURE;
    }
    const bool resized = nereus_reconfigurations(job) == 4;
    if (action != NEREUS_LEAVE && !resized)
        fprintf(stderr, "data-job: %s\n", nereus_last_error(job));
    return nereus_finalize(&job) == NEREUS_OK && (resized || action == NEREUS_LEAVE) ? EXIT_SUCCESS
                                                                                     : EXIT_FAILURE;
}
