/**
 * @file fuzz_swf.c
 * Reads logs in the Standard Workload Format and of sacct, and workloads as CSV, and prepares them
 * for a machine.
 */
#include "fuzz.h"
#include "model/workload/formats.h"

typedef enum nereus_status read_workload(struct nereus_text_file *file,
                                         struct nereus_workload *workload,
                                         struct nereus_error *err);

static void use(read_workload *read, const char *path)
{
    static const struct nereus_sim_machine machine = {.nodes = 16, .cores_per_node = 4};
    struct nereus_workload workload = {.jobs = NULL};
    struct nereus_text_file file;
    struct nereus_error err = {NEREUS_OK, ""};
    FUZZ_CHECK(nereus_text_open(path, "input", &file, &err) == NEREUS_OK);
    if (fuzz_accepted(read(&file, &workload, &err), &err) &&
        fuzz_accepted(nereus_workload_prepare(&workload, &machine, &err), &err)) {
        for (int64_t i = 0; i < workload.count; i++) {
            const struct nereus_sim_job *job = &workload.jobs[i];
            FUZZ_CHECK(job->nodes >= 1 && job->nodes <= machine.nodes);
            FUZZ_CHECK(job->min >= 1 && job->min <= job->nodes && job->max >= job->nodes);
            FUZZ_CHECK(i == 0 || job[-1].submit_s <= job->submit_s);
        }
        FUZZ_CHECK(nereus_workload_offered_load(&workload, &machine) >= 0);
    }
    nereus_text_close(&file);
    nereus_workload_fini(&workload);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const char *path = fuzz_file(data, size);
    use(nereus_workload_read_swf, path);
    use(nereus_workload_read_csv, path);
    use(nereus_workload_read_sacct, path);
    return 0;
}
