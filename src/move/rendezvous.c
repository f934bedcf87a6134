/**
 * @file rendezvous.c
 * Exchanges messages and acknowledgements in buffers that stay allocated, one pair for each peer,
 * reserved before any process waits.
 */
#include "rendezvous.h"

#include "src/mpi/large_counts.h"
#include "src/util/error.h"
#include "src/util/tags.h"
#include "src/util/wait.h"

static int compare_ranks(const void *a, const void *b)
{
    const int64_t *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

/* List the ranks of all messages of one direction, sorted, without duplicates.
 * @return their number; `ranks` must have room for all messages */
static int64_t collect_ranks(const struct transfer *transfer, bool outward, int64_t *ranks)
{
    int64_t count = 0, kept_count = 0;
    for (int64_t i = 0; i < transfer->load_count; i++) {
        const struct message_schedule *t = &transfer->loads[i].schedule;
        const struct message_list *list = outward ? &t->sends : &t->receives;
        for (int64_t m = 0; m < list->count; m++)
            ranks[count++] = list->messages[m].rank;
    }
    qsort(ranks, (size_t)count, sizeof *ranks, compare_ranks);
    for (int64_t i = 0; i < count; i++)
        if (i == 0 || ranks[i] != ranks[kept_count - 1])
            ranks[kept_count++] = ranks[i];
    return kept_count;
}

static int64_t count_messages(const struct transfer *transfer, bool outward)
{
    int64_t count = 0;
    for (int64_t i = 0; i < transfer->load_count; i++)
        count += outward ? transfer->loads[i].schedule.sends.count
                         : transfer->loads[i].schedule.receives.count;
    return count;
}

static enum nereus_status reserve_peers(const struct transfer *transfer, bool outward,
                                        int64_t words, struct rendezvous_peers *c,
                                        struct nereus_error *err)
{
    c->ranks = malloc(((size_t)count_messages(transfer, outward) + 1) * sizeof *c->ranks);
    if (c->ranks != NULL)
        c->count = collect_ranks(transfer, outward, c->ranks);
    const size_t count = (size_t)c->count + 1;
    c->rendezvous = calloc(count * ((size_t)words + 1), sizeof *c->rendezvous);
    c->answers = calloc(count, sizeof *c->answers);
    c->offer_requests = malloc(count * sizeof(MPI_Request));
    c->answer_requests = malloc(count * sizeof(MPI_Request));
    NEREUS_TRY_MEMORY(c->ranks && c->rendezvous && c->answers && c->offer_requests &&
                          c->answer_requests,
                      err, "for words to %lld processes", (long long)c->count);
    for (int64_t i = 0; i < c->count; i++)
        c->offer_requests[i] = c->answer_requests[i] = MPI_REQUEST_NULL;
    return NEREUS_OK;
}

enum nereus_status nereus_rendezvous_reserve(struct transfer *transfer, size_t bytes, int64_t words,
                                             struct nereus_error *err)
{
    struct rendezvous *rendezvous = calloc(1, bytes);
    transfer->state = rendezvous;
    NEREUS_TRY_MEMORY(rendezvous, err, "for the state of %lld arrays on their way",
                      (long long)transfer->load_count);
    rendezvous->words = words;
    NEREUS_TRY(reserve_peers(transfer, true, words, &rendezvous->targets, err));
    return reserve_peers(transfer, false, words, &rendezvous->sources, err);
}

static void free_peers(struct rendezvous_peers *c)
{
    free(c->ranks);
    free(c->rendezvous);
    free(c->answers);
    free(c->offer_requests);
    free(c->answer_requests);
}

void nereus_rendezvous_free(struct transfer *transfer)
{
    struct rendezvous *rendezvous = transfer->state;
    transfer->state = NULL;
    if (rendezvous == NULL)
        return;
    free_peers(&rendezvous->targets);
    free_peers(&rendezvous->sources);
    free(rendezvous);
}

int64_t nereus_rendezvous_find(const struct rendezvous_peers *rendezvous_peers, int64_t rank)
{
    const int64_t *found = bsearch(&rank, rendezvous_peers->ranks, (size_t)rendezvous_peers->count,
                                   sizeof rank, compare_ranks);
    return found == NULL ? -1 : found - rendezvous_peers->ranks;
}

int64_t *nereus_rendezvous_message(const struct rendezvous *rendezvous,
                                   const struct rendezvous_peers *rendezvous_peers, int64_t index)
{
    return rendezvous_peers->rendezvous + index * rendezvous->words;
}

enum nereus_status nereus_rendezvous_post(struct rendezvous *rendezvous, MPI_Comm comm,
                                          struct nereus_error *err)
{
    struct rendezvous_peers *to = &rendezvous->targets, *from = &rendezvous->sources;
    for (int64_t i = 0; i < from->count; i++)
        NEREUS_MPI(MPI_Irecv_c(nereus_rendezvous_message(rendezvous, from, i),
                               (MPI_Count)rendezvous->words, MPI_INT64_T, (int)from->ranks[i],
                               OFFER_TAG, comm, &from->offer_requests[i]),
                   err);
    for (int64_t i = 0; i < to->count; i++) {
        NEREUS_MPI(MPI_Irecv(&to->answers[i], 1, MPI_INT64_T, (int)to->ranks[i],
                             RENDEZVOUS_ANSWER_TAG, comm, &to->answer_requests[i]),
                   err);
        NEREUS_MPI(MPI_Isend_c(nereus_rendezvous_message(rendezvous, to, i),
                               (MPI_Count)rendezvous->words, MPI_INT64_T, (int)to->ranks[i],
                               OFFER_TAG, comm, &to->offer_requests[i]),
                   err);
    }
    return NEREUS_OK;
}

static enum nereus_status test_message(MPI_Request *request, bool *arrived,
                                       struct nereus_error *err)
{
    int flag;
    NEREUS_MPI(MPI_Test(request, &flag, MPI_STATUS_IGNORE), err);
    *arrived = flag != 0;
    return NEREUS_OK;
}

enum nereus_status nereus_rendezvous_test_message(struct rendezvous *rendezvous, int64_t source,
                                                  bool *arrived, struct nereus_error *err)
{
    return test_message(&rendezvous->sources.offer_requests[source], arrived, err);
}

enum nereus_status nereus_rendezvous_test_answer(struct rendezvous *rendezvous, int64_t target,
                                                 bool *arrived, struct nereus_error *err)
{
    return test_message(&rendezvous->targets.answer_requests[target], arrived, err);
}

enum nereus_status nereus_rendezvous_answer(struct rendezvous *rendezvous, int64_t source,
                                            int64_t answer, MPI_Comm comm, struct nereus_error *err)
{
    struct rendezvous_peers *from = &rendezvous->sources;
    from->answers[source] = answer;
    NEREUS_MPI(MPI_Isend(&from->answers[source], 1, MPI_INT64_T, (int)from->ranks[source],
                         RENDEZVOUS_ANSWER_TAG, comm, &from->answer_requests[source]),
               err);
    return NEREUS_OK;
}

enum nereus_status nereus_rendezvous_test_all(struct rendezvous *rendezvous, bool *done,
                                              struct nereus_error *err)
{
    struct rendezvous_peers *sides[] = {&rendezvous->targets, &rendezvous->sources};
    *done = true;
    for (int s = 0; s < 2; s++) {
        int flag;
        NEREUS_MPI(
            MPI_Testall((int)sides[s]->count, sides[s]->offer_requests, &flag, MPI_STATUSES_IGNORE),
            err);
        *done = *done && flag;
        NEREUS_MPI(MPI_Testall((int)sides[s]->count, sides[s]->answer_requests, &flag,
                               MPI_STATUSES_IGNORE),
                   err);
        *done = *done && flag;
    }
    return NEREUS_OK;
}
