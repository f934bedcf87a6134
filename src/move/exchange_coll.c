/**
 * @file exchange_coll.c
 * Moves data collectively: one alltoallv per load over the communicator that holds sources and
 * targets (Martín-Álvarez et al. (2023), algorithm 2); blocking if the application is stopped
 * meanwhile, else MPI_Ialltoallv.
 *
 * In MPICH an alltoallv on an intra-communicator is a set of scattered isend/irecv. Between two
 * groups it is a pairwise exchange, so messages move the data there (exchange.c). Its arrays of
 * counts have one entry for each process of the communicator, also for those without data.
 */

#include "exchange.h"
#include "src/mpi/large_counts.h"
#include "src/util/error.h"

#if MPI_VERSION >= 4 /* without: exchange.c */
/* Counts and displacements of both directions, dense. */
struct rows {
    MPI_Count *out_counts, *in_counts;
    MPI_Aint *out_offsets, *in_offsets;
};

/* Direct loads move at the same time: each has its own row. */
struct state {
    int peers;
    int64_t row_count;
    struct rows *rows;
    MPI_Count *counts; /* memory of all rows */
    MPI_Aint *offsets;
};

/* Find the row of a load. Packed loads share one row, as they follow each other; all loads share
 * one if calls block. */
static int64_t find_row(const struct transfer *transfer, const struct load *load)
{
    const int64_t index = load - transfer->loads;
    if (transfer->exchange.blocks)
        return 0;
    return index < transfer->direct_count ? index : transfer->direct_count;
}

static enum nereus_status reserve_counts(struct transfer *transfer, struct nereus_error *err)
{
    struct state *state = calloc(1, sizeof *state);
    transfer->state = state;
    NEREUS_TRY_MEMORY(state, err, "for a collective");
    NEREUS_MPI(MPI_Comm_size(transfer->exchange.comm, &state->peers), err);
    const size_t peers = (size_t)state->peers,
                 rows = transfer->exchange.blocks ? 1 : (size_t)transfer->direct_count + 1;
    state->rows = calloc(rows, sizeof *state->rows);
    state->counts = malloc(rows * 2 * peers * sizeof *state->counts);
    state->offsets = malloc(rows * 2 * peers * sizeof *state->offsets);
    NEREUS_TRY_MEMORY(state->rows && state->counts && state->offsets, err,
                      "for the counts of %d peers", state->peers);
    for (size_t i = 0; i < rows; i++)
        state->rows[i] =
            (struct rows){state->counts + 2 * i * peers, state->counts + (2 * i + 1) * peers,
                          state->offsets + 2 * i * peers, state->offsets + (2 * i + 1) * peers};
    return NEREUS_OK;
}

static void free_state(struct transfer *transfer)
{
    struct state *state = transfer->state;
    if (state == NULL)
        return;
    free(state->rows);
    free(state->counts);
    free(state->offsets);
    free(state);
}

static void fill_row(int peers, const struct message *messages, int64_t count, MPI_Count *counts,
                     MPI_Aint *offsets)
{
    memset(counts, 0, (size_t)peers * sizeof *counts);
    memset(offsets, 0, (size_t)peers * sizeof *offsets);
    for (int64_t i = 0; i < count; i++) {
        counts[messages[i].rank] = (MPI_Count)messages[i].bytes;
        offsets[messages[i].rank] = (MPI_Aint)messages[i].offset;
    }
}

static enum nereus_status begin_load(struct transfer *transfer, struct load *load,
                                     struct nereus_error *err)
{
    const struct state *state = transfer->state;
    const struct message_schedule *t = &load->schedule;
    const struct rows *r = &state->rows[find_row(transfer, load)];
    fill_row(state->peers, t->sends.messages, t->sends.count, r->out_counts, r->out_offsets);
    fill_row(state->peers, t->receives.messages, t->receives.count, r->in_counts, r->in_offsets);
    if (transfer->exchange.blocks)
        NEREUS_MPI(MPI_Alltoallv_c(t->send_from, r->out_counts, r->out_offsets, MPI_BYTE,
                                   t->receive_into, r->in_counts, r->in_offsets, MPI_BYTE,
                                   transfer->exchange.comm),
                   err);
    else
        NEREUS_MPI(MPI_Ialltoallv_c(t->send_from, r->out_counts, r->out_offsets, MPI_BYTE,
                                    t->receive_into, r->in_counts, r->in_offsets, MPI_BYTE,
                                    transfer->exchange.comm, load->requests),
                   err);
    return NEREUS_OK;
}

static int64_t request_count(const struct transfer *transfer, const struct load *load)
{
    (void)transfer;
    (void)load;
    return 1;
}

const struct exchange_method nereus_exchange_coll = {
    .request_count = request_count,
    .reserve = reserve_counts,
    .begin = begin_load,
    .free = free_state,
};
#endif
