/** @file ask.c  Asking a job for a change, and printing what it says: see ask.h. */
#include "ask.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "model/job_client/message.h"
#include "model/util/text.h"
#include "model/util/try.h"
#include "predictor/cli/command.h"
#include "predictor/run/interrupt.h"
#include "predictor/slurm/slurm_resize.h"

const char *const nereus_ask_formats[] = {"text", "json", NULL};

struct settings {
    const char *method;
    double deadline_s, limit_s;
    bool no_wait, keep, slurm;
    int64_t size;
    const char *allocation;
    int format;
};

#define AT(member) offsetof(struct settings, member)
static const struct nereus_option table[] = {
    {"method", 'm', NEREUS_OPTION_TEXT, "METHOD", "how, as in merge/coll (what the job has chosen)",
     AT(method), NULL},
    {"deadline", 0, NEREUS_OPTION_SECONDS, "TIME",
     "give it up unless it has begun after this long (no deadline)", AT(deadline_s), NULL},
    {"no-wait", 0, NEREUS_OPTION_FLAG, NULL, "end once it is accepted", AT(no_wait), NULL},
    {"limit", 0, NEREUS_OPTION_SECONDS, "TIME",
     "end when the job gives no answer, or says that it is busy, for this long (10 s, or the "
     "deadline)",
     AT(limit_s), NULL},
    {"format", 0, NEREUS_OPTION_CHOICE, "FORMAT", "text or json (text)", AT(format),
     nereus_ask_formats},
};

static const struct nereus_option keep_table[] = {
    {"keep", 0, NEREUS_OPTION_FLAG, NULL, "the job's machine keeps the nodes, for later requests",
     AT(keep), NULL},
};
static const struct nereus_option size_table[] = {
    {"size", 0, NEREUS_OPTION_COUNT, "PROCESSES",
     "number of processes afterwards, in the same transaction (as many as now)", AT(size), NULL},
    {"allocation", 0, NEREUS_OPTION_TEXT, "slurm:NUMBER",
     "the allocation that the nodes are in (the job's own)", AT(allocation), NULL},
};
static const struct nereus_option slurm_table[] = {
    {"slurm", 0, NEREUS_OPTION_FLAG, NULL,
     "take further nodes from Slurm for it, or give whole nodes back to Slurm", AT(slurm), NULL},
};
static const struct {
    const struct nereus_option *table;
    size_t count;
} further[ASK_WITH_COUNT] = {
    [ASK_WITH_KEEP] = {keep_table, NEREUS_COUNT_OF(keep_table)},
    [ASK_WITH_SIZE] = {size_table, NEREUS_COUNT_OF(size_table)},
    [ASK_WITH_SLURM] = {slurm_table, NEREUS_COUNT_OF(slurm_table)},
};

/* ---- printing -------------------------------------------------------------------------------- */

static int print_json(const struct nereus_job_reply *reply)
{
    char text[NEREUS_JOB_REPLY_BYTES];
    if (nereus_job_reply_write(reply, text, sizeof text) == 0)
        return nereus_cli_fail("no memory for the answer");
    fputs(text, stdout);
    fflush(stdout);
    return NEREUS_EXIT_OK;
}

static int fail_refused(const struct nereus_job_reply *reply)
{
    switch (reply->near_count) {
    case 1:
        return nereus_cli_fail("refused: %s (it would take %" PRId64 ")", reply->reason,
                               reply->near[0]);
    case 2:
        return nereus_cli_fail("refused: %s (it would take %" PRId64 " or %" PRId64 ")",
                               reply->reason, reply->near[0], reply->near[1]);
    default:
        return nereus_cli_fail("refused: %s", reply->reason);
    }
}

static bool is_success(const struct nereus_job_reply *reply)
{
    return reply->answer == NEREUS_JOB_ACCEPTED || reply->answer == NEREUS_JOB_STATE ||
           (reply->answer == NEREUS_JOB_OUTCOME &&
            (reply->end == NEREUS_JOB_RESIZED || reply->end == NEREUS_JOB_UNCHANGED));
}

static int print_outcome(const struct nereus_job_reply *reply)
{
    char text[NEREUS_JOB_TEXT_MAX];
    nereus_job_end_print(reply, text);
    if (!is_success(reply)) { /* 0: the job has not been asked */
        return reply->request == 0
                   ? nereus_cli_fail("%s", text)
                   : nereus_cli_fail("request %" PRId64 " %s", reply->request, text);
    }
    puts(text);
    if (reply->host[0] != '\0') {
        nereus_cli_note("rank 0 of the job has moved to the host '%s': ask there from now on",
                        reply->host);
    }
    return NEREUS_EXIT_OK;
}

static int print_text(const struct nereus_job_reply *reply)
{
    switch (reply->answer) {
    case NEREUS_JOB_ACCEPTED:
        printf("accepted as request %" PRId64 ": from %" PRId64 " to %" PRId64 " process%s\n",
               reply->request, reply->ns, reply->nt, nereus_plural_es(reply->nt));
        fflush(stdout);
        return NEREUS_EXIT_OK;
    case NEREUS_JOB_OUTCOME:
        return print_outcome(reply);
    case NEREUS_JOB_REFUSED:
        return fail_refused(reply);
    case NEREUS_JOB_DEFERRED:
        return nereus_cli_fail("deferred: %s: ask again in %g s", reply->reason, reply->after_s);
    case NEREUS_JOB_MOVED:
        return nereus_cli_fail("rank 0 of the job has moved to the host '%s': ask there",
                               reply->host);
    case NEREUS_JOB_ENDED:
        return nereus_cli_fail("the job has ended");
    default:
        return nereus_cli_fail("the job says: %s", reply->reason);
    }
}

int nereus_ask_print(const struct nereus_job_reply *reply, int format)
{
    if (format == ASK_TEXT)
        return print_text(reply);
    const int status = print_json(reply);
    return status == NEREUS_EXIT_OK && !is_success(reply) ? NEREUS_EXIT_FAILED : status;
}

/* ---- asking ---------------------------------------------------------------------------------- */

int nereus_ask_connect(const char *job, double limit_s, struct nereus_job_client **client)
{
    struct nereus_error err;
    const enum nereus_status status = nereus_job_connect(job, limit_s, client, &err);
    if (status == NEREUS_ERR_ARGUMENT)
        return nereus_cli_fail_usage("%s", err.text);
    return status == NEREUS_OK ? NEREUS_EXIT_OK : nereus_cli_fail("%s", err.text);
}

static int wait_for(struct nereus_job_client *client, int64_t request, int format)
{
    struct nereus_job_reply reply;
    struct nereus_error err;
    NEREUS_CLI_TRY(nereus_job_wait(client, request, 0, &reply, &err), err);
    return nereus_ask_print(&reply, format);
}

static int ask_and_wait(struct nereus_job_client *client, const struct settings *settings,
                        const struct nereus_job_request *request)
{
    struct nereus_job_reply reply;
    struct nereus_error err;
    const double limit_s =
        settings->deadline_s > settings->limit_s ? settings->deadline_s : settings->limit_s;
    NEREUS_CLI_TRY(nereus_job_ask(client, request, limit_s, &reply, &err), err);
    const int status = nereus_ask_print(&reply, settings->format);
    return reply.answer != NEREUS_JOB_ACCEPTED || settings->no_wait
               ? status
               : wait_for(client, reply.request, settings->format);
}

static void print_answer(void *user, const struct nereus_job_reply *reply)
{
    nereus_ask_print(reply, *(const int *)user);
}

static void print_news(void *user, const char *sentence)
{
    if (*(const int *)user == ASK_TEXT) {
        puts(sentence);
        fflush(stdout);
    } else {
        nereus_cli_note("%s", sentence);
    }
}

/* Signals are watched, so that after an interrupt added allocations are cancelled. */
static int ask_with_slurm(struct nereus_job_client *client, const struct settings *settings,
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
        return nereus_ask_print(&reply, format);
    nereus_cli_fail("%s", err.text);
    return interrupt != 0 ? 128 + interrupt : NEREUS_EXIT_FAILED;
}

static enum nereus_status make_request(const struct nereus_ask_command *command,
                                       const struct settings *settings,
                                       const struct nereus_arguments *words,
                                       struct nereus_job_request *request, struct nereus_error *err)
{
    const char *method = settings->method != NULL ? settings->method : "";
    request->what = command->what;
    request->deadline_s = settings->deadline_s;
    if (snprintf(request->method, sizeof request->method, "%s", method) >=
        (int)sizeof request->method)
        return nereus_fail(err, NEREUS_ERR_ARGUMENT, "--method: no method has so long a name");
    NEREUS_TRY(command->read_words(words, request, err));
    request->keep = settings->keep;
    request->size = settings->size > 0 ? settings->size : request->size;
    for (int64_t i = 0; settings->allocation != NULL && i < request->node_count; i++) {
        char *entry = request->nodes[i];
        const size_t length = strlen(entry), room = sizeof request->nodes[i] - length;
        if (strchr(entry, '@') == NULL &&
            snprintf(entry + length, room, "@%s", settings->allocation) >= (int)room) {
            return nereus_fail(err, NEREUS_ERR_ARGUMENT,
                               "--allocation: no allocation has so long a name");
        }
    }
    return NEREUS_OK;
}

int nereus_ask_change(const struct nereus_ask_command *command, int argc, char **argv)
{
    struct settings settings = {.limit_s = 10};
    const struct nereus_option_group groups[] = {
        {NULL, table, NEREUS_COUNT_OF(table), &settings},
        {NULL, further[command->with].table, further[command->with].count, &settings}};
    const struct nereus_command_line line = {.arguments_help = command->arguments_help,
                                             .help = command->help,
                                             .groups = groups,
                                             .group_count =
                                                 command->with == ASK_WITH_NOTHING ? 1 : 2,
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
    status = nereus_ask_connect(words.items[0], settings.limit_s, &client);
    if (status == NEREUS_EXIT_OK) {
        status = settings.slurm ? ask_with_slurm(client, &settings, &request)
                                : ask_and_wait(client, &settings, &request);
        nereus_job_disconnect(client);
    }
    return status;
}
