/*
 * Reads the trace and the state file that a run of resize (data=all) left, and says what is wrong
 * with them.
 *
 *   check-trace TRACE STATE NS NT:METHOD:OUTCOME... [says=TEXT] world=ID:PROCESSES:ZOMBIES...
 *
 * One NT:METHOD:OUTCOME for each request, in order. For each that was carried out every step of its
 * plan must be there, in order, and the steps' times must add up to RT; for the others there must
 * be a sentence, the last one with TEXT in it. The worlds are those of the state file at the end.
 */
#include <jansson.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/plan/placement.h"
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
    FILE *file;
    json_t *line;
    int number; /* of the line */
    int wrong;
    int64_t size, zombies, requests;
    struct nereus_machine machine; /* of NEREUS_HOSTFILE, else one node */
    struct nereus_jobstate state;  /* as it has to be */
};

static void complain(struct reader *reader, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
static void complain(struct reader *reader, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    fprintf(stderr, "check-trace: line %d: ", reader->number);
    vfprintf(stderr, format, list);
    fputc('\n', stderr);
    va_end(list);
    reader->wrong++;
}

static bool next_line(struct reader *reader)
{
    char text[4096];
    json_error_t error;
    json_decref(reader->line);
    reader->line = NULL;
    if (fgets(text, sizeof text, reader->file) == NULL)
        return false;
    reader->number++;
    reader->line = json_loads(text, 0, &error);
    if (reader->line == NULL)
        complain(reader, "no JSON: %s", error.text);
    return reader->line != NULL;
}

/* ---- single values --------------------------------------------------------------------------- */

static void expect_integer(struct reader *reader, const char *key, int64_t expected)
{
    const json_t *value = json_object_get(reader->line, key);
    if (!json_is_integer(value) || json_integer_value(value) != expected)
        complain(reader, "%s is %lld, expected %lld", key, (long long)json_integer_value(value),
                 (long long)expected);
}

static void expect_text(struct reader *reader, const char *key, const char *expected)
{
    const char *value = json_string_value(json_object_get(reader->line, key));
    if (value == NULL || strcmp(value, expected) != 0)
        complain(reader, "%s is '%s', expected '%s'", key, value == NULL ? "(none)" : value,
                 expected);
}

/* A time: there, and not negative. */
static double get_s(struct reader *reader, const char *key)
{
    const json_t *value = json_object_get(reader->line, key);
    const double seconds = json_number_value(value);
    if (!json_is_real(value) || !(seconds >= 0) || !isfinite(seconds))
        complain(reader, "%s is %g", key, seconds);
    return seconds;
}

/* ---- lines ----------------------------------------------------------------------------------- */

struct sums {
    double critical_s, waits_s, latest_end_s;
};

static void check_step(struct reader *reader, const struct nereus_plan *plan, int i,
                       struct sums *sums)
{
    char method[NEREUS_METHOD_TEXT_MAX];
    const struct nereus_step *step = &plan->steps[i];
    if (!next_line(reader)) {
        complain(reader, "ends before step %d (%s)", i, nereus_step_name(step->kind));
        return;
    }
    expect_text(reader, "event", "step");
    expect_integer(reader, "reconfiguration", reader->requests);
    expect_integer(reader, "step", i);
    expect_text(reader, "kind", nereus_step_name(step->kind));
    expect_integer(reader, "ns", plan->ns);
    expect_integer(reader, "nt", plan->nt);
    expect_text(reader, "method", nereus_method_print(&plan->method, method));
    expect_integer(reader, "old_processes", step->old_processes);
    expect_integer(reader, "new_processes", step->new_processes);
    expect_integer(reader, "bytes",
                   step->constant_bytes + step->variable_bytes + step->replicated_bytes);
    const double start_s = get_s(reader, "start_s"), time_s = get_s(reader, "time_s");
    const double critical_s = get_s(reader, "critical_s"), wait_s = get_s(reader, "wait_s");
    if (critical_s > time_s * (1 + 1e-6))
        complain(reader, "%g s on the critical path of a step of %g s", critical_s, time_s);
    sums->latest_end_s = fmax(sums->latest_end_s, start_s + time_s);
    sums->critical_s += critical_s;
    sums->waits_s += wait_s;
}

static void expect_same(struct reader *reader, const char *what, double found_s, double expected_s,
                        double rt_s)
{
    if (!(fabs(found_s - expected_s) <= 1e-6 * rt_s)) /* numbers in the file have nine digits */
        complain(reader, "%s: %.9g s, expected %.9g s", what, found_s, expected_s);
}

static void check_sums(struct reader *reader, const struct sums *sums)
{
    const double rt_s = get_s(reader, "rt_s"), rest_s = get_s(reader, "not_attributed_s");
    const double critical_s = get_s(reader, "critical_s"), waits_s = get_s(reader, "waits_s");
    expect_same(reader, "critical path + waits + not attributed, of the steps",
                sums->critical_s + sums->waits_s + rest_s, rt_s, rt_s);
    expect_same(reader, "critical path", critical_s, sums->critical_s, rt_s);
    expect_same(reader, "waits", waits_s, sums->waits_s, rt_s);
    if (!(rt_s > 0) || sums->latest_end_s > rt_s * (1 + 1e-6))
        complain(reader, "steps last to %g s, RT is %g s", sums->latest_end_s, rt_s);
    if (!json_is_boolean(json_object_get(reader->line, "oversubscribed")))
        complain(reader, "oversubscribed is missing");
}

static void check_head(struct reader *reader, int64_t nt, const char *method, const char *outcome)
{
    expect_text(reader, "event", "reconfiguration");
    expect_integer(reader, "reconfiguration", reader->requests);
    expect_integer(reader, "ns", reader->size);
    expect_integer(reader, "nt", nt);
    expect_text(reader, "method", method);
    expect_text(reader, "outcome", outcome);
}

/* The lines that show the spawn tree: group by group, where it is and who started it. */
static void check_groups(struct reader *reader, const struct nereus_request *request,
                         const struct nereus_plan *plan)
{
    for (int64_t i = 0; i < plan->tree.group_count; i++) {
        const struct nereus_tree_group *group = &plan->tree.groups[i];
        if (!next_line(reader))
            complain(reader, "ends before the line of group %lld", (long long)i);
        expect_text(reader, "event", "group");
        expect_integer(reader, "group", i);
        expect_integer(reader, "node", request->groups[i].node);
        expect_integer(reader, "processes", group->processes);
        expect_integer(reader, "level", group->level);
        expect_integer(reader, "parent_group", group->parent);
        expect_integer(reader, "parent_rank", group->parent_rank);
    }
}

static void check_carried_out(struct reader *reader, int64_t nt, const char *method)
{
    struct nereus_request request = {.version = NEREUS_RECORD_VERSION,
                                     .ns = reader->size,
                                     .nt = nt,
                                     .zombies = reader->zombies,
                                     .data_count = sizeof data / sizeof data[0],
                                     .data = data};
    struct nereus_request_bytes bytes;
    struct nereus_plan plan;
    struct nereus_error err;
    struct sums sums = {0};
    if (nereus_method_parse(method, &request.method, &err) != NEREUS_OK ||
        nereus_request_place(&reader->machine, &reader->state, NULL, 0, &request, &err) !=
            NEREUS_OK ||
        nereus_plan_make(&request, &plan, &err) != NEREUS_OK ||
        nereus_jobstate_apply(&reader->machine, &request, &reader->state, &err) != NEREUS_OK) {
        complain(reader, "%s", err.text);
        return;
    }
    nereus_method_parse(method, &plan.method, &err); /* lines name the method as it was asked for */
    for (int i = 0; i < plan.step_count; i++)
        check_step(reader, &plan, i, &sums);
    check_groups(reader, &request, &plan);
    if (!next_line(reader))
        complain(reader, "ends before the line of reconfiguration %lld",
                 (long long)reader->requests);
    check_head(reader, nt, method, "resized");
    check_sums(reader, &sums);
    nereus_request_sum_bytes(&request, &bytes);
    expect_integer(reader, "constant_bytes", bytes.constant_bytes);
    expect_integer(reader, "variable_bytes", bytes.variable_bytes);
    expect_integer(reader, "bytes", bytes.constant_bytes + bytes.variable_bytes);
    reader->zombies = nereus_jobstate_zombies(&reader->state);
    reader->size = nt;
    free(request.groups);
    free(request.leavers);
    nereus_plan_fini(&plan);
}

static void check_answered(struct reader *reader, int64_t nt, const char *method,
                           const char *outcome)
{
    if (!next_line(reader))
        complain(reader, "ends before the line of request %lld", (long long)reader->requests);
    check_head(reader, nt, method, outcome);
    const char *sentence = json_string_value(json_object_get(reader->line, "sentence"));
    if (sentence == NULL || strchr(sentence, ' ') == NULL)
        complain(reader, "no sentence says why");
}

static void expect_word(struct reader *reader, const char *text)
{
    const char *sentence = json_string_value(json_object_get(reader->line, "sentence"));
    if (sentence == NULL || strstr(sentence, text) == NULL)
        complain(reader, "'%s' lacks '%s'", sentence == NULL ? "" : sentence, text);
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

static void begin_state(struct reader *reader)
{
    const char *path = getenv("NEREUS_HOSTFILE");
    struct nereus_error err;
    if ((path != NULL
             ? nereus_machine_from_file(path, &reader->machine, &err)
             : nereus_machine_single("localhost", 2, &reader->machine, &err)) != NEREUS_OK ||
        nereus_jobstate_initial(&reader->machine, reader->size, &reader->state, &err) != NEREUS_OK)
        complain(reader, "%s", err.text);
}

int main(int argc, char **argv)
{
    struct reader reader = {0};
    int at = 4;
    if (argc < 5 || (reader.file = fopen(argv[1], "r")) == NULL) {
        fprintf(stderr, "check-trace: give TRACE STATE NS REQUEST... world=...\n");
        return 2;
    }
    reader.size = atoll(argv[3]);
    begin_state(&reader);
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
    if (next_line(&reader))
        complain(&reader, "a line too many");
    check_state(&reader, argv[2], argv + at, argc - at);
    fclose(reader.file);
    nereus_jobstate_fini(&reader.state);
    nereus_machine_fini(&reader.machine);
    if (reader.wrong == 0)
        printf("trace and state are right\n");
    return reader.wrong != 0;
}
