/** @file fuzz_layout.c  Reads nodes in a text, as in "a:2,b:2". */
#include <stdlib.h>

#include "use_machine.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct nereus_machine machine = {0};
    struct nereus_error err = {NEREUS_OK, ""};
    char *text = fuzz_text(data, size);
    if (fuzz_accepted(nereus_machine_from_text(text, &machine, &err), &err))
        use_machine(&machine);
    free(text);
    return 0;
}
