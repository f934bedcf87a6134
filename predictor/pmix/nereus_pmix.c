/**
 * @file nereus_pmix.c
 * The program nereus-pmix: nodes for a running job from the resource manager's PMIx server, and
 * back (docs/jobs.md). The manager is queried before the job grows and after it has shrunk: a job
 * uses no node that is not granted.
 */
#include <pmix_tool.h>
#include <unistd.h>

#include "model/util/values.h"
#include "nereus/job_client.h"

enum { ANSWER_S = 10, LIST_MAX = NEREUS_JOB_NODES_MAX * NEREUS_JOB_ENTRY_MAX };
enum outcome { DONE, NOT_DONE, UNKNOWN };
static const char usage[] =
    "it takes: grow [--extend ALLOCATION] JOB NODES [PROCESSES], or release JOB NODE...";

/* Print a sentence.
 * @return status */
static int fail(int status, const char *format, ...) __attribute__((format(printf, 2, 3)));
static int fail(int status, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    fflush(stdout); /* both streams keep their order in a log */
    fputs("nereus-pmix: ", stderr);
    vfprintf(stderr, format, arguments);
    fputc('\n', stderr);
    va_end(arguments);
    return status;
}

/* ---- the resource manager -------------------------------------------------------------------- */

/* What it grants, as it writes it; "": not said. */
struct grant {
    char id[LIST_MAX], nodes[LIST_MAX], cores[LIST_MAX];
};

static void read_result(const pmix_info_t *result, const char *key, char text[LIST_MAX])
{
    if (PMIX_CHECK_KEY(result, key) && result->value.type == PMIX_STRING)
        snprintf(text, LIST_MAX, "%s", result->value.data.string);
}

static bool over; /* the program ends the connection itself */

/* Without this a request would wait for ever (seen with PMIx 4.2). Called by a thread of PMIx's. */
static void end_at_loss(size_t handler, pmix_status_t event, const pmix_proc_t *source,
                        pmix_info_t *info, size_t count, pmix_info_t *results, size_t result_count,
                        pmix_event_notification_cbfunc_fn_t go_on, void *data)
{
    (void)handler, (void)event, (void)source, (void)info, (void)count;
    (void)results, (void)result_count, (void)go_on, (void)data;
    if (!over)
        _exit(fail(1, "the resource manager's PMIx server has gone: nereus job status says which "
                      "nodes the job has"));
}

/* Waits as long as it takes: before PMIx 5 no request can be cancelled. "In progress" is a grant,
 * too: PRRTE's own daemons do not run there yet. */
static bool request_from_manager(pmix_alloc_directive_t directive, const pmix_info_t *info,
                                 size_t count, struct grant *grant)
{
    pmix_info_t *results = NULL;
    size_t result_count = 0;
    const pmix_status_t status =
        PMIx_Allocation_request(directive, (pmix_info_t *)info, count, &results, &result_count);
    for (size_t i = 0; i < result_count; i++) {
        read_result(&results[i], PMIX_ALLOC_ID, grant->id);
        read_result(&results[i], PMIX_ALLOC_NODE_LIST, grant->nodes);
        read_result(&results[i], PMIX_ALLOC_NUM_CPU_LIST, grant->cores);
    }
    if (results != NULL)
        PMIX_INFO_FREE(results, result_count);
    if (status == PMIX_SUCCESS || status == PMIX_OPERATION_SUCCEEDED ||
        status == PMIX_OPERATION_IN_PROGRESS)
        return true;
    return fail(false, "the resource manager refuses (%s): %s",
                PMIx_Alloc_directive_string(directive), PMIx_Error_string(status));
}

/* @param key  PMIX_ALLOC_NODE_LIST, or PMIX_ALLOC_ID: the allocation with all its nodes */
static int release_nodes(const char *key, const char *value)
{
    static struct grant ignored;
    pmix_info_t info;
    PMIX_INFO_LOAD(&info, key, value, PMIX_STRING);
    const bool is_back = request_from_manager(PMIX_ALLOC_RELEASE, &info, 1, &ignored);
    PMIX_INFO_DESTRUCT(&info);
    if (!is_back)
        return fail(1, "the job does not use %s, but the resource manager keeps it allocated",
                    value);
    printf("the resource manager has %s back\n", value);
    return EXIT_SUCCESS;
}

/* @param nodes       a number, or names with commas
 * @param allocation  to be extended; NULL: another one */
static bool request_nodes(const char *job, const char *nodes, const char *allocation,
                          struct grant *grant)
{
    const bool is_number = nodes[strspn(nodes, "0123456789")] == '\0';
    const uint64_t number = strtoull(nodes, NULL, 10);
    const size_t count = allocation != NULL ? 3 : 2;
    pmix_info_t info[3];
    PMIX_INFO_LOAD(&info[0], PMIX_ALLOC_REQ_ID, job, PMIX_STRING);
    PMIX_INFO_LOAD(&info[1], is_number ? PMIX_ALLOC_NUM_NODES : PMIX_ALLOC_NODE_LIST,
                   is_number ? (const void *)&number : nodes,
                   is_number ? PMIX_UINT64 : PMIX_STRING);
    if (allocation != NULL)
        PMIX_INFO_LOAD(&info[2], PMIX_ALLOC_ID, allocation, PMIX_STRING);
    const bool is_granted = request_from_manager(
        allocation != NULL ? PMIX_ALLOC_EXTEND : PMIX_ALLOC_NEW, info, count, grant);
    for (size_t i = 0; i < count; i++)
        PMIX_INFO_DESTRUCT(&info[i]);
    if (grant->nodes[0] == '\0' && !is_number) /* PRRTE does not repeat names */
        snprintf(grant->nodes, sizeof grant->nodes, "%s", nodes);
    return is_granted;
}

/* ---- the job --------------------------------------------------------------------------------- */

static enum outcome call_job(struct nereus_job_client *client,
                             const struct nereus_job_request *request,
                             struct nereus_job_reply *reply)
{
    struct nereus_error err;
    char text[NEREUS_JOB_TEXT_MAX];
    enum nereus_status status = nereus_job_call(client, request, ANSWER_S, reply, &err);
    if (status == NEREUS_OK && reply->answer == NEREUS_JOB_ACCEPTED)
        status = nereus_job_wait(client, reply->request, 0, reply, &err);
    if (status != NEREUS_OK || reply->answer == NEREUS_JOB_MOVED)
        return fail(UNKNOWN, "%s", status != NEREUS_OK ? err.text : "the job has moved");
    if (reply->answer != NEREUS_JOB_OUTCOME)
        return fail(NOT_DONE, "not done: %s",
                    reply->answer == NEREUS_JOB_ENDED ? "the job has ended" : reply->reason);
    nereus_job_end_format(reply, text);
    if (reply->end != NEREUS_JOB_RESIZED && reply->end != NEREUS_JOB_UNCHANGED)
        return fail(NOT_DONE, "%s", text);
    puts(text);
    return DONE;
}

/* Read "NODE:CORES,...", or names and the list of their cores.
 * @param[out] names  without cores, LIST_MAX characters
 * @return whether that is what was granted */
static bool read_offer(struct grant *grant, struct nereus_job_request *offer, char *names)
{
    char *node_at, *core_at;
    const char *cores = strtok_r(grant->cores, ",", &core_at);
    int length = 0;
    for (char *node = strtok_r(grant->nodes, ",", &node_at); node != NULL;
         node = strtok_r(NULL, ",", &node_at)) {
        const int name = (int)strcspn(node, ":");
        const char *number = node[name] == ':' ? node + name + 1 : cores;
        if (offer->node_count == NEREUS_JOB_OFFER_MAX || number == NULL || strlen(number) > 9 ||
            name >= NEREUS_JOB_NODE_MAX || strpbrk(node, "[]") != NULL)
            return false;
        snprintf(offer->nodes[offer->node_count++], NEREUS_JOB_ENTRY_MAX, "%.*s:%s", name, node,
                 number);
        length += sprintf(names + length, "%s%.*s", length > 0 ? "," : "", name, node);
        cores = cores != NULL ? strtok_r(NULL, ",", &core_at) : NULL;
    }
    return offer->node_count > 0;
}

static int grow(struct nereus_job_client *client, char **words, const char *allocation)
{
    static struct grant grant;
    static struct nereus_job_reply reply;
    struct nereus_job_request offer = {.kind = NEREUS_JOB_REQUEST_OFFER};
    struct nereus_error err;
    char names[LIST_MAX] = "";
    if (words[2] != NULL &&
        nereus_value_parse_integer("PROCESSES", words[2], 1, &offer.size, &err) != NEREUS_OK)
        return fail(2, "%s", err.text);
    if (!request_nodes(words[0], words[1], allocation, &grant))
        return EXIT_FAILURE;
    if (!read_offer(&grant, &offer, names)) {
        if (allocation == NULL && grant.id[0] != '\0')
            release_nodes(PMIX_ALLOC_ID, grant.id);
        else
            fail(1, "what was granted stays allocated: only its manager can name it");
        return fail(1, "allocation '%s' is granted, but not as NODE:CORES,... of up to %d nodes",
                    grant.id, NEREUS_JOB_OFFER_MAX);
    }
    printf("the resource manager gives %s (allocation %s)\n", names, grant.id);
    const enum outcome outcome = call_job(client, &offer, &reply);
    if (outcome == UNKNOWN)
        return fail(1, "the job may use %s: it is not given back", names);
    if (outcome == NOT_DONE)
        release_nodes(PMIX_ALLOC_NODE_LIST, names);
    return outcome == DONE ? EXIT_SUCCESS : EXIT_FAILURE;
}

static int release(struct nereus_job_client *client, char **nodes)
{
    static struct nereus_job_reply reply;
    struct nereus_job_request request = {.kind = NEREUS_JOB_REQUEST_RELEASE};
    char names[LIST_MAX] = "";
    for (; *nodes != NULL; nodes++) {
        if (request.node_count == NEREUS_JOB_NODES_MAX || strlen(*nodes) >= NEREUS_JOB_NODE_MAX)
            return fail(1, "'%s' is one node too many, or too long a name", *nodes);
        strcpy(request.nodes[request.node_count++], *nodes);
    }
    if (call_job(client, &request, &reply) != DONE)
        return EXIT_FAILURE;
    if (reply.freed_count == 0)
        return fail(1, "the job has freed no node");
    for (int64_t i = 0, length = 0; i < reply.freed_count; i++)
        length += sprintf(names + length, "%s%s", length > 0 ? "," : "", reply.freed_nodes[i].name);
    return release_nodes(PMIX_ALLOC_NODE_LIST, names);
}

int main(int argc, char **argv)
{
    const bool extends = argc > 3 && strcmp(argv[2], "--extend") == 0;
    const bool grows = argc > 1 && strcmp(argv[1], "grow") == 0;
    const bool releases = argc > 1 && strcmp(argv[1], "release") == 0 && !extends;
    char **words = argv + (extends ? 4 : 2);
    const long count = argv + argc - words;
    struct nereus_job_client *client;
    struct nereus_error err;
    pmix_proc_t self;
    if ((!grows && !releases) || count < 2 || (grows && count > 3))
        return fail(2, "%s", usage);
    if (nereus_job_connect(words[0], ANSWER_S, &client, &err) != NEREUS_OK)
        return fail(1, "%s", err.text);
    pmix_status_t loss = PMIX_ERR_LOST_CONNECTION;
    int status = PMIx_tool_init(&self, NULL, 0);
    if (status == PMIX_SUCCESS) {
        PMIx_Register_event_handler(&loss, 1, NULL, 0, end_at_loss, NULL, NULL);
        status = grows ? grow(client, words, extends ? argv[3] : NULL) : release(client, words + 1);
        over = true;
        PMIx_tool_finalize();
    } else {
        status = fail(1, "no PMIx server of a resource manager: %s", PMIx_Error_string(status));
    }
    nereus_job_disconnect(client);
    return status;
}
