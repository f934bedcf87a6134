/** @file waits.c  Computes how long processes wait for each other, of a program and of its twin. */
#include "messages.h"

bool nereus_calls_relay(const struct nereus_calls *calls)
{
    bool sent = false, received = false;
    for (int64_t i = 0; i < calls->count; i++) {
        const enum nereus_call_kind kind = calls->items[i].kind;
        if (nereus_call_is_collective(kind)) {
            sent = received = false;
        } else if (nereus_call_sends(kind)) {
            if (received)
                return true;
            sent = true;
        } else if (kind == NEREUS_CALL_RECV || kind == NEREUS_CALL_WAIT) {
            received = !sent;
        }
    }
    return false;
}

/* Clocks of the processes first to first + count - 1 become that of the latest. */
static void synchronise(double *clocks_s, int first, int count)
{
    double latest_s = 0;
    for (int r = first; r < first + count; r++)
        latest_s = fmax(latest_s, clocks_s[r]);
    for (int r = first; r < first + count; r++)
        clocks_s[r] = latest_s;
}

/* Each waits for those from which it receives. */
static void exchange(const struct nereus_twin_stage *stage, int processes, double *clocks_s,
                     double *before_s)
{
    memcpy(before_s, clocks_s, (size_t)processes * sizeof *before_s);
    for (int m = 0; m < stage->message_count; m++) {
        const struct nereus_twin_message *message = &stage->messages[m];
        clocks_s[message->to] = fmax(clocks_s[message->to], before_s[message->from]);
    }
    for (int r = 0; r + 1 < processes && stage->message_count == 0; r++) { /* with neighbours */
        clocks_s[r] = fmax(clocks_s[r], before_s[r + 1]);
        clocks_s[r + 1] = fmax(clocks_s[r + 1], before_s[r]);
    }
}

static void run_stage(const struct nereus_twin_stage *stage, int processes, double *clocks_s,
                      double *before_s)
{
    const int part = stage->processes > 0 ? stage->processes : processes;
    if (stage->by_rank_s != NULL)
        for (int r = 0; r < processes; r++)
            clocks_s[r] += stage->by_rank_s[r] / stage->interval_iterations;
    else if (strcmp(stage->type, "neighbours") == 0 || strcmp(stage->type, "nonblocking") == 0)
        exchange(stage, processes, clocks_s, before_s);
    else if (strcmp(stage->type, "wait") != 0)
        for (int r = 0; r < processes; r += part)
            synchronise(clocks_s, r, r + part < processes ? part : processes - r);
}

enum nereus_status nereus_twin_simulate_ideal_network(const struct nereus_twin *twin,
                                                      double *iteration_s, struct nereus_error *err)
{
    enum { ITERATIONS = 16 }; /* the first half until all are as late as they will be */
    const int processes = twin->processes;
    double half_s = 0, *clocks_s = calloc(2 * (size_t)processes, sizeof *clocks_s);
    NEREUS_TRY_MEMORY(clocks_s, err, "for %d processes", processes);
    for (int k = 0; k < ITERATIONS; k++) {
        for (int i = 0; i < twin->stage_count; i++)
            run_stage(&twin->stages[i], processes, clocks_s, clocks_s + processes);
        if (k == ITERATIONS / 2 - 1)
            half_s = clocks_s[0];
    }
    *iteration_s = (clocks_s[0] - half_s) / (ITERATIONS - ITERATIONS / 2);
    free(clocks_s);
    return NEREUS_OK;
}
