/* The table of stages: how each is prepared and run. */
#include "stage.h"

#include <stdlib.h>
#include <string.h>

#include "nereus/distribution.h"

struct stage_operations {
    /* sets the elements to send, and gives the buffer sizes, from Stage_Bytes; NULL: no buffers */
    void (*sizes)(struct sam_stage_run *run, MPI_Comm comm, size_t *send_bytes,
                  size_t *receive_bytes);
    int (*run)(struct sam_stage_run *run, MPI_Comm comm); /* returns an MPI error code */
};

static int run_compute(struct sam_stage_run *run, MPI_Comm comm)
{
    (void)comm;
    sam_work_do(&run->work, run->operations);
    return MPI_SUCCESS;
}

static void sizes_plain(struct sam_stage_run *run, MPI_Comm comm, size_t *send_bytes,
                        size_t *receive_bytes)
{
    (void)comm;
    run->count = (int)run->stage->bytes;
    *send_bytes = *receive_bytes = (size_t)run->count;
}

/* Sums are over doubles: the bytes are rounded up to whole ones. */
static void sizes_doubles(struct sam_stage_run *run, MPI_Comm comm, size_t *send_bytes,
                          size_t *receive_bytes)
{
    (void)comm;
    run->count = (int)((run->stage->bytes + (int64_t)sizeof(double) - 1) / (int64_t)sizeof(double));
    *send_bytes = *receive_bytes = (size_t)run->count * sizeof(double);
}

/* All parts together have Stage_Bytes, as a vector that is gathered (proteo, section 5.1). */
static void sizes_allgather(struct sam_stage_run *run, MPI_Comm comm, size_t *send_bytes,
                            size_t *receive_bytes)
{
    int rank;
    MPI_Comm_rank(comm, &rank);
    run->count = run->counts[rank];
    *send_bytes = (size_t)run->count;
    *receive_bytes = (size_t)run->stage->bytes;
}

/* To the process half a ring away: with several nodes every message leaves its node. */
static int run_point_to_point(struct sam_stage_run *run, MPI_Comm comm)
{
    int rank, size;
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &size);
    const int far = size / 2;
    return MPI_Sendrecv(run->send, run->count, MPI_BYTE, (rank + far) % size, 0, run->receive,
                        run->count, MPI_BYTE, (rank - far + size) % size, 0, comm,
                        MPI_STATUS_IGNORE);
}

static int run_broadcast(struct sam_stage_run *run, MPI_Comm comm)
{
    return MPI_Bcast(run->send, run->count, MPI_BYTE, 0, comm);
}

static int run_allgather(struct sam_stage_run *run, MPI_Comm comm)
{
    return MPI_Allgatherv(run->send, run->count, MPI_BYTE, run->receive, run->counts, run->offsets,
                          MPI_BYTE, comm);
}

static int run_reduce(struct sam_stage_run *run, MPI_Comm comm)
{
    return MPI_Reduce(run->send, run->receive, run->count, MPI_DOUBLE, MPI_SUM, 0, comm);
}

static int run_allreduce(struct sam_stage_run *run, MPI_Comm comm)
{
    return MPI_Allreduce(run->send, run->receive, run->count, MPI_DOUBLE, MPI_SUM, comm);
}

static const struct stage_operations operations[SAM_STAGE_TYPE_COUNT] = {
    [SAM_PI] = {NULL, run_compute},
    [SAM_MATRIX] = {NULL, run_compute},
    [SAM_POINT_TO_POINT] = {sizes_plain, run_point_to_point},
    [SAM_BROADCAST] = {sizes_plain, run_broadcast},
    [SAM_ALLGATHER] = {sizes_allgather, run_allgather},
    [SAM_REDUCE] = {sizes_doubles, run_reduce},
    [SAM_ALLREDUCE] = {sizes_doubles, run_allreduce},
    /* SAM_NONBLOCKING and SAM_WAIT are refused by the reader. */
};

static enum nereus_status make_counts(struct sam_stage_run *run, MPI_Comm comm)
{
    int size;
    MPI_Comm_size(comm, &size);
    run->counts = malloc((size_t)size * sizeof *run->counts);
    run->offsets = malloc((size_t)size * sizeof *run->offsets);
    if (!run->counts || !run->offsets) {
        return NEREUS_ERR_MEMORY;
    }
    for (int rank = 0; rank < size; rank++) {
        const struct nereus_range block = nereus_block(run->stage->bytes, size, rank);
        run->counts[rank] = (int)block.count;
        run->offsets[rank] = (int)block.first;
    }
    return NEREUS_OK;
}

enum nereus_status sam_stage_init(struct sam_stage_run *run, const struct sam_config *config,
                                  int stage, int64_t group, double t_op_s, MPI_Comm comm,
                                  struct nereus_error *err)
{
    *run = (struct sam_stage_run){.stage = &config->stages[stage]};
    const enum sam_stage_type type = (enum sam_stage_type)run->stage->type;
    if (!operations[type].sizes) {
        int rank;
        MPI_Comm_rank(comm, &rank);
        run->operations = sam_config_operations(run->stage, &config->groups[group], t_op_s);
        return sam_work_init(&run->work, type, config->granularity, rank, err);
    }
    enum nereus_status status = type == SAM_ALLGATHER ? make_counts(run, comm) : NEREUS_OK;
    if (status == NEREUS_OK) {
        size_t send_bytes, receive_bytes;
        operations[type].sizes(run, comm, &send_bytes, &receive_bytes);
        run->send = calloc(send_bytes + 1, 1); /* + 1: a part may be empty */
        run->receive = calloc(receive_bytes + 1, 1);
        status = run->send && run->receive ? NEREUS_OK : NEREUS_ERR_MEMORY;
    }
    if (status != NEREUS_OK) {
        nereus_fail(err, status, "no memory for the %lld bytes of [stage%d]",
                    (long long)run->stage->bytes, stage);
    }
    return status;
}

void sam_stage_fini(struct sam_stage_run *run)
{
    sam_work_fini(&run->work);
    free(run->send);
    free(run->receive);
    free(run->counts);
    free(run->offsets);
    *run = (struct sam_stage_run){.stage = NULL};
}

enum nereus_status sam_stage_do(struct sam_stage_run *run, MPI_Comm comm, struct nereus_error *err)
{
    const int code = operations[run->stage->type].run(run, comm);
    if (code != MPI_SUCCESS) {
        char text[MPI_MAX_ERROR_STRING];
        int length;
        MPI_Error_string(code, text, &length);
        return nereus_fail(err, NEREUS_ERR_MPI, "a stage that communicates failed: %.400s", text);
    }
    return NEREUS_OK;
}
