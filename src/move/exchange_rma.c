/**
 * @file exchange_rma.c
 * Moves data one-sided: a window over each source's old part, from which the targets get their
 * data. Small arrays are packed and sent: a window takes longer than their messages, and the buffer
 * under a window could not be reused before all targets have their data.
 *
 * A window is created over an intra-communicator (MPI 4.1, 12.2.1), so the methods are merge and
 * baseline-intra. Only the source knows where a target's data begins in its window (that depends on
 * the data of the other targets): it sends the displacement in a small message (rendezvous.h). The
 * target answers when it has all its data, which ends the source's part of the transfer. Gets, not
 * puts: the completion of a get can be tested and means that the data has arrived; a put is
 * completed only by a flush, which blocks.
 *
 * Cost: the creation of a window per large array, collective (0.1 to 1 ms and more on one host);
 * then per rank messages x latency + bytes / bandwidth. In MPICH 5.0.2 (ch4, ucx) a get between two
 * worlds of one host needs no action of the source. Within one world it is an active message, which
 * the source answers piece by piece, and only inside its MPI calls: there it is slower than the
 * other methods (64 MB took 0.48 s, by messages 0.06 s).
 */

#include "exchange.h"
#include "rendezvous.h"
#include "src/mpi/large_counts.h"
#include "src/util/error.h"
#include "src/util/fault.h"
#include "src/util/wait.h"

struct state {
    /* must be the first member. Word i: displacement of the target's data in the window of load i,
     * in bytes */
    struct rendezvous rendezvous;
    MPI_Win *windows; /* one per direct load, as `posted`; in the same block of memory */
    bool *posted;     /* gets have been posted */
    bool notified;    /* the sources were notified that all data has arrived */
};

static int64_t request_count(const struct transfer *transfer, const struct load *load)
{
    return load->batch.packed ? nereus_exchange_message_count(transfer, load)
                              : load->schedule.receives.count;
}

static void write_offers(const struct transfer *transfer, const struct state *state)
{
    const struct rendezvous_peers *to = &state->rendezvous.targets;
    for (int64_t i = 0; i < transfer->direct_count; i++) {
        const struct message_schedule *schedule = &transfer->loads[i].schedule;
        for (int64_t m = 0; m < schedule->sends.count; m++) {
            const struct message *message = &schedule->sends.messages[m];
            nereus_rendezvous_message(&state->rendezvous, to,
                                      nereus_rendezvous_find(to, message->rank))[i] =
                message->offset;
        }
    }
}

static enum nereus_status reserve_memory(struct transfer *transfer, struct nereus_error *err)
{
    const size_t loads = (size_t)transfer->direct_count;
    if (transfer->exchange.inter)
        return nereus_fail(
            err, NEREUS_ERR_ILLEGAL,
            "rma needs an intra-communicator: a window is created over one (MPI 4.1, 12.2.1)");
    NEREUS_TRY(nereus_rendezvous_reserve(
        transfer, sizeof(struct state) + loads * (sizeof(MPI_Win) + sizeof(bool)),
        transfer->direct_count, err));
    struct state *state = transfer->state;
    state->windows = (void *)(state + 1);
    state->posted = (void *)(state->windows + loads);
    for (size_t i = 0; i < loads; i++)
        state->windows[i] = MPI_WIN_NULL;
    write_offers(transfer, state);
    return NEREUS_OK;
}

static enum nereus_status open_window(struct transfer *transfer, struct nereus_wait_mode wait_mode,
                                      struct nereus_error *err)
{
    struct state *state = transfer->state;
    NEREUS_TRY(nereus_rendezvous_post(&state->rendezvous, transfer->exchange.comm, err));
    return nereus_sleeping_barrier(
        transfer->exchange.comm, nereus_wait_mode_with(wait_mode, !transfer->exchange.blocks), err);
}

/* Length of the prefix of a load that other processes get. */
static int64_t count_window_bytes(const struct message_schedule *schedule)
{
    int64_t end = 0;
    for (int64_t m = 0; m < schedule->sends.count; m++) {
        const int64_t e = schedule->sends.messages[m].offset + schedule->sends.messages[m].bytes;
        end = e > end ? e : end;
    }
    return end;
}

static void inject_death(const struct transfer *transfer, enum nereus_step_kind place)
{
    const struct parties *parties = &transfer->exchange.parties;
    nereus_fault_die(place, (int)(parties->source < 0 ? parties->target : parties->source));
}

static enum nereus_status begin_load(struct transfer *transfer, struct load *load,
                                     struct nereus_error *err)
{
    const struct state *state = transfer->state;
    if (load->batch.packed)
        return nereus_exchange_begin_messages(transfer, load, err);
    inject_death(transfer, NEREUS_FAULT_OPENING);
    MPI_Win *window = &state->windows[load - transfer->loads];
    const int64_t bytes = count_window_bytes(&load->schedule);
    NEREUS_MPI(MPI_Win_create(bytes > 0 ? load->schedule.send_from : NULL, (MPI_Aint)bytes, 1,
                              MPI_INFO_NULL, transfer->exchange.comm, window),
               err);
    transfer->windows++;
    NEREUS_MPI(MPI_Win_set_errhandler(*window, MPI_ERRORS_RETURN), err);
    NEREUS_MPI(MPI_Win_lock_all(MPI_MODE_NOCHECK, *window), err);
    return NEREUS_OK;
}

/* Have all sources of a load sent their displacements? */
static enum nereus_status test_offers(struct state *state, const struct message_schedule *schedule,
                                      bool *arrived, struct nereus_error *err)
{
    *arrived = true;
    for (int64_t m = 0; m < schedule->receives.count && *arrived; m++)
        NEREUS_TRY(nereus_rendezvous_test_message(
            &state->rendezvous,
            nereus_rendezvous_find(&state->rendezvous.sources, schedule->receives.messages[m].rank),
            arrived, err));
    return NEREUS_OK;
}

static enum nereus_status post_gets(const struct transfer *transfer, const struct load *load,
                                    struct nereus_error *err)
{
    const struct state *state = transfer->state;
    const struct rendezvous_peers *from = &state->rendezvous.sources;
    const int64_t number = load - transfer->loads;
    for (int64_t m = 0; m < load->schedule.receives.count; m++) {
        const struct message *message = &load->schedule.receives.messages[m];
        const int64_t *words = nereus_rendezvous_message(
            &state->rendezvous, from, nereus_rendezvous_find(from, message->rank));
        NEREUS_MPI(MPI_Rget_c(load->schedule.receive_into + message->offset,
                              (MPI_Count)message->bytes, MPI_BYTE, (int)message->rank,
                              (MPI_Aint)words[number], (MPI_Count)message->bytes, MPI_BYTE,
                              state->windows[number], &load->requests[m]),
                   err);
    }
    return NEREUS_OK;
}

static enum nereus_status advance_load(struct transfer *transfer, struct load *load, bool *done,
                                       struct nereus_error *err)
{
    struct state *state = transfer->state;
    bool arrived;
    if (load->batch.packed)
        return NEREUS_OK;
    bool *posted = &state->posted[load - transfer->loads];
    if (*posted)
        return NEREUS_OK;
    *done = false;
    NEREUS_TRY(test_offers(state, &load->schedule, &arrived, err));
    if (!arrived)
        return NEREUS_OK;
    *posted = true;
    return post_gets(transfer, load, err);
}

/* All data has arrived: notify the sources, and wait for this process' own targets. */
static enum nereus_status notify_sources(struct transfer *transfer, bool *done,
                                         struct nereus_error *err)
{
    struct state *state = transfer->state;
    inject_death(transfer, NEREUS_FAULT_WINDOW);
    for (int64_t i = 0; !state->notified && i < state->rendezvous.sources.count; i++)
        NEREUS_TRY(
            nereus_rendezvous_answer(&state->rendezvous, i, 1, transfer->exchange.comm, err));
    state->notified = true;
    return nereus_rendezvous_test_all(&state->rendezvous, done, err);
}

static enum nereus_status close_window(struct transfer *transfer, struct nereus_wait_mode wait_mode,
                                       struct nereus_error *err)
{
    struct state *state = transfer->state;
    /* MPI_Win_free is collective: detect lost peers before it. */
    if (wait_mode.backs_off || !transfer->exchange.blocks)
        NEREUS_TRY(nereus_barrier(transfer->exchange.comm, wait_mode, err));
    inject_death(transfer, NEREUS_FAULT_CLOSING);
    for (int64_t i = 0; i < transfer->direct_count; i++) {
        NEREUS_MPI(MPI_Win_unlock_all(state->windows[i]), err);
        NEREUS_MPI(MPI_Win_free(&state->windows[i]), err);
        transfer->windows--;
    }
    return NEREUS_OK;
}

const struct exchange_method nereus_exchange_rma = {
    .request_count = request_count,
    .reserve = reserve_memory,
    .open = open_window,
    .begin = begin_load,
    .advance = advance_load,
    .settle = notify_sources,
    .close = close_window,
    .free = nereus_rendezvous_free,
};
