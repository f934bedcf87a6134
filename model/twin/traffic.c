/** @file traffic.c  Counts what all processes send in an iteration of a program or twin. */
#include "messages.h"
#include "sequence.h"

/* Least share of the calls, or of the bytes, that is a difference. */
static const double least_share = 0.1;
/* Least bytes of a process: a stage has one byte at least, and means are rounded. */
static const double least_bytes = 8;

void nereus_traffic_add_calls(struct nereus_twin *twin, const struct nereus_call *calls,
                              int64_t count, double share)
{
    for (int64_t i = 0; i < count; i++) {
        const struct nereus_call *call = &calls[i];
        const bool alone = call->peer == 1 && twin->processes > 1,
                   sends = nereus_call_sends(call->kind);
        if (!sends && (!nereus_call_is_collective(call->kind) || alone))
            continue;
        if (sends && call->peer == 0 && call->bytes == 0)
            continue; /* to MPI_PROC_NULL */
        struct nereus_twin_traffic *traffic =
            &twin->traffic_per_iteration[sends ? NEREUS_CALL_SEND : call->kind];
        traffic->calls += share;
        traffic->bytes += share * (double)call->bytes;
    }
}

void nereus_traffic_add_stage(struct nereus_twin *twin, const struct nereus_twin_stage *stage,
                              double runs)
{
    const enum nereus_call_kind kind = nereus_stage_kind(stage->type);
    if (kind == NEREUS_CALL_OTHER)
        return;
    const int chain = 2 * (twin->processes - 1), count = stage->message_count;
    struct nereus_twin_traffic *traffic = &twin->traffic_per_iteration[kind];
    if (kind != NEREUS_CALL_SEND) {
        traffic->twin_calls += runs * twin->processes;
        traffic->twin_bytes += runs * twin->processes * (double)stage->bytes;
        return;
    }
    traffic->twin_calls += runs * (count > 0 ? count : chain);
    traffic->twin_bytes += count > 0 ? 0 : runs * chain * (double)stage->bytes;
    for (int m = 0; m < count; m++)
        traffic->twin_bytes += runs * (double)stage->messages[m].bytes;
}

bool nereus_twin_sends_differently(const struct nereus_twin *twin, enum nereus_call_kind kind)
{
    const struct nereus_twin_traffic *traffic = &twin->traffic_per_iteration[kind];
    /* of these the root records what it has, other processes their own part times all of them */
    const bool rooted = kind == NEREUS_CALL_GATHER || kind == NEREUS_CALL_SCATTER;
    const double calls = fabs(traffic->calls - traffic->twin_calls),
                 bytes = rooted ? 0 : fabs(traffic->bytes - traffic->twin_bytes);
    return calls > least_share * fmax(traffic->calls, traffic->twin_calls) ||
           (bytes > least_share * fmax(traffic->bytes, traffic->twin_bytes) &&
            bytes > least_bytes * twin->processes);
}
