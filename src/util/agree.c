/**
 * @file agree.c
 * Agrees by one reduction whether all processes succeeded. Only after a failure its message is sent
 * as well.
 */
#include "agree.h"

#include "error.h"
#include "tags.h"

/* Message from one side to the other. */
struct statement {
    uint64_t hash;
    struct nereus_error failure;
};

/* Buffers of non-blocking collectives. */
struct agreement {
    uint64_t input[3], output[3];
    struct nereus_error failure;
    struct statement own_statement, other_statement;
};

/* Heap, not stack, with a failure detector: a request to a dead peer never completes, and MPI may
 * still write to its buffer after this call. The buffers are freed only after success. If there is
 * no memory the stack is used, because the others would wait forever for a process that misses an
 * agreement. */
static struct agreement *allocate_agreement(struct nereus_wait_mode wait_mode,
                                            struct agreement *on_stack)
{
    struct agreement *on_heap = wait_mode.detector != NULL ? calloc(1, sizeof *on_heap) : NULL;
    memset(on_stack, 0, sizeof *on_stack);
    return on_heap != NULL ? on_heap : on_stack;
}

static void free_statements(struct agreement *agreement, const struct agreement *on_stack)
{
    if (agreement != on_stack)
        free(agreement);
}

/* @param agreement  `own_statement`: the statement of this process */
static enum nereus_status agree_in_comm(struct agreement *agreement, MPI_Comm comm,
                                        struct nereus_wait_mode wait_mode,
                                        struct nereus_error *verdict, struct nereus_error *err)
{
    const struct nereus_error *own_error = &agreement->own_statement.failure;
    const uint64_t hash = agreement->own_statement.hash;
    int rank;
    MPI_Request reduced;
    NEREUS_MPI(MPI_Comm_rank(comm, &rank), err);
    /* min(hash) and min(~hash) are complements only if all hashes are equal. */
    const uint64_t in[3] = {own_error->status == NEREUS_OK ? UINT64_MAX : (uint64_t)rank, hash,
                            ~hash},
                   *out = agreement->output;
    memcpy(agreement->input, in, sizeof in);
    NEREUS_MPI(MPI_Iallreduce(agreement->input, agreement->output, 3, MPI_UINT64_T, MPI_MIN, comm,
                              &reduced),
               err);
    NEREUS_TRY(nereus_wait(&reduced, wait_mode, err));
    memset(verdict, 0, sizeof *verdict);
    if (out[0] != UINT64_MAX) {
        agreement->failure = *own_error;
        NEREUS_TRY(nereus_broadcast(&agreement->failure, sizeof agreement->failure, (int)out[0],
                                    comm, wait_mode, err));
        *verdict = agreement->failure;
    } else if (out[1] != ~out[2]) {
        nereus_fail(
            verdict, NEREUS_ERR_MISMATCH,
            "the processes do not agree on the plan: they registered different data, or run "
            "different versions");
    }
    return NEREUS_OK;
}

enum nereus_status nereus_agree_intra(MPI_Comm comm, const struct nereus_error *own_error,
                                      uint64_t hash, struct nereus_wait_mode wait_mode,
                                      struct nereus_error *verdict, struct nereus_error *err)
{
    struct agreement on_stack, *agreement;
    wait_mode.backs_off = false;
    agreement = allocate_agreement(wait_mode, &on_stack);
    agreement->own_statement = (struct statement){hash, *own_error};
    const enum nereus_status status = agree_in_comm(agreement, comm, wait_mode, verdict, err);
    if (status == NEREUS_OK)
        free_statements(agreement, &on_stack);
    return status;
}

enum nereus_status nereus_agree_or_fail(MPI_Comm comm, const struct nereus_error *own_error,
                                        struct nereus_error *err)
{
    struct nereus_error verdict;
    NEREUS_TRY(nereus_agree_intra(comm, own_error, 0, NEREUS_WAIT_AWAKE, &verdict, err));
    if (verdict.status != NEREUS_OK)
        *err = verdict;
    return verdict.status;
}

/* Exchange the sides' statements between the roots, then broadcast in this side. The sources send
 * second, after they have received: over libfabric a send to a new process that has just died ends
 * the job (docs/jobs.md). */
static enum nereus_status exchange_statements(struct agreement *agreement,
                                              struct nereus_sides sides,
                                              struct nereus_wait_mode wait_mode,
                                              struct nereus_error *err)
{
    struct statement *own_statement = &agreement->own_statement,
                     *other_statement = &agreement->other_statement;
    MPI_Request received, sent;
    int rank;
    NEREUS_MPI(MPI_Comm_rank(sides.intra, &rank), err);
    if (rank == 0) {
        NEREUS_MPI(MPI_Irecv(other_statement, (int)sizeof *other_statement, MPI_BYTE, 0,
                             STATEMENT_TAG, sides.inter, &received),
                   err);
        if (sides.is_source)
            NEREUS_TRY(nereus_wait(&received, wait_mode, err));
        NEREUS_MPI(MPI_Isend(own_statement, (int)sizeof *own_statement, MPI_BYTE, 0, STATEMENT_TAG,
                             sides.inter, &sent),
                   err);
        NEREUS_TRY(nereus_wait(&sent, wait_mode, err));
        NEREUS_TRY(nereus_wait(&received, wait_mode, err));
    }
    return nereus_broadcast(other_statement, sizeof *other_statement, 0, sides.intra, wait_mode,
                            err);
}

/* Both sides prefer the sources' failure, so that they report the same. */
static void merge_failures(const struct agreement *agreement, bool source_side,
                           struct nereus_error *verdict)
{
    const struct statement *own_statement = &agreement->own_statement,
                           *other_statement = &agreement->other_statement;
    const struct statement *first = source_side ? own_statement : other_statement,
                           *second = source_side ? other_statement : own_statement;
    *verdict = first->failure.status != NEREUS_OK ? first->failure : second->failure;
    if (verdict->status == NEREUS_OK && own_statement->hash != other_statement->hash)
        nereus_fail(
            verdict, NEREUS_ERR_MISMATCH,
            "old and new processes do not agree on the plan: do they run the same program?");
}

enum nereus_status nereus_agree_inter(struct nereus_sides sides,
                                      const struct nereus_error *own_error, uint64_t hash,
                                      struct nereus_wait_mode wait_mode,
                                      struct nereus_error *verdict, struct nereus_error *err)
{
    struct agreement on_stack, *agreement;
    wait_mode.backs_off = false;
    agreement = allocate_agreement(wait_mode, &on_stack);
    agreement->own_statement = (struct statement){hash, *own_error};
    NEREUS_TRY(agree_in_comm(agreement, sides.intra, wait_mode, verdict, err));
    agreement->own_statement = (struct statement){hash, *verdict};
    NEREUS_TRY(exchange_statements(agreement, sides, wait_mode, err));
    merge_failures(agreement, sides.is_source, verdict);
    free_statements(agreement, &on_stack);
    return NEREUS_OK;
}
