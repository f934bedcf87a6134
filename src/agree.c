/*
 * Agreement: before anything that cannot be taken back, all processes learn whether all succeeded, and take
 * the same way. Where everything went well it costs one reduction; a failure's sentence travels only when
 * there is one.
 */
#include <stdlib.h>
#include <string.h>

#include "job.h"

/* What one side says to the other. */
struct statement {
    int64_t status;
    uint64_t hash;
    char text[sizeof((struct nereus_error *)0)->text];
};

/* Whoever is lost while all agree leaves requests behind that are never completed: what they point to must stay. So it is not on
 * the stack of who is on the lookout (unless memory is lacking: nobody may stay away from an agreement), and is freed only if
 * all went well. */
struct agreement {
    uint64_t in[3], out[3];
    struct nereus_error failure;
};

/* Everybody of comm learns the failure of the lowest rank that failed. */
static enum nereus_status spread_failure(MPI_Comm comm, int root, const struct nereus_error *mine,
                                         struct agreement *agreement, struct nereus_error *err)
{
    MPI_Request told;
    agreement->failure = *mine;
    NEREUS_MPI(MPI_Ibcast(&agreement->failure, (int)sizeof agreement->failure, MPI_BYTE, root, comm, &told),
               err);
    return nereus_wait(&told, false, err);
}

enum nereus_status nereus_agree_intra(MPI_Comm comm, const struct nereus_error *mine, uint64_t hash,
                                      struct nereus_error *verdict, struct nereus_error *err)
{
    int rank;
    MPI_Request reduced;
    struct agreement here, *lasting = nereus_lookout_is_on() ? malloc(sizeof *lasting) : NULL,
                           *agreement = lasting != NULL ? lasting : &here;
    NEREUS_MPI(MPI_Comm_rank(comm, &rank), err);
    /* The minimum of the hash and of its complement are complements only if all hashes are the same. */
    const uint64_t in[3] = {mine->status == NEREUS_OK ? UINT64_MAX : (uint64_t)rank, hash, ~hash},
                   *out = agreement->out;
    memcpy(agreement->in, in, sizeof in);
    NEREUS_MPI(MPI_Iallreduce(agreement->in, agreement->out, 3, MPI_UINT64_T, MPI_MIN, comm, &reduced), err);
    NEREUS_TRY(nereus_wait(&reduced, false, err));
    memset(verdict, 0, sizeof *verdict);
    if (out[0] != UINT64_MAX) {
        NEREUS_TRY(spread_failure(comm, (int)out[0], mine, agreement, err));
        *verdict = agreement->failure;
    } else if (out[1] != ~out[2]) {
        nereus_fail(verdict, NEREUS_ERR_MISMATCH,
                    "the processes do not agree on the plan: they registered different data, or run "
                    "different versions");
    }
    free(lasting);
    return NEREUS_OK;
}

/* The two sides' statements: between their roots, and then to all of this side. The sources answer: to send to a new process that
 * has just died ends the job over libfabric (docs/launch.md), and one that has spoken was alive. */
static enum nereus_status exchange_statements(MPI_Comm own, MPI_Comm inter, bool answers,
                                              struct statement *both, struct nereus_error *err)
{
    enum { STATEMENT_TAG = 21 };
    struct statement *ours = &both[0], *theirs = &both[1];
    MPI_Request heard, said, all_told;
    int rank;
    NEREUS_MPI(MPI_Comm_rank(own, &rank), err);
    if (rank == 0) {
        NEREUS_MPI(MPI_Irecv(theirs, (int)sizeof *theirs, MPI_BYTE, 0, STATEMENT_TAG, inter, &heard), err);
        if (answers)
            NEREUS_TRY(nereus_wait(&heard, false, err));
        NEREUS_MPI(MPI_Isend(ours, (int)sizeof *ours, MPI_BYTE, 0, STATEMENT_TAG, inter, &said), err);
        NEREUS_TRY(nereus_wait(&said, false, err));
        NEREUS_TRY(nereus_wait(&heard, false, err));
    }
    NEREUS_MPI(MPI_Ibcast(theirs, (int)sizeof *theirs, MPI_BYTE, 0, own, &all_told), err);
    return nereus_wait(&all_told, false, err);
}

enum nereus_status nereus_agree_inter(MPI_Comm own, MPI_Comm inter, bool source_side,
                                      const struct nereus_error *mine, uint64_t hash,
                                      struct nereus_error *verdict, struct nereus_error *err)
{
    struct statement here[2] = {{0}}, *lasting = nereus_lookout_is_on() ? calloc(2, sizeof *lasting) : NULL,
                     *both = lasting != NULL ? lasting : here, *ours = &both[0], *theirs = &both[1];
    NEREUS_TRY(nereus_agree_intra(own, mine, hash, verdict, err));
    ours->status = verdict->status;
    ours->hash = hash;
    memcpy(ours->text, verdict->text, sizeof ours->text);
    NEREUS_TRY(exchange_statements(own, inter, source_side, both, err));
    /* Both sides prefer the sources' failure, so that they tell the same story. */
    const struct statement *first = source_side ? ours : theirs, *second = source_side ? theirs : ours;
    const struct statement *failed = first->status != NEREUS_OK ? first : second;
    memset(verdict, 0, sizeof *verdict);
    if (failed->status != NEREUS_OK)
        nereus_fail(verdict, (enum nereus_status)failed->status, "%s", failed->text);
    else if (ours->hash != theirs->hash)
        nereus_fail(verdict, NEREUS_ERR_MISMATCH,
                    "old and new processes do not agree on the plan: do they run the same program?");
    free(lasting);
    return NEREUS_OK;
}

enum nereus_status nereus_share_verdict(struct move *move, const struct nereus_error *failure)
{
    struct nereus_error *err = &move->error;
    struct nereus_error told = *failure;
    MPI_Request all_told;
    NEREUS_MPI(MPI_Ibcast(&told, (int)sizeof told, MPI_BYTE, 0, move->parents, &all_told), err);
    NEREUS_TRY(nereus_wait(&all_told, true, err));
    move->verdict = told;
    return told.status;
}
