/**
 * @file cmd_change.c
 * The commands nereus job resize, release and offer: request another size of a running job, a
 * release of nodes, or that it takes nodes. The request is sent, the answer is printed, and the
 * outcome is waited for.
 */

#include "await.h"
#include "model/util/values.h"
#include "predictor/cli/command.h"
#include "predictor/run/interrupt.h"
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

/* A command that requests a change. */
struct command {
    enum nereus_job_request_kind kind;
    const char *arguments_help, *help;
    int max_arguments;                   /* with the job's name; at least 2 */
    const struct nereus_option *options; /* beside those of all */
    size_t option_count;
    /* Convert the words of the command line after the job's name to a request. */
    enum nereus_status (*read_words)(const struct nereus_arguments *words,
                                     struct nereus_job_request *request, struct nereus_error *err);
};

/* ---- requests -------------------------------------------------------------------------------- */

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

static enum nereus_status make_request(const struct command *command,
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

/* Parse the command line, send the request, and unless --no-wait is given wait for its end.
 * @return the exit status: success if it was carried out, or with --no-wait accepted */
static int run_command(const struct command *command, int argc, char **argv)
{
    struct settings settings = {.limit_s = 10};
    const struct nereus_option_group groups[] = {
        {NULL, table, NEREUS_COUNT_OF(table), &settings},
        {NULL, command->options, command->option_count, &settings}};
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
    status = nereus_job_open(words.items[0], settings.limit_s, &client);
    if (status != NEREUS_EXIT_OK || !settings.slurm)
        return status != NEREUS_EXIT_OK
                   ? status
                   : request_and_wait(words.items[0], client, &settings, &request);
    status = request_with_slurm(client, &settings, &request);
    nereus_job_disconnect(client);
    return status;
}

/* ---- the commands ---- */

static enum nereus_status read_size(const struct nereus_arguments *words,
                                    struct nereus_job_request *request, struct nereus_error *err)
{
    return nereus_value_parse_integer("PROCESSES", words->items[1], 1, &request->size, err);
}

static const char size_help[] =
    "Asks a running job for another number of processes, and waits until that is carried out, has "
    "failed, or was given up at its deadline. JOB is the name that it was started with "
    "(nereus-mpiexec --job NAME). A size that the application cannot take is refused, with those "
    "that it would take. With --slurm a job that becomes larger than its nodes gets an allocation "
    "of Slurm's for each further node (a minute is waited for, or --deadline), and one that "
    "becomes smaller gives whole nodes back. Example: `nereus job resize solver 8 --deadline 30 "
    "--no-wait`.";

int nereus_cmd_job_resize(int argc, char **argv)
{
    const struct command command = {.kind = NEREUS_JOB_REQUEST_RESIZE,
                                    .arguments_help = "JOB PROCESSES",
                                    .help = size_help,
                                    .max_arguments = 2,
                                    .options = slurm_table,
                                    .option_count = NEREUS_COUNT_OF(slurm_table),
                                    .read_words = read_size};
    return run_command(&command, argc, argv);
}

static enum nereus_status read_nodes(const struct nereus_arguments *words,
                                     struct nereus_job_request *request, struct nereus_error *err)
{
    for (int i = 1; i < words->count; i++) {
        const char *name = words->items[i];
        if (name[0] == '\0' || strlen(name) >= NEREUS_JOB_NODE_MAX) {
            return nereus_fail(err, NEREUS_ERR_ARGUMENT,
                               "'%.160s' is no name of a node: 1 to %d characters", name,
                               NEREUS_JOB_NODE_MAX - 1);
        }
        snprintf(request->nodes[request->node_count++], NEREUS_JOB_ENTRY_MAX, "%s", name);
    }
    return NEREUS_OK;
}

static const char nodes_help[] =
    "Asks a running job to give nodes back, and waits for that: all processes on them leave; the "
    "others stay or are started anew, as the job's state decides. The job's machine then has these "
    "nodes no more, unless --keep says so: later requests do not use them, until they are offered "
    "again. Nodes have the names that they have in the job's host file.";

int nereus_cmd_job_release(int argc, char **argv)
{
    const struct command command = {.kind = NEREUS_JOB_REQUEST_RELEASE,
                                    .arguments_help = "JOB NODE...",
                                    .help = nodes_help,
                                    .max_arguments = 1 + NEREUS_JOB_NODES_MAX,
                                    .options = keep_table,
                                    .option_count = NEREUS_COUNT_OF(keep_table),
                                    .read_words = read_nodes};
    return run_command(&command, argc, argv);
}

static enum nereus_status read_offers(const struct nereus_arguments *words,
                                      struct nereus_job_request *request, struct nereus_error *err)
{
    for (int i = 1; i < words->count; i++) {
        const char *word = words->items[i], *colon = strchr(word, ':');
        char cores[NEREUS_JOB_ENTRY_MAX];
        int64_t ignored;
        if (colon == NULL || colon == word || strlen(word) >= NEREUS_JOB_ENTRY_MAX) {
            return nereus_fail(err, NEREUS_ERR_ARGUMENT,
                               "'%.160s' is no offer: it takes NODE:CORES, as in node5:20", word);
        }
        snprintf(cores, sizeof cores, "%.*s", (int)strcspn(colon + 1, "@"), colon + 1);
        NEREUS_TRY(nereus_value_parse_integer("CORES", cores, 1, &ignored, err));
        snprintf(request->nodes[request->node_count++], NEREUS_JOB_ENTRY_MAX, "%s", word);
    }
    return NEREUS_OK;
}

static const char offers_help[] =
    "Offers nodes to a running job: its machine has them from the next malleability point on, and "
    "later requests may use them. With --size the job takes them and has so many processes then, "
    "or neither. A node of another allocation of Slurm is NODE:CORES@slurm:NUMBER (or --allocation "
    "slurm:NUMBER for all that are named); processes start there by launch only.";

int nereus_cmd_job_offer(int argc, char **argv)
{
    const struct command command = {.kind = NEREUS_JOB_REQUEST_OFFER,
                                    .arguments_help = "JOB NODE:CORES...",
                                    .help = offers_help,
                                    .max_arguments = 1 + NEREUS_JOB_OFFER_MAX,
                                    .options = size_table,
                                    .option_count = NEREUS_COUNT_OF(size_table),
                                    .read_words = read_offers};
    return run_command(&command, argc, argv);
}
