/**
 * @file fuzz_trace.c
 * Reads traces, compares them with their plans, and makes samples from them.
 */
#include <string.h>

#include "fuzz.h"
#include "model/trace/trace.h"
#include "model/trace/trace_check.h"

static void found(void *user, int64_t line, const char *sentence)
{
    (void)user;
    FUZZ_CHECK(line >= 0 && strlen(sentence) > 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct nereus_trace trace = {0};
    struct nereus_trace_findings findings = {.report = found};
    struct nereus_trace_checked checked;
    static struct nereus_machine machine;
    struct nereus_error err = {NEREUS_OK, ""};
    if (machine.cores_per_node == 0)
        FUZZ_CHECK(nereus_machine_uniform(4, &machine, &err) == NEREUS_OK);
    if (!fuzz_accepted(nereus_trace_read(fuzz_file(data, size), &trace, &err), &err))
        return 0;
    nereus_trace_check(&trace, &findings, &checked);
    for (int64_t i = 0; i < trace.count; i++) {
        struct nereus_sample sample;
        nereus_trace_sample(&trace.events[i], "synthetic", &machine, &sample);
        nereus_trace_is_typical(&trace.events[i]);
    }
    nereus_trace_fini(&trace);
    return 0;
}
