/** @file cmd_status.c  The command nereus job status: prints the state of a running job.
 */

#include "predictor/cli/command.h"
#include "reply.h"

struct settings {
    double limit_s;
    int format;
};

static const struct nereus_option table[] = {
    {"limit", 0, NEREUS_OPTION_SECONDS, "TIME",
     "end when there is no answer after this long (10 s)", offsetof(struct settings, limit_s),
     NULL},
    {"format", 0, NEREUS_OPTION_CHOICE, "FORMAT", "text or json (text)",
     offsetof(struct settings, format), nereus_reply_formats},
};

static void print_nodes(const struct nereus_job_state *state)
{
    const int64_t shown =
        state->node_count < NEREUS_JOB_NODES_MAX ? state->node_count : NEREUS_JOB_NODES_MAX;
    for (int64_t i = 0; i < shown; i++) {
        const struct nereus_job_node *node = &state->nodes[i];
        printf("%s%s: %lld", i > 0 ? ", " : "nodes: ", node->name, (long long)node->processes);
        if (node->asleep > 0)
            printf(" (%lld asleep)", (long long)node->asleep);
        if (node->allocation[0] != '\0')
            printf(" in %s", node->allocation);
    }
    if (shown > 0)
        puts(state->node_count > shown ? ", ..." : "");
    for (int64_t i = 0; i < state->freed_count && i < NEREUS_JOB_NODES_MAX; i++) {
        printf("%s%s%s", i > 0 ? ", " : "free now: ", state->freed_nodes[i].name,
               i + 1 < state->freed_count ? "" : "\n");
    }
}

static void print_state(const struct nereus_job_state *state)
{
    char sizes[NEREUS_SIZES_TEXT_MAX];
    printf("job: %s, rank 0 is process %lld on %s\n", state->job, (long long)state->pid,
           state->host);
    printf("size: %lld process%s%s\n", (long long)state->size, nereus_plural_es(state->size),
           state->changing ? ", a resize is under way" : "");
    print_nodes(state);
    printf("points: %lld, reconfigurations: %lld", (long long)state->points,
           (long long)state->reconfigurations);
    if (state->points_left >= 0)
        printf(", points left: %lld", (long long)state->points_left);
    if (state->t_iter_s > 0)
        printf(", %.3g s between points", state->t_iter_s);
    printf("\nthe application takes %s\n", nereus_sizes_format(&state->sizes, sizes));
    if (state->request > 0)
        printf("request: %lld is accepted\n", (long long)state->request);
    if (state->last_outcome[0] != '\0')
        printf("last: %s\n", state->last_outcome);
}

static int query_status(const char *job, const struct settings *settings)
{
    const struct nereus_job_request request = {.kind = NEREUS_JOB_REQUEST_STATUS};
    struct nereus_job_client *client;
    struct nereus_job_reply reply;
    struct nereus_error err;
    const int connected = nereus_job_open(job, settings->limit_s, &client);
    if (connected != NEREUS_EXIT_OK)
        return connected;
    const enum nereus_status status =
        nereus_job_call(client, &request, settings->limit_s, &reply, &err);
    nereus_job_disconnect(client);
    NEREUS_CLI_TRY(status, err);
    if (reply.answer != NEREUS_JOB_STATE || settings->format == NEREUS_REPLY_JSON)
        return nereus_job_reply_print(&reply, settings->format);
    print_state(&reply.state);
    return NEREUS_EXIT_OK;
}

static const char help[] =
    "Prints what a running job says about itself: its size and where its processes are, the "
    "malleability points that it has passed, the sizes that it can take, what came of the latest "
    "request. A program whose points come seldom answers all the same.";

static const struct nereus_plain_line plain = {"JOB", help, table, NEREUS_COUNT_OF(table), 1, 1};

int nereus_cmd_job_status(int argc, char **argv)
{
    struct settings settings = {.limit_s = 10};
    struct nereus_arguments words;
    int status;
    return nereus_options_parse_plain(&plain, &settings, argc, argv, &words, &status)
               ? query_status(words.items[0], &settings)
               : status;
}
