/**
 * @file exchange_shared.c
 * Reads data in place: a target on the same host as a source reads directly from the
 * source's memory (process_vm_readv). That is one copy, made by the target, without a handshake per
 * message and without work of the source. Between hosts, and if the system refuses (other users,
 * ptrace_scope, seccomp, another PID namespace), the transfer sends messages instead.
 *
 * Each source sends its targets its process id and the addresses of the data (rendezvous.h). The
 * target first reads a random number that the source has stored, to verify that it reads the right
 * process, and answers whether it needs messages. It need not report when it has read the data: a
 * source's old part is neither changed nor freed before the commit, on which all agree. Small
 * arrays are packed and sent.
 *
 * Cost per rank: bytes x the cost of a copied byte between two processes, and one small message to
 * and from each peer. Slower than messages for little data.
 */
#include <sys/uio.h>
#include <unistd.h>

#include "exchange.h"
#include "rendezvous.h"
#include "src/util/clock.h"
#include "src/util/error.h"

/* First words of a message; after them, the address of the target's data in each direct load. */
enum { WORD_PROCESS, WORD_NUMBER, WORD_NUMBER_AT, WORDS_BEFORE };
enum reply { ANSWER_READS = 1, ANSWER_MESSAGES = 2 };
/* Bytes of one message that are read at a time: while the application runs, and while it is
 * stopped. */
enum { READ_AT_ONCE_BYTES = 8 * 1024 * 1024, READ_BYTES = 256 * 1024 * 1024 };

/* Progress of a message, which the target reads, or which is sent if reading is refused. */
struct message_progress {
    bool begun;         /* posted as a message, or being read */
    bool read;          /* the target reads it */
    int64_t read_bytes; /* bytes read */
};

struct state {
    struct rendezvous rendezvous; /* first */
    int64_t number;               /* random number that a target reads to verify the process */
    struct message_progress
        *messages; /* messages of all direct loads: receives of each, then sends */
    /* index of each direct load's first message; in the same block of memory */
    int64_t *first_message;
};

static int64_t *get_address_words(const struct rendezvous *rendezvous,
                                  const struct rendezvous_peers *c, int64_t rank)
{
    return nereus_rendezvous_message(rendezvous, c, nereus_rendezvous_find(c, rank));
}

static void write_offers(const struct transfer *transfer, struct state *state)
{
    const struct rendezvous *rendezvous = &state->rendezvous;
    for (int64_t i = 0; i < rendezvous->targets.count; i++) {
        int64_t *words = nereus_rendezvous_message(rendezvous, &rendezvous->targets, i);
        words[WORD_PROCESS] = getpid();
        words[WORD_NUMBER] = state->number;
        words[WORD_NUMBER_AT] = (int64_t)(intptr_t)&state->number;
    }
    for (int64_t i = 0; i < transfer->direct_count; i++) {
        const struct message_schedule *t = &transfer->loads[i].schedule;
        for (int64_t m = 0; m < t->sends.count; m++)
            get_address_words(rendezvous, &rendezvous->targets,
                              t->sends.messages[m].rank)[WORDS_BEFORE + i] =
                (int64_t)(intptr_t)(t->send_from + t->sends.messages[m].offset);
    }
}

/* Make a random number, which another process is very unlikely to have at the same address. */
static int64_t make_random_mark(const void *somewhere)
{
    const int64_t parts[] = {(int64_t)(nereus_skewed_monotonic_s() * 1e9), getpid(),
                             (int64_t)(intptr_t)somewhere};
    return (int64_t)nereus_hash(parts, sizeof parts);
}

static enum nereus_status reserve_memory(struct transfer *transfer, struct nereus_error *err)
{
    int64_t messages = 0;
    for (int64_t i = 0; i < transfer->direct_count; i++)
        messages += nereus_exchange_message_count(transfer, &transfer->loads[i]);
    const size_t bytes = sizeof(struct state) + (size_t)messages * sizeof(struct message_progress) +
                         ((size_t)transfer->direct_count + 1) * sizeof(int64_t);
    NEREUS_TRY(
        nereus_rendezvous_reserve(transfer, bytes, WORDS_BEFORE + transfer->direct_count, err));
    struct state *state = transfer->state;
    state->messages = (void *)(state + 1);
    state->first_message = (void *)(state->messages + messages);
    for (int64_t i = 0; i < transfer->direct_count; i++)
        state->first_message[i + 1] =
            state->first_message[i] + nereus_exchange_message_count(transfer, &transfer->loads[i]);
    state->number = make_random_mark(state);
    return NEREUS_OK;
}

static enum nereus_status open_segments(struct transfer *transfer,
                                        struct nereus_wait_mode wait_mode, struct nereus_error *err)
{
    (void)wait_mode;
    struct state *state = transfer->state;
    write_offers(transfer, state);
    return nereus_rendezvous_post(&state->rendezvous, transfer->exchange.comm, err);
}

static enum nereus_status begin_load(struct transfer *transfer, struct load *load,
                                     struct nereus_error *err)
{
    return load->batch.packed ? nereus_exchange_begin_messages(transfer, load, err) : NEREUS_OK;
}

/* ---- the target ------------------------------------------------------------------------------ */

static int64_t read_process(int64_t process, int64_t from, void *into, int64_t bytes)
{
    struct iovec local = {into, (size_t)bytes}, remote = {(void *)(intptr_t)from, (size_t)bytes};
    ssize_t got;
    do
        got = process_vm_readv((pid_t)process, &local, 1, &remote, 1, 0);
    while (got < 0 && errno == EINTR);
    return (int64_t)got;
}

/* NEREUS_SHARED=messages: treat as refused by the system. */
static bool can_read(const int64_t *words)
{
    int64_t number = 0;
    const char *wanted = getenv("NEREUS_SHARED");
    if (wanted != NULL && strcmp(wanted, "messages") == 0)
        return false;
    return read_process(words[WORD_PROCESS], words[WORD_NUMBER_AT], &number, sizeof number) ==
               (int64_t)sizeof number &&
           number == words[WORD_NUMBER];
}

/* A source's message has arrived: decide whether its data is read or sent. Once for each source. */
static enum nereus_status choose_read_or_message(struct transfer *transfer, int64_t source,
                                                 enum reply *answer, struct nereus_error *err)
{
    struct state *state = transfer->state;
    struct rendezvous *rendezvous = &state->rendezvous;
    *answer = (enum reply)rendezvous->sources.answers[source];
    if (*answer != 0)
        return NEREUS_OK;
    *answer = can_read(nereus_rendezvous_message(rendezvous, &rendezvous->sources, source))
                  ? ANSWER_READS
                  : ANSWER_MESSAGES;
    return nereus_rendezvous_answer(rendezvous, source, *answer, transfer->exchange.comm, err);
}

static enum nereus_status begin_receive(struct transfer *transfer, struct load *load, int64_t m,
                                        struct message_progress *progress, struct nereus_error *err)
{
    struct state *state = transfer->state;
    const struct message *message = &load->schedule.receives.messages[m];
    const int64_t source = nereus_rendezvous_find(&state->rendezvous.sources, message->rank);
    enum reply answer;
    bool arrived;
    NEREUS_TRY(nereus_rendezvous_test_message(&state->rendezvous, source, &arrived, err));
    if (!arrived)
        return NEREUS_OK;
    NEREUS_TRY(choose_read_or_message(transfer, source, &answer, err));
    progress->begun = true;
    progress->read = answer == ANSWER_READS;
    return progress->read ? NEREUS_OK
                          : nereus_exchange_receive(transfer, load, m, &load->requests[m], err);
}

/* Read a further piece. */
static enum nereus_status read_next_piece(struct transfer *transfer, struct load *load, int64_t m,
                                          struct message_progress *progress,
                                          struct nereus_error *err)
{
    const struct state *state = transfer->state;
    const struct message *message = &load->schedule.receives.messages[m];
    const int64_t *words =
        get_address_words(&state->rendezvous, &state->rendezvous.sources, message->rank);
    const int64_t limit = transfer->exchange.blocks ? READ_BYTES : READ_AT_ONCE_BYTES,
                  left = message->bytes - progress->read_bytes, piece = left < limit ? left : limit,
                  now = piece < transfer->copies_left_bytes ? piece : transfer->copies_left_bytes;
    if (now == 0)
        return NEREUS_OK; /* in the next test */
    const int64_t got = read_process(
        words[WORD_PROCESS], words[WORDS_BEFORE + (load - transfer->loads)] + progress->read_bytes,
        load->schedule.receive_into + message->offset + progress->read_bytes, now);
    if (got <= 0)
        return nereus_fail(err, NEREUS_ERR_STATE,
                           "the memory of a source cannot be read any more: %s",
                           got < 0 ? strerror(errno) : "it has ended");
    progress->read_bytes += got;
    transfer->copies_left_bytes -= got;
    return NEREUS_OK;
}

/* ---- the source ------------------------------------------------------------------------------ */

static enum nereus_status begin_send(struct transfer *transfer, struct load *load, int64_t m,
                                     struct message_progress *progress, struct nereus_error *err)
{
    struct state *state = transfer->state;
    struct rendezvous_peers *to = &state->rendezvous.targets;
    const int64_t target = nereus_rendezvous_find(to, load->schedule.sends.messages[m].rank);
    bool arrived;
    NEREUS_TRY(nereus_rendezvous_test_answer(&state->rendezvous, target, &arrived, err));
    if (!arrived)
        return NEREUS_OK;
    progress->begun = true;
    progress->read = to->answers[target] == ANSWER_READS;
    MPI_Request *request = &load->requests[load->schedule.receives.count + m];
    return progress->read ? NEREUS_OK : nereus_exchange_send(transfer, load, m, request, err);
}

/* ---- target and source ----------------------------------------------------------------------- */

/* Start or continue the messages that are not done, after all posted requests are complete. */
static enum nereus_status advance_load(struct transfer *transfer, struct load *load, bool *done,
                                       struct nereus_error *err)
{
    const struct state *state = transfer->state;
    const int64_t receives = load->schedule.receives.count, sends = load->schedule.sends.count;
    if (load->batch.packed)
        return NEREUS_OK;
    struct message_progress *messages =
        state->messages + state->first_message[load - transfer->loads];
    for (int64_t i = 0; i < receives + sends; i++) {
        struct message_progress *progress = &messages[i];
        const bool had_begun = progress->begun;
        if (!had_begun)
            NEREUS_TRY(i < receives ? begin_receive(transfer, load, i, progress, err)
                                    : begin_send(transfer, load, i - receives, progress, err));
        if (i < receives && progress->read &&
            progress->read_bytes < load->schedule.receives.messages[i].bytes)
            NEREUS_TRY(read_next_piece(transfer, load, i, progress, err));
        const bool whole =
            i >= receives || progress->read_bytes == load->schedule.receives.messages[i].bytes;
        *done = *done && (progress->read ? whole : had_begun);
    }
    return NEREUS_OK;
}

static enum nereus_status answer_messages(struct transfer *transfer, bool *done,
                                          struct nereus_error *err)
{
    struct state *state = transfer->state;
    bool arrived;
    /* A message without direct loads is answered, too. */
    for (int64_t i = 0; i < state->rendezvous.sources.count; i++) {
        enum reply answer;
        NEREUS_TRY(nereus_rendezvous_test_message(&state->rendezvous, i, &arrived, err));
        if (arrived)
            NEREUS_TRY(choose_read_or_message(transfer, i, &answer, err));
    }
    return nereus_rendezvous_test_all(&state->rendezvous, done, err);
}

const struct exchange_method nereus_exchange_shared = {
    .request_count = nereus_exchange_message_count,
    .reserve = reserve_memory,
    .open = open_segments,
    .begin = begin_load,
    .advance = advance_load,
    .settle = answer_messages,
    .free = nereus_rendezvous_free,
};
