/**
 * @file fuzz_text.c
 * Reads text files as lines and as a whole, and then as every format.
 */
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"
#include "model/trace/results.h"
#include "model/util/json_reader.h"
#include "model/util/text_file.h"
#include "nereus/layout.h"
#include "nereus/profile.h"
#include "nereus/samples.h"
#include "nereus/scaling.h"
#include "nereus/workload.h"

enum { TEXT_MAX = 1 << 20 };

/* Packed input may be large; what is left of it is not looked at. */
static char joined[TEXT_MAX];

/* @return bytes; -1: refused, or too long. A text has no zero bytes, and no CR. */
static int64_t join_lines(const char *path, bool grows)
{
    struct nereus_text_file file;
    struct nereus_error err = {NEREUS_OK, ""};
    size_t length = 0;
    char *line;
    FUZZ_CHECK(nereus_text_open(path, "input", &file, &err) == NEREUS_OK);
    file.is_appended_to = grows;
    bool good;
    while ((good = fuzz_accepted(nereus_text_read_line(&file, &line, &err), &err)) &&
           line != NULL) {
        const size_t bytes = strlen(line);
        FUZZ_CHECK(strpbrk(line, "\r\n") == NULL && file.line >= 1);
        if (length + bytes + 1 >= TEXT_MAX) {
            good = false;
            break;
        }
        memcpy(joined + length, line, bytes);
        length += bytes;
        if (file.terminated)
            joined[length++] = '\n';
    }
    FUZZ_CHECK(grows || file.zeros == 0 || !good);
    nereus_text_close(&file);
    return good ? (int64_t)length : -1;
}

/* The whole text is its lines, and a text is read as the same again. */
static void compare(const char *path, bool grows)
{
    struct nereus_text_file file;
    struct nereus_error err = {NEREUS_OK, ""};
    char *terminated;
    size_t length;
    const int64_t lines = join_lines(path, grows);
    FUZZ_CHECK(nereus_text_open(path, "input", &file, &err) == NEREUS_OK);
    file.is_appended_to = grows;
    const bool good = fuzz_accepted(nereus_text_read_rest(&file, &terminated, &length, &err), &err);
    nereus_text_close(&file);
    if (good && lines >= 0)
        FUZZ_CHECK((size_t)lines == length && memcmp(terminated, joined, length) == 0);
    FUZZ_CHECK(good || lines <= 0);
    if (good)
        free(terminated);
}

static void read_by_each(const char *path)
{
    struct nereus_error err = {NEREUS_OK, ""};
    struct nereus_workload workload;
    struct nereus_machine machine;
    struct nereus_samples samples = {.rows = NULL};
    struct nereus_scaling scaling;
    struct nereus_trace trace;
    struct nereus_profile *profile = calloc(1, sizeof *profile);
    json_t *json;
    FUZZ_CHECK(profile != NULL);
    if (fuzz_accepted(nereus_workload_read(path, &workload, &err), &err))
        nereus_workload_fini(&workload);
    if (fuzz_accepted(nereus_machine_from_file(path, &machine, &err), &err))
        nereus_machine_fini(&machine);
    if (fuzz_accepted(nereus_samples_read(path, false, &samples, &err), &err))
        nereus_samples_fini(&samples);
    if (fuzz_accepted(nereus_scaling_parse(path, &scaling, &err), &err))
        nereus_scaling_fini(&scaling);
    if (fuzz_accepted(nereus_trace_read(path, &trace, &err), &err))
        nereus_trace_fini(&trace);
    if (fuzz_accepted(nereus_profile_read(path, profile, &err), &err))
        nereus_profile_fini(profile);
    if (fuzz_accepted(nereus_json_read(path, "input", &json, &err), &err))
        json_decref(json);
    free(profile);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const char *path = fuzz_file(data, size);
    compare(path, false);
    compare(path, true);
    read_by_each(path);
    return 0;
}
