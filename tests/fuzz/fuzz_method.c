/**
 * @file fuzz_method.c
 * Reads methods, and checks that what is printed is read as the same.
 */
#include <stdlib.h>

#include "fuzz.h"
#include "nereus/method.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct nereus_method method, again;
    struct nereus_error err = {NEREUS_OK, ""};
    char *text = fuzz_text(data, size), printed[NEREUS_METHOD_TEXT_MAX];
    if (fuzz_accepted(nereus_method_parse(text, &method, &err), &err)) {
        nereus_method_format(&method, printed);
        FUZZ_CHECK(nereus_method_parse(printed, &again, &err) == NEREUS_OK);
        FUZZ_CHECK(nereus_method_equal(&method, &again));
        fuzz_accepted(nereus_method_check(&method, &err), &err);
        fuzz_accepted(nereus_method_check_direction(&method, 2, 4, &err), &err);
        fuzz_accepted(nereus_method_check_direction(&method, 4, 2, &err), &err);
    }
    free(text);
    return 0;
}
