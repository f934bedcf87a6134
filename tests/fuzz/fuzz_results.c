/**
 * @file fuzz_results.c
 * Reads results of a job, and makes samples and the application of a question from them.
 */
#include <math.h>

#include "fuzz.h"
#include "model/trace/results.h"
#include "predictor/scenario/observed.h"

static void use(const struct nereus_results *results)
{
    struct nereus_samples rows;
    struct nereus_machine machine;
    struct nereus_error err = {NEREUS_OK, ""};
    FUZZ_CHECK(nereus_machine_uniform(4, &machine, &err) == NEREUS_OK);
    FUZZ_CHECK(nereus_results_samples(results, "synthetic", &machine, &rows, &err) == NEREUS_OK);
    nereus_samples_fini(&rows);
    for (int64_t group = 0; group < 3; group++) {
        const double t_iter_s = nereus_results_t_iter_s(results, group);
        FUZZ_CHECK(isnan(t_iter_s) || t_iter_s > 0);
    }
    nereus_machine_fini(&machine);
}

static void use_observed(struct nereus_observed *observed)
{
    struct nereus_scaling scaling = {.law = NEREUS_SCALING_STRONG};
    struct nereus_error err = {NEREUS_OK, ""};
    double t_iter_s, scaled_s;
    FUZZ_CHECK(observed->size >= 1);
    FUZZ_CHECK(nereus_observed_set_scaling(observed, &scaling, &err) == NEREUS_OK);
    if (fuzz_accepted(nereus_observed_t_iter(observed, observed->size, &t_iter_s, &err), &err)) {
        FUZZ_CHECK(t_iter_s > 0);
        fuzz_accepted(nereus_scaling_apply(&scaling, observed->size, t_iter_s, 5, &scaled_s, &err),
                      &err);
    }
    nereus_scaling_fini(&scaling);
    nereus_observed_fini(observed);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct nereus_results results;
    struct nereus_observed observed;
    struct nereus_error err = {NEREUS_OK, ""};
    const char *path = fuzz_file(data, size);
    if (fuzz_accepted(nereus_results_read(path, &results, &err), &err)) {
        use(&results);
        nereus_results_fini(&results);
    }
    if (fuzz_accepted(nereus_observed_read_results(path, &observed, &err), &err))
        use_observed(&observed);
    if (fuzz_accepted(nereus_observed_read_trace(path, &observed, &err), &err))
        use_observed(&observed);
    return 0;
}
