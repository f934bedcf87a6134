/** @file messages.c  Collects the messages of a stage: sender, receiver, bytes. */
#include "messages.h"

enum nereus_status nereus_messages_add(struct nereus_twin_stage *stage, int r, int processes,
                                       const struct nereus_block *block, struct nereus_error *err)
{
    for (int i = 0; i < block->sent_count; i++) {
        NEREUS_TRY_GROW(stage->messages, stage->message_count, err, "for %d messages",
                        stage->message_count + 1);
        stage->messages[stage->message_count++] = (struct nereus_twin_message){
            .from = r,
            .to = ((r + block->sent[i].peer) % processes + processes) % processes,
            .bytes = llround(block->sent[i].bytes)};
    }
    return NEREUS_OK;
}

/* Difference of ranks around a ring: -(processes - 1) / 2 to processes / 2. */
static int compute_offset(const struct nereus_twin_message *m, int processes)
{
    const int up = ((m->to - m->from) % processes + processes) % processes;
    return up > processes / 2 ? up - processes : up;
}

static int compare(const void *a, const void *b)
{
    const struct nereus_twin_message *m = a, *n = b;
    if (m->from != n->from)
        return m->from < n->from ? -1 : 1;
    if (m->to != n->to)
        return m->to < n->to ? -1 : 1;
    return (m->bytes > n->bytes) - (m->bytes < n->bytes);
}

/* Each process exchanges one message of equal length with the rank before and after its own. */
static bool is_chain(const struct nereus_twin_stage *stage, int processes)
{
    bool chain = stage->message_count == 2 * (processes - 1);
    for (int i = 0; i < stage->message_count && chain; i++) {
        const struct nereus_twin_message *m = &stage->messages[i];
        chain = abs(m->to - m->from) == 1 && m->bytes == stage->messages[0].bytes && m->bytes > 0 &&
                (i == 0 || compare(m, m - 1) != 0);
    }
    return chain;
}

void nereus_messages_simplify(struct nereus_twin_stage *stage, int processes)
{
    stage->bytes = 0;
    if (stage->message_count == 0)
        return;
    qsort(stage->messages, (size_t)stage->message_count, sizeof *stage->messages, compare);
    double sum = 0;
    for (int i = 0; i < stage->message_count; i++)
        sum += (double)stage->messages[i].bytes;
    stage->bytes = llround(fmax(1, sum / processes / 2));
    if (!is_chain(stage, processes) || strcmp(stage->type, "neighbours") != 0)
        return;
    stage->bytes = stage->messages[0].bytes;
    free(stage->messages);
    stage->messages = NULL;
    stage->message_count = 0;
}

enum nereus_status nereus_messages_divide(struct nereus_twin_stage *stage, int64_t bytes_max,
                                          struct nereus_error *err)
{
    for (int m = 0; m < stage->message_count; m++) {
        const int64_t pieces = nereus_divide_up(stage->messages[m].bytes, bytes_max);
        stage->messages[m].bytes =
            nereus_divide_up(stage->messages[m].bytes, nereus_max(1, pieces));
        for (int64_t i = 1; i < pieces; i++) {
            NEREUS_TRY_GROW(stage->messages, stage->message_count, err, "for %d messages",
                            stage->message_count + 1);
            stage->messages[stage->message_count++] = stage->messages[m];
        }
    }
    qsort(stage->messages, (size_t)stage->message_count, sizeof *stage->messages, compare);
    return NEREUS_OK;
}

/* Offsets and bytes of process r, in the order of the offsets. */
static bool list_process(const struct nereus_twin_stage *stage, int processes, int r,
                         char text[NEREUS_MESSAGES_TEXT])
{
    int index = 0;
    text[0] = '\0';
    for (int offset = -processes; offset <= processes; offset++) {
        for (int i = 0; i < stage->message_count && index < NEREUS_MESSAGES_TEXT; i++) {
            const struct nereus_twin_message *m = &stage->messages[i];
            if (m->from == r && compute_offset(m, processes) == offset)
                index +=
                    nereus_snprintf(text + index, (size_t)(NEREUS_MESSAGES_TEXT - index),
                                    "%s%d:%lld", index > 0 ? "," : "", offset, (long long)m->bytes);
        }
    }
    return index < NEREUS_MESSAGES_TEXT;
}

bool nereus_messages_list(const struct nereus_twin_stage *stage, int processes,
                          char text[NEREUS_MESSAGES_TEXT])
{
    char other[NEREUS_MESSAGES_TEXT];
    bool same = list_process(stage, processes, 0, text) && text[0] != '\0';
    for (int r = 1; r < processes && same; r++)
        same = list_process(stage, processes, r, other) && strcmp(text, other) == 0;
    return same;
}

int64_t nereus_messages_write(const struct nereus_twin *twin, FILE *stream)
{
    char text[NEREUS_MESSAGES_TEXT];
    int64_t rows = 0;
    for (int i = 0; i < twin->stage_count; i++) {
        const struct nereus_twin_stage *stage = &twin->stages[i];
        if (stage->message_count == 0 || nereus_messages_list(stage, twin->processes, text))
            continue;
        for (int k = 0; k < stage->message_count; k++, rows++) {
            const struct nereus_twin_message *m = &stage->messages[k];
            if (stream != NULL)
                nereus_fprintf(stream, "%d,%d,%d,%d,%lld\n", twin->processes, i, m->from, m->to,
                               (long long)m->bytes);
        }
    }
    return rows;
}
