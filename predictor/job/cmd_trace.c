/** @file cmd_trace.c  The command nereus job trace: shows or checks the reconfigurations of a job,
 * step by step. */

#include "predictor/cli/command.h"
#include "trace_view.h"

struct settings {
    bool check;
    int format;
};

static const char *const formats[] = {"text", "csv", "json", "chrome", NULL};
enum { CHROME = NEREUS_FORMAT_JSON + 1 };

static const struct nereus_option table[] = {
    {"format", 0, NEREUS_OPTION_CHOICE, "FORMAT",
     "text (tables and time lines), csv, json, or chrome, for chrome://tracing and Perfetto (text)",
     offsetof(struct settings, format), formats},
    {"check", 0, NEREUS_OPTION_FLAG, NULL,
     "compare with the plans: steps that are missing, doubled, out of order or not as planned",
     offsetof(struct settings, check), NULL},
};

static int print_trace(const struct nereus_trace *trace, int format)
{
    bool printed;
    if (format == CHROME) {
        printed = nereus_json_write(nereus_trace_chrome(trace), stdout);
    } else if (format == NEREUS_FORMAT_TEXT) {
        printed = nereus_trace_print(trace, stdout);
    } else {
        struct nereus_table rows;
        nereus_trace_fill_table(trace, &rows);
        printed = nereus_table_print(&rows, (enum nereus_format)format, stdout);
        nereus_table_fini(&rows);
    }
    return printed ? NEREUS_EXIT_OK : nereus_cli_fail("not enough memory to show the trace");
}

static void print_finding(void *path, int64_t line, const char *sentence)
{
    nereus_cli_fail("%s, line %lld: %s", (const char *)path, (long long)line, sentence);
}

static int check_trace(const struct nereus_trace *trace, const char *path)
{
    struct nereus_trace_findings findings = {.report = print_finding,
                                             .user = (void *)(uintptr_t)path};
    struct nereus_trace_checked checked;
    nereus_trace_check(trace, &findings, &checked);
    if (checked.unplanned > 0) {
        nereus_cli_note("%lld reconfiguration%s cannot be compared: an older runtime wrote "
                        "them, without what their plans were made from",
                        (long long)checked.unplanned, nereus_plural_s(checked.unplanned));
    }
    if (findings.count > 0)
        return NEREUS_EXIT_FAILED;
    printf("%s: %lld request%s; %lld reconfiguration%s %s all steps of their plans, once and in "
           "order\n",
           path, (long long)checked.changes, nereus_plural_s(checked.changes),
           (long long)checked.compared_count, nereus_plural_s(checked.compared_count),
           nereus_choose_plural(checked.compared_count, "has", "have"));
    return NEREUS_EXIT_OK;
}

/* Does the trace have a restart from a checkpoint? The text shows it, also of a job without a
 * reconfiguration. */
static bool has_restart(const struct nereus_trace *trace)
{
    for (int64_t i = 0; i < trace->count; i++)
        if (trace->events[i].kind == NEREUS_TRACE_RESTART)
            return true;
    return false;
}

static const char help[] =
    "Shows what NEREUS_TRACE wrote: for each reconfiguration its steps with their times, and when "
    "each of them waited and ran; as text also restarts from a checkpoint. Times are explained in "
    "docs/formats.md. With --check the plans are made again from the trace, and compared with it "
    "line by line; the exit status is 1 if something differs.";

static const struct nereus_plain_line plain = {"TRACE.jsonl",          help, table,
                                               NEREUS_COUNT_OF(table), 1,    1};

int nereus_cmd_job_trace(int argc, char **argv)
{
    struct settings settings = {0};
    struct nereus_arguments words;
    int exit_status;
    if (!nereus_options_parse_plain(&plain, &settings, argc, argv, &words, &exit_status))
        return exit_status;
    if (settings.check && settings.format != NEREUS_FORMAT_TEXT)
        return nereus_cli_fail_usage("--check prints no table: leave --format out");
    const char *path = words.items[0];
    struct nereus_trace trace;
    struct nereus_error err;
    NEREUS_CLI_TRY(nereus_trace_read(path, &trace, &err), err);
    nereus_cli_note_left_out(path, trace.left_out.lines, trace.left_out.first, trace.left_out.why);
    struct nereus_trace_change any = {0};
    const bool shows_restarts = settings.format == NEREUS_FORMAT_TEXT && !settings.check;
    if (!nereus_trace_next_change(&trace, &any) && !(shows_restarts && has_restart(&trace)))
        exit_status = nereus_cli_fail("%s holds no reconfiguration", path);
    else
        exit_status =
            settings.check ? check_trace(&trace, path) : print_trace(&trace, settings.format);
    nereus_trace_fini(&trace);
    return exit_status;
}
