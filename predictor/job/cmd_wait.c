/**
 * @file cmd_wait.c
 * nereus job wait: waits for the end of a request to a running job, or of the job.
 */
#include <stdio.h>

#include "ask.h"
#include "predictor/cli/command.h"

struct settings {
    int64_t request;
    bool end;
    double limit_s;
    int format;
};

#define AT(member) offsetof(struct settings, member)
static const struct nereus_option table[] = {
    {"request", 0, NEREUS_OPTION_COUNT, "N", "its number (the latest)", AT(request), NULL},
    {"end", 0, NEREUS_OPTION_FLAG, NULL, "wait for the end of the job", AT(end), NULL},
    {"limit", 0, NEREUS_OPTION_SECONDS, "TIME", "wait no longer than this (no limit)", AT(limit_s),
     NULL},
    {"format", 0, NEREUS_OPTION_CHOICE, "FORMAT", "text or json (text)", AT(format),
     nereus_ask_formats},
};

static const char help[] =
    "Waits until a request to a running job (nereus job resize, nereus job release) has come to "
    "its end, and prints that; with --end until the job has ended. The exit status is 0 if the request was "
    "carried out.";

/* Seconds for the first answer of a job that is there. */
static const double CONNECT_S = 10;

static int wait_for(const char *job, const struct settings *settings)
{
    struct nereus_job_client *client;
    struct nereus_job_reply reply;
    struct nereus_error err;
    const int connected = nereus_ask_connect(job, CONNECT_S, &client);
    if (connected != NEREUS_EXIT_OK)
        return connected;
    const enum nereus_status status =
        settings->end ? nereus_job_wait_end(client, settings->limit_s, &reply, &err)
                      : nereus_job_wait(client, settings->request, settings->limit_s, &reply, &err);
    nereus_job_disconnect(client);
    NEREUS_CLI_TRY(status, err);
    if (!settings->end || reply.answer != NEREUS_JOB_ENDED)
        return nereus_ask_print(&reply, settings->format);
    if (settings->format == ASK_TEXT)
        puts("the job has ended");
    else
        nereus_ask_print(&reply, settings->format);
    return NEREUS_EXIT_OK;
}

static const struct nereus_plain_line plain = {"JOB", help, table, NEREUS_COUNT_OF(table), 1, 1};

int nereus_cmd_job_wait(int argc, char **argv)
{
    struct settings settings = {.format = ASK_TEXT};
    struct nereus_arguments words;
    int status;
    if (!nereus_options_parse_plain(&plain, &settings, argc, argv, &words, &status))
        return status;
    if (settings.end && settings.request != 0)
        return nereus_cli_fail_usage("--end and --request exclude each other");
    return wait_for(words.items[0], &settings);
}
