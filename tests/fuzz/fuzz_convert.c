/**
 * @file fuzz_convert.c
 * Reads a performance model in a line, then a platform file, which it writes and reads again.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"
#include "model/workload/formula.h"
#include "model/workload/platform.h"

static void write_and_read(const struct nereus_platform *platform)
{
    struct nereus_error err = {NEREUS_OK, ""};
    struct nereus_platform again = {0};
    size_t length;
    char *text;
    FILE *stream = open_memstream(&text, &length);
    FUZZ_CHECK(stream != NULL);
    nereus_platform_write(platform, stream);
    FUZZ_CHECK(fclose(stream) == 0);
    FUZZ_CHECK(fuzz_accepted(
        nereus_platform_read(fuzz_file((const uint8_t *)text, length), NULL, &again, &err), &err));
    FUZZ_CHECK(again.nodes == platform->nodes && again.flop_per_s == platform->flop_per_s &&
               again.cores_per_node == platform->cores_per_node);
    free(text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const struct nereus_formula_name names[] = {{"num_nodes", 3}, {"alpha", 0.8}, {NULL, 0}};
    struct nereus_error err = {NEREUS_OK, ""};
    struct nereus_platform platform = {0};
    double value = NAN;
    char *text = fuzz_text(data, size), *position = text;
    const char *formula = fuzz_field(&position);
    if (fuzz_accepted(nereus_formula_value(formula, names, &value, &err), &err))
        FUZZ_CHECK(isfinite(value));
    if (fuzz_accepted(nereus_platform_read(fuzz_file((const uint8_t *)position, strlen(position)),
                                           NULL, &platform, &err),
                      &err)) {
        FUZZ_CHECK(platform.nodes >= 1 && platform.flop_per_s > 0 && platform.cores_per_node >= -1);
        platform.cores_per_node += platform.cores_per_node < 1 ? 1 - platform.cores_per_node : 0;
        write_and_read(&platform);
    }
    free(text);
    return 0;
}
