/** @file sam.c  What nereus-sam says about a configuration. */
#include "sam.h"

#include <stdio.h>
#include <string.h>

#include "child.h"
#include "model/util/try.h"
#include "model/util/values.h"

/* First line of a helper program on each stream. */
struct said {
    char output[64];
    char error[512];
};

static void take_line(void *user, const char *line, bool is_stderr)
{
    struct said *said = user;
    char *text = is_stderr ? said->error : said->output;
    size_t bytes = is_stderr ? sizeof said->error : sizeof said->output;
    if (text[0] == '\0') {
        /* Replace nereus-sam's prefix by this command's. */
        const char *own = "nereus-sam: ";
        snprintf(text, bytes, "%s",
                 strncmp(line, own, strlen(own)) == 0 ? line + strlen(own) : line);
    }
}

enum nereus_status nereus_sam_ask(const char *program, const char *file, int64_t *processes,
                                  struct nereus_error *err)
{
    const char *const argv[] = {program, "--processes", "--", file, NULL};
    struct said said = {.output = ""};
    const struct nereus_child child = {
        .argv = argv, .limit_s = 30, .on_line = take_line, .user = &said};
    struct nereus_child_result result;
    char outcome[96];
    NEREUS_TRY(nereus_child_run(&child, &result, err));
    if (result.exit_status != 0) {
        return nereus_fail(err, NEREUS_ERR_PARSE, "%s",
                           said.error[0] != '\0' ? said.error
                                                 : nereus_child_outcome(&child, &result, outcome));
    }
    return nereus_value_integer("the number of processes that nereus-sam gave", said.output, 1,
                                processes, err);
}
