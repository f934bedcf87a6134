/**
 * @file counted.c
 * MPI calls of rank 0 in one reconfiguration: on oversubscribed cores each blocking call waits for
 * time slices of other processes. The functions below intercept the library's calls.
 *
 *   counted METHOD NT BYTES [CALL=COUNT...]      under nereus-mpiexec -n NS; CALL: as in "Barrier"
 *
 * A constant array of BYTES is redistributed at the second point or, if overlapped, from there to a
 * later one. Each CALL must be made COUNT times between the point of the decision and the end of the
 * point that completes the reconfiguration.
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "nereus/nereus.h"

#if MPI_VERSION < 4
int main(void)
{
    puts("SKIPPED: this MPI has no large counts, whose calls are counted");
    return 77;
}
#else

/* X(name, parameters, arguments) */
#define CALLS(X)                                                                                   \
    X(Barrier, (MPI_Comm comm), (comm))                                                            \
    X(Ibarrier, (MPI_Comm comm, MPI_Request * request), (comm, request))                           \
    X(Bcast, (void *data, int count, MPI_Datatype type, int root, MPI_Comm comm),                  \
      (data, count, type, root, comm))                                                             \
    X(Ibcast_c,                                                                                    \
      (void *data, MPI_Count count, MPI_Datatype type, int root, MPI_Comm comm,                    \
       MPI_Request *request),                                                                      \
      (data, count, type, root, comm, request))                                                    \
    X(Reduce,                                                                                      \
      (const void *in, void *out, int count, MPI_Datatype type, MPI_Op op, int root,               \
       MPI_Comm comm),                                                                             \
      (in, out, count, type, op, root, comm))                                                      \
    X(Ireduce,                                                                                     \
      (const void *in, void *out, int count, MPI_Datatype type, MPI_Op op, int root,               \
       MPI_Comm comm, MPI_Request *request),                                                       \
      (in, out, count, type, op, root, comm, request))                                             \
    X(Iallreduce,                                                                                  \
      (const void *in, void *out, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm,          \
       MPI_Request *request),                                                                      \
      (in, out, count, type, op, comm, request))                                                   \
    X(Gather,                                                                                      \
      (const void *in, int count, MPI_Datatype type, void *out, int each, MPI_Datatype into,       \
       int root, MPI_Comm comm),                                                                   \
      (in, count, type, out, each, into, root, comm))                                              \
    X(Comm_split, (MPI_Comm comm, int color, int key, MPI_Comm *next), (comm, color, key, next))   \
    X(Comm_create_group, (MPI_Comm comm, MPI_Group group, int tag, MPI_Comm *next),                \
      (comm, group, tag, next))                                                                    \
    X(Isend_c,                                                                                     \
      (const void *data, MPI_Count count, MPI_Datatype type, int to, int tag, MPI_Comm comm,       \
       MPI_Request *request),                                                                      \
      (data, count, type, to, tag, comm, request))                                                 \
    X(Alltoallv_c,                                                                                 \
      (const void *out, const MPI_Count *out_counts, const MPI_Aint *out_at, MPI_Datatype type,    \
       void *in, const MPI_Count *in_counts, const MPI_Aint *in_at, MPI_Datatype into,             \
       MPI_Comm comm),                                                                             \
      (out, out_counts, out_at, type, in, in_counts, in_at, into, comm))                           \
    X(Ialltoallv_c,                                                                                \
      (const void *out, const MPI_Count *out_counts, const MPI_Aint *out_at, MPI_Datatype type,    \
       void *in, const MPI_Count *in_counts, const MPI_Aint *in_at, MPI_Datatype into,             \
       MPI_Comm comm, MPI_Request *request),                                                       \
      (out, out_counts, out_at, type, in, in_counts, in_at, into, comm, request))

#define NUMBER(name, parameters, arguments) CALL_##name,
enum { CALLS(NUMBER) CALL_COUNT };
#define NAME(name, parameters, arguments)   #name,
static const char *const names[CALL_COUNT] = {CALLS(NAME)};

static int counts[CALL_COUNT];

#define COUNT(name, parameters, arguments)                                                         \
    int MPI_##name parameters                                                                      \
    {                                                                                              \
        counts[CALL_##name]++;                                                                     \
        return PMPI_##name arguments;                                                              \
    }
CALLS(COUNT)

static int find(const char *word)
{
    const size_t length = strcspn(word, "=");
    for (int i = 0; i < CALL_COUNT; i++)
        if (strlen(names[i]) == length && strncmp(names[i], word, length) == 0)
            return i;
    return -1;
}

/* @return the number of counts that differ */
static int compare(char **words, int count)
{
    int errors = 0;
    for (int i = 0; i < count; i++) {
        const int call = find(words[i]), wanted = atoi(words[i] + strcspn(words[i], "=") + 1);
        if (call >= 0 && counts[call] == wanted)
            continue;
        fprintf(stderr, "counted: %s, but there were %d calls\n", words[i],
                call < 0 ? -1 : counts[call]);
        errors++;
    }
    for (int i = 0; i < CALL_COUNT; i++)
        printf("%s=%d ", names[i], counts[i]);
    printf("\n");
    return errors;
}

static void fill(const nereus_job *job, int id)
{
    int64_t count;
    void *part;
    nereus_local(job, id, &part, NULL, &count);
    if (count > 0)
        memset(part, 1, (size_t)count);
}

/* Passes points until the reconfiguration is complete. MPI calls of the program itself are not
 * counted. */
static enum nereus_action pass_points(nereus_job *job)
{
    enum nereus_action action = NEREUS_CONTINUE;
    for (int i = 0; action == NEREUS_CONTINUE && i < 10000; i++) {
        PMPI_Barrier(nereus_comm(job));
        if (i == 1)
            memset(counts, 0, sizeof counts);
        if (nereus_point(job, &action) != NEREUS_OK)
            MPI_Abort(MPI_COMM_WORLD, 1);
    }
    return action;
}

int main(int argc, char **argv)
{
    struct nereus_options options = NEREUS_OPTIONS_INIT;
    struct nereus_resize resize = {.point = 2};
    nereus_job *job;
    int id, errors = 0;
    if (argc < 4) {
        fprintf(stderr, "counted: METHOD NT BYTES [CALL=COUNT...]\n");
        return EXIT_FAILURE;
    }
    resize.method = argv[1];
    resize.nt = atoll(argv[2]);
    options.schedule = &resize;
    options.schedule_count = 1;
    if (nereus_init(&argc, &argv, &options, &job) != NEREUS_OK ||
        nereus_register_array(job, "bytes", MPI_BYTE, atoll(argv[3]), NEREUS_CONSTANT, &id) !=
            NEREUS_OK)
        return EXIT_FAILURE;
    const bool is_judge = !nereus_is_joined(job) && nereus_rank(job) == 0;
    if (!nereus_is_joined(job)) {
        fill(job, id);
        pass_points(job);
    }
    if (is_judge)
        errors = compare(argv + 4, argc - 4);
    return nereus_finalize(&job) == NEREUS_OK && errors == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
#endif
