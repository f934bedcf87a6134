/** @file sam.c  Queries nereus-sam about a configuration, and reads its answer. */
#include "sam.h"

#include "child.h"
#include "model/util/values.h"

/* First line that a helper program prints to each stream. */
struct captured {
    char output[64];
    char error[512];
};

static void store_first_line(void *user, const char *line, bool is_stderr)
{
    struct captured *captured = user;
    char *text = is_stderr ? captured->error : captured->output;
    size_t bytes = is_stderr ? sizeof captured->error : sizeof captured->output;
    if (text[0] == '\0') {
        /* Replace nereus-sam's prefix by this command's. */
        const char *own = "nereus-sam: ";
        snprintf(text, bytes, "%s", nereus_text_begins_with(line, own) ? line + strlen(own) : line);
    }
}

enum nereus_status nereus_sam_query(const char *program, const char *file, int64_t *processes,
                                    struct nereus_error *err)
{
    const char *const argv[] = {program, "--processes", "--", file, NULL};
    struct captured captured = {.output = ""};
    const struct nereus_child child = {
        .argv = argv, .limit_s = 30, .on_line = store_first_line, .user = &captured};
    struct nereus_child_result result;
    char outcome[96];
    NEREUS_TRY(nereus_child_run(&child, &result, err));
    if (result.exit_status != 0) {
        return nereus_fail(err, NEREUS_ERR_PARSE, "%s",
                           captured.error[0] != '\0'
                               ? captured.error
                               : nereus_child_format_outcome(&child, &result, outcome));
    }
    return nereus_value_parse_integer("the number of processes that nereus-sam gave",
                                      captured.output, 1, processes, err);
}
