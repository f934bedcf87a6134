/** @file message.c  Reads and writes the messages of the protocol; unknown or impossible values are
 * refused (message.h). */
#include "message.h"

#include "folder.h"
#include "model/util/json_reader.h"
#include "model/util/suggest.h"

/* Limit of numbers of processes: MPI ranks are ints, and no sum of such numbers overflows. */
enum { SIZE_LIMIT = 1 << 30 };
/* A deadline of this many seconds or more counts as none. */
static const double deadline_limit_s = 1e9;

static const char *const kinds[NEREUS_JOB_REQUEST_KIND_COUNT] = {
    [NEREUS_JOB_REQUEST_STATUS] = "status",   [NEREUS_JOB_REQUEST_RESIZE] = "resize",
    [NEREUS_JOB_REQUEST_RELEASE] = "release", [NEREUS_JOB_REQUEST_OFFER] = "offer",
    [NEREUS_JOB_REQUEST_WAIT] = "wait",       [NEREUS_JOB_REQUEST_END] = "end"};
static const char *const answers[NEREUS_JOB_ANSWER_COUNT] = {
    [NEREUS_JOB_STATE] = "status",    [NEREUS_JOB_ACCEPTED] = "accepted",
    [NEREUS_JOB_REFUSED] = "refused", [NEREUS_JOB_DEFERRED] = "deferred",
    [NEREUS_JOB_OUTCOME] = "outcome", [NEREUS_JOB_MOVED] = "moved",
    [NEREUS_JOB_ENDED] = "ended",     [NEREUS_JOB_INVALID] = "invalid"};
static const char *const ends[NEREUS_JOB_END_COUNT] = {[NEREUS_JOB_RESIZED] = "resized",
                                                       [NEREUS_JOB_UNCHANGED] = "unchanged",
                                                       [NEREUS_JOB_FAILED] = "failed",
                                                       [NEREUS_JOB_CANCELLED] = "given-up",
                                                       [NEREUS_JOB_TOO_LATE] = "too-late"};

const char *nereus_job_end_name(enum nereus_job_end end)
{
    return (int)end >= 0 && end < NEREUS_JOB_END_COUNT ? ends[end] : "unknown";
}

/* Has the reply an outcome? Also the last one before a job moves or ends may have it, because the
 * client may not have sent its request yet. */
static bool has_outcome(const struct nereus_job_reply *reply)
{
    return reply->answer == NEREUS_JOB_OUTCOME ||
           ((reply->answer == NEREUS_JOB_MOVED || reply->answer == NEREUS_JOB_ENDED) &&
            reply->request > 0);
}

static void read_word(struct nereus_json_reader *r, const json_t *json, const char *key,
                      const char *const *words, size_t count, int *index)
{
    char text[32] = "";
    nereus_json_read_string(r, json, key, text, sizeof text);
    const size_t found = nereus_word_index(text, words, count);
    if (found < count)
        *index = (int)found;
    else
        nereus_json_fail(r, key, "is not one of the words of this protocol");
}

static void read_version(struct nereus_json_reader *r, const json_t *json)
{
    int64_t version = 0;
    nereus_json_read_integer(r, json, "protocol", 1, INT64_MAX, &version);
    if (version != NEREUS_JOB_PROTOCOL)
        nereus_json_fail(r, "protocol", "is another version than %d, which is spoken here",
                         NEREUS_JOB_PROTOCOL);
}

/* Parse a line as a JSON object.
 * @return NULL, with the message: it is none */
static json_t *parse_json(const char *text, size_t length, struct nereus_error *err)
{
    json_error_t fault;
    json_t *json = nereus_json_parse(text, length, JSON_REJECT_DUPLICATES, &fault);
    if (json == NULL)
        nereus_fail(err, NEREUS_ERR_PARSE, "the message is not JSON: %s", fault.text);
    return json;
}

static void read_nodes(struct nereus_json_reader *r, const json_t *json,
                       struct nereus_job_request *request)
{
    size_t i;
    const json_t *node, *list = nereus_json_read_array(r, json, "nodes", NEREUS_JOB_NODES_MAX);
    json_array_foreach(list, i, node)
    {
        const char *name = json_string_value(node);
        if (name == NULL || name[0] == '\0' || strlen(name) >= NEREUS_JOB_ENTRY_MAX) {
            nereus_json_fail(r, "nodes", "is not a list of names of nodes");
            return;
        }
        snprintf(request->nodes[request->node_count++], NEREUS_JOB_ENTRY_MAX, "%s", name);
    }
}

/* Check that the request has what its kind needs, and nothing that would be ignored. */
static void check_request(struct nereus_json_reader *r, const struct nereus_job_request *request)
{
    const enum nereus_job_request_kind kind = request->kind;
    if (kind == NEREUS_JOB_REQUEST_RESIZE && request->size == 0)
        nereus_json_fail(r, "size", "this key is missing");
    if (kind == NEREUS_JOB_REQUEST_RELEASE && request->node_count == 0)
        nereus_json_fail(r, "nodes", "this key is missing");
    if (kind == NEREUS_JOB_REQUEST_OFFER &&
        (request->node_count < 1 || request->node_count > NEREUS_JOB_OFFER_MAX))
        nereus_json_fail(r, "nodes", "an offer has 1 to 16 nodes");
    if (kind != NEREUS_JOB_REQUEST_RESIZE && kind != NEREUS_JOB_REQUEST_OFFER && request->size != 0)
        nereus_json_fail(r, "size", "only a resize and an offer have it");
    if (kind != NEREUS_JOB_REQUEST_RELEASE && kind != NEREUS_JOB_REQUEST_OFFER &&
        request->node_count != 0)
        nereus_json_fail(r, "nodes", "only a release and an offer have them");
    if (kind != NEREUS_JOB_REQUEST_RELEASE && request->keep)
        nereus_json_fail(r, "keep", "only a release has it");
}

enum nereus_status nereus_job_request_read(const char *text, size_t length,
                                           struct nereus_job_request *request,
                                           struct nereus_error *err)
{
    static const char *const keys[] = {"protocol",   "do",    "size", "method",
                                       "deadline_s", "nodes", "keep", "request"};
    struct nereus_json_reader r = {.path = "the message", .err = err};
    json_t *json = parse_json(text, length, err);
    int kind = 0;
    if (json == NULL)
        return NEREUS_ERR_PARSE;
    struct nereus_job_request *read = calloc(1, sizeof *read);
    if (nereus_json_check_memory(&r, read) &&
        nereus_json_check(&r, json, keys, NEREUS_COUNT_OF(keys), 2)) {
        read_version(&r, json);
        read_word(&r, json, "do", kinds, NEREUS_JOB_REQUEST_KIND_COUNT, &kind);
        read->kind = (enum nereus_job_request_kind)kind;
        nereus_json_read_integer(&r, json, "size", 1, SIZE_LIMIT, &read->size);
        nereus_json_read_string(&r, json, "method", read->method, sizeof read->method);
        nereus_json_read_number(&r, json, "deadline_s", 0, &read->deadline_s);
        if (read->deadline_s > deadline_limit_s)
            read->deadline_s = 0;
        read_nodes(&r, json, read);
        nereus_json_read_boolean(&r, json, "keep", &read->keep);
        nereus_json_read_integer(&r, json, "request", 1, INT64_MAX, &read->request);
        check_request(&r, read);
    }
    if (r.status == NEREUS_OK)
        *request = *read;
    free(read);
    json_decref(json);
    return r.status;
}

static void read_sizes(struct nereus_json_reader *r, const json_t *json, struct nereus_sizes *sizes)
{
    const json_t *object = json_object_get(json, "sizes");
    nereus_json_read_integer(r, object, "minimum", 0, SIZE_LIMIT, &sizes->minimum);
    nereus_json_read_integer(r, object, "maximum", 0, SIZE_LIMIT, &sizes->maximum);
    nereus_json_read_integer(r, object, "multiple_of", 0, SIZE_LIMIT, &sizes->multiple_of);
    nereus_json_read_boolean(r, object, "powers_of_two", &sizes->powers_of_two);
}

/* @return number of entries */
static int64_t read_node_list(struct nereus_json_reader *r, const json_t *json, const char *key,
                              struct nereus_job_node nodes[NEREUS_JOB_NODES_MAX])
{
    size_t i;
    const json_t *object, *list = nereus_json_read_array(r, json, key, NEREUS_JOB_NODES_MAX);
    json_array_foreach(list, i, object)
    {
        struct nereus_job_node *node = &nodes[i];
        nereus_json_read_string(r, object, "name", node->name, sizeof node->name);
        nereus_json_read_integer(r, object, "processes", 0, SIZE_LIMIT, &node->processes);
        nereus_json_read_integer(r, object, "asleep", 0, SIZE_LIMIT, &node->asleep);
        nereus_json_read_integer(r, object, "cores", 0, SIZE_LIMIT, &node->cores);
        nereus_json_read_string(r, object, "allocation", node->allocation, sizeof node->allocation);
    }
    return (int64_t)json_array_size(list);
}

static void read_state_nodes(struct nereus_json_reader *r, const json_t *json,
                             struct nereus_job_state *state)
{
    const int64_t listed = read_node_list(r, json, "nodes", state->nodes);
    state->freed_count = read_node_list(r, json, "freed", state->freed_nodes);
    nereus_json_read_integer(r, json, "nodes_used", 0, SIZE_LIMIT, &state->nodes_used);
    nereus_json_read_integer(r, json, "nodes_all", 0, SIZE_LIMIT, &state->node_count);
    if (state->node_count < listed)
        state->node_count = listed;
}

static void read_state(struct nereus_json_reader *r, const json_t *json,
                       struct nereus_job_state *state)
{
    char word[16] = "";
    nereus_json_read_string(r, json, "job", state->job, sizeof state->job);
    if (state->job[0] != '\0' && nereus_job_name_check(state->job, NULL) != NEREUS_OK)
        nereus_json_fail(r, "job", "is no name of a job");
    nereus_json_read_string(r, json, "host", state->host, sizeof state->host);
    nereus_json_read_integer(r, json, "pid", 0, INT64_MAX, &state->pid);
    nereus_json_read_string(r, json, "state", word, sizeof word);
    state->changing = strcmp(word, "changing") == 0;
    nereus_json_read_integer(r, json, "size", 1, SIZE_LIMIT, &state->size);
    nereus_json_read_integer(r, json, "points", 0, INT64_MAX, &state->points);
    nereus_json_read_integer(r, json, "reconfigurations", 0, INT64_MAX, &state->reconfigurations);
    state->points_left = -1;
    nereus_json_read_integer(r, json, "points_left", 0, INT64_MAX, &state->points_left);
    nereus_json_read_number(r, json, "t_iter_s", 0, &state->t_iter_s);
    nereus_json_read_number(r, json, "point_age_s", 0, &state->point_age_s);
    nereus_json_read_integer(r, json, "pending", 0, INT64_MAX, &state->request);
    nereus_json_read_string(r, json, "last", state->last_outcome, sizeof state->last_outcome);
    read_sizes(r, json, &state->sizes);
    read_state_nodes(r, json, state);
}

static void read_near(struct nereus_json_reader *r, const json_t *json,
                      struct nereus_job_reply *reply)
{
    size_t i;
    const json_t *size, *list = nereus_json_read_array(r, json, "near", 2);
    json_array_foreach(list, i, size)
    {
        reply->near_sizes[reply->near_count++] = json_integer_value(size);
    }
}

static void read_reply(struct nereus_json_reader *r, const json_t *json,
                       struct nereus_job_reply *reply)
{
    int answer = 0, end = 0;
    read_version(r, json);
    read_word(r, json, "answer", answers, NEREUS_JOB_ANSWER_COUNT, &answer);
    reply->answer = (enum nereus_job_answer)answer;
    nereus_json_read_integer(r, json, "request", 0, INT64_MAX, &reply->request);
    nereus_json_read_string(r, json, "reason", reply->reason, sizeof reply->reason);
    nereus_json_read_number(r, json, "after_s", 0, &reply->after_s);
    nereus_json_read_string(r, json, "host", reply->host, sizeof reply->host);
    read_near(r, json, reply);
    if (has_outcome(reply)) {
        read_word(r, json, "outcome", ends, NEREUS_JOB_END_COUNT, &end);
        reply->freed_count = read_node_list(r, json, "freed", reply->freed_nodes);
    }
    reply->end = (enum nereus_job_end)end;
    nereus_json_read_integer(r, json, "ns", 0, SIZE_LIMIT, &reply->ns);
    nereus_json_read_integer(r, json, "nt", 0, SIZE_LIMIT, &reply->nt);
    reply->rt_s = -1;
    nereus_json_read_number(r, json, "rt_s", 0, &reply->rt_s);
    nereus_json_read_boolean(r, json, "rt_traced", &reply->rt_traced);
    if (reply->answer == NEREUS_JOB_STATE)
        read_state(r, json, &reply->state);
}

enum nereus_status nereus_job_reply_read(const char *text, size_t length,
                                         struct nereus_job_reply *reply, struct nereus_error *err)
{
    struct nereus_json_reader r = {.path = "the answer", .err = err};
    json_t *json = parse_json(text, length, err);
    if (json == NULL)
        return NEREUS_ERR_PARSE;
    struct nereus_job_reply *read = calloc(1, sizeof *read);
    if (nereus_json_check_memory(&r, read)) {
        if (json_is_object(json))
            read_reply(&r, json, read);
        else
            nereus_json_fail(&r, "", "is not a JSON object");
    }
    if (r.status == NEREUS_OK)
        *reply = *read;
    free(read);
    json_decref(json);
    return r.status;
}

/* Write a message and free `json`; NULL: no memory. */
static size_t format_line(json_t *json, char *text, size_t size)
{
    char *line = nereus_json_line(json);
    const size_t length = line != NULL ? strlen(line) : 0;
    const bool fits = length > 0 && length < size;
    if (fits)
        memcpy(text, line, length + 1);
    free(line);
    return fits ? length : 0;
}

static void set_text(json_t *json, const char *key, const char *text)
{
    if (text[0] != '\0')
        json_object_set_new(json, key, nereus_json_text(text));
}

static void set_integer(json_t *json, const char *key, int64_t value, int64_t none)
{
    if (value != none)
        json_object_set_new(json, key, json_integer(value));
}

static void set_real(json_t *json, const char *key, double value, double above)
{
    if (value > above && isfinite(value))
        json_object_set_new(json, key, nereus_json_real(value));
}

static json_t *make_message(const char *key, const char *word)
{
    return nereus_json_pack("{s:i, s:s}", "protocol", NEREUS_JOB_PROTOCOL, key, word);
}

size_t nereus_job_request_write(const struct nereus_job_request *request, char *text, size_t size)
{
    json_t *json = make_message("do", kinds[request->kind]), *nodes = json_array();
    set_integer(json, "size", request->size, 0);
    set_text(json, "method", request->method);
    set_real(json, "deadline_s", request->deadline_s, 0);
    for (int64_t i = 0; i < request->node_count; i++)
        json_array_append_new(nodes, nereus_json_text(request->nodes[i]));
    if (request->node_count > 0)
        json_object_set(json, "nodes", nodes);
    json_decref(nodes);
    if (request->keep)
        json_object_set_new(json, "keep", json_true());
    set_integer(json, "request", request->request, 0);
    return format_line(json, text, size);
}

/* @param with_processes  list the processes too */
static void add_nodes(json_t *json, const char *key, const struct nereus_job_node *nodes,
                      int64_t count, bool with_processes)
{
    json_t *list = json_array();
    for (int64_t i = 0; i < count && i < NEREUS_JOB_NODES_MAX; i++) {
        json_t *node = nereus_json_pack("{s:s}", "name", nodes[i].name);
        set_integer(node, "processes", nodes[i].processes, with_processes ? -1 : 0);
        set_integer(node, "asleep", nodes[i].asleep, 0);
        set_integer(node, "cores", nodes[i].cores, 0);
        set_text(node, "allocation", nodes[i].allocation);
        json_array_append_new(list, node);
    }
    json_object_set_new(json, key, list);
}

static void add_state(json_t *json, const struct nereus_job_state *state)
{
    const struct nereus_sizes *sizes = &state->sizes;
    set_text(json, "job", state->job);
    set_text(json, "host", state->host);
    set_integer(json, "pid", state->pid, 0);
    set_text(json, "state", state->changing ? "changing" : "computing");
    set_integer(json, "size", state->size, 0);
    set_integer(json, "points", state->points, -1);
    set_integer(json, "reconfigurations", state->reconfigurations, -1);
    set_integer(json, "points_left", state->points_left, -1);
    set_real(json, "t_iter_s", state->t_iter_s, 0);
    set_real(json, "point_age_s", state->point_age_s, 0);
    set_integer(json, "pending", state->request, 0);
    set_text(json, "last", state->last_outcome);
    json_object_set_new(
        json, "sizes",
        nereus_json_pack("{s:I, s:I, s:I, s:b}", "minimum", (json_int_t)sizes->minimum, "maximum",
                         (json_int_t)sizes->maximum, "multiple_of", (json_int_t)sizes->multiple_of,
                         "powers_of_two", (int)sizes->powers_of_two));
    add_nodes(json, "nodes", state->nodes, state->node_count, true);
    set_integer(json, "nodes_used", state->nodes_used, -1);
    set_integer(json, "nodes_all", state->node_count, -1);
    if (state->freed_count > 0)
        add_nodes(json, "freed", state->freed_nodes, state->freed_count, false);
}

static void add_outcome(json_t *json, const struct nereus_job_reply *reply)
{
    set_text(json, "outcome", ends[reply->end]);
    if (reply->rt_s >= 0) {
        set_real(json, "rt_s", reply->rt_s, -1);
        json_object_set_new(json, "rt_traced", json_boolean(reply->rt_traced));
    }
    if (reply->freed_count > 0)
        add_nodes(json, "freed", reply->freed_nodes, reply->freed_count, false);
}

size_t nereus_job_reply_write(const struct nereus_job_reply *reply, char *text, size_t size)
{
    json_t *json = make_message("answer", answers[reply->answer]), *near = json_array();
    set_integer(json, "request", reply->request, 0);
    set_text(json, "reason", reply->reason);
    for (int i = 0; i < reply->near_count; i++)
        json_array_append_new(near, json_integer(reply->near_sizes[i]));
    if (reply->near_count > 0)
        json_object_set(json, "near", near);
    json_decref(near);
    set_real(json, "after_s", reply->after_s, 0);
    set_integer(json, "ns", reply->ns, 0);
    set_integer(json, "nt", reply->nt, 0);
    if (reply->answer == NEREUS_JOB_STATE)
        add_state(json, &reply->state);
    else
        set_text(json, "host", reply->host);
    if (has_outcome(reply))
        add_outcome(json, reply);
    return format_line(json, text, size);
}

/* Append "; free now: node3, node4", cut at the end of the text. */
static void add_freed(const struct nereus_job_reply *reply, char text[NEREUS_JOB_TEXT_MAX])
{
    for (int64_t i = 0; i < reply->freed_count && i < NEREUS_JOB_NODES_MAX; i++) {
        const size_t length = strlen(text);
        snprintf(text + length, NEREUS_JOB_TEXT_MAX - length, "%s%s",
                 i == 0 ? "; free now: " : ", ", reply->freed_nodes[i].name);
    }
}

char *nereus_job_end_format(const struct nereus_job_reply *reply, char text[NEREUS_JOB_TEXT_MAX])
{
    char time[48] = "";
    if (reply->rt_s >= 0)
        nereus_snprintf(time, sizeof time, " in %.3g s", reply->rt_s);
    if (reply->end == NEREUS_JOB_RESIZED) {
        snprintf(text, NEREUS_JOB_TEXT_MAX, "resized from %lld to %lld process%s%s",
                 (long long)reply->ns, (long long)reply->nt, nereus_plural_es(reply->nt), time);
        add_freed(reply, text);
    } else {
        snprintf(text, NEREUS_JOB_TEXT_MAX, "%s: %.*s", nereus_job_end_name(reply->end),
                 NEREUS_JOB_TEXT_MAX - 16, reply->reason);
    }
    return text;
}
