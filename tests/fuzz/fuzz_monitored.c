/** @file fuzz_monitored.c  Reads lines of a monitored job one by one, and prints its state. */
#include <stdio.h>
#include <string.h>

#include "fuzz.h"
#include "predictor/job/top_view.h"

static void show(const struct nereus_monitored *job)
{
    static FILE *nowhere;
    if (nowhere == NULL)
        nowhere = fopen("/dev/null", "w");
    FUZZ_CHECK(nowhere != NULL && nereus_top_print(job, 3, true, nowhere));
    FUZZ_CHECK(nereus_top_print_csv(job, nowhere));
    FUZZ_CHECK(nereus_json_write(nereus_top_json(job), nowhere));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct nereus_monitored job = {0};
    struct nereus_event_file file;
    const struct nereus_event_line *line;
    struct nereus_error err = {NEREUS_OK, ""};
    FUZZ_CHECK(nereus_event_file_open(fuzz_file(data, size), "input", &file, &err) == NEREUS_OK);
    while (fuzz_accepted(nereus_event_file_next(&file, &line), &err) && line != NULL &&
           fuzz_accepted(nereus_monitored_add_event(line, &job), &err))
        continue;
    nereus_event_file_close(&file, NEREUS_ERR_PARSE); /* no note */
    if (job.samples > 0)
        show(&job);
    nereus_monitored_fini(&job);
    return 0;
}
