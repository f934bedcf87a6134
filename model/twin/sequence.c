/** @file sequence.c  Divides the calls of one process into blocks. */
#include "sequence.h"

#include "model/statistics/statistics.h"

enum nereus_call_kind nereus_stage_kind(const char *type)
{
    if (strcmp(type, "neighbours") == 0 || strcmp(type, "nonblocking") == 0)
        return NEREUS_CALL_SEND;
    for (enum nereus_call_kind kind = 0; kind < NEREUS_CALL_KINDS; kind++)
        if (nereus_call_is_collective(kind) && strcmp(nereus_call_stage(kind), type) == 0)
            return kind;
    return NEREUS_CALL_OTHER;
}

void nereus_twin_range_widen(struct nereus_twin_range *range, const struct nereus_twin_range *other)
{
    if (other->max - other->min > 0 &&
        (range->type == NULL || other->max * range->min > range->max * other->min))
        *range = *other;
}

struct builder {
    const struct nereus_calls *calls;
    const struct nereus_occurrences *places;
    struct nereus_call_sequence *sequence;
    double *gaps_s;    /* room for one call of all occurrences */
    double pending_s;  /* computing that belongs before the next block */
    double since_s;    /* computing since a message of the open exchange was complete */
    bool open;         /* an exchange: later messages may join it */
    bool sent, waited; /* of the open exchange: a message was begun; a wait has followed */
    struct nereus_error *err;
};

/* Bytes of call j, mean over the occurrences. */
static double compute_mean_bytes(const struct builder *b, int64_t j, const char *type)
{
    const double first = (double)b->calls->items[b->places->indices[0] + j].bytes;
    struct nereus_twin_range range = {type, first, first};
    double sum = 0;
    for (int64_t k = 0; k < b->places->count; k++) {
        const double bytes = (double)b->calls->items[b->places->indices[k] + j].bytes;
        range.min = fmin(range.min, bytes);
        range.max = fmax(range.max, bytes);
        sum += bytes;
    }
    nereus_twin_range_widen(&b->sequence->range, &range);
    return sum / (double)b->places->count;
}

/* Root of call j: that of the first occurrence. */
static int find_root(const struct builder *b, int64_t j, const char *type)
{
    const int root = b->calls->items[b->places->indices[0] + j].root;
    for (int64_t k = 0; k < b->places->count; k++)
        if (b->calls->items[b->places->indices[k] + j].root != root)
            b->sequence->root_changing_type = type;
    return root;
}

/* Computing before call j. */
static double compute_gap_s(const struct builder *b, int64_t j)
{
    double sum_s = 0;
    for (int64_t k = 0; k < b->places->count; k++) {
        b->gaps_s[k] = nereus_calls_gap_s(b->calls, b->places->indices[k] + j);
        sum_s += b->gaps_s[k];
    }
    if (b->places->quantile < 0)
        return sum_s / (double)b->places->count;
    nereus_sort(b->gaps_s, (int)b->places->count);
    return nereus_quantile(b->gaps_s, (int)b->places->count, b->places->quantile);
}

/* Begin a block: with the computing since the one before. */
static enum nereus_status begin_block(struct builder *b, struct nereus_block block)
{
    struct nereus_call_sequence *s = b->sequence;
    NEREUS_TRY_GROW(s->blocks, s->count, b->err, "for %d stages", s->count + 1);
    block.before_s = b->pending_s;
    s->blocks[s->count++] = block;
    b->pending_s = b->since_s = 0;
    b->open = block.type == NULL;
    b->sent = b->waited = false;
    return NEREUS_OK;
}

/* A message joins the open exchange, unless that has ended with a wait, or with computing. */
static enum nereus_status add_message(struct builder *b, int64_t j)
{
    const struct nereus_call *call = &b->calls->items[b->places->indices[0] + j];
    const double bytes = compute_mean_bytes(b, j, "message");
    if (!b->open || b->waited || b->since_s > b->places->overlap_s)
        NEREUS_TRY(begin_block(b, (struct nereus_block){.type = NULL}));
    struct nereus_block *block = &b->sequence->blocks[b->sequence->count - 1];
    b->sent = b->sent || call->kind == NEREUS_CALL_ISEND;
    for (int64_t k = 0; k < b->places->count; k++)
        if (b->calls->items[b->places->indices[k] + j].peer != call->peer)
            b->sequence->changes_partner = true;
    b->since_s = 0;
    if (call->peer == 0 && bytes == 0)
        return NEREUS_OK; /* to MPI_PROC_NULL */
    NEREUS_TRY_GROW(block->sent, block->sent_count, b->err, "for %d messages",
                    block->sent_count + 1);
    block->sent[block->sent_count++] = (struct nereus_sent){call->peer, bytes};
    return NEREUS_OK;
}

/* A blocking receive joins the open exchange, or begins one of which the messages are those of
 * other processes. */
static enum nereus_status add_receive(struct builder *b)
{
    if (!b->open || b->since_s > b->places->overlap_s)
        NEREUS_TRY(begin_block(b, (struct nereus_block){.type = NULL}));
    b->since_s = 0;
    return NEREUS_OK;
}

/* The first wait may come long after the messages: what is computed meanwhile overlaps. A process
 * that only receives has its waits alone. */
static enum nereus_status add_wait(struct builder *b, double before_s)
{
    if (!b->open || (b->waited && b->since_s > b->places->overlap_s))
        NEREUS_TRY(begin_block(b, (struct nereus_block){.type = NULL}));
    if (b->open && b->sent && !b->waited && before_s > b->places->overlap_s) {
        b->sequence->blocks[b->sequence->count - 1].overlap_s = b->pending_s;
        b->pending_s = 0;
    }
    b->waited = true;
    b->since_s = 0;
    return NEREUS_OK;
}

static enum nereus_status add_call(struct builder *b, int64_t j)
{
    const struct nereus_call *call = &b->calls->items[b->places->indices[0] + j];
    const enum nereus_call_kind kind = call->kind;
    const char *stage = nereus_call_stage(kind);
    const double before_s = compute_gap_s(b, j);
    b->pending_s += before_s;
    b->since_s += b->sent && !b->waited ? 0 : before_s;
    b->sequence->total_s += before_s;
    if (nereus_call_sends(kind))
        return add_message(b, j);
    if (kind == NEREUS_CALL_RECV)
        return add_receive(b);
    if (stage != NULL && (call->peer != 1 || b->calls->processes == 1))
        return begin_block(b, (struct nereus_block){.type = stage,
                                                    .bytes = compute_mean_bytes(b, j, stage),
                                                    .processes = call->peer,
                                                    .root = find_root(b, j, stage)});
    return kind == NEREUS_CALL_WAIT ? add_wait(b, before_s) : NEREUS_OK;
}

enum nereus_status nereus_call_sequence_make(const struct nereus_calls *calls,
                                             const struct nereus_occurrences *occurrences,
                                             struct nereus_call_sequence *sequence,
                                             struct nereus_error *err)
{
    *sequence = (struct nereus_call_sequence){.blocks = NULL};
    struct builder b = {.calls = calls,
                        .places = occurrences,
                        .sequence = sequence,
                        .gaps_s = malloc(((size_t)occurrences->count + 1) * sizeof *b.gaps_s),
                        .err = err};
    NEREUS_TRY_MEMORY(b.gaps_s, err, "for %lld iterations", (long long)occurrences->count);
    enum nereus_status status = NEREUS_OK;
    for (int64_t j = 0; j < occurrences->period && status == NEREUS_OK; j++)
        status = add_call(&b, j);
    sequence->after_s = b.pending_s;
    free(b.gaps_s);
    return status;
}

void nereus_call_sequence_fini(struct nereus_call_sequence *sequence)
{
    for (int i = 0; i < sequence->count; i++)
        free(sequence->blocks[i].sent);
    free(sequence->blocks);
    *sequence = (struct nereus_call_sequence){.blocks = NULL};
}

bool nereus_call_sequence_has_same_blocks(const struct nereus_call_sequence *a,
                                          const struct nereus_call_sequence *b)
{
    bool alike = a->count == b->count;
    for (int i = 0; i < a->count && alike; i++)
        alike = a->blocks[i].type == b->blocks[i].type;
    return alike;
}
