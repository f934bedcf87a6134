/**
 * @file fuzz_samples.c
 * Reads samples files with lines about their provenance, whole and cut off.
 */
#include <stdio.h>
#include <stdlib.h>

#include "fuzz.h"
#include "nereus/provenance.h"
#include "nereus/samples.h"

static void use(const struct nereus_samples *samples, const struct nereus_provenances *origins)
{
    struct nereus_error err;
    FILE *stream = fopen("/dev/null", "w");
    FUZZ_CHECK(stream != NULL);
    for (int64_t i = 0; i < samples->count; i++)
        nereus_samples_write_row(stream, &samples->rows[i], i % 2 != 0, &err);
    fclose(stream);
    for (int64_t i = 0; i < origins->count; i++)
        free(nereus_provenance_line(&origins->items[i]));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const char *path = fuzz_file(data, size);
    for (int tolerate_cut = 0; tolerate_cut < 2; tolerate_cut++) {
        struct nereus_samples samples = {0};
        struct nereus_provenances origins = {0};
        struct nereus_error err = {NEREUS_OK, ""};
        if (fuzz_accepted(
                nereus_samples_read_provenance(path, tolerate_cut != 0, &samples, &origins, &err),
                &err))
            use(&samples, &origins);
        nereus_samples_fini(&samples);
        nereus_provenances_fini(&origins);
    }
    return 0;
}
