/** @file change.c  Requests a change of a job, prints the answer, and waits for the outcome
 * (change.h). */
#include "change.h"

#include "await.h"
#include "predictor/cli/command.h"
#include "predictor/run/interrupt.h"
#include "predictor/slurm/followed_job.h"
#include "predictor/slurm/slurm_resize.h"

struct settings {
    const char *method;
    double deadline_s, limit_s;
    bool no_wait, keep, slurm;
    int64_t size;
    const char *allocation;
    int format;
};

static const struct nereus_option table[] = {
    {"method", 'm', NEREUS_OPTION_TEXT, "METHOD", "how, as in merge/coll (what the job has chosen)",
     offsetof(struct settings, method), NULL},
    {"deadline", 0, NEREUS_OPTION_SECONDS, "TIME",
     "give it up unless it has begun after this long (no deadline)",
     offsetof(struct settings, deadline_s), NULL},
    {"no-wait", 0, NEREUS_OPTION_FLAG, NULL, "end once it is accepted",
     offsetof(struct settings, no_wait), NULL},
    {"limit", 0, NEREUS_OPTION_SECONDS, "TIME",
     "end when the job gives no answer, or says that it is busy, for this long (10 s, or the "
     "deadline)",
     offsetof(struct settings, limit_s), NULL},
    {"format", 0, NEREUS_OPTION_CHOICE, "FORMAT", "text or json (text)",
     offsetof(struct settings, format), nereus_reply_formats},
};

static const struct nereus_option keep_table[] = {
    {"keep", 0, NEREUS_OPTION_FLAG, NULL, "the job's machine keeps the nodes, for later requests",
     offsetof(struct settings, keep), NULL},
};
static const struct nereus_option size_table[] = {
    {"size", 0, NEREUS_OPTION_COUNT, "PROCESSES",
     "number of processes afterwards, in the same transaction (as many as now)",
     offsetof(struct settings, size), NULL},
    {"allocation", 0, NEREUS_OPTION_TEXT, "slurm:NUMBER",
     "the allocation that the nodes are in (the job's own)", offsetof(struct settings, allocation),
     NULL},
};
static const struct nereus_option slurm_table[] = {
    {"slurm", 0, NEREUS_OPTION_FLAG, NULL,
     "take further nodes from Slurm for it, or give whole nodes back to Slurm",
     offsetof(struct settings, slurm), NULL},
};
static const struct {
    const struct nereus_option *table;
    size_t count;
} further[NEREUS_CHANGE_WITH_COUNT] = {
    [NEREUS_CHANGE_WITH_KEEP] = {keep_table, NEREUS_COUNT_OF(keep_table)},
    [NEREUS_CHANGE_WITH_SIZE] = {size_table, NEREUS_COUNT_OF(size_table)},
    [NEREUS_CHANGE_WITH_SLURM] = {slurm_table, NEREUS_COUNT_OF(slurm_table)},
};

/* ---- requests -------------------------------------------------------------------------------- */

int nereus_change_connect(const char *job, double limit_s, struct nereus_job_client **client)
{
    struct nereus_error err;
    const enum nereus_status status = nereus_job_connect(job, limit_s, client, &err);
    struct nereus_followed_job slurm;
    char text[96];
    if (status == NEREUS_ERR_ARGUMENT)
        return nereus_cli_fail_usage("%s", err.text);
    if (status == NEREUS_OK)
        return NEREUS_EXIT_OK;
    return nereus_followed_find(job, &slurm) && slurm.state == NEREUS_FOLLOWED_QUEUED
               ? nereus_cli_fail("the job is %s: it answers when it is started",
                                 nereus_followed_format(&slurm, text))
               : nereus_cli_fail("%s", err.text);
}

/* Wait for the outcome, and free the client. */
static int request_and_wait(const char *job, struct nereus_job_client *client,
                            const struct settings *settings,
                            const struct nereus_job_request *request)
{
    struct nereus_job_reply reply;
    struct nereus_error err;
    const double limit_s =
        settings->deadline_s > settings->limit_s ? settings->deadline_s : settings->limit_s;
    if (nereus_job_call(client, request, limit_s, &reply, &err) != NEREUS_OK) {
        nereus_job_disconnect(client);
        return nereus_cli_fail("%s", err.text);
    }
    const int status = nereus_job_reply_print(&reply, settings->format);
    struct nereus_awaited awaited = {.job = job,
                                     .client = client,
                                     .request = reply.request,
                                     .format = (enum nereus_reply_format)settings->format};
    if (reply.answer == NEREUS_JOB_ACCEPTED && !settings->no_wait)
        return nereus_await_outcome(&awaited);
    nereus_job_disconnect(client);
    return status;
}

static void print_answer(void *user, const struct nereus_job_reply *reply)
{
    nereus_job_reply_print(reply, *(const int *)user);
}

static void print_news(void *user, const char *sentence)
{
    if (*(const int *)user == NEREUS_REPLY_TEXT) {
        puts(sentence);
        fflush(stdout);
    } else {
        nereus_cli_note("%s", sentence);
    }
}

/* Request a change that adds a Slurm allocation. Signals are watched, so that an interrupt cancels
 * the allocation. */
static int request_with_slurm(struct nereus_job_client *client, const struct settings *settings,
                              const struct nereus_job_request *request)
{
    int format = settings->format;
    const struct nereus_slurm_listener listener = {print_answer, print_news, &format};
    struct nereus_job_reply reply;
    struct nereus_error err;
    if (nereus_interrupt_watch() != 0)
        return nereus_cli_fail("signals cannot be watched");
    const enum nereus_status status = nereus_slurm_resize(client, request, &listener, &reply, &err);
    const int interrupt = nereus_interrupted();
    nereus_interrupt_end();
    if (status == NEREUS_OK)
        return nereus_job_reply_print(&reply, format);
    nereus_cli_fail("%s", err.text);
    return interrupt != 0 ? 128 + interrupt : NEREUS_EXIT_FAILED;
}

static enum nereus_status make_request(const struct nereus_change_command *command,
                                       const struct settings *settings,
                                       const struct nereus_arguments *words,
                                       struct nereus_job_request *request, struct nereus_error *err)
{
    const char *method = settings->method != NULL ? settings->method : "";
    request->kind = command->kind;
    request->deadline_s = settings->deadline_s;
    if (snprintf(request->method, sizeof request->method, "%s", method) >=
        (int)sizeof request->method)
        return nereus_fail(err, NEREUS_ERR_ARGUMENT, "--method: no method has so long a name");
    NEREUS_TRY(command->read_words(words, request, err));
    request->keep = settings->keep;
    request->size = settings->size > 0 ? settings->size : request->size;
    for (int64_t i = 0; settings->allocation != NULL && i < request->node_count; i++) {
        char *entry = request->nodes[i];
        const size_t length = strlen(entry), capacity = sizeof request->nodes[i] - length;
        if (strchr(entry, '@') == NULL &&
            snprintf(entry + length, capacity, "@%s", settings->allocation) >= (int)capacity) {
            return nereus_fail(err, NEREUS_ERR_ARGUMENT,
                               "--allocation: no allocation has so long a name");
        }
    }
    return NEREUS_OK;
}

int nereus_change_run(const struct nereus_change_command *command, int argc, char **argv)
{
    struct settings settings = {.limit_s = 10};
    const struct nereus_option_group groups[] = {{NULL, table, NEREUS_COUNT_OF(table), &settings},
                                                 {NULL, further[command->change_kind].table,
                                                  further[command->change_kind].count, &settings}};
    const struct nereus_command_line line = {.arguments_help = command->arguments_help,
                                             .help = command->help,
                                             .groups = groups,
                                             .group_count = 2,
                                             .min_arguments = 2,
                                             .max_arguments = command->max_arguments};
    struct nereus_arguments words;
    struct nereus_job_request request = {.size = 0};
    struct nereus_job_client *client;
    struct nereus_error err;
    int status;
    if (!nereus_options_parse(&line, argc, argv, &words, &status))
        return status;
    if (make_request(command, &settings, &words, &request, &err) != NEREUS_OK)
        return nereus_cli_fail_usage("%s", err.text);
    if (settings.slurm && settings.no_wait)
        return nereus_cli_fail_usage("--slurm and --no-wait exclude each other");
    status = nereus_change_connect(words.items[0], settings.limit_s, &client);
    if (status != NEREUS_EXIT_OK || !settings.slurm)
        return status != NEREUS_EXIT_OK
                   ? status
                   : request_and_wait(words.items[0], client, &settings, &request);
    status = request_with_slurm(client, &settings, &request);
    nereus_job_disconnect(client);
    return status;
}
