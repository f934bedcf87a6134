/**
 * @file called.c
 * Ways to call MPI that nereus twin has to know: the argument is one of them.
 *
 *   called WAY [ITERATIONS]
 *       persistent   persistent sends and receives, to both neighbours in a ring
 *       polled       messages, for which MPI_Testall is called until they have arrived
 *       begun        an MPI_Iallreduce, computing, and its wait
 *       pairs        an MPI_Allreduce in groups of two processes, and one of each process alone
 *       columns      an MPI_Allreduce in two groups of every other process
 *       groups       two halves: messages and barriers between them, and an MPI_Bcast on all in the
 *                    reverse order; 40 times MPI_Alltoall after the iterations
 *       between      collectives with an array of counts, between rank 0 and the others; the root's
 *                    alone where only they are read
 *       working      messages, and 0.2 ms of work between tests until they have arrived
 *       random       computing that varies at random, in each process in another way
 *       fortran      PMPI calls, as the bindings of mpi_f08 make them
 *       start        a persistent collective that is not known
 *       late         0.3 s of work before the iterations, 0.2 s after them, without MPI
 *       roots        MPI_Bcast and MPI_Reduce with the last process as root
 *       turns        MPI_Bcast whose root is a process drawn at random
 *       grows        an MPI_Allreduce of more bytes in each iteration
 *       spawns       MPI_Comm_spawn of itself, between the iterations
 *       sweeps       a process computes, sends to the next, and this one computes then; and back
 *       scans        MPI_Scan and MPI_Exscan
 *       makes        a communicator, a window and a file, made and freed
 *       files        MPI-IO, by one process and by all, blocking and not
 *       writes       MPI_File_write_at_all into a file that is opened and closed each time
 *       windows      one-sided calls with a fence, with a lock, and with post and start
 *       neighbours   neighbourhood collectives, blocking and not
 *       sends        messages by all kinds of sends, and matched probes
 *       partitions   partitioned messages
 *       collectives  persistent collectives of each kind, and an MPI_Ialltoall in place
 * From scans on an MPI_Allreduce ends each iteration.
 * Each iteration computes for 1 ms; rank 0 of `polled` for 3 ms, before it sends.
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DOUBLES = 500 };

static double sent[2][DOUBLES], received[2][DOUBLES];
static int rank, size, left, right;
static char *program;

static void compute(double seconds)
{
    const double end_s = MPI_Wtime() + seconds;
    while (MPI_Wtime() < end_s)
        ;
}

static void run_persistent(int iterations)
{
    MPI_Request requests[4];
    MPI_Recv_init(received[0], DOUBLES, MPI_DOUBLE, left, 0, MPI_COMM_WORLD, &requests[0]);
    MPI_Recv_init(received[1], DOUBLES, MPI_DOUBLE, right, 1, MPI_COMM_WORLD, &requests[1]);
    MPI_Send_init(sent[0], DOUBLES, MPI_DOUBLE, right, 0, MPI_COMM_WORLD, &requests[2]);
    MPI_Send_init(sent[1], DOUBLES, MPI_DOUBLE, left, 1, MPI_COMM_WORLD, &requests[3]);
    for (int i = 0; i < iterations; i++) {
        compute(1e-3);
        MPI_Startall(4, requests);
        MPI_Waitall(4, requests, MPI_STATUSES_IGNORE);
    }
    for (int i = 0; i < 4; i++)
        MPI_Request_free(&requests[i]);
}

/* The first process is late: the others test for its message, and may work between the tests. */
static void run_tested(int iterations, double between_s)
{
    for (int i = 0; i < iterations; i++) {
        MPI_Request requests[2];
        int done = 0;
        compute(rank == 0 ? 3e-3 : 1e-3);
        MPI_Irecv(received[0], DOUBLES, MPI_DOUBLE, left, 0, MPI_COMM_WORLD, &requests[0]);
        MPI_Isend(sent[0], DOUBLES, MPI_DOUBLE, right, 0, MPI_COMM_WORLD, &requests[1]);
        MPI_Testall(2, requests, &done, MPI_STATUSES_IGNORE);
        while (!done) {
            compute(between_s);
            MPI_Testall(2, requests, &done, MPI_STATUSES_IGNORE);
        }
    }
}

static void run_polled(int iterations)
{
    run_tested(iterations, 0);
}

static void run_begun(int iterations)
{
    for (int i = 0; i < iterations; i++) {
        MPI_Request request;
        MPI_Iallreduce(sent[0], received[0], DOUBLES, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD,
                       &request);
        compute(1e-3);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
}

static void run_pairs(int iterations)
{
    MPI_Comm pair;
    MPI_Comm_split(MPI_COMM_WORLD, rank / 2, rank, &pair);
    for (int i = 0; i < iterations; i++) {
        compute(1e-3);
        MPI_Allreduce(sent[0], received[0], DOUBLES, MPI_DOUBLE, MPI_SUM, pair);
        MPI_Allreduce(sent[0], received[0], DOUBLES, MPI_DOUBLE, MPI_SUM, MPI_COMM_SELF);
    }
    MPI_Comm_free(&pair);
}

static void run_columns(int iterations)
{
    MPI_Comm column;
    MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &column);
    for (int i = 0; i < iterations; i++) {
        compute(1e-3);
        MPI_Allreduce(sent[0], received[0], DOUBLES, MPI_DOUBLE, MPI_SUM, column);
    }
    MPI_Comm_free(&column);
}

static void run_groups(int iterations)
{
    const int high = rank >= size / 2;
    MPI_Comm half, halves, reverse;
    MPI_Comm_split(MPI_COMM_WORLD, high, rank, &half);
    MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, high ? 0 : size / 2, 0, &halves);
    MPI_Comm_split(MPI_COMM_WORLD, 0, -rank, &reverse);
    const int other = rank % (size / 2);
    for (int i = 0; i < iterations; i++) {
        compute(1e-3);
        MPI_Sendrecv(sent[0], DOUBLES, MPI_DOUBLE, other, 0, received[0], DOUBLES, MPI_DOUBLE,
                     other, 0, halves, MPI_STATUS_IGNORE);
        MPI_Barrier(halves);
        MPI_Bcast(sent[1], DOUBLES, MPI_DOUBLE, 0, reverse);
    }
    for (int i = 0; i < 40; i++) {
        compute(1e-3);
        MPI_Alltoall(sent[0], 1, MPI_DOUBLE, received[0], 1, MPI_DOUBLE, MPI_COMM_WORLD);
    }
    MPI_Comm_free(&reverse);
    MPI_Comm_free(&halves);
    MPI_Comm_free(&half);
}

/* Each of the others has 10 doubles for rank 0, and rank 0 as many for each. Only the first count of
 * the others is one: their remote group has one process. */
static void run_between(int iterations)
{
    enum { N = 10, NONE = 1 << 20, MOST = 8 };
    const int low = rank == 0;
    const int counts[MOST] = {N, low ? N : NONE, low ? N : NONE, NONE, NONE, NONE, NONE, NONE},
              offsets[MOST] = {0, N, 2 * N};
    MPI_Comm group, other;
    double *from = sent[0], *to = received[0];
    MPI_Comm_split(MPI_COMM_WORLD, low, rank, &group);
    MPI_Intercomm_create(group, 0, MPI_COMM_WORLD, low ? 1 : 0, 0, &other);
    for (int i = 0; i < iterations; i++) {
        compute(1e-3);
        if (low) {
            MPI_Gatherv(NULL, 0, MPI_DATATYPE_NULL, to, counts, offsets, MPI_DOUBLE, MPI_ROOT,
                        other);
            MPI_Scatterv(from, counts, offsets, MPI_DOUBLE, NULL, 0, MPI_DATATYPE_NULL, MPI_ROOT,
                         other);
        } else {
            MPI_Gatherv(from, N, MPI_DOUBLE, NULL, NULL, NULL, MPI_DATATYPE_NULL, 0, other);
            MPI_Scatterv(NULL, NULL, NULL, MPI_DATATYPE_NULL, to, N, MPI_DOUBLE, 0, other);
        }
        MPI_Allgatherv(from, N, MPI_DOUBLE, to, counts, offsets, MPI_DOUBLE, other);
        MPI_Alltoallv(from, counts, offsets, MPI_DOUBLE, to, counts, offsets, MPI_DOUBLE, other);
    }
    MPI_Comm_free(&other);
    MPI_Comm_free(&group);
}

static void run_working(int iterations)
{
    run_tested(iterations, 2e-4);
}

static void run_random(int iterations)
{
    srand((unsigned)rank + 1);
    for (int i = 0; i < iterations; i++) {
        compute(10e-3 * rand() / RAND_MAX);
        MPI_Barrier(MPI_COMM_WORLD);
    }
}

static void run_fortran(int iterations)
{
    for (int i = 0; i < iterations; i++) {
        MPI_Request requests[2];
        compute(1e-3);
        MPI_Irecv(received[0], DOUBLES, MPI_DOUBLE, left, 0, MPI_COMM_WORLD, &requests[0]);
        MPI_Isend(sent[0], DOUBLES, MPI_DOUBLE, right, 0, MPI_COMM_WORLD, &requests[1]);
        PMPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
        compute(1e-3);
        PMPI_Barrier(MPI_COMM_WORLD);
    }
    PMPI_Finalize();
}

static void run_late(int iterations)
{
    compute(0.3);
    for (int i = 0; i < iterations; i++) {
        compute(1e-3);
        MPI_Allreduce(sent[0], received[0], DOUBLES, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    }
    compute(0.2);
}

static void run_roots(int iterations)
{
    for (int i = 0; i < iterations; i++) {
        compute(1e-3);
        MPI_Bcast(sent[0], DOUBLES, MPI_DOUBLE, size - 1, MPI_COMM_WORLD);
        compute(1e-3);
        MPI_Reduce(sent[0], received[0], DOUBLES, MPI_DOUBLE, MPI_SUM, size - 1, MPI_COMM_WORLD);
    }
}

static void run_turns(int iterations)
{
    srand(1);
    for (int i = 0; i < iterations; i++) {
        compute(1e-3);
        MPI_Bcast(sent[0], DOUBLES, MPI_DOUBLE, rand() / 8 % size, MPI_COMM_WORLD);
        MPI_Barrier(MPI_COMM_WORLD);
    }
}

static void run_grows(int iterations)
{
    for (int i = 0; i < iterations; i++) {
        compute(1e-3);
        MPI_Allreduce(sent[0], received[0], 1 + i % DOUBLES, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    }
}

static void run_sweeps(int iterations)
{
    for (int i = 0; i < iterations; i++) {
        for (int back = 0; back < 2; back++) {
            const int from = back ? rank + 1 : rank - 1, to = back ? rank - 1 : rank + 1;
            if (from >= 0 && from < size)
                MPI_Recv(received[0], DOUBLES, MPI_DOUBLE, from, 0, MPI_COMM_WORLD,
                         MPI_STATUS_IGNORE);
            compute(1e-3);
            if (to >= 0 && to < size)
                MPI_Send(sent[0], DOUBLES, MPI_DOUBLE, to, 0, MPI_COMM_WORLD);
        }
        MPI_Allreduce(sent[0], received[0], 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    }
}

/* A spawned process has the same argument, and a parent. */
static void run_spawns(int iterations)
{
    MPI_Comm parent, children;
    MPI_Comm_get_parent(&parent);
    run_grows(iterations);
    if (parent != MPI_COMM_NULL) {
        MPI_Comm_disconnect(&parent);
        return;
    }
    char way[] = "spawns", count[] = "60", *arguments[] = {way, count, NULL};
    MPI_Comm_spawn(program, arguments, 1, MPI_INFO_NULL, 0, MPI_COMM_WORLD, &children,
                   MPI_ERRCODES_IGNORE);
    run_grows(iterations);
    MPI_Comm_disconnect(&children);
}

static void run_scans(void)
{
    MPI_Scan(sent[0], received[0], DOUBLES, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    MPI_Exscan(sent[0], received[0], DOUBLES, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
}

static void run_makes(void)
{
    MPI_Comm dup, half;
    MPI_Win window;
    MPI_File file;
    MPI_Comm_dup(MPI_COMM_WORLD, &dup);
    MPI_Comm_split(dup, rank % 2, rank, &half);
    MPI_Win_create(received[0], sizeof received[0], 1, MPI_INFO_NULL, dup, &window);
    MPI_Win_free(&window);
    MPI_File_open(dup, "called.dat", MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &file);
    MPI_File_close(&file);
    MPI_Comm_free(&half);
    MPI_Comm_free(&dup);
}

static void run_files(void)
{
    static MPI_File file = MPI_FILE_NULL;
    const MPI_Offset at = (MPI_Offset)sizeof sent[0] * rank;
    MPI_Request request;
    if (file == MPI_FILE_NULL)
        MPI_File_open(MPI_COMM_WORLD, "called.dat",
                      MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE, MPI_INFO_NULL,
                      &file);
    MPI_File_write_at(file, at, sent[0], DOUBLES, MPI_DOUBLE, MPI_STATUS_IGNORE);
    MPI_File_seek(file, at, MPI_SEEK_SET);
    MPI_File_write_all(file, sent[0], DOUBLES, MPI_DOUBLE, MPI_STATUS_IGNORE);
    MPI_File_read_at(file, at, received[0], DOUBLES, MPI_DOUBLE, MPI_STATUS_IGNORE);
    MPI_File_iwrite_at(file, at, sent[0], DOUBLES, MPI_DOUBLE, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
}

static void run_writes(void)
{
    MPI_File file;
    MPI_File_open(MPI_COMM_WORLD, "called.dat", MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL,
                  &file);
    MPI_File_write_at_all(file, (MPI_Offset)sizeof sent[0] * rank, sent[0], DOUBLES, MPI_DOUBLE,
                          MPI_STATUS_IGNORE);
    MPI_File_close(&file);
}

static void run_windows(void)
{
    static MPI_Win window = MPI_WIN_NULL;
    MPI_Group world, next, before;
    if (window == MPI_WIN_NULL)
        MPI_Win_create(received[0], sizeof received[0], sizeof(double), MPI_INFO_NULL,
                       MPI_COMM_WORLD, &window);
    MPI_Win_fence(0, window);
    MPI_Put(sent[0], DOUBLES, MPI_DOUBLE, right, 0, DOUBLES, MPI_DOUBLE, window);
    MPI_Win_fence(0, window);
    MPI_Win_lock(MPI_LOCK_EXCLUSIVE, right, 0, window);
    MPI_Accumulate(sent[0], DOUBLES, MPI_DOUBLE, right, 0, DOUBLES, MPI_DOUBLE, MPI_SUM, window);
    MPI_Win_unlock(right, window);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Comm_group(MPI_COMM_WORLD, &world);
    MPI_Group_incl(world, 1, &right, &next);
    MPI_Group_incl(world, 1, &left, &before);
    MPI_Win_post(before, 0, window);
    MPI_Win_start(next, 0, window);
    MPI_Get(sent[1], DOUBLES, MPI_DOUBLE, right, 0, DOUBLES, MPI_DOUBLE, window);
    MPI_Win_complete(window);
    MPI_Win_wait(window);
    MPI_Group_free(&before);
    MPI_Group_free(&next);
    MPI_Group_free(&world);
}

static void run_neighbours(void)
{
    static MPI_Comm ring = MPI_COMM_NULL;
    const int periodic = 1;
    MPI_Request request;
    if (ring == MPI_COMM_NULL)
        MPI_Cart_create(MPI_COMM_WORLD, 1, &size, &periodic, 0, &ring);
    MPI_Neighbor_alltoall(sent[0], DOUBLES / 2, MPI_DOUBLE, received, DOUBLES / 2, MPI_DOUBLE,
                          ring);
    MPI_Ineighbor_allgather(sent[0], DOUBLES, MPI_DOUBLE, received, DOUBLES, MPI_DOUBLE, ring,
                            &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
}

static void run_sends(void)
{
    static char buffer[sizeof sent + 4 * MPI_BSEND_OVERHEAD];
    MPI_Request requests[2];
    MPI_Message message;
    int attached;
    void *detached;
    MPI_Irecv(received[0], DOUBLES, MPI_DOUBLE, left, 0, MPI_COMM_WORLD, &requests[0]);
    MPI_Ssend(sent[0], DOUBLES, MPI_DOUBLE, right, 0, MPI_COMM_WORLD);
    MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
    MPI_Buffer_attach(buffer, sizeof buffer);
    MPI_Bsend(sent[0], DOUBLES, MPI_DOUBLE, right, 1, MPI_COMM_WORLD);
    MPI_Mprobe(left, 1, MPI_COMM_WORLD, &message, MPI_STATUS_IGNORE);
    MPI_Mrecv(received[0], DOUBLES, MPI_DOUBLE, &message, MPI_STATUS_IGNORE);
    MPI_Ibsend(sent[0], DOUBLES, MPI_DOUBLE, right, 2, MPI_COMM_WORLD, &requests[0]);
    MPI_Irecv(received[0], DOUBLES, MPI_DOUBLE, left, 2, MPI_COMM_WORLD, &requests[1]);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    MPI_Buffer_detach(&detached, &attached);
    MPI_Sendrecv_replace(sent[1], DOUBLES, MPI_DOUBLE, right, 3, left, 3, MPI_COMM_WORLD,
                         MPI_STATUS_IGNORE);
}

static void run_partitions(void)
{
#if MPI_VERSION >= 4
    static MPI_Request requests[2] = {MPI_REQUEST_NULL};
    if (requests[0] == MPI_REQUEST_NULL) {
        MPI_Precv_init(received[0], 2, DOUBLES / 2, MPI_DOUBLE, left, 0, MPI_COMM_WORLD,
                       MPI_INFO_NULL, &requests[0]);
        MPI_Psend_init(sent[0], 2, DOUBLES / 2, MPI_DOUBLE, right, 0, MPI_COMM_WORLD, MPI_INFO_NULL,
                       &requests[1]);
    }
    MPI_Startall(2, requests);
    MPI_Pready(0, requests[1]);
    MPI_Pready(1, requests[1]);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
#endif
}

/* All have 10 doubles of each process; in the order of the twin's stages. */
static void run_collectives(void)
{
#if MPI_VERSION >= 4
    enum { N = 10, COUNT = 8 };
    MPI_Request begun[COUNT], in_place;
    const int counts[2] = {N, N}, offsets[2] = {0, N};
    const MPI_Comm world = MPI_COMM_WORLD;
    double *from = sent[0], *to = received[0];
    MPI_Reduce_init(from, to, N, MPI_DOUBLE, MPI_SUM, 0, world, MPI_INFO_NULL, &begun[0]);
    MPI_Allgather_init(from, N, MPI_DOUBLE, to, N, MPI_DOUBLE, world, MPI_INFO_NULL, &begun[1]);
    MPI_Allgatherv_init(from, N, MPI_DOUBLE, to, counts, offsets, MPI_DOUBLE, world, MPI_INFO_NULL,
                        &begun[2]);
    MPI_Gather_init(from, N, MPI_DOUBLE, to, N, MPI_DOUBLE, 0, world, MPI_INFO_NULL, &begun[3]);
    MPI_Gatherv_init(from, N, MPI_DOUBLE, to, counts, offsets, MPI_DOUBLE, 0, world, MPI_INFO_NULL,
                     &begun[4]);
    MPI_Scatter_init(from, N, MPI_DOUBLE, to, N, MPI_DOUBLE, 0, world, MPI_INFO_NULL, &begun[5]);
    MPI_Scatterv_init(from, counts, offsets, MPI_DOUBLE, to, N, MPI_DOUBLE, 0, world, MPI_INFO_NULL,
                      &begun[6]);
    MPI_Alltoallv_init(from, counts, offsets, MPI_DOUBLE, to, counts, offsets, MPI_DOUBLE, world,
                       MPI_INFO_NULL, &begun[7]);
    for (int i = 0; i < COUNT; i++) {
        MPI_Start(&begun[i]);
        MPI_Wait(&begun[i], MPI_STATUS_IGNORE);
        MPI_Request_free(&begun[i]);
    }
    MPI_Ialltoall(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, to, N, MPI_DOUBLE, world, &in_place);
    MPI_Wait(&in_place, MPI_STATUS_IGNORE);
#endif
}

static void run_start(int iterations)
{
#if MPI_VERSION >= 4
    MPI_Request request;
    MPI_Barrier_init(MPI_COMM_WORLD, MPI_INFO_NULL, &request);
    for (int i = 0; i < iterations; i++) {
        compute(1e-3);
        MPI_Start(&request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        MPI_Allreduce(sent[0], received[0], 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    }
    MPI_Request_free(&request);
#else
    (void)iterations;
    puts("no persistent collectives");
#endif
}

/* Ways whose iterations end with a sum. */
static const struct {
    const char *name;
    void (*run)(void);
} parts[] = {
    {"scans", run_scans},   {"makes", run_makes},           {"files", run_files},
    {"writes", run_writes}, {"windows", run_windows},       {"neighbours", run_neighbours},
    {"sends", run_sends},   {"partitions", run_partitions}, {"collectives", run_collectives}};

static void run_parts(const char *name, int iterations)
{
    for (size_t way = 0; way < sizeof parts / sizeof *parts; way++)
        for (int i = 0; strcmp(name, parts[way].name) == 0 && i < iterations; i++) {
            compute(1e-3);
            parts[way].run();
            MPI_Allreduce(sent[0], received[0], 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
        }
}

int main(int argc, char **argv)
{
    static const struct {
        const char *name;
        void (*run)(int iterations);
    } ways[] = {{"sweeps", run_sweeps},         {"spawns", run_spawns},   {"roots", run_roots},
                {"turns", run_turns},           {"grows", run_grows},     {"late", run_late},
                {"persistent", run_persistent}, {"polled", run_polled},   {"begun", run_begun},
                {"pairs", run_pairs},           {"random", run_random},   {"start", run_start},
                {"fortran", run_fortran},       {"columns", run_columns}, {"groups", run_groups},
                {"working", run_working},       {"between", run_between}};
    MPI_Init(&argc, &argv);
    program = argv[0];
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    left = (rank + size - 1) % size;
    right = (rank + 1) % size;
    for (size_t i = 0; i < sizeof ways / sizeof *ways && argc > 1; i++)
        if (strcmp(argv[1], ways[i].name) == 0)
            ways[i].run(argc > 2 ? atoi(argv[2]) : 100);
    if (argc > 1)
        run_parts(argv[1], argc > 2 ? atoi(argv[2]) : 100);
    int over;
    MPI_Finalized(&over);
    return over ? 0 : MPI_Finalize();
}
