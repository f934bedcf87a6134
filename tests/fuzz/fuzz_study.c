/** @file fuzz_study.c  Reads files of studies, and lists their runs. */
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"
#include "predictor/study/study.h"

enum { RUNS_MAX = 10000 };

static void order(const struct nereus_study *study)
{
    struct nereus_study_run *runs;
    struct nereus_error err = {NEREUS_OK, ""};
    int count;
    const double expected = (double)study->pair_count * study->method_count * study->bytes_count *
                            (double)study->repeats;
    if (expected > RUNS_MAX ||
        !fuzz_accepted(nereus_study_list_runs(study, &runs, &count, &err), &err))
        return;
    FUZZ_CHECK((double)count == expected);
    for (int i = 0; i < count; i++) {
        char name[NAME_MAX], label[160];
        FUZZ_CHECK(strlen(nereus_study_name(study, &runs[i], name)) > 0 &&
                   strchr(name, '/') == NULL);
        FUZZ_CHECK(strlen(nereus_study_label(study, &runs[i], label)) > 0);
    }
    free(runs);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct nereus_study study = {.file = NULL};
    struct nereus_error err = {NEREUS_OK, ""};
    if (fuzz_accepted(nereus_study_read(fuzz_file(data, size), &study, &err), &err))
        order(&study);
    nereus_study_fini(&study);
    return 0;
}
