/** @file fuzz_hostfile.c  Reads host files. */
#include "use_machine.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct nereus_machine machine = {0};
    struct nereus_error err = {NEREUS_OK, ""};
    if (fuzz_accepted(nereus_machine_from_file(fuzz_file(data, size), &machine, &err), &err))
        use_machine(&machine);
    return 0;
}
