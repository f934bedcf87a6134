/** @file fuzz_calls.c  Reads MPI calls of a watched program, and finds the iterations in them. */
#include "fuzz.h"
#include "model/twin/calls.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct nereus_calls calls;
    struct nereus_cycle cycle;
    struct nereus_error err = {NEREUS_OK, ""};
    if (!fuzz_accepted(nereus_calls_read(fuzz_file(data, size), &calls, &err), &err))
        return 0;
    FUZZ_CHECK(calls.processes >= 1);
    if (fuzz_accepted(nereus_cycle_find(&calls, 0, &cycle, &err), &err)) {
        FUZZ_CHECK(cycle.period >= 1 && cycle.count >= 1 && cycle.indices[0] >= 0);
        for (int64_t k = 1; k < cycle.count; k++)
            FUZZ_CHECK(cycle.indices[k] >= cycle.indices[k - 1] + cycle.period);
        FUZZ_CHECK(cycle.indices[cycle.count - 1] + cycle.period <= calls.count);
    }
    nereus_cycle_fini(&cycle);
    nereus_calls_fini(&calls);
    return 0;
}
