/**
 * @file check_trace.c
 * Reads the trace and the state file that a run of resize (data=all) left, and says what is wrong
 * with them.
 *
 *   check-trace TRACE STATE NS NT:METHOD:OUTCOME... [says=TEXT] world=ID:PROCESSES:ZOMBIES...
 *
 * One NT:METHOD:OUTCOME for each request, in order. The plan of each that was carried out is made
 * from what the test knows (the job's state, the data), not from what the trace says, and is
 * compared as `nereus job trace --check` compares it; for the others there must be a sentence, the
 * one with TEXT in it. The worlds are those of the state file at the end.
 */
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/plan/placement.h"
#include "model/trace/trace_check.h"
#include "nereus/jobstate.h"
#include "nereus/plan.h"

/* What resize registers with data=all. */
static struct nereus_data_entry data[] = {
    {"a", 8, 1009, NEREUS_CONSTANT, .placement = NEREUS_DISTRIBUTED},
    {"b", 4, 0, NEREUS_VARIABLE, .placement = NEREUS_DISTRIBUTED},
    {"c", 1, 1, NEREUS_VARIABLE, .placement = NEREUS_DISTRIBUTED},
    {"d", 4, 3, NEREUS_CONSTANT, .placement = NEREUS_DISTRIBUTED},
    {"e", 8, 100003, NEREUS_VARIABLE, .placement = NEREUS_DISTRIBUTED},
    {"f", 16, 517, NEREUS_CONSTANT, .placement = NEREUS_DISTRIBUTED},
    {"g", 2, 65537, NEREUS_CONSTANT, .placement = NEREUS_DISTRIBUTED},
    {"iteration", 8, 1, NEREUS_VARIABLE, .placement = NEREUS_REPLICATED},
    {"parameters", 8, 7, NEREUS_CONSTANT, .placement = NEREUS_REPLICATED}};

struct reader {
    struct nereus_trace trace;
    struct nereus_trace_change change; /* the current request */
    bool ended;
    int errors;
    int64_t size, zombies, requests;
    struct nereus_machine machine; /* of NEREUS_HOSTFILE, else one node */
    struct nereus_jobstate state;  /* expected */
};

static void report(void *user, int64_t line, const char *sentence)
{
    struct reader *reader = user;
    fprintf(stderr, "check-trace: line %" PRId64 ": %s\n", line, sentence);
    reader->errors++;
}

static void complain(struct reader *reader, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
static void complain(struct reader *reader, const char *format, ...)
{
    char sentence[512];
    va_list list;
    va_start(list, format);
    vsnprintf(sentence, sizeof sentence, format, list);
    va_end(list);
    report(reader, reader->change.whole != NULL ? reader->change.whole->line : 0, sentence);
}

/* The next request's lines. */
static bool next_change(struct reader *reader)
{
    reader->ended = reader->ended || !nereus_trace_next_change(&reader->trace, &reader->change);
    if (reader->ended || reader->change.whole == NULL) {
        complain(reader, "ends before the line of request %" PRId64, reader->requests);
        return false;
    }
    return true;
}

/* ---- lines ----------------------------------------------------------------------------------- */

static void check_head(struct reader *reader, int64_t nt, const char *method, const char *outcome)
{
    const struct nereus_trace_event *whole = reader->change.whole;
    char text[NEREUS_METHOD_TEXT_MAX];
    if (whole->reconfiguration != reader->requests || whole->ns != reader->size || whole->nt != nt)
        complain(reader, "request %" PRId64 " is from %" PRId64 " to %" PRId64 " processes",
                 whole->reconfiguration, whole->ns, whole->nt);
    if (strcmp(nereus_method_format(&whole->method, text), method) != 0)
        complain(reader, "method is '%s', expected '%s'", text, method);
    if (strcmp(whole->outcome, outcome) != 0)
        complain(reader, "outcome is '%s', expected '%s'", whole->outcome, outcome);
}

/* Sizes, method and processes in each line of a step are those of the reconfiguration. */
static void check_step_heads(struct reader *reader)
{
    const struct nereus_trace_event *whole = reader->change.whole;
    char method[NEREUS_METHOD_TEXT_MAX], text[NEREUS_METHOD_TEXT_MAX];
    nereus_method_format(&whole->method, method);
    for (int64_t i = reader->change.first; i < reader->change.end; i++) {
        const struct nereus_trace_event *event = &reader->trace.events[i];
        if (event->kind == NEREUS_TRACE_STEP &&
            (event->ns != whole->ns || event->nt != whole->nt ||
             strcmp(nereus_method_format(&event->method, text), method) != 0))
            complain(reader, "step %" PRId64 " is of another reconfiguration", event->step);
        if (event->kind == NEREUS_TRACE_STEP &&
            (!(event->start_s >= 0) || !(event->arrived_s >= event->start_s) ||
             !(event->wait_s >= 0) || !(event->critical_s >= 0)))
            complain(reader, "a time of step %" PRId64 " is missing or below 0", event->step);
    }
}

/* On which nodes the groups of the spawn tree are. */
static void check_nodes(struct reader *reader, const struct nereus_request *request)
{
    for (int64_t i = reader->change.first; i < reader->change.end; i++) {
        const struct nereus_trace_event *event = &reader->trace.events[i];
        if (event->kind == NEREUS_TRACE_GROUP &&
            (event->group >= request->group_count ||
             event->node != request->groups[event->group].node))
            complain(reader, "group %" PRId64 " is on node %" PRId64, event->group, event->node);
    }
}

static void check_bytes(struct reader *reader, const struct nereus_request *request)
{
    struct nereus_request_bytes bytes, expected = {0};
    nereus_request_sum_bytes(request, &bytes);
    if (reader->change.whole->request >= 0)
        nereus_request_sum_bytes(&reader->trace.requests[reader->change.whole->request], &expected);
    if (expected.constant_bytes != bytes.constant_bytes ||
        expected.variable_bytes != bytes.variable_bytes ||
        expected.replicated_bytes != bytes.replicated_bytes)
        complain(reader,
                 "%" PRId64 " + %" PRId64 " + %" PRId64 " bytes, expected %" PRId64 " + %" PRId64
                 " + %" PRId64,
                 expected.constant_bytes, expected.variable_bytes, expected.replicated_bytes,
                 bytes.constant_bytes, bytes.variable_bytes, bytes.replicated_bytes);
}

static void check_carried_out(struct reader *reader, int64_t nt, const char *method)
{
    struct nereus_request request = {.version = NEREUS_RECORD_VERSION,
                                     .ns = reader->size,
                                     .nt = nt,
                                     .zombies = reader->zombies,
                                     .data_count = sizeof data / sizeof data[0],
                                     .data = data};
    struct nereus_trace_findings findings = {.report = report, .user = reader};
    struct nereus_plan plan;
    struct nereus_error err;
    if (nereus_method_parse(method, &request.method, &err) != NEREUS_OK ||
        nereus_request_place(&reader->machine, &reader->state, NULL, 0, &request, &err) !=
            NEREUS_OK ||
        nereus_plan_make(&request, &plan, &err) != NEREUS_OK ||
        nereus_jobstate_apply(&reader->machine, &request, &reader->state, &err) != NEREUS_OK) {
        complain(reader, "%s", err.text);
        return;
    }
    if (next_change(reader)) {
        nereus_trace_check_change(&reader->trace, &reader->change, &plan, &findings);
        check_head(reader, nt, method, "resized");
        check_step_heads(reader);
        check_nodes(reader, &request);
        check_bytes(reader, &request);
    }
    reader->zombies = nereus_jobstate_zombies(&reader->state);
    reader->size = nt;
    free(request.groups);
    free(request.leavers);
    nereus_plan_fini(&plan);
}

static void check_answered(struct reader *reader, int64_t nt, const char *method,
                           const char *outcome)
{
    if (!next_change(reader))
        return;
    check_head(reader, nt, method, outcome);
    if (strchr(reader->change.whole->sentence, ' ') == NULL)
        complain(reader, "no sentence says why");
}

static void expect_word(struct reader *reader, const char *text)
{
    const struct nereus_trace_event *whole = reader->change.whole;
    const char *sentence = whole == NULL ? "" : whole->sentence;
    if (strstr(sentence, text) == NULL)
        complain(reader, "'%s' lacks '%s'", sentence, text);
}

/* ---- state ----------------------------------------------------------------------------------- */

static void check_world(struct reader *reader, const struct nereus_jobstate *state, int64_t i,
                        const char *word)
{
    long long id = -1, processes = -1, zombies = -1, node = 0;
    sscanf(word, "world=%lld:%lld:%lld:%lld", &id, &processes, &zombies, &node);
    if (i >= state->world_count) {
        complain(reader, "the state has %lld worlds", (long long)state->world_count);
        return;
    }
    const struct nereus_world *w = &state->worlds[i];
    if (w->id != id || w->processes != processes || w->zombies != zombies ||
        w->first_node != node || w->nodes != 1)
        complain(
            reader,
            "state: world %lld has %lld processes, %lld zombies, nodes %lld + %lld, expected %s",
            (long long)w->id, (long long)w->processes, (long long)w->zombies,
            (long long)w->first_node, (long long)w->nodes, word);
}

static void check_state(struct reader *reader, const char *path, char **words, int count)
{
    struct nereus_jobstate state;
    struct nereus_error err;
    if (nereus_jobstate_read(path, &state, &err) != NEREUS_OK) {
        complain(reader, "%s", err.text);
        return;
    }
    for (int i = 0; i < count; i++)
        check_world(reader, &state, i, words[i]);
    if (state.world_count != count || nereus_jobstate_processes(&state) != reader->size ||
        nereus_jobstate_zombies(&state) != reader->zombies || state.cores_per_node < 1)
        complain(reader, "state: %lld worlds, %lld processes, %lld zombies, %lld cores",
                 (long long)state.world_count, (long long)nereus_jobstate_processes(&state),
                 (long long)nereus_jobstate_zombies(&state), (long long)state.cores_per_node);
    nereus_jobstate_fini(&state);
}

static bool begin(struct reader *reader, const char *path)
{
    const char *hosts = getenv("NEREUS_HOSTFILE");
    struct nereus_error err;
    if (nereus_trace_read(path, &reader->trace, &err) != NEREUS_OK) {
        fprintf(stderr, "check-trace: %s\n", err.text);
        return false;
    }
    if ((hosts != NULL
             ? nereus_machine_from_file(hosts, &reader->machine, &err)
             : nereus_machine_single("localhost", 2, &reader->machine, &err)) != NEREUS_OK ||
        nereus_jobstate_initial(&reader->machine, reader->size, &reader->state, &err) != NEREUS_OK)
        complain(reader, "%s", err.text);
    return true;
}

int main(int argc, char **argv)
{
    struct reader reader = {0};
    int at = 4;
    if (argc < 5) {
        fprintf(stderr, "check-trace: give TRACE STATE NS REQUEST... world=...\n");
        return 2;
    }
    reader.size = atoll(argv[3]);
    if (!begin(&reader, argv[1]))
        return 2;
    for (; at < argc && strchr(argv[at], '=') == NULL; at++) {
        char method[NEREUS_METHOD_TEXT_MAX] = "", outcome[16] = "";
        long long nt = 0;
        reader.requests++;
        if (sscanf(argv[at], "%lld:%95[^:]:%15s", &nt, method, outcome) != 3)
            complain(&reader, "expectation '%s' cannot be read", argv[at]);
        else if (strcmp(outcome, "resized") == 0)
            check_carried_out(&reader, nt, method);
        else
            check_answered(&reader, nt, method, outcome);
    }
    if (at < argc && strncmp(argv[at], "says=", 5) == 0)
        expect_word(&reader, argv[at++] + 5);
    struct nereus_trace_change more = reader.change;
    if (!reader.ended && nereus_trace_next_change(&reader.trace, &more))
        complain(&reader, "a line too many");
    check_state(&reader, argv[2], argv + at, argc - at);
    nereus_trace_fini(&reader.trace);
    nereus_jobstate_fini(&reader.state);
    nereus_machine_fini(&reader.machine);
    if (reader.errors == 0)
        printf("trace and state are right\n");
    return reader.errors != 0;
}
