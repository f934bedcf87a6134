/**
 * @file fuzz_filter.c
 * Passes what launchers print through the filter, in pieces: nothing may be lost unless something
 * is dropped, a program is missing or output is unwritten (which is said in one sentence). The
 * first byte is the size of a piece, and the stream.
 */
#include <string.h>

#include "fuzz.h"
#include "src/supervise/line_filter.h"

static void count(void *user, const char *text, size_t length)
{
    size_t *sum = user;
    FUZZ_CHECK(length == 0 || text != NULL);
    *sum += length;
}

static size_t run(const char *text, size_t size, size_t piece, bool is_stderr, bool drops,
                  bool *missing)
{
    size_t passed = 0;
    struct line_filter filter = {.sink = count, .user = &passed, .is_stderr = is_stderr};
    for (size_t at = 0; at < size; at += piece)
        line_filter_add(&filter, text + at, at + piece <= size ? piece : size - at);
    line_filter_end(&filter, drops);
    *missing = filter.missing_program[0] != '\0' || filter.write_error[0] != '\0';
    return passed;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size < 2)
        return 0;
    const size_t piece = 1 + data[0] % 64;
    const bool is_stderr = (data[0] & 64) != 0;
    const char *text = (const char *)data + 1;
    bool missing, whole_missing;
    const size_t passed = run(text, size - 1, piece, is_stderr, false, &missing);
    FUZZ_CHECK(missing ? passed < size - 1 : passed == size - 1);
    FUZZ_CHECK(run(text, size - 1, piece, is_stderr, true, &missing) ==
               run(text, size - 1, size, is_stderr, true, &whole_missing));
    FUZZ_CHECK(missing == whole_missing);
    return 0;
}
