/**
 * @file fuzz_progress.c
 * Reads the progress that processes of other hosts report (src/link/progress_line.c), one a line,
 * and formats the sentence about the first of them, which waits for the others.
 */
#include "fuzz.h"
#include "src/link/progress_line.c"
#include "src/util/stall.h"

enum { RECORDS_MAX = 8 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct nereus_progress records[RECORDS_MAX];
    int64_t count = 0;
    char *text = fuzz_text(data, size), *position = text, sentence[700], again[TEXT_MAX];
    while (*position != '\0' && count < RECORDS_MAX)
        count += parse_record(fuzz_field(&position), 0.5, 1000, &records[count]);
    for (int64_t i = 0; i < count; i++)
        format_record(&records[i], 1000, again); /* it need not fit */
    if (count > 0 &&
        nereus_stall_describe(&(struct stall_view){&records[0], records + 1, count - 1, 1000}, -1,
                              sentence, sizeof sentence)) {
        FUZZ_CHECK(sentence[0] != '\0' && strlen(sentence) < sizeof sentence);
        nereus_progress_needs_other_hosts(&records[0], records + 1, count - 1);
    }
    free(text);
    return 0;
}
