/**
 * @file checkpoint_job.c
 * Checkpoints beside other ways to bring the same bytes to the same disk and back, in turns:
 *
 *   bench-checkpoint BYTES SECONDS FOLDER      under nereus-mpiexec -n NS, with NEREUS_CHECKPOINT
 *                                              and NEREUS_CHECKPOINT_EVERY=1us
 *
 * In a job that goes on from a checkpoint it prints "restart SECONDS", that is nereus_init with MPI
 * initialised before. Else it computes and passes points for so many seconds (the trace says what
 * checkpoints take), and prints lines "WHAT SECONDS": of the process with the longest.
 *
 *   checkpoint         nereus_checkpoint
 *   cache              pwrite of the own range, fsync: as any program writes
 *   romio              MPI_File_write_at_all, MPI_File_sync
 *   copy-new, copy     the own range into memory that is new, and that has been touched
 *   shm                pwrite into /dev/shm: a checkpoint in the memory of the node
 *   cache-read         pread of the own range into new memory
 *   romio-read         MPI_File_read_at_all into new memory
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "nereus/nereus.h"

enum { PIECE_BYTES = 1 << 20, PATH_BYTES = 4096 };

struct range {
    nereus_job *job;
    char path[PATH_BYTES], shm[PATH_BYTES];
    char *part;
    int64_t first, count;
    char *copy;
};

static double now_s(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static void fail(const char *what)
{
    perror(what);
    MPI_Abort(MPI_COMM_WORLD, EXIT_FAILURE);
}

static void write_file(const char *path, const struct range *range)
{
    const int file = open(path, O_WRONLY | O_CREAT, 0666);
    for (int64_t done = 0, piece; done < range->count; done += piece) {
        piece = range->count - done < PIECE_BYTES ? range->count - done : PIECE_BYTES;
        if (pwrite(file, range->part + done, (size_t)piece, range->first + done) != piece)
            fail("pwrite");
    }
    if (fsync(file) != 0)
        fail("fsync");
    close(file);
}

static void cache(struct range *range)
{
    write_file(range->path, range);
}

static void shm(struct range *range)
{
    write_file(range->shm, range);
}

static void romio(struct range *range)
{
    MPI_File file;
    MPI_File_open(nereus_comm(range->job), range->path, MPI_MODE_CREATE | MPI_MODE_WRONLY,
                  MPI_INFO_NULL, &file);
    if (MPI_File_write_at_all(file, range->first, range->part, (int)range->count, MPI_BYTE,
                              MPI_STATUS_IGNORE) != MPI_SUCCESS)
        fail("MPI_File_write_at_all");
    MPI_File_sync(file);
    MPI_File_close(&file);
}

static void cache_read(struct range *range)
{
    const int file = open(range->path, O_RDONLY);
    range->copy = malloc((size_t)range->count);
    for (int64_t done = 0, piece; done < range->count; done += piece) {
        piece = range->count - done < PIECE_BYTES ? range->count - done : PIECE_BYTES;
        if (pread(file, range->copy + done, (size_t)piece, range->first + done) != piece)
            fail("pread");
    }
    close(file);
}

static void romio_read(struct range *range)
{
    MPI_File file;
    range->copy = malloc((size_t)range->count);
    MPI_File_open(nereus_comm(range->job), range->path, MPI_MODE_RDONLY, MPI_INFO_NULL, &file);
    if (MPI_File_read_at_all(file, range->first, range->copy, (int)range->count, MPI_BYTE,
                             MPI_STATUS_IGNORE) != MPI_SUCCESS)
        fail("MPI_File_read_at_all");
    MPI_File_close(&file);
}

static void copy_new(struct range *range)
{
    range->copy = malloc((size_t)range->count);
    memcpy(range->copy, range->part, (size_t)range->count);
}

static void copy(struct range *range)
{
    memcpy(range->copy, range->part, (size_t)range->count);
}

static void checkpoint(struct range *range)
{
    if (nereus_checkpoint(range->job) != NEREUS_OK)
        fail(nereus_last_error(range->job));
}

/* What is written was changed before, as an application does it. */
static void measure(struct range *range, const char *what, void (*act)(struct range *))
{
    const MPI_Comm comm = nereus_comm(range->job);
    memset(range->part, range->part[0] + 1, (size_t)range->count);
    MPI_Barrier(comm);
    const double began_s = now_s();
    act(range);
    double took_s = now_s() - began_s, longest_s;
    MPI_Reduce(&took_s, &longest_s, 1, MPI_DOUBLE, MPI_MAX, 0, comm);
    if (nereus_rank(range->job) == 0)
        printf("%s %.6f\n", what, longest_s);
    fflush(stdout);
}

static void forget(struct range *range)
{
    free(range->copy);
    range->copy = NULL;
}

static void remove_file(const struct range *range, const char *path)
{
    MPI_Barrier(nereus_comm(range->job));
    if (nereus_rank(range->job) == 0)
        unlink(path);
    MPI_Barrier(nereus_comm(range->job));
}

/* Iterations of a millisecond, with checkpoints beside them. */
static void iterate(const struct range *range, double seconds)
{
    enum nereus_action action;
    int goes_on = 1;
    for (const double deadline_s = now_s() + seconds; goes_on;) {
        for (const double work_s = now_s() + 1e-3; now_s() < work_s;)
            ;
        if (nereus_point(range->job, &action) != NEREUS_OK)
            fail("nereus_point");
        goes_on = now_s() < deadline_s;
        MPI_Bcast(&goes_on, 1, MPI_INT, 0, nereus_comm(range->job));
    }
}

static void run_round(struct range *range)
{
    measure(range, "checkpoint", checkpoint);
    measure(range, "cache", cache);
    measure(range, "cache-read", cache_read);
    forget(range);
    measure(range, "romio-read", romio_read);
    forget(range);
    remove_file(range, range->path);
    measure(range, "romio", romio);
    remove_file(range, range->path);
    measure(range, "copy-new", copy_new);
    measure(range, "copy", copy);
    forget(range);
    measure(range, "shm", shm);
    remove_file(range, range->shm);
}

int main(int argc, char **argv)
{
    struct nereus_options options = NEREUS_OPTIONS_INIT;
    struct range range = {.copy = NULL};
    void *part;
    int id;
    if (argc != 4) {
        fprintf(stderr, "bench-checkpoint: BYTES SECONDS FOLDER\n");
        return EXIT_FAILURE;
    }
    MPI_Init(&argc, &argv);
    MPI_Barrier(MPI_COMM_WORLD);
    const double began_s = now_s();
    if (nereus_init(&argc, &argv, &options, &range.job) != NEREUS_OK)
        return EXIT_FAILURE;
    const double took_s = now_s() - began_s;
    nereus_register_array(range.job, "bytes", MPI_BYTE, atoll(argv[1]), NEREUS_VARIABLE, &id);
    nereus_local(range.job, id, &part, &range.first, &range.count);
    range.part = part;
    snprintf(range.path, sizeof range.path, "%s/bytes", argv[3]);
    snprintf(range.shm, sizeof range.shm, "/dev/shm/bench-checkpoint-%s",
             strrchr(argv[3], '/') + 1);
    if (nereus_restarts(range.job) > 0) {
        if (nereus_rank(range.job) == 0)
            printf("restart %.6f\n", took_s);
    } else {
        memset(range.part, 1, (size_t)range.count);
        run_round(&range);
        iterate(&range, atof(argv[2])); /* last: it leaves a checkpoint that is being written */
    }
    return nereus_finalize(&range.job) == NEREUS_OK && MPI_Finalize() == MPI_SUCCESS ? EXIT_SUCCESS
                                                                                     : EXIT_FAILURE;
}
