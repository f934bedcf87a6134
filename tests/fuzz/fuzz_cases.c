/** @file fuzz_cases.c  Reads files of questions (`nereus predict --cases`). */
#include "fuzz.h"
#include "predictor/predict/cases.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const struct nereus_settings defaults = NEREUS_SETTINGS_INIT;
    struct nereus_cases cases = {0};
    struct nereus_error err = {NEREUS_OK, ""};
    if (!fuzz_accepted(nereus_cases_read(fuzz_file(data, size), &defaults, &cases, &err), &err))
        return 0;
    for (int64_t i = 0; i < cases.count; i++) {
        FUZZ_CHECK(cases.items[i].settings.ns > 0 && cases.items[i].settings.nt > 0);
        fuzz_accepted(nereus_settings_check(&cases.items[i].settings, &err), &err);
    }
    nereus_cases_fini(&cases);
    return 0;
}
