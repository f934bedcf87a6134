/**
 * @file exchange.c
 * Carries out a redistribution by the requested method, from the reservation of memory to its
 * release. Each batch of arrays is moved as one load.
 *
 * Large arrays move directly from old to new memory, all at the same time. Small ones are packed,
 * batch after batch through the same two buffers, so that additional memory is bounded. The
 * elements that a source keeps as a target are copied while the others are sent.
 */
#include "exchange.h"

#include "src/util/error.h"
#include "src/util/wait.h"

static const struct exchange_method *const methods[NEREUS_DATA_COUNT] = {
    [NEREUS_P2P] = &nereus_exchange_p2p,
#if MPI_VERSION >= 4
    [NEREUS_COLL] = &nereus_exchange_coll,
#else
    /* An MPI without large counts: derived types could replace them, but MPI_Alltoallw of Open MPI
     * 5.0 hangs above 2 GiB. */
    [NEREUS_COLL] = &nereus_exchange_p2p,
#endif
    [NEREUS_RMA] = &nereus_exchange_rma,
    [NEREUS_SHARED] = &nereus_exchange_shared,
};

/* MPICH's inter-communicator alltoallv is a pairwise exchange, one peer after the other. Posting
 * all messages together is its algorithm within a group. */
static const struct exchange_method *choose_method(enum nereus_data data, bool inter)
{
    return methods[data == NEREUS_COLL && inter ? NEREUS_P2P : data];
}

/* Largest number of bytes that one test copies: from other processes' memory, and within this
 * process. */
enum { COPY_AT_ONCE_BYTES = 8 * 1024 * 1024 };

/* ---- memory ---------------------------------------------------------------------------------- */

/* Count the batches of one kind, and list them at `loads` unless that is NULL.
 * @return their number */
static int64_t list_batches(const struct transfer *transfer, bool packed, struct load *loads)
{
    struct batch batch;
    int64_t count = 0;
    for (int64_t at = 0; nereus_batch_next(transfer->registry, &transfer->exchange.parties,
                                           transfer->selection, PACK_BUFFER_BYTES, at, &batch);
         at = batch.first + batch.count) {
        if (batch.packed != packed)
            continue;
        if (loads != NULL)
            loads[count].batch = batch;
        count++;
    }
    return count;
}

static enum nereus_status plan_loads(struct transfer *transfer, struct nereus_error *err)
{
    transfer->direct_count = list_batches(transfer, false, NULL);
    transfer->load_count = transfer->direct_count + list_batches(transfer, true, NULL);
    transfer->next_packed = transfer->direct_count;
    transfer->loads = calloc((size_t)transfer->load_count + 1, sizeof *transfer->loads);
    NEREUS_TRY_MEMORY(transfer->loads, err, "for a list of %lld arrays",
                      (long long)transfer->load_count);
    list_batches(transfer, false, transfer->loads);
    list_batches(transfer, true, transfer->loads + transfer->direct_count);
    for (int64_t i = 0; i < transfer->load_count; i++) {
        struct load *load = &transfer->loads[i];
        NEREUS_TRY(nereus_schedule_make(transfer->registry, &transfer->exchange.parties,
                                        &load->batch, &load->schedule, err));
    }
    return NEREUS_OK;
}

/* Reserve the buffers: one for sends and one for receives, which all packed loads use one after the
 * other. */
static enum nereus_status reserve_buffers(struct transfer *transfer, struct nereus_error *err)
{
    int64_t out = 0, in = 0;
    for (int64_t i = transfer->direct_count; i < transfer->load_count; i++) {
        const struct message_schedule *schedule = &transfer->loads[i].schedule;
        out = nereus_max(out, schedule->sends.bytes);
        in = nereus_max(in, schedule->receives.bytes);
    }
    transfer->send_buffer = malloc((size_t)out + 1);
    transfer->receive_buffer = malloc((size_t)in + 1);
    NEREUS_TRY_MEMORY(transfer->send_buffer && transfer->receive_buffer, err, "to pack %lld bytes",
                      (long long)(out + in));
    for (int64_t i = transfer->direct_count; i < transfer->load_count; i++) {
        transfer->loads[i].schedule.send_from = transfer->send_buffer;
        transfer->loads[i].schedule.receive_into = transfer->receive_buffer;
    }
    return NEREUS_OK;
}

static enum nereus_status reserve_requests(struct transfer *transfer, struct nereus_error *err)
{
    int64_t count = 0;
    for (int64_t i = 0; i < transfer->load_count; i++)
        count += transfer->method->request_count(transfer, &transfer->loads[i]);
    transfer->requests = malloc(((size_t)count + 1) * sizeof(MPI_Request));
    NEREUS_TRY_MEMORY(transfer->requests, err, "for %lld requests", (long long)count);
    MPI_Request *next = transfer->requests;
    for (int64_t i = 0; i < transfer->load_count; i++) {
        struct load *load = &transfer->loads[i];
        load->requests = next;
        load->request_count = (int)transfer->method->request_count(transfer, load);
        for (int r = 0; r < load->request_count; r++)
            *next++ = MPI_REQUEST_NULL;
    }
    return NEREUS_OK;
}

static enum nereus_status reserve_memory(struct transfer *transfer, struct nereus_error *err)
{
    NEREUS_TRY(plan_loads(transfer, err));
    NEREUS_TRY(reserve_buffers(transfer, err));
    NEREUS_TRY(reserve_requests(transfer, err));
    NEREUS_TRY(nereus_replicated_reserve(transfer, err));
    return transfer->method->reserve != NULL ? transfer->method->reserve(transfer, err) : NEREUS_OK;
}

enum nereus_status nereus_exchange_reserve(const struct exchange *exchange, enum nereus_data method,
                                           struct registry *registry, enum data_selection selection,
                                           struct transfer **transfer, struct nereus_error *err)
{
    *transfer = NULL;
    if ((unsigned)method >= NEREUS_DATA_COUNT || methods[method] == NULL)
        return nereus_fail(err, NEREUS_ERR_UNSUPPORTED, "this way to move data is not built yet");
    struct transfer *new_transfer = calloc(1, sizeof *new_transfer);
    NEREUS_TRY_MEMORY(new_transfer, err, "for a redistribution");
    new_transfer->exchange = *exchange;
    new_transfer->method = choose_method(method, exchange->inter);
    new_transfer->registry = registry;
    new_transfer->selection = selection;
    const enum nereus_status status = reserve_memory(new_transfer, err);
    if (status == NEREUS_OK)
        *transfer = new_transfer;
    else
        nereus_exchange_release(&new_transfer);
    return status;
}

void nereus_exchange_release(struct transfer **transfer)
{
    struct transfer *ended = *transfer;
    *transfer = NULL;
    if (ended == NULL)
        return;
    if (ended->method->free != NULL)
        ended->method->free(ended);
    for (int64_t i = 0; ended->loads != NULL && i < ended->load_count; i++)
        nereus_schedule_fini(&ended->loads[i].schedule);
    free(ended->loads);
    free(ended->requests);
    free(ended->send_buffer);
    free(ended->receive_buffer);
    free(ended->replicated);
    free(ended);
}

/* ---- progress -------------------------------------------------------------------------------- */

static enum nereus_status begin_load(struct transfer *transfer, struct load *load,
                                     struct nereus_error *err)
{
    nereus_schedule_pack(transfer->registry, &transfer->exchange.parties, &load->batch,
                         &load->schedule);
    load->begun = true;
    return transfer->method->begin(transfer, load, err);
}

static enum nereus_status begin_packed(struct transfer *transfer, struct nereus_error *err)
{
    if (transfer->next_packed == transfer->load_count)
        return NEREUS_OK;
    return begin_load(transfer, &transfer->loads[transfer->next_packed], err);
}

/* Look up the old parts now, as the application may have swapped them (nereus_swap) since memory
 * was reserved. */
static void find_parts(struct transfer *transfer)
{
    for (int64_t i = 0; i < transfer->direct_count; i++) {
        struct load *load = &transfer->loads[i];
        load->schedule.send_from = transfer->registry->data[load->batch.first].part;
    }
}

enum nereus_status nereus_exchange_start(struct transfer *transfer,
                                         struct nereus_wait_mode wait_mode,
                                         struct nereus_error *err)
{
    find_parts(transfer);
    if (transfer->method->open != NULL)
        NEREUS_TRY(transfer->method->open(transfer, wait_mode, err));
    for (int64_t i = 0; i < transfer->direct_count; i++)
        NEREUS_TRY(begin_load(transfer, &transfer->loads[i], err));
    return begin_packed(transfer, err);
}

/* Test a started load. */
static enum nereus_status test_load(struct transfer *transfer, struct load *load,
                                    struct nereus_error *err)
{
    int complete;
    if (load->done)
        return NEREUS_OK;
    NEREUS_MPI(MPI_Testall(load->request_count, load->requests, &complete, MPI_STATUSES_IGNORE),
               err);
    load->done = complete != 0;
    if (transfer->method->advance != NULL)
        NEREUS_TRY(transfer->method->advance(transfer, load, &load->done, err));
    if (load->done)
        nereus_schedule_unpack(transfer->registry, &transfer->exchange.parties, &load->batch,
                               &load->schedule);
    return NEREUS_OK;
}

/* Make progress without waiting. */
static enum nereus_status make_progress(struct transfer *transfer, bool *done,
                                        struct nereus_error *err)
{
    *done = true;
    for (int64_t i = 0; i < transfer->direct_count; i++) {
        NEREUS_TRY(test_load(transfer, &transfer->loads[i], err));
        *done = *done && transfer->loads[i].done;
    }
    while (transfer->next_packed < transfer->load_count) {
        struct load *load = &transfer->loads[transfer->next_packed];
        NEREUS_TRY(test_load(transfer, load, err));
        if (!load->done)
            break;
        transfer->next_packed++;
        NEREUS_TRY(begin_packed(transfer, err));
    }
    *done = *done && transfer->next_packed == transfer->load_count;
    if (*done && transfer->method->settle != NULL)
        NEREUS_TRY(transfer->method->settle(transfer, done, err));
    return NEREUS_OK;
}

static void copy_own(struct transfer *transfer, int64_t limit_bytes)
{
    if (!transfer->own_copied)
        transfer->own_copied =
            nereus_copy_own(transfer->registry, &transfer->exchange.parties, transfer->selection,
                            limit_bytes, &transfer->own_copy);
}

enum nereus_status nereus_exchange_test(struct transfer *transfer, bool *done,
                                        struct nereus_error *err)
{
    transfer->copies_left_bytes = COPY_AT_ONCE_BYTES;
    copy_own(transfer, COPY_AT_ONCE_BYTES);
    NEREUS_TRY(make_progress(transfer, done, err));
    *done = *done && transfer->own_copied;
    return NEREUS_OK;
}

enum nereus_status nereus_exchange_finish(struct transfer *transfer,
                                          struct nereus_wait_mode wait_mode,
                                          struct nereus_error *err)
{
    bool done = false;
    double pause_s = 0;
    int tests = 0;
    transfer->copies_left_bytes = INT64_MAX;
    copy_own(transfer, INT64_MAX);
    while (!done) {
        NEREUS_TRY(make_progress(transfer, &done, err));
        if (!done)
            NEREUS_TRY(nereus_wait_between_data(wait_mode, &tests, &pause_s, err));
    }
    if (transfer->method->close != NULL)
        NEREUS_TRY(transfer->method->close(transfer, wait_mode, err));
    return nereus_replicated_move(transfer, wait_mode, err);
}
