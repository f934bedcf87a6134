/** @file stage.c  Implements the table of stages: how each is prepared and run. */
#include "stage.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "model/util/clock.h"
#include "model/util/try.h"
#include "nereus/distribution.h"

/* Layout of a stage's buffers. */
enum buffers {
    BUFFERS_NONE,
    BUFFERS_PLAIN,   /* bytes to send, and to receive */
    BUFFERS_DOUBLES, /* whole doubles to send, and to receive */
    BUFFERS_PARTS,   /* a vector, and a part of it in each process */
    BUFFERS_TWO      /* to and from two neighbours */
};

struct stage_operations {
    enum buffers buffers;
    bool has_file;
    int (*run)(struct sam_stage_run *run, MPI_Comm comm); /* returns an MPI error code */
};

/* Find partners half a ring away: with several nodes every message leaves its node. */
static void find_far_ranks(MPI_Comm comm, int *to, int *from)
{
    int rank, size;
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &size);
    *to = (rank + size / 2) % size;
    *from = (rank - size / 2 + size) % size;
}

static int run_point_to_point(struct sam_stage_run *run, MPI_Comm comm)
{
    int to, from;
    find_far_ranks(comm, &to, &from);
    return MPI_Sendrecv(run->send, run->count, MPI_BYTE, to, 0, run->receive, run->count, MPI_BYTE,
                        from, 0, comm, MPI_STATUS_IGNORE);
}

/* Reserve memory for more requests. */
static int reserve(struct sam_pending *pending, int more)
{
    if (pending->count + more <= pending->capacity)
        return MPI_SUCCESS;
    const int capacity = 2 * pending->capacity + more;
    MPI_Request *requests = realloc(pending->requests, (size_t)capacity * sizeof *requests);
    if (requests == NULL)
        return MPI_ERR_NO_MEM;
    pending->requests = requests;
    pending->capacity = capacity;
    return MPI_SUCCESS;
}

/* Begin the messages of the list: first all that are received. The order of messages between two
 * processes is the same in both. */
static int begin_messages(struct sam_stage_run *run, MPI_Comm comm)
{
    struct sam_pending *pending = run->pending;
    int code = reserve(pending, run->message_count);
    for (int pass = 0; pass < 2; pass++) {
        size_t offset = 0;
        for (int i = 0; i < run->message_count && code == MPI_SUCCESS; i++) {
            const struct sam_message *m = &run->messages[i];
            if (m->sends != (pass == 1))
                continue;
            MPI_Request *request = &pending->requests[pending->count];
            code = m->sends ? MPI_Isend((char *)run->send + offset, m->bytes, MPI_BYTE, m->peer, 3,
                                        comm, request)
                            : MPI_Irecv((char *)run->receive + offset, m->bytes, MPI_BYTE, m->peer,
                                        3, comm, request);
            pending->count += code == MPI_SUCCESS ? 1 : 0;
            offset += (size_t)m->bytes;
        }
    }
    return code;
}

static int run_nonblocking(struct sam_stage_run *run, MPI_Comm comm)
{
    int to, from;
    struct sam_pending *pending = run->pending;
    if (run->message_count >= 0)
        return begin_messages(run, comm);
    find_far_ranks(comm, &to, &from);
    if (reserve(pending, 2) != MPI_SUCCESS)
        return MPI_ERR_NO_MEM;
    int code = MPI_Irecv(run->receive, run->count, MPI_BYTE, from, 1, comm,
                         &pending->requests[pending->count]);
    if (code == MPI_SUCCESS) {
        pending->count++;
        code = MPI_Isend(run->send, run->count, MPI_BYTE, to, 1, comm,
                         &pending->requests[pending->count]);
    }
    pending->count += code == MPI_SUCCESS ? 1 : 0;
    return code;
}

static int run_wait(struct sam_stage_run *run, MPI_Comm comm)
{
    (void)comm;
    const int count = run->pending->count;
    run->pending->count = 0;
    return MPI_Waitall(count, run->pending->requests, MPI_STATUSES_IGNORE);
}

/* Exchange messages with both neighbours in rank order, as for the halos of a grid; or those of the
 * list. */
static int run_neighbours(struct sam_stage_run *run, MPI_Comm comm)
{
    int rank, size;
    MPI_Request requests[4];
    if (run->message_count >= 0) {
        const int old_count = run->pending->count, code = begin_messages(run, comm);
        const int count = run->pending->count - old_count;
        run->pending->count = old_count;
        return code != MPI_SUCCESS
                   ? code
                   : MPI_Waitall(count, run->pending->requests + old_count, MPI_STATUSES_IGNORE);
    }
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &size);
    for (int side = 0; side < 2; side++) {
        const int other = side == 0 ? rank - 1 : rank + 1;
        const int peer = other < 0 || other == size ? MPI_PROC_NULL : other;
        char *receive = (char *)run->receive + (size_t)side * (size_t)run->count,
             *send = (char *)run->send + (size_t)side * (size_t)run->count;
        const int codes[2] = {
            MPI_Irecv(receive, run->count, MPI_BYTE, peer, 2, comm, &requests[2 * side]),
            MPI_Isend(send, run->count, MPI_BYTE, peer, 2, comm, &requests[2 * side + 1])};
        if (codes[0] != MPI_SUCCESS || codes[1] != MPI_SUCCESS)
            return codes[0] != MPI_SUCCESS ? codes[0] : codes[1];
    }
    return MPI_Waitall(4, requests, MPI_STATUSES_IGNORE);
}

static int run_barrier(struct sam_stage_run *run, MPI_Comm comm)
{
    (void)run;
    return MPI_Barrier(comm);
}

/* A job may have fewer processes than the configuration was written for. */
static int get_root(const struct sam_stage_run *run, MPI_Comm comm)
{
    int size;
    MPI_Comm_size(comm, &size);
    return (int)(run->stage->root % size);
}

static int run_broadcast(struct sam_stage_run *run, MPI_Comm comm)
{
    return MPI_Bcast(run->send, run->count, MPI_BYTE, get_root(run, comm), comm);
}

static int run_allgather(struct sam_stage_run *run, MPI_Comm comm)
{
    return MPI_Allgatherv(run->send, run->count, MPI_BYTE, run->receive, run->counts, run->offsets,
                          MPI_BYTE, comm);
}

static int run_gather(struct sam_stage_run *run, MPI_Comm comm)
{
    return MPI_Gatherv(run->send, run->count, MPI_BYTE, run->receive, run->counts, run->offsets,
                       MPI_BYTE, get_root(run, comm), comm);
}

static int run_scatter(struct sam_stage_run *run, MPI_Comm comm)
{
    return MPI_Scatterv(run->receive, run->counts, run->offsets, MPI_BYTE, run->send, run->count,
                        MPI_BYTE, get_root(run, comm), comm);
}

static int run_alltoall(struct sam_stage_run *run, MPI_Comm comm)
{
    int size;
    MPI_Comm_size(comm, &size);
    const int each = run->count / size > 0 ? run->count / size : 1;
    return MPI_Alltoall(run->send, each, MPI_BYTE, run->receive, each, MPI_BYTE, comm);
}

static int run_reduce(struct sam_stage_run *run, MPI_Comm comm)
{
    return MPI_Reduce(run->send, run->receive, run->count, MPI_DOUBLE, MPI_SUM, get_root(run, comm),
                      comm);
}

static int run_allreduce(struct sam_stage_run *run, MPI_Comm comm)
{
    return MPI_Allreduce(run->send, run->receive, run->count, MPI_DOUBLE, MPI_SUM, comm);
}

/* Open, access one part per process, close: as an application that writes a checkpoint. */
static int access_file(struct sam_stage_run *run, MPI_Comm comm, bool writes)
{
    MPI_File file;
    int rank;
    MPI_Comm_rank(comm, &rank);
    int code =
        MPI_File_open(comm, run->file, MPI_MODE_RDWR | MPI_MODE_CREATE, MPI_INFO_NULL, &file);
    if (code != MPI_SUCCESS)
        return code;
    code = writes ? MPI_File_write_at_all(file, run->offsets[rank], run->send, run->count, MPI_BYTE,
                                          MPI_STATUS_IGNORE)
                  : MPI_File_read_at_all(file, run->offsets[rank], run->send, run->count, MPI_BYTE,
                                         MPI_STATUS_IGNORE);
    const int closed = MPI_File_close(&file);
    return code != MPI_SUCCESS ? code : closed;
}

static int run_write(struct sam_stage_run *run, MPI_Comm comm)
{
    return access_file(run, comm, true);
}

static int run_read(struct sam_stage_run *run, MPI_Comm comm)
{
    return access_file(run, comm, false);
}

static const struct stage_operations operations[SAM_STAGE_TYPE_COUNT] = {
    [SAM_POINT_TO_POINT] = {.buffers = BUFFERS_PLAIN, .run = run_point_to_point},
    [SAM_BROADCAST] = {.buffers = BUFFERS_PLAIN, .run = run_broadcast},
    [SAM_ALLGATHER] = {.buffers = BUFFERS_PARTS, .run = run_allgather},
    [SAM_REDUCE] = {.buffers = BUFFERS_DOUBLES, .run = run_reduce},
    [SAM_ALLREDUCE] = {.buffers = BUFFERS_DOUBLES, .run = run_allreduce},
    [SAM_NONBLOCKING] = {.buffers = BUFFERS_PLAIN, .run = run_nonblocking},
    [SAM_WAIT] = {.buffers = BUFFERS_NONE, .run = run_wait},
    [SAM_BARRIER] = {.buffers = BUFFERS_NONE, .run = run_barrier},
    [SAM_ALLTOALL] = {.buffers = BUFFERS_PLAIN, .run = run_alltoall},
    [SAM_SCATTER] = {.buffers = BUFFERS_PARTS, .run = run_scatter},
    [SAM_GATHER] = {.buffers = BUFFERS_PARTS, .run = run_gather},
    [SAM_NEIGHBOURS] = {.buffers = BUFFERS_TWO, .run = run_neighbours},
    [SAM_WRITE] = {.buffers = BUFFERS_PARTS, .has_file = true, .run = run_write},
    [SAM_READ] = {.buffers = BUFFERS_PARTS, .has_file = true, .run = run_read},
};

/* ---- buffers --------------------------------------------------------------------------------- */

static enum nereus_status make_parts(struct sam_stage_run *run, MPI_Comm comm)
{
    int rank, size;
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &size);
    free(run->counts);
    free(run->offsets);
    run->counts = malloc((size_t)size * sizeof *run->counts);
    run->offsets = malloc((size_t)size * sizeof *run->offsets);
    if (!run->counts || !run->offsets)
        return NEREUS_ERR_MEMORY;
    for (int other = 0; other < size; other++) {
        const struct nereus_range block = nereus_block(run->bytes, size, other);
        run->counts[other] = (int)block.count;
        run->offsets[other] = (int)block.first;
    }
    run->count = run->counts[rank];
    return NEREUS_OK;
}

/* Allocate the buffers for run->bytes. */
static enum nereus_status make_buffers(struct sam_stage_run *run, MPI_Comm comm)
{
    const enum buffers buffers = operations[run->stage->type].buffers;
    int size;
    MPI_Comm_size(comm, &size);
    size_t send = (size_t)run->bytes, receive = (size_t)run->bytes;
    run->count = (int)run->bytes;
    if (buffers == BUFFERS_DOUBLES) {
        run->count = (int)((run->bytes + (int64_t)sizeof(double) - 1) / (int64_t)sizeof(double));
        send = receive = (size_t)run->count * sizeof(double);
    } else if (buffers == BUFFERS_TWO) {
        send = receive = 2 * (size_t)run->bytes;
    } else if (buffers == BUFFERS_PARTS) {
        if (make_parts(run, comm) != NEREUS_OK)
            return NEREUS_ERR_MEMORY;
        send = (size_t)run->count;
    }
    if (run->message_count >= 0) {
        send = receive = 0;
        for (int i = 0; i < run->message_count; i++)
            *(run->messages[i].sends ? &send : &receive) += (size_t)run->messages[i].bytes;
    }
    free(run->send);
    free(run->receive);
    run->send = calloc(send + (size_t)size, 1); /* a part may be empty; alltoall rounds up */
    run->receive = calloc(receive + (size_t)size, 1);
    return run->send && run->receive ? NEREUS_OK : NEREUS_ERR_MEMORY;
}

/* ---- bytes by Stage_Time --------------------------------------------------------------------- */

/* Measure a call: the minimum over a few calls, each by its slowest process. */
static double measure_call(struct sam_stage_run *run, MPI_Comm comm)
{
    enum { CALLS = 5 };
    double min_s = 1e9;
    for (int i = 0; i < CALLS; i++) {
        MPI_Barrier(comm);
        const double start_s = nereus_monotonic_s();
        if (operations[run->stage->type].run(run, comm) != MPI_SUCCESS)
            return 0;
        const double took_s = nereus_monotonic_s() - start_s;
        min_s = took_s < min_s ? took_s : min_s;
    }
    MPI_Allreduce(MPI_IN_PLACE, &min_s, 1, MPI_DOUBLE, MPI_MAX, comm);
    return min_s;
}

/* Find the size whose call takes Stage_Time: doubled until it takes as long, then on the line
 * between the last two (Hockney: latency + bytes / bandwidth). The same in all processes of
 * comm. */
static enum nereus_status find_bytes(struct sam_stage_run *run, MPI_Comm comm)
{
    const int64_t max = 1 << 28; /* 256 MiB */
    const double wanted_s = run->stage->time_s;
    double before_s = 0;
    for (run->bytes = 8;; run->bytes *= 2) {
        if (make_buffers(run, comm) != NEREUS_OK)
            return NEREUS_ERR_MEMORY;
        const double took_s = measure_call(run, comm);
        if (took_s >= wanted_s || run->bytes >= max) {
            const double half = (double)run->bytes / 2;
            const bool between = took_s > wanted_s && before_s > 0 && before_s < wanted_s;
            run->bytes = !between
                             ? run->bytes
                             : (int64_t)(half * (1 + (wanted_s - before_s) / (took_s - before_s)));
            return make_buffers(run, comm);
        }
        before_s = took_s;
    }
}

/* ---- files ----------------------------------------------------------------------------------- */

/* One file a stage, made by rank 0; its length is that of the vector, so that it can be read. */
static enum nereus_status make_file(struct sam_stage_run *run, const struct sam_config *config,
                                    MPI_Comm comm, struct nereus_error *err)
{
    int rank, why = 0;
    MPI_Comm_rank(comm, &rank);
    if (rank == 0) {
        const char *folder = config->folder[0] != '\0' ? config->folder : getenv("TMPDIR");
        snprintf(run->file, sizeof run->file, "%s/nereus-sam-XXXXXX",
                 folder != NULL && folder[0] != '\0' ? folder : "/tmp");
        const int file = mkstemp(run->file);
        run->owns_file = file >= 0;
        why = file < 0 || ftruncate(file, run->bytes) != 0 ? errno : 0;
        if (file >= 0)
            close(file);
    }
    MPI_Bcast(run->file, (int)sizeof run->file, MPI_CHAR, 0, comm);
    MPI_Bcast(&why, 1, MPI_INT, 0, comm);
    return why == 0 ? NEREUS_OK
                    : nereus_fail(err, NEREUS_ERR_IO, "'%.200s' cannot be written: %s", run->file,
                                  strerror(why));
}

/* ---- a stage --------------------------------------------------------------------------------- */

static enum nereus_status init_computation(struct sam_stage_run *run,
                                           const struct sam_config *config, int64_t group,
                                           MPI_Comm comm, struct nereus_error *err)
{
    int rank, size;
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &size);
    run->factor =
        sam_config_factor(config, group, size) * sam_share(&run->stage->by_process, rank, size);
    return sam_work_init(&run->work, (enum sam_stage_type)run->stage->type, config->granularity,
                         rank, err);
}

/* Every process reads its own messages. -1: as the type of the stage says. */
static enum nereus_status read_messages(struct sam_stage_run *run, int stage, MPI_Comm comm,
                                        struct nereus_error *err)
{
    int rank, size;
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &size);
    run->message_count = -1;
    return run->stage->neighbours[0] == '\0'
               ? NEREUS_OK
               : sam_messages_read(run->stage->neighbours,
                                   (struct sam_messages_of){stage, rank, size}, &run->messages,
                                   &run->message_count, err);
}

static enum nereus_status check_mpi(int code, struct nereus_error *err)
{
    char text[MPI_MAX_ERROR_STRING];
    int length;
    if (code == MPI_SUCCESS)
        return NEREUS_OK;
    MPI_Error_string(code, text, &length);
    return nereus_fail(err, NEREUS_ERR_MPI, "a stage that communicates failed: %.400s", text);
}

/* The communicator over which the stage communicates: all processes, or a part of them. */
static enum nereus_status make_comm(struct sam_stage_run *run, MPI_Comm comm,
                                    struct nereus_error *err)
{
    int rank;
    run->comm = comm;
    if (run->stage->processes == 0)
        return NEREUS_OK;
    MPI_Comm_rank(comm, &rank);
    const int code = MPI_Comm_split(comm, rank / (int)run->stage->processes, rank, &run->comm);
    run->owns_comm = code == MPI_SUCCESS;
    return check_mpi(code, err);
}

enum nereus_status sam_stage_init(struct sam_stage_run *run, const struct sam_config *config,
                                  int stage, int64_t group, MPI_Comm comm, struct nereus_error *err)
{
    run->stage = &config->stages[stage];
    if (sam_stage_type_computes(run->stage->type))
        return init_computation(run, config, group, comm, err);
    const struct stage_operations *ops = &operations[run->stage->type];
    NEREUS_TRY(make_comm(run, comm, err));
    enum nereus_status status = read_messages(run, stage, run->comm, err);
    if (status != NEREUS_OK)
        return status;
    run->bytes = run->stage->bytes;
    if (run->stage->capped && run->bytes == 0)
        run->bytes = config->granularity; /* bytes of each call, as in Proteo */
    if (ops->buffers != BUFFERS_NONE)
        status = run->bytes > 0 || run->message_count >= 0 ? make_buffers(run, run->comm)
                                                           : find_bytes(run, run->comm);
    if (status != NEREUS_OK) {
        return nereus_fail(err, status, "no memory for the %lld bytes of [stage%d]",
                           (long long)run->bytes, stage);
    }
    return ops->has_file ? make_file(run, config, comm, err) : NEREUS_OK;
}

void sam_stage_fini(struct sam_stage_run *run)
{
    if (run->owns_file)
        unlink(run->file);
    if (run->owns_comm)
        MPI_Comm_free(&run->comm);
    sam_work_fini(&run->work);
    free(run->send);
    free(run->receive);
    free(run->counts);
    free(run->offsets);
    free(run->messages);
    *run = (struct sam_stage_run){.stage = NULL};
}

static void compute_share(struct sam_stage_run *run, int64_t iteration)
{
    const double factor = run->factor * sam_share(&run->stage->by_iteration, iteration, 1);
    double *t_op_s = &run->pace->t_op_s[run->stage->type];
    if (!run->stage->capped) {
        const int64_t count = sam_config_operations(run->stage, factor, *t_op_s);
        if (run->pace->follows)
            sam_work_execute_and_update(&run->work, count, t_op_s);
        else
            sam_work_execute(&run->work, count);
        return;
    }
    const double end_s = nereus_monotonic_s() + run->stage->time_s * factor;
    do {
        sam_work_execute(&run->work, 1);
    } while (nereus_monotonic_s() < end_s);
}

/* Repeat calls until the time is over; rank 0 decides for all whether another one follows. */
static int repeat_until_due(struct sam_stage_run *run, MPI_Comm comm)
{
    const double end_s = nereus_monotonic_s() + run->stage->time_s;
    int more = 1, code = MPI_SUCCESS;
    while (more && code == MPI_SUCCESS) {
        code = operations[run->stage->type].run(run, comm);
        more = nereus_monotonic_s() < end_s;
        code = code == MPI_SUCCESS ? MPI_Bcast(&more, 1, MPI_INT, 0, comm) : code;
    }
    return code;
}

enum nereus_status sam_stage_execute(struct sam_stage_run *run, int64_t iteration,
                                     struct nereus_error *err)
{
    if (sam_stage_type_computes(run->stage->type)) {
        compute_share(run, iteration);
        return NEREUS_OK;
    }
    return check_mpi(run->stage->capped ? repeat_until_due(run, run->comm)
                                        : operations[run->stage->type].run(run, run->comm),
                     err);
}

enum nereus_status sam_pending_wait(struct sam_pending *pending, struct nereus_error *err)
{
    const int count = pending->count;
    pending->count = 0;
    return count == 0 ? NEREUS_OK
                      : check_mpi(MPI_Waitall(count, pending->requests, MPI_STATUSES_IGNORE), err);
}

void sam_pending_fini(struct sam_pending *pending)
{
    free(pending->requests);
    *pending = (struct sam_pending){.count = 0};
}
