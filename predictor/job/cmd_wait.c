/**
 * @file cmd_wait.c
 * The command nereus job wait: waits for the end of a request to a running job, or of the job.
 */
#include "await.h"
#include "predictor/cli/command.h"
#include "reply.h"

struct settings {
    int64_t request;
    bool end;
    double limit_s;
    int format;
};

static const struct nereus_option table[] = {
    {"request", 0, NEREUS_OPTION_COUNT, "N", "its number (the latest)",
     offsetof(struct settings, request), NULL},
    {"end", 0, NEREUS_OPTION_FLAG, NULL, "wait for the end of the job",
     offsetof(struct settings, end), NULL},
    {"limit", 0, NEREUS_OPTION_SECONDS, "TIME", "wait no longer than this (no limit)",
     offsetof(struct settings, limit_s), NULL},
    {"format", 0, NEREUS_OPTION_CHOICE, "FORMAT", "text or json (text)",
     offsetof(struct settings, format), nereus_reply_formats},
};

static const char help[] =
    "Waits until a request to a running job (nereus job resize, nereus job release) has come to "
    "its end, and prints that; with --end until the job has ended. Both go on while Slurm has "
    "queued the job again. The exit status is 0 if the request was carried out; with --end, of a "
    "job of `nereus slurm submit`, it is that of the job.";

static const struct nereus_plain_line plain = {"JOB", help, table, NEREUS_COUNT_OF(table), 1, 1};

int nereus_cmd_job_wait(int argc, char **argv)
{
    struct settings settings = {.format = NEREUS_REPLY_TEXT};
    struct nereus_arguments words;
    int status;
    if (!nereus_options_parse_plain(&plain, &settings, argc, argv, &words, &status))
        return status;
    if (settings.end && settings.request != 0)
        return nereus_cli_fail_usage("--end and --request exclude each other");
    struct nereus_awaited awaited = {.job = words.items[0],
                                     .is_end = settings.end,
                                     .request = settings.request,
                                     .limit_s = settings.limit_s,
                                     .format = (enum nereus_reply_format)settings.format};
    return nereus_await_outcome(&awaited);
}
