/** @file fuzz_application.c  Reads descriptions of applications, as `nereus policy run` does. */
#include <math.h>

#include "fuzz.h"
#include "model/policy/application.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct nereus_application application;
    struct nereus_error err = {NEREUS_OK, ""};
    if (!fuzz_accepted(nereus_application_read(fuzz_file(data, size), &application, &err), &err))
        return 0;
    FUZZ_CHECK(application.iterations >= 1);
    FUZZ_CHECK(!isnan(nereus_application_work(&application, 0, application.iterations)));
    FUZZ_CHECK(!isnan(nereus_application_work(&application, application.iterations / 2, 1)));
    return 0;
}
