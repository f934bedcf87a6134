/** @file fuzz_decision.c  Reads logs of a policy's decisions, and formats them in words. */
#include <stdio.h>

#include "fuzz.h"
#include "predictor/policy/decisions.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const struct nereus_decisions_shown rows[] = {{.all = true, .interval = -1},
                                                         {.interval = 1}};
    static FILE *nowhere;
    const char *path = fuzz_file(data, size);
    if (nowhere == NULL)
        nowhere = fopen("/dev/null", "w");
    FUZZ_CHECK(nowhere != NULL);
    for (int i = 0; i < 2; i++) {
        struct nereus_error err = {NEREUS_OK, ""};
        fuzz_accepted(nereus_decisions_print(path, &rows[i], nowhere, &err), &err);
    }
    return 0;
}
