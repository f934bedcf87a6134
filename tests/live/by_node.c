/**
 * @file by_node.c
 * nereus_request_layout: STAGE..., one after the other, each NODE:PROCESSES,...[=METHOD] with
 *
 *   !MESSAGE     the request is refused at once with this message (_ for blanks)
 *   ~MESSAGE     it fails later with this message, and is rolled back
 *   ^            the job has this layout already: the outcome is "unchanged"
 *   >NT=METHOD   no request: a reconfiguration of the schedule, which is spread, comes at point 500
 *
 * at its end, or none. A node that is new to the machine is NODE+CORES:PROCESSES.
 *
 * If NEREUS_TEST_WAITS_FOR names a file, rank 0 waits until it exists.
 *
 * After each stage every element is checked, and the nodes of the job's state ($NEREUS_STATE) must
 * have as many processes as requested; each process must be on the host of its node (where.h).
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "nereus/jobstate.h"
#include "nereus/layout.h"
#include "nereus/nereus.h"
#include "where.h"

enum { ELEMENTS = 1003, NODES_MAX = 66, NAME_MAX_BYTES = 32, SCHEDULED = 500 };

struct wanted {
    char names[NODES_MAX][NAME_MAX_BYTES], texts[NODES_MAX][NAME_MAX_BYTES];
    char method[NEREUS_METHOD_TEXT_MAX], says[160];
    const char *nodes[NODES_MAX];
    int64_t processes[NODES_MAX], count;
    char end; /* '!', '~', '^', '>' or 0 */
};

struct state {
    nereus_job *job;
    int x_id;
    int64_t stage, errors;
    struct wanted held; /* processes of each node since the last successful stage */
};

static void expect(struct state *s, bool holds, const char *what)
{
    if (!holds && s->errors++ < 5)
        fprintf(stderr, "by-node: rank %d, stage %" PRId64 ": %s\n", nereus_rank(s->job), s->stage,
                what);
}

static void need(struct state *s, enum nereus_status status)
{
    if (status == NEREUS_OK)
        return;
    fprintf(stderr, "by-node: %s\n", nereus_last_error(s->job));
    MPI_Abort(MPI_COMM_WORLD, EXIT_FAILURE);
}

static void read_stage(const char *text, struct wanted *wanted)
{
    memset(wanted, 0, sizeof *wanted);
    const char *end = text + strcspn(text, "=!~^>");
    while (text < end && wanted->count < NODES_MAX) {
        const int64_t i = wanted->count++;
        sscanf(text, "%31[^:]:%" SCNd64, wanted->texts[i], &wanted->processes[i]);
        sscanf(wanted->texts[i], "%31[^+]", wanted->names[i]);
        char *plus = strchr(wanted->texts[i], '+');
        if (plus != NULL)
            *plus = ':';
        wanted->nodes[i] = wanted->texts[i];
        text += strcspn(text, ",=!~^>");
        text += *text == ',';
    }
    if (*end == '=')
        sscanf(end + 1, "%90[^!~^]", wanted->method);
    end += strcspn(end, "!~^>");
    wanted->end = *end;
    snprintf(wanted->says, sizeof wanted->says, "%s", *end != '\0' ? end + 1 : "");
    for (char *c = wanted->says; *c != '\0'; c++)
        *c = *c == '_' ? ' ' : *c;
}

/* ---- what must hold -------------------------------------------------------------------------- */

static void check_data(struct state *s)
{
    int64_t first, count, total, *x;
    need(s, nereus_local(s->job, s->x_id, (void **)&x, &first, &count));
    for (int64_t i = 0; i < count; i++)
        if (x[i] != 7 * (first + i) + 3) {
            expect(s, false, "an element has another value than before");
            break;
        }
    MPI_Allreduce(&count, &total, 1, MPI_INT64_T, MPI_SUM, nereus_comm(s->job));
    expect(s, total == ELEMENTS, "elements are missing");
}

static int64_t asked_on(const struct wanted *wanted, const char *node)
{
    for (int64_t i = 0; i < wanted->count; i++)
        if (strcmp(wanted->names[i], node) == 0)
            return wanted->processes[i];
    return 0;
}

/* Rank 0 writes the state. */
static void check_nodes(struct state *s)
{
    struct nereus_machine machine;
    struct nereus_jobstate state;
    s->errors += where_check(s->job, "host");
    if (nereus_rank(s->job) != 0 || s->held.count == 0)
        return;
    need(s, nereus_jobstate_read_machine(getenv("NEREUS_STATE"), &machine, NULL));
    need(s, nereus_jobstate_read(getenv("NEREUS_STATE"), &state, NULL));
    for (int64_t node = 0; node < machine.node_count; node++) {
        const int64_t there = nereus_jobstate_node_processes(&state, node);
        printf("stage %" PRId64 ": %s has %" PRId64 "\n", s->stage, machine.nodes[node].name,
               there);
        expect(s, there == asked_on(&s->held, machine.nodes[node].name),
               "a node has another number of processes");
    }
    nereus_machine_fini(&machine);
    nereus_jobstate_fini(&state);
}

/* ---- stages ---------------------------------------------------------------------------------- */

static void request(struct state *s, const struct wanted *wanted)
{
    const char *method = wanted->method[0] != '\0' ? wanted->method : NULL;
    const enum nereus_status status =
        nereus_request_layout(s->job, wanted->nodes, wanted->processes, wanted->count, method);
    if (wanted->end != '!') {
        need(s, status);
        return;
    }
    expect(s, status != NEREUS_OK, "it was not refused");
    expect(s, strstr(nereus_last_error(s->job), wanted->says) != NULL, nereus_last_error(s->job));
}

static void wait_for_file(const char *path)
{
    while (path != NULL && access(path, F_OK) != 0)
        usleep(10000);
}

/* @return false: not known yet */
static bool is_answered(const struct state *s, const struct wanted *wanted,
                        enum nereus_outcome outcome)
{
    return wanted->end == '>' ? nereus_points(s->job) >= SCHEDULED
                              : outcome != NEREUS_OUTCOME_PENDING;
}

/* @return false: this process leaves */
static bool carry_out(struct state *s, const struct wanted *wanted)
{
    enum nereus_outcome outcome = NEREUS_OUTCOME_PENDING;
    enum nereus_action action = NEREUS_CONTINUE;
    const int64_t before = nereus_reconfigurations(s->job);
    const char *sentence = "";
    while (action == NEREUS_CONTINUE) {
        int answered;
        need(s, nereus_point(s->job, &action));
        if (action == NEREUS_LEAVE)
            return false;
        outcome = nereus_last_outcome(s->job, &sentence);
        /* Rank 0 and the others learn it at the same point. */
        answered = is_answered(s, wanted, outcome);
        if (action == NEREUS_CONTINUE) {
            MPI_Barrier(nereus_comm(s->job)); /* else rank 0 runs far ahead of the others */
            MPI_Bcast(&answered, 1, MPI_INT, 0, nereus_comm(s->job));
        }
        if (answered)
            break;
    }
    const bool changes = wanted->end == '\0' || wanted->end == '>';
    expect(s,
           outcome == (changes              ? NEREUS_OUTCOME_RESIZED
                       : wanted->end == '~' ? NEREUS_OUTCOME_FAILED
                                            : NEREUS_OUTCOME_UNCHANGED),
           sentence);
    expect(s, wanted->end == '>' || strstr(sentence, wanted->says) != NULL, sentence);
    /* A woken process has missed some reconfigurations. */
    const int64_t made = nereus_reconfigurations(s->job) - before;
    expect(s, changes ? made >= 1 : made == 0, "another number of changes");
    return true;
}

static bool run(struct state *s, int stages, char **texts)
{
    while (s->stage < stages) {
        static struct wanted wanted;
        read_stage(texts[s->stage], &wanted);
        if (wanted.end == '\0' || wanted.end == '>')
            s->held = wanted;
        s->stage++; /* new processes begin with the next one */
        if (nereus_rank(s->job) == 0 && wanted.end != '>')
            request(s, &wanted);
        if (wanted.end != '!' && !carry_out(s, &wanted))
            return false;
        check_data(s);
        check_nodes(s);
    }
    return true;
}

static void register_all(struct state *s)
{
    int id;
    int64_t first, count, *x;
    need(s, nereus_register_array(s->job, "x", MPI_INT64_T, ELEMENTS, NEREUS_VARIABLE, &s->x_id));
    need(s, nereus_register_replicated(s->job, "stage", MPI_INT64_T, 1, NEREUS_VARIABLE, &s->stage,
                                       &id));
    need(s, nereus_register_replicated(s->job, "held", MPI_BYTE, sizeof s->held, NEREUS_VARIABLE,
                                       &s->held, &id));
    if (nereus_is_received(s->job, s->x_id))
        return;
    need(s, nereus_local(s->job, s->x_id, (void **)&x, &first, &count));
    for (int64_t i = 0; i < count; i++)
        x[i] = 7 * (first + i) + 3;
}

/*
 * Reads the reconfiguration of the schedule, if the last stage has one.
 * @return is there one?
 */
static bool read_schedule(const char *last, struct nereus_resize *change)
{
    const char *text = last != NULL ? strchr(last, '>') : NULL, *method;
    if (text == NULL || (method = strchr(text, '=')) == NULL)
        return false;
    *change = (struct nereus_resize){
        .point = SCHEDULED, .nt = strtoll(text + 1, NULL, 10), .method = method + 1};
    return true;
}

int main(int argc, char **argv)
{
    static struct state s;
    struct nereus_options options = NEREUS_OPTIONS_INIT;
    struct nereus_resize change;
    where_begin();
    options.schedule = &change;
    options.schedule_count = argc > 1 && read_schedule(argv[argc - 1], &change);
    if (nereus_init(&argc, &argv, &options, &s.job) != NEREUS_OK)
        return EXIT_FAILURE;
    if (options.schedule_count > 0 && !nereus_is_joined(s.job))
        need(&s, nereus_schedule_spread(s.job, 0));
    register_all(&s);
    if (nereus_is_joined(s.job)) { /* it joined within a stage */
        check_data(&s);
        check_nodes(&s);
    }
    if (nereus_rank(s.job) == 0)
        wait_for_file(getenv("NEREUS_TEST_WAITS_FOR"));
    if (run(&s, argc - 1, argv + 1))
        MPI_Allreduce(MPI_IN_PLACE, &s.errors, 1, MPI_INT64_T, MPI_SUM, nereus_comm(s.job));
    if (nereus_finalize(&s.job) != NEREUS_OK)
        return EXIT_FAILURE;
    return s.errors == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
