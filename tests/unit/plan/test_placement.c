/** @file test_placement.c  Where new processes go, who leaves, and what becomes of the job's
 * worlds. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/plan/placement.h"
#include "model/util/arith.h"
#include "nereus/plan.h"
#include "tests/unit/random.h"

enum { TEXT_MAX = 512, RELEASE_MAX = 4 };

/* --- a job in a line: "world@node x count", in rank order --- */

static void add_to_worlds(struct nereus_jobstate *state, const struct nereus_segment *s,
                          bool active)
{
    struct nereus_world *world = NULL;
    for (int64_t i = 0; i < state->world_count; i++)
        if (state->worlds[i].id == s->world)
            world = &state->worlds[i];
    if (world == NULL) {
        world = &state->worlds[state->world_count++];
        *world = (struct nereus_world){.id = s->world, .first_node = s->node, .nodes = 1};
    }
    const int64_t end = world->first_node + world->nodes;
    world->first_node = s->node < world->first_node ? s->node : world->first_node;
    world->nodes = (s->node + 1 > end ? s->node + 1 : end) - world->first_node;
    *(active ? &world->processes : &world->zombies) += s->count;
    if (s->world >= state->next_world_id)
        state->next_world_id = s->world + 1;
}

static struct nereus_segment *parse_segments(const char *text, struct nereus_jobstate *state,
                                             bool active, int64_t *count)
{
    struct nereus_segment *list = calloc(16, sizeof *list);
    int used = 0;
    *count = 0;
    for (; text != NULL && sscanf(text, " %ld@%ldx%ld%n", &list[*count].world, &list[*count].node,
                                  &list[*count].count, &used) == 3;
         text += used) {
        add_to_worlds(state, &list[*count], active);
        ++*count;
    }
    return list;
}

static int compare_worlds(const void *left, const void *right)
{
    const struct nereus_world *a = left, *b = right;
    return (a->id > b->id) - (a->id < b->id);
}

static struct nereus_jobstate state_of(const char *active, const char *asleep)
{
    struct nereus_jobstate state = {.worlds = calloc(32, sizeof *state.worlds),
                                    .cores_per_node = 5};
    state.segments = parse_segments(active, &state, true, &state.segment_count);
    state.sleepers = parse_segments(asleep, &state, false, &state.sleeper_count);
    qsort(state.worlds, (size_t)state.world_count, sizeof *state.worlds, compare_worlds);
    return state;
}

static const char *segments_text(const struct nereus_segment *list, int64_t count, char *text)
{
    size_t length = 0;
    text[0] = '\0';
    for (int64_t i = 0; i < count; i++)
        length += (size_t)snprintf(text + length, TEXT_MAX - length, "%s%ld@%ldx%ld",
                                   i > 0 ? " " : "", list[i].world, list[i].node, list[i].count);
    return text;
}

/* "node x count" of groups, "first+count" and e (ends) or s (sleeps) of leavers. */
static const char *request_text(const struct nereus_request *request, char *text)
{
    size_t length = 0;
    text[0] = '\0';
    for (int64_t i = 0; i < request->group_count; i++)
        length += (size_t)snprintf(text + length, TEXT_MAX - length, "%s%ldx%ld", i > 0 ? " " : "",
                                   request->groups[i].node, request->groups[i].processes);
    for (int64_t i = 0; i < request->leaver_count; i++)
        length +=
            (size_t)snprintf(text + length, TEXT_MAX - length, "%s%ld+%ld%s", i > 0 ? " " : "",
                             request->leavers[i].first, request->leavers[i].count,
                             request->leavers[i].ends != 0 ? "e" : "s");
    return text;
}

static struct nereus_machine machine_of(const char *text)
{
    struct nereus_machine machine;
    struct nereus_error err = {NEREUS_OK, ""};
    const enum nereus_status status = strchr(text, ':') == NULL
                                          ? nereus_machine_uniform(atoi(text), &machine, &err)
                                          : nereus_machine_from_text(text, &machine, &err);
    cr_assert(status == NEREUS_OK, "%s", err.text);
    return machine;
}

/* One row: a wish in a state, what is decided, and the state afterwards. */
struct row {
    const char *machine;         /* cores per node, or a list of nodes */
    const char *active, *asleep; /* the job */
    const char *method;
    int64_t nt, batch;
    const char *release;  /* nodes; "L0x2 1x1": a layout, processes by node */
    const char *placed;   /* groups or leavers; or, of an illegal wish, part of the sentence */
    const char *resolved; /* method afterwards; NULL: refused */
    const char *next_active, *next_asleep;
};

static int64_t parse_release(const char *text, int64_t *release)
{
    int64_t count = 0;
    int used = 0;
    for (; text != NULL && sscanf(text, " %ld%n", &release[count], &used) == 1; text += used)
        count++;
    return count;
}

static int64_t parse_layout(const char *text, struct nereus_group *layout)
{
    int64_t count = 0;
    int used = 0;
    for (text++;
         sscanf(text, " %ldx%ld%n", &layout[count].node, &layout[count].processes, &used) == 2;
         text += used)
        count++;
    return count;
}

static struct nereus_request request_for(const struct row *row, const struct nereus_jobstate *state)
{
    struct nereus_error err = {NEREUS_OK, ""};
    struct nereus_request request = {.version = NEREUS_RECORD_VERSION,
                                     .number = 1,
                                     .ns = nereus_jobstate_processes(state),
                                     .nt = row->nt,
                                     .zombies = nereus_jobstate_zombies(state),
                                     .next_world_id = state->next_world_id,
                                     .batch = row->batch};
    cr_assert(nereus_method_parse(row->method, &request.method, &err) == NEREUS_OK, "%s", err.text);
    return request;
}

static void expect_text(const char *what, const struct row *row, const char *text,
                        const char *expected)
{
    cr_expect(strcmp(text, expected != NULL ? expected : "") == 0,
              "%s [%s | %s] -> %ld: %s is '%s', not '%s'", row->method, row->active,
              row->asleep != NULL ? row->asleep : "", row->nt, what, text,
              expected != NULL ? expected : "");
}

static void expect_applied(const struct row *row, const struct nereus_machine *machine,
                           const struct nereus_request *request, struct nereus_jobstate *state)
{
    struct nereus_error err = {NEREUS_OK, ""};
    char text[TEXT_MAX];
    cr_expect(nereus_jobstate_apply(machine, request, state, &err) == NEREUS_OK, "%s -> %ld: %s",
              row->active, row->nt, err.text);
    expect_text("the next state", row, segments_text(state->segments, state->segment_count, text),
                row->next_active);
    expect_text("asleep then", row, segments_text(state->sleepers, state->sleeper_count, text),
                row->next_asleep);
}

static void check_row(const struct row *row)
{
    struct nereus_machine machine = machine_of(row->machine);
    struct nereus_jobstate state = state_of(row->active, row->asleep);
    struct nereus_request request = request_for(row, &state);
    struct nereus_error err = {NEREUS_OK, ""};
    int64_t release[RELEASE_MAX];
    struct nereus_group layout[RELEASE_MAX];
    const bool is_layout = row->release[0] == 'L';
    const int64_t count =
        is_layout ? parse_layout(row->release, layout) : parse_release(row->release, release);
    char text[TEXT_MAX];
    const enum nereus_status status =
        is_layout ? nereus_request_place_layout(&machine, &state, layout, count, &request, &err)
                  : nereus_request_place(&machine, &state, release, count, &request, &err);
    if (row->resolved == NULL) {
        cr_expect(status == NEREUS_ERR_ILLEGAL && strstr(err.text, row->placed) != NULL,
                  "%s [%s] -> %ld: no '%s' in '%s'", row->method, row->active, row->nt, row->placed,
                  err.text);
        cr_expect(request.group_count == 0 && request.leaver_count == 0);
    } else {
        cr_expect(status == NEREUS_OK, "%s [%s] -> %ld: %s", row->method, row->active, row->nt,
                  err.text);
        expect_text("the decision", row, request_text(&request, text), row->placed);
        expect_text("the method", row, nereus_method_format(&request.method, text), row->resolved);
        expect_applied(row, &machine, &request, &state);
    }
    nereus_request_fini(&request);
    nereus_jobstate_fini(&state);
    nereus_machine_fini(&machine);
}

static void check_rows(const struct row *rows, size_t count)
{
    for (size_t i = 0; i < count; i++)
        check_row(&rows[i]);
}

/* --- layouts. By hand, from placement.h's rules --- */

static const char three[] = "a:2,b:2,c:2";

Test(placement, a_layout_is_brought_about)
{
    static const struct row rows[] = {
        /* part of a node, the other nodes as they are */
        {three, "0@0x2", "", "merge-diffusive", 3, 0, "L0x2 2x1", "2x1", "merge-diffusive",
         "0@0x2 1@2x1", ""},
        {three, "0@0x1", "", "merge", 4, 0, "L2x1 0x2 1x1", "0x1 1x1 2x1", "merge",
         "0@0x1 1@0x1 1@1x1 1@2x1", ""},
        {three, "0@0x2", "", "merge", 2, 0, "L0x2 1x0", "", "merge", "0@0x2", ""},
        /* a whole world ends, though a younger one has as many; that of rank 0 */
        {three, "0@0x2 1@1x2 2@2x2", "", "merge", 4, 0, "L0x2 2x2", "2+2e", "merge-ts",
         "0@0x2 2@2x2", ""},
        {three, "0@0x2 1@1x2", "", "merge", 2, 0, "L1x2", "0+2e", "merge-ts", "1@1x2", ""},
        /* part of a world sleeps; both */
        {three, "0@0x2 1@1x2", "", "merge", 3, 0, "L0x1 1x2", "1+1s", "merge-zs", "0@0x1 1@1x2",
         "0@0x1"},
        {three, "0@0x2 1@1x2 2@2x2", "", "merge", 3, 0, "L0x1 2x2", "1+1s 2+2e", "merge-ts",
         "0@0x1 2@2x2", "0@0x1"},
        {three, "0@0x2 0@1x2", "", "merge-zs", 2, 0, "L0x2", "2+2s", "merge-zs", "0@0x2", "0@1x2"},
        /* nobody stays behind on a node that is to be empty, unless zs is asked for */
        {three, "0@0x2 0@1x2", "", "merge", 2, 0, "L0x2", "0x2", "merge-ss", "1@0x2", ""},
        {three, "0@0x2 1@1x1", "0@1x1", "merge-binomial", 2, 0, "L0x2", "0x2", "merge-binomial-ss",
         "2@0x2", ""},
        /* moved, at the same size */
        {three, "0@0x2", "", "baseline-diffusive", 2, 0, "L1x1 2x1", "1x1 2x1",
         "baseline-diffusive", "1@1x1 2@2x1", ""},
        {three, "0@0x2", "", "merge-ss", 2, 0, "L1x2", "1x2", "merge-ss", "1@1x2", ""},
        /* zombies wake where they are */
        {three, "0@0x1", "0@0x1", "merge", 3, 0, "L0x2 1x1", "1x1", "merge", "0@0x2 1@1x1", ""},
        {three, "0@0x1", "0@0x1", "merge", 2, 0, "L0x2", "", "merge", "0@0x2", ""},
    };
    check_rows(rows, NEREUS_COUNT_OF(rows));
}

/* Only a launcher that starts there reaches a node in an allocation of its own. */
Test(placement, nodes_in_an_allocation_of_their_own)
{
    static const char far[] = "a:2,b:2,c:2@slurm:12";
    static const struct row rows[] = {
        {far, "0@0x2", "", "merge-launch", 6, 0, "", "1x2 2x2", "merge-launch", "0@0x2 1@1x2 2@2x2",
         ""},
        {far, "0@0x2", "", "merge-diffusive", 4, 0, "", "1x2", "merge-diffusive", "0@0x2 1@1x2",
         ""},
        {far, "0@0x2", "", "baseline-launch", 3, 0, "L0x1 2x2", "0x1 2x2", "baseline-launch",
         "1@0x1 2@2x2", ""},
        /* who is there leaves, which starts nobody */
        {far, "0@0x2 1@2x2", "", "merge", 2, 0, "2", "2+2e", "merge-ts", "0@0x2", ""},
        {far, "0@0x2 1@2x2", "", "merge-zs", 3, 0, "", "3+1s", "merge-zs", "0@0x2 1@2x1", "1@2x1"},
        {far, "0@0x2", "", "merge-diffusive", 6, 0, "",
         "the node 'c' is in an allocation of its own (slurm:12)", NULL, NULL, NULL},
        {far, "0@0x2", "", "merge", 4, 0, "L0x2 2x2", "use the strategy launch", NULL, NULL, NULL},
        /* from there no other node is reached */
        {far, "0@0x2 1@2x2", "", "merge-multiple", 5, 0, "", "the node 'c' is in", NULL, NULL,
         NULL},
        {far, "0@0x2 1@2x2", "", "baseline", 2, 0, "", "the node 'c' is in", NULL, NULL, NULL},
        {far, "0@0x2 1@2x1", "1@2x1", "merge-single", 6, 0, "", "the node 'c' is in", NULL, NULL,
         NULL},
    };
    check_rows(rows, NEREUS_COUNT_OF(rows));
}

Test(placement, a_layout_that_the_method_cannot_bring_about)
{
    static const struct row rows[] = {
        {three, "0@0x2", "", "merge", 2, 0, "L0x1 1x1",
         "node 1 would gain processes and node 0 lose some: use baseline", NULL, NULL, NULL},
        {three, "0@0x2 0@1x2", "", "merge", 3, 0, "L0x1 1x1 2x1",
         "node 2 would gain processes and node 0 lose some", NULL, NULL, NULL},
        {three, "0@0x2", "", "merge", 3, 0, "L0x1 1x2", "node 1 would gain processes", NULL, NULL,
         NULL},
        {three, "0@0x1", "0@0x1", "merge", 2, 0, "L0x1 1x1", "would be 1 too many on node 0", NULL,
         NULL, NULL},
        {three, "0@0x2 1@1x2", "", "merge-ts", 3, 0, "L0x1 1x2", "1 process would have to sleep",
         NULL, NULL, NULL},
    };
    check_rows(rows, NEREUS_COUNT_OF(rows));
}

static struct nereus_request layout_request(int64_t ns, int64_t nt, int64_t zombies)
{
    return (struct nereus_request){.version = NEREUS_RECORD_VERSION,
                                   .number = 1,
                                   .ns = ns,
                                   .nt = nt,
                                   .zombies = zombies,
                                   .method = {.process = NEREUS_MERGE}};
}

Test(placement, a_layout_that_is_none)
{
    static const struct {
        struct nereus_group layout[2];
        const char *part;
    } rows[] = {{{{0, 2}, {1, 2}}, "a layout of 4 processes does not fit a request for 3"},
                {{{0, 2}, {3, 1}}, "1 process on node 3, but the machine has 3 nodes"},
                {{{0, 4}, {1, -1}}, "-1 processes on node 1"}};
    struct nereus_jobstate state = state_of("0@0x2", "");
    struct nereus_machine machine = machine_of(three);
    for (size_t i = 0; i < NEREUS_COUNT_OF(rows); i++) {
        struct nereus_error err = {NEREUS_OK, ""};
        struct nereus_request request = layout_request(2, 3, 0);
        cr_expect(nereus_request_place_layout(&machine, &state, rows[i].layout, 2, &request,
                                              &err) == NEREUS_ERR_ARGUMENT);
        cr_expect(strstr(err.text, rows[i].part) != NULL, "%s", err.text);
    }
    nereus_jobstate_fini(&state);
    nereus_machine_fini(&machine);
}

/* One layout after the other: what is placed has exactly these processes on these nodes, and what
 * is refused leaves the state as it was. Baseline is never refused. */
Test(placement, random_layouts)
{
    static const char *const methods[] = {"merge", "merge-diffusive", "merge-zs",
                                          "baseline-diffusive", "merge"};
    struct nereus_machine machine = machine_of("a:3,b:2,c:4,d:3");
    struct nereus_jobstate state = state_of("0@0x3 0@1x1", "");
    int64_t carried_out = 0;
    for (int i = 0; i < 4000; i++) {
        struct nereus_error err = {NEREUS_OK, ""};
        struct nereus_group layout[4];
        struct nereus_request request =
            layout_request(nereus_jobstate_processes(&state), 0, nereus_jobstate_zombies(&state));
        for (int64_t node = 0; node < 4; node++) {
            const int64_t here = nereus_jobstate_node_processes(&state, node);
            layout[node] = (struct nereus_group){node, random_below(2) ? here : random_below(4)};
            request.nt += layout[node].processes;
        }
        const char *method = methods[random_below((int64_t)NEREUS_COUNT_OF(methods))];
        cr_assert(nereus_method_parse(method, &request.method, NULL) == NEREUS_OK);
        const bool baseline = request.method.process != NEREUS_MERGE;
        if (request.nt == 0 || (request.method.shrink == NEREUS_ZS && request.nt >= request.ns))
            continue;
        const enum nereus_status status =
            nereus_request_place_layout(&machine, &state, layout, 4, &request, &err);
        cr_assert(status == NEREUS_OK || (status == NEREUS_ERR_ILLEGAL && !baseline), "%s: %s",
                  method, err.text);
        if (status == NEREUS_OK) {
            cr_assert(nereus_jobstate_apply(&machine, &request, &state, &err) == NEREUS_OK, "%s",
                      err.text);
            for (int64_t node = 0; node < 4; node++)
                cr_assert(nereus_jobstate_node_processes(&state, node) == layout[node].processes,
                          "case %d, node %ld", i, node);
            carried_out++;
        }
        nereus_request_fini(&request);
    }
    cr_expect(carried_out > 1000, "%ld", carried_out);
    nereus_jobstate_fini(&state);
    nereus_machine_fini(&machine);
}

/* --- expansion and baseline. Expected numbers: by hand, from layout.h's rule --- */

Test(placement, new_processes_fill_free_cores_first)
{
    static const struct row rows[] = {
        /* the initial world, then one more world for all that is new */
        {"5", "0@0x5 0@1x2", "", "merge", 12, 0, "", "1x3 2x2", "merge", "0@0x5 0@1x2 1@1x3 1@2x2",
         ""},
        {"5", "0@0x5 0@1x2", "", "merge-single", 12, 0, "", "1x3 2x2", "merge-single",
         "0@0x5 0@1x2 1@1x3 1@2x2", ""},
        /* a world per node */
        {"5", "0@0x5 0@1x2", "", "merge-diffusive", 12, 0, "", "1x3 2x2", "merge-diffusive",
         "0@0x5 0@1x2 1@1x3 2@2x2", ""},
        {"5", "0@0x5 0@1x5", "", "merge-hypercube", 20, 0, "", "2x5 3x5", "merge-hypercube",
         "0@0x5 0@1x5 1@2x5 2@3x5", ""},
        {"5", "0@0x5 0@1x2", "", "merge-launch", 12, 0, "", "1x3 2x2", "merge-launch",
         "0@0x5 0@1x2 1@1x3 2@2x2", ""},
        /* a world per process, or a batch */
        {"5", "0@0x4", "", "merge-multiple", 7, 0, "", "0x1 1x1 1x1", "merge-multiple",
         "0@0x4 1@0x1 2@1x1 3@1x1", ""},
        {"5", "0@0x3", "", "merge-multiple", 10, 2, "", "0x2 1x2 1x2 1x1", "merge-multiple",
         "0@0x3 1@0x2 2@1x2 3@1x2 4@1x1", ""},
        /* gaps that earlier shrinks have left */
        {"5", "0@0x5 3@2x3", "", "merge-diffusive", 17, 0, "", "1x5 2x2 3x2", "merge-diffusive",
         "0@0x5 3@2x3 4@1x5 5@2x2 6@3x2", ""},
        /* unequal nodes; more processes than cores */
        {"a:4,b:1,c:3", "0@0x4 0@1x1", "", "merge", 11, 0, "", "0x3 2x3", "merge",
         "0@0x4 0@1x1 1@0x3 1@2x3", ""},
        {"a:4,b:1,c:3", "0@0x2", "", "merge-diffusive", 19, 0, "", "0x9 1x2 2x6", "merge-diffusive",
         "0@0x2 1@0x9 2@1x2 3@2x6", ""},
        /* crowded on one node: the others catch up first */
        {"a:2,b:2,c:2", "0@0x5", "", "merge", 11, 0, "", "1x4 2x2", "merge", "0@0x5 1@1x4 1@2x2",
         ""},
        {"h:2", "0@0x2", "", "merge-diffusive", 7, 0, "", "0x5", "merge-diffusive", "0@0x2 1@0x5",
         ""},
        /* virtual nodes of one host */
        {"localhost/a:1,localhost/b:2,localhost/c:1", "0@0x1", "", "merge-diffusive", 4, 0, "",
         "1x2 2x1", "merge-diffusive", "0@0x1 1@1x2 2@2x1", ""},
        /* zombies wake first, the last asleep first, and take their cores */
        {"5", "0@0x3", "0@0x1 0@0x1 1@1x2", "merge", 11, 0, "", "1x3 2x1", "merge",
         "0@0x5 1@1x2 2@1x3 2@2x1", ""},
        {"5", "0@0x3", "0@0x2 1@1x3 2@2x4", "merge", 8, 0, "", "", "merge", "0@0x3 1@1x1 2@2x4",
         "0@0x2 1@1x2"},
        /* nothing to do */
        {"5", "0@0x3", "0@0x2", "merge", 3, 0, "", "", "merge", "0@0x3", "0@0x2"},
    };
    check_rows(rows, NEREUS_COUNT_OF(rows));
}

Test(placement, a_baseline_starts_on_empty_nodes)
{
    static const struct row rows[] = {
        {"5", "0@0x5 0@1x2 1@2x4", "1@2x1", "baseline", 8, 0, "", "0x5 1x3", "baseline",
         "2@0x5 2@1x3", ""},
        {"5", "0@0x5 4@1x2", "", "baseline-intra", 7, 0, "", "0x5 1x2", "baseline-intra",
         "5@0x5 5@1x2", ""},
        {"5", "0@0x3", "", "baseline-diffusive", 13, 0, "", "0x5 1x5 2x3", "baseline-diffusive",
         "1@0x5 2@1x5 3@2x3", ""},
        {"5", "0@0x3", "", "baseline-multiple", 6, 4, "", "0x4 0x1 1x1", "baseline-multiple",
         "1@0x4 2@0x1 3@1x1", ""},
        {"a:4,b:1,c:3", "0@0x3", "", "baseline", 17, 0, "", "0x9 1x2 2x6", "baseline",
         "1@0x9 1@1x2 1@2x6", ""},
        /* nodes that are given back are left out */
        {"5", "0@0x5 0@1x5 0@2x5", "", "baseline", 8, 0, "0", "1x5 2x3", "baseline", "1@1x5 1@2x3",
         ""},
        {"a:2,b:2,c:2", "0@0x2 0@1x2 0@2x2", "", "baseline-diffusive", 5, 0, "1 2", "0x5",
         "baseline-diffusive", "1@0x5", ""},
        {"5", "0@0x5", "", "merge", 8, 0, "1", "2x3", "merge", "0@0x5 1@2x3", ""},
        {"5", "0@0x5 1@1x2", "", "merge", 8, 0, "1", "node 1 cannot be given back", NULL, NULL,
         NULL},
        {"5", "0@0x5", "1@1x2", "merge", 6, 0, "1", "node 1 cannot be given back", NULL, NULL,
         NULL},
    };
    check_rows(rows, NEREUS_COUNT_OF(rows));
}

/* --- shrinks. Source of the cases: Martín-Álvarez et al. (2025), sections 4.6 and 4.7, as restored
 * by its errata --- */

Test(placement, expanded_groups_end_first)
{
    static const struct row rows[] = {
        /* whole groups, the youngest first */
        {"5", "0@0x5 0@1x5 1@2x5 2@3x5", "", "merge", 15, 0, "", "15+5e", "merge-ts",
         "0@0x5 0@1x5 1@2x5", ""},
        {"5", "0@0x5 0@1x5 1@2x5 2@3x5", "", "merge", 10, 0, "", "10+10e", "merge-ts",
         "0@0x5 0@1x5", ""},
        /* what a method starts does not matter when nothing is started */
        {"5", "0@0x5 0@1x5 1@2x5 2@3x5", "", "merge-diffusive", 10, 0, "", "10+10e", "merge-ts",
         "0@0x5 0@1x5", ""},
        {"5", "0@0x5 1@1x3 2@2x2 3@3x1", "", "merge", 8, 0, "", "8+3e", "merge-ts", "0@0x5 1@1x3",
         ""},
        /* one of the size in the middle */
        {"5", "0@0x4 1@1x3 2@2x5 3@3x4", "", "merge/coll", 13, 0, "", "4+3e", "merge-ts/coll",
         "0@0x4 2@2x5 3@3x4", ""},
        /* the youngest alone would leave one over; an older and a younger do not */
        {"a:9,b:9,c:9,d:9", "0@0x7 1@1x3 2@2x4 3@3x6", "", "merge", 13, 0, "", "7+7e", "merge-ts",
         "0@0x7 3@3x6", ""},
        /* a group and part of the next: both ways in one request */
        {"5", "0@0x5 0@1x5 1@2x5 2@3x5", "", "merge", 13, 0, "", "13+2s 15+5e", "merge-ts",
         "0@0x5 0@1x5 1@2x3", "1@2x2"},
        /* single processes, from the strategy multiple */
        {"5", "0@0x3 1@0x1 2@0x1 3@1x1", "", "merge", 4, 0, "", "4+2e", "merge-ts", "0@0x3 1@0x1",
         ""},
        /* virtual nodes, unequal */
        {"localhost/a:1,localhost/b:2,localhost/c:1", "0@0x1 1@1x2 2@2x1", "", "merge", 2, 0, "",
         "1+2e", "merge-ts", "0@0x1 2@2x1", ""},
        /* crowded */
        {"h:2", "0@0x2 1@0x5", "", "merge", 2, 0, "", "2+5e", "merge-ts", "0@0x2", ""},
    };
    check_rows(rows, NEREUS_COUNT_OF(rows));
}

Test(placement, part_of_a_node_sleeps)
{
    static const struct row rows[] = {
        {"5", "0@0x4", "", "merge", 3, 0, "", "3+1s", "merge-zs", "0@0x3", "0@0x1"},
        /* the initial world on several nodes, no expansion before, and no node asked for */
        {"5", "0@0x5 0@1x5 0@2x2", "", "merge", 7, 0, "", "7+5s", "merge-zs", "0@0x5 0@1x2",
         "0@1x3 0@2x2"},
        /* part of a group */
        {"5", "0@0x5 1@1x5", "", "merge", 8, 0, "", "8+2s", "merge-zs", "0@0x5 1@1x3", "1@1x2"},
        /* after those who slept before: the next expansion wakes these first */
        {"5", "0@0x5 1@1x3", "1@1x2", "merge", 7, 0, "", "7+1s", "merge-zs", "0@0x5 1@1x2",
         "1@1x3"},
        {"5", "0@0x5 1@1x3", "0@0x2", "merge", 7, 0, "", "7+1s", "merge-zs", "0@0x5 1@1x2",
         "0@0x2 1@1x1"},
        /* ranks of one world apart: woken zombies sit behind younger worlds */
        {"5", "0@0x3 1@1x5 0@0x2", "", "merge", 9, 0, "", "9+1s", "merge-zs", "0@0x3 1@1x5 0@0x1",
         "0@0x1"},
        /* as asked for, also where a world could end */
        {"5", "0@0x5 1@1x5", "", "merge-zs", 4, 0, "", "4+1s 5+5e", "merge-zs", "0@0x4", "0@0x1"},
        /* a world of which nobody stays awake ends, with those who slept there */
        {"5", "0@0x5 1@1x3", "1@1x2", "merge-zs", 5, 0, "", "5+3e", "merge-zs", "0@0x5", ""},
        {"5", "0@0x5 1@1x3", "1@1x2", "merge-zs", 6, 0, "", "6+2s", "merge-zs", "0@0x5 1@1x1",
         "1@1x4"},
        {three, "0@0x2 1@1x2", "", "merge-zs", 2, 0, "L0x2", "2+2e", "merge-zs", "0@0x2", ""},
        {three, "0@0x2 1@1x2 2@2x1", "", "merge-zs", 2, 0, "L1x1 2x1", "0+2e 3+1s", "merge-zs",
         "1@1x1 2@2x1", "1@1x1"},
        {"5", "0@0x5 1@1x5 2@2x2", "", "merge-zs", 6, 0, "1", "5+5e 11+1s", "merge-zs",
         "0@0x5 2@2x1", "2@2x1"},
        {"5", "0@0x5 1@1x5", "", "merge-zs", 6, 0, "1", "goes from 10 to 5 at most", NULL, NULL,
         NULL},
    };
    check_rows(rows, NEREUS_COUNT_OF(rows));
}

Test(placement, a_world_that_would_be_all_zombies_ends)
{
    static const struct row rows[] = {
        {"5", "0@0x5 1@1x2", "1@1x3", "merge", 5, 0, "", "5+2e", "merge-ts", "0@0x5", ""},
        {"5", "0@0x5 1@1x2 2@2x5", "1@1x3 0@0x1", "merge", 9, 0, "", "5+2e 11+1s", "merge-ts",
         "0@0x5 2@2x4", "0@0x1 2@2x1"},
        {"5", "0@0x5 1@1x2 2@2x5", "1@1x3 0@0x1", "merge", 10, 0, "", "5+2e", "merge-ts",
         "0@0x5 2@2x5", "0@0x1"},
    };
    check_rows(rows, NEREUS_COUNT_OF(rows));
}

Test(placement, the_world_of_the_root_leaves_as_a_whole)
{
    static const struct row rows[] = {
        /* more must go than the groups can give, and the world of the root can give it */
        {"5", "0@0x5 0@1x5 1@2x5 2@3x5", "", "merge", 5, 0, "", "0+10e 15+5e", "merge-ts", "1@2x5",
         ""},
        {"5", "0@0x5 0@1x5 1@2x5", "", "merge", 5, 0, "", "0+10e", "merge-ts", "1@2x5", ""},
        /* and something over: part of a group sleeps; a world on several nodes is gone at last */
        {"5", "0@0x5 0@1x5 1@2x5 2@3x5", "", "merge", 8, 0, "", "0+10e 18+2s", "merge-ts",
         "1@2x5 2@3x3", "2@3x2"},
        {"5", "0@0x5 0@1x5 1@2x5", "", "merge", 3, 0, "", "0+10e 13+2s", "merge-ts", "1@2x3",
         "1@2x2"},
        /* it cannot: it is larger than what must go */
        {"5", "0@0x5 0@1x5 1@2x5", "", "merge", 8, 0, "", "8+2s 10+5e", "merge-ts", "0@0x5 0@1x3",
         "0@1x2"},
        /* on one node it loses nothing by staying */
        {"5", "0@0x5 1@1x5 2@2x5", "", "merge", 3, 0, "", "3+2s 5+10e", "merge-ts", "0@0x3",
         "0@0x2"},
        /* with its zombies */
        {"5", "0@0x5 0@1x3 1@2x5", "0@1x2", "merge", 5, 0, "", "0+8e", "merge-ts", "1@2x5", ""},
        /* a root's world that is not the oldest */
        {"5", "2@1x5 1@0x4", "", "merge", 5, 0, "", "5+4e", "merge-ts", "2@1x5", ""},
    };
    check_rows(rows, NEREUS_COUNT_OF(rows));
}

Test(placement, nodes_that_are_named_are_given_back)
{
    static const struct row rows[] = {
        /* whole worlds on them */
        {"5", "0@0x5 0@1x5 1@2x5 2@3x5", "", "merge", 15, 0, "2", "10+5e", "merge-ts",
         "0@0x5 0@1x5 2@3x5", ""},
        {"5", "0@0x5 0@1x5 1@2x5 2@3x5", "", "merge", 10, 0, "0 1", "0+10e", "merge-ts",
         "1@2x5 2@3x5", ""},
        {"5", "0@0x5 0@1x5 1@2x5 2@3x5", "", "merge", 13, 0, "2", "10+5e 18+2s", "merge-ts",
         "0@0x5 0@1x5 2@3x3", "2@3x2"},
        /* a world that is elsewhere too: all anew, on the nodes that are kept */
        {"5", "0@0x5 0@1x5 0@2x5", "", "merge", 10, 0, "1", "0x5 2x5", "merge-ss", "1@0x5 2@2x5",
         ""},
        {"5", "0@0x5 0@1x5 0@2x5", "", "merge-hypercube", 10, 0, "1", "0x5 2x5",
         "merge-hypercube-ss", "1@0x5 2@2x5", ""},
        {"5", "0@0x5 0@1x5 1@2x5", "", "merge", 10, 0, "1", "0x5 2x5", "merge-ss", "2@0x5 3@2x5",
         ""},
        /* it may all leave when so many are to go */
        {"5", "0@0x5 0@1x5 1@2x5", "", "merge", 5, 0, "1", "0+10e", "merge-ts", "1@2x5", ""},
        /* zombies hold a node too */
        {"5", "0@0x5 1@1x5", "0@1x2", "merge", 5, 0, "1", "0x5", "merge-ss", "2@0x5", ""},
        {"5", "0@0x5 2@1x5", "1@2x2", "merge", 9, 0, "2", "0x5 1x4", "merge-ss", "3@0x5 4@1x4", ""},
        /* unequal nodes, crowded */
        {"a:2,b:3,c:2", "0@0x4 0@1x6 0@2x4", "", "merge", 9, 0, "0", "1x6 2x3", "merge-ss",
         "1@1x6 2@2x3", ""},
        /* ss by name: without nodes by name, on the first that the job has */
        {"5", "0@0x5 0@1x5 0@2x5", "", "merge-ss", 7, 0, "", "0x5 1x2", "merge-ss", "1@0x5 2@1x2",
         ""},
        {"5", "0@1x5 0@3x5", "", "merge-ss", 7, 0, "", "1x5 3x2", "merge-ss", "1@1x5 2@3x2", ""},
        {"5", "0@0x5 0@1x5 0@2x5", "", "merge-multiple-ss", 7, 3, "0", "1x3 1x2 2x2",
         "merge-multiple-ss", "1@1x3 2@1x2 3@2x2", ""},
        /* a strategy that ss cannot do with, where ss was not asked for by name */
        {"5", "0@0x5 0@1x5 0@2x5", "", "merge-single", 7, 0, "0", "1x5 2x2", "merge-ss",
         "1@1x5 2@2x2", ""},
        {"5", "0@0x5 0@1x5 0@2x5", "", "merge-hypercube", 7, 0, "0", "1x5 2x2",
         "merge-diffusive-ss", "1@1x5 2@2x2", ""},
        /* eager: at the very start, so that every node can leave alone later */
        {"5", "0@0x5 0@1x3", "", "merge-ss", 8, 0, "", "0x5 1x3", "merge-ss", "1@0x5 2@1x3", ""},
    };
    check_rows(rows, NEREUS_COUNT_OF(rows));
}

Test(placement, ts_says_what_is_possible)
{
    static const struct row rows[] = {
        {"5", "0@0x5 0@1x5 1@2x5 2@3x5", "", "merge-ts", 15, 0, "", "15+5e", "merge-ts",
         "0@0x5 0@1x5 1@2x5", ""},
        {"5", "0@0x5 0@1x5 1@2x5 2@3x5", "", "merge-ts", 5, 0, "", "0+10e 15+5e", "merge-ts",
         "1@2x5", ""},
        /* the world of the root, where that comes out and no other does */
        {"5", "0@0x3 1@1x4 2@2x4", "", "merge-ts", 8, 0, "", "0+3e", "merge-ts", "1@1x4 2@2x4", ""},
        {"5", "0@0x3 1@1x4 2@2x5", "", "merge-ts", 4, 0, "", "0+3e 7+5e", "merge-ts", "1@1x4", ""},
        {"5", "0@0x5 0@1x5 1@2x5 2@3x5", "", "merge-ts", 13, 0, "", "possible is 10 or 15;", NULL,
         NULL, NULL},
        {"5", "0@0x5 0@1x5 1@2x5 2@3x5", "", "merge-ts", 3, 0, "", "possible is 5;", NULL, NULL,
         NULL},
        {"5", "0@0x5 1@2x4", "", "merge-ts", 7, 0, "", "possible is 5;", NULL, NULL, NULL},
        {"5", "0@0x5 0@1x5", "", "merge-ts", 5, 0, "", "possible is no other size;", NULL, NULL,
         NULL},
        {"5", "0@0x5 0@1x5 1@2x5 2@3x5", "", "merge-ts", 15, 0, "1", "possible is 10;", NULL, NULL,
         NULL},
        {"5", "0@0x5 0@1x5 1@2x5 2@3x5", "", "merge-ts", 7, 0, "1", "possible is 5 or 10;", NULL,
         NULL, NULL},
        {"5", "0@0x5 0@1x5", "", "merge-ts", 5, 0, "1", "possible is no other size;", NULL, NULL,
         NULL},
    };
    check_rows(rows, NEREUS_COUNT_OF(rows));
}

/* --- who is where --- */

Test(placement, ranks_know_their_node_and_world)
{
    struct nereus_jobstate state = state_of("0@0x4 3@2x2 0@1x1 7@2x3", "3@2x2");
    const int64_t nodes[] = {0, 0, 0, 0, 2, 2, 1, 2, 2, 2},
                  worlds[] = {0, 0, 0, 0, 3, 3, 0, 7, 7, 7};
    for (int64_t rank = 0; rank < 10; rank++)
        cr_expect(nereus_jobstate_node_of(&state, rank) == nodes[rank] &&
                      nereus_jobstate_world_of(&state, rank) == worlds[rank],
                  "rank %ld", rank);
    cr_expect(nereus_jobstate_node_of(&state, 10) == -1 &&
              nereus_jobstate_world_of(&state, 10) == -1);
    cr_expect(nereus_jobstate_node_of(&state, -1) == -1 &&
              nereus_jobstate_world_of(&state, -1) == -1);
    cr_expect(nereus_jobstate_node_processes(&state, 2) == 5 &&
              nereus_jobstate_node_processes(&state, 1) == 1 &&
              nereus_jobstate_node_processes(&state, 3) == 0);
    cr_expect(
        nereus_jobstate_find_world(&state, 3) == 1 && nereus_jobstate_find_world(&state, 7) == 2 &&
        nereus_jobstate_find_world(&state, 4) == -1 && nereus_jobstate_find_world(&state, 8) == -1);
    nereus_jobstate_fini(&state);
}

/* --- what does not fit --- */

Test(placement, contradictions_are_refused_and_change_nothing)
{
    struct nereus_machine machine = machine_of("a:5,b:5");
    struct nereus_jobstate state = state_of("0@0x4 1@1x3", "0@0x1");
    struct nereus_group groups[] = {{0, 2}};
    const int64_t all[] = {0, 1}, far[] = {2}, negative[] = {-1};
    static const struct {
        int64_t ns, nt, zombies;
        int release; /* 1: all nodes, 2: one too far, 3: a negative one */
        const char *part;
    } rows[] = {
        {6, 9, 1, 0, "from 6 to 9 processes does not fit a job of 7"},
        {7, 0, 1, 0, "from 7 to 0"},
        {7, 9, 2, 0, "2 zombies does not fit a job of 1"},
        {7, 9, -1, 0, "-1 zombies"},
        {7, 3, 1, 1, "no node to be on"},
        {7, 9, 1, 2, "node 2 is to be given back, but the machine has 2 nodes"},
        {7, 9, 1, 3, "node -1 is to be given back"},
    };
    for (size_t i = 0; i < NEREUS_COUNT_OF(rows); i++) {
        struct nereus_error err = {NEREUS_OK, ""};
        struct nereus_request request = {
            .ns = rows[i].ns, .nt = rows[i].nt, .zombies = rows[i].zombies};
        request.groups = groups;
        request.group_count = 1;
        const int64_t *release = rows[i].release == 1 ? all : rows[i].release == 2 ? far : negative;
        const int64_t count = rows[i].release == 0 ? 0 : rows[i].release == 1 ? 2 : 1;
        cr_expect(nereus_request_place(&machine, &state, release, count, &request, &err) ==
                  NEREUS_ERR_ARGUMENT);
        cr_expect(strstr(err.text, rows[i].part) != NULL, "no '%s' in '%s'", rows[i].part,
                  err.text);
        cr_expect(request.groups == groups && request.group_count == 1);
    }
    struct nereus_jobstate far_away = state_of("0@7x4", "");
    struct nereus_request request = {.ns = 4, .nt = 5};
    struct nereus_error err = {NEREUS_OK, ""};
    cr_expect(nereus_request_place(&machine, &far_away, NULL, 0, &request, &err) ==
              NEREUS_ERR_ARGUMENT);
    cr_expect(strstr(err.text, "processes on node 7, but the machine has 2 nodes") != NULL, "%s",
              err.text);
    nereus_jobstate_fini(&far_away);
    nereus_jobstate_fini(&state);
    nereus_machine_fini(&machine);
}

Test(placement, what_does_not_fit_the_state_is_not_applied)
{
    struct nereus_jobstate state = state_of("0@0x4 1@1x3", "0@0x2");
    struct nereus_machine machine = machine_of("5");
    struct nereus_leavers part_of_a_world[] = {{2, 2, 1}}, mixed[] = {{4, 1, 0}, {5, 2, 1}},
                          one[] = {{6, 1, 0}};
    struct nereus_group group[] = {{1, 2}};
    static const struct nereus_method merge = {.process = NEREUS_MERGE};
    const struct {
        struct nereus_request request;
        const char *part;
    } rows[] = {
        {{.ns = 8, .nt = 9, .method = merge}, "sources (8)"},
        {{.ns = 7, .nt = 9, .zombies = 3, .method = merge}, "zombies (3)"},
        {{.ns = 7, .nt = 5, .method = merge, .leavers = part_of_a_world, .leaver_count = 1},
         "only a part of a world ends, world (0)"},
        {{.ns = 7, .nt = 4, .method = merge, .leavers = mixed, .leaver_count = 2},
         "only a part of a world ends, world (1)"},
        {{.ns = 7, .nt = 4, .method = merge, .leavers = one, .leaver_count = 1},
         "processes that there would be (6)"},
        {{.ns = 7, .nt = 8, .method = merge, .groups = group, .group_count = 1},
         "processes that there would be (9)"},
        {{.ns = 7, .nt = 3, .groups = group, .group_count = 1},
         "processes that there would be (2)"},
    };
    for (size_t i = 0; i < NEREUS_COUNT_OF(rows); i++) {
        struct nereus_error err = {NEREUS_OK, ""};
        char text[TEXT_MAX];
        cr_expect(nereus_jobstate_apply(&machine, &rows[i].request, &state, &err) ==
                  NEREUS_ERR_ARGUMENT);
        cr_expect(strstr(err.text, rows[i].part) != NULL, "no '%s' in '%s'", rows[i].part,
                  err.text);
        cr_expect_str_eq(segments_text(state.segments, state.segment_count, text), "0@0x4 1@1x3");
        cr_expect(state.world_count == 2 && state.next_world_id == 2 &&
                  nereus_jobstate_zombies(&state) == 2);
    }
    nereus_jobstate_fini(&state);
}

/* --- large --- */

Test(placement, a_million_processes_on_unequal_nodes)
{
    enum { NODES = 10000 };
    struct nereus_node *nodes = calloc(NODES, sizeof *nodes);
    for (int i = 0; i < NODES; i++)
        nodes[i].cores = 88 + i % 41;
    struct nereus_machine machine = {.cores_per_node = 128, .node_count = NODES, .nodes = nodes};
    struct nereus_jobstate state;
    struct nereus_error err = {NEREUS_OK, ""};
    struct nereus_request request = {.ns = 88, .nt = 1000000};
    cr_assert(nereus_method_parse("merge-diffusive/coll", &request.method, &err) == NEREUS_OK);
    cr_assert(nereus_jobstate_initial(&machine, 88, &state, &err) == NEREUS_OK);
    cr_assert(nereus_request_place(&machine, &state, NULL, 0, &request, &err) == NEREUS_OK, "%s",
              err.text);
    int64_t sum = 0;
    for (int64_t i = 0; i < request.group_count; i++)
        sum += request.groups[i].processes;
    cr_expect(sum == 999912 &&
                  request.group_count == nereus_machine_count_nodes(&machine, 1000000) - 1,
              "%ld processes in %ld groups", sum, request.group_count);
    cr_assert(nereus_jobstate_apply(&machine, &request, &state, &err) == NEREUS_OK, "%s", err.text);
    cr_expect(state.world_count == request.group_count + 1);
    /* and back to a size that whole worlds can give, though not the youngest alone */
    struct nereus_request back = {.ns = 1000000, .nt = 1000000 - 88 - 2 * 100 - 127};
    cr_assert(nereus_method_parse("merge-ts", &back.method, &err) == NEREUS_OK);
    cr_expect(nereus_request_place(&machine, &state, NULL, 0, &back, &err) == NEREUS_OK, "%s",
              err.text);
    cr_expect(nereus_jobstate_apply(&machine, &back, &state, &err) == NEREUS_OK, "%s", err.text);
    cr_expect(nereus_jobstate_processes(&state) == back.nt);
    nereus_request_fini(&request);
    nereus_request_fini(&back);
    nereus_jobstate_fini(&state);
    nereus_machine_fini(&machine);
}

/* One process on each node, and a world on each: half of the worlds lose all processes but one to sleep, the
 * others keep theirs. */
Test(placement, a_layout_of_a_hundred_thousand_nodes)
{
    enum { NODES = 100000, CORES = 4 };
    struct nereus_machine machine;
    struct nereus_jobstate state;
    struct nereus_error err = {NEREUS_OK, ""};
    struct nereus_request expand = {.ns = CORES, .nt = NODES * CORES};
    struct nereus_request shrink = {.ns = NODES * CORES};
    struct nereus_group *layout = calloc(NODES, sizeof *layout);
    cr_assert(nereus_machine_equal_nodes(NODES, CORES, &machine, &err) == NEREUS_OK);
    cr_assert(nereus_jobstate_initial(&machine, CORES, &state, &err) == NEREUS_OK);
    cr_assert(nereus_method_parse("merge-hypercube", &expand.method, &err) == NEREUS_OK);
    cr_assert(nereus_request_place(&machine, &state, NULL, 0, &expand, &err) == NEREUS_OK, "%s",
              err.text);
    cr_assert(nereus_jobstate_apply(&machine, &expand, &state, &err) == NEREUS_OK, "%s", err.text);
    for (int64_t i = 0; i < NODES; i++) {
        layout[i] = (struct nereus_group){i, i % 2 ? CORES : 1};
        shrink.nt += layout[i].processes;
    }
    cr_assert(nereus_method_parse("merge", &shrink.method, &err) == NEREUS_OK);
    cr_assert(nereus_request_place_layout(&machine, &state, layout, NODES, &shrink, &err) ==
                  NEREUS_OK,
              "%s", err.text);
    cr_assert(nereus_jobstate_apply(&machine, &shrink, &state, &err) == NEREUS_OK, "%s", err.text);
    cr_expect(state.world_count == NODES && nereus_jobstate_processes(&state) == shrink.nt);
    cr_expect(nereus_jobstate_zombies(&state) == NODES / 2 * (CORES - 1));
    nereus_request_fini(&expand);
    nereus_request_fini(&shrink);
    nereus_jobstate_fini(&state);
    nereus_machine_fini(&machine);
    free(layout);
}

/* --- what holds for all sequences --- */

static struct nereus_machine random_machine(void)
{
    struct nereus_machine machine = {.cores_per_node = 1 + random_below(6)};
    if (random_below(3) == 0)
        return machine;
    machine.node_count = 1 + random_below(6);
    machine.nodes = calloc((size_t)machine.node_count, sizeof *machine.nodes);
    for (int64_t i = 0; i < machine.node_count; i++)
        machine.nodes[i].cores = 1 + random_below(5);
    return machine;
}

/* The initial state and no gaps: as layout.h says. */
Test(placement, agrees_with_the_compact_layout)
{
    for (int i = 0; i < 3000; i++) {
        struct nereus_machine machine = random_machine();
        struct nereus_jobstate state;
        const int64_t ns = 1 + random_below(40), nt = ns + 1 + random_below(40);
        struct nereus_request request = {.ns = ns, .nt = nt};
        request.method.process = i % 2 == 0 ? NEREUS_MERGE : NEREUS_BASELINE;
        const int64_t first = i % 2 == 0 ? ns : 0;
        cr_assert(nereus_jobstate_initial(&machine, ns, &state, NULL) == NEREUS_OK);
        cr_assert(nereus_request_place(&machine, &state, NULL, 0, &request, NULL) == NEREUS_OK);
        int64_t next = 0;
        for (int64_t node = 0; node < nereus_machine_count_nodes(&machine, nt); node++) {
            const int64_t expected =
                nereus_machine_node_processes(&machine, first, nt - first, node);
            const bool here = next < request.group_count && request.groups[next].node == node;
            cr_assert((here ? request.groups[next].processes : 0) == expected, "case %d, node %ld",
                      i, node);
            next += here;
        }
        cr_assert(next == request.group_count);
        for (int64_t rank = 0; rank < ns; rank++)
            cr_assert(nereus_jobstate_node_of(&state, rank) ==
                      nereus_machine_node_of(&machine, rank));
        nereus_request_fini(&request);
        nereus_jobstate_fini(&state);
        nereus_machine_fini(&machine);
    }
}

static int64_t sum_of(const struct nereus_segment *list, int64_t count, int64_t world)
{
    int64_t sum = 0;
    for (int64_t i = 0; i < count; i++)
        sum += list[i].world == world ? list[i].count : 0;
    return sum;
}

static void check_places(const struct nereus_jobstate *state, const struct nereus_machine *machine,
                         const struct nereus_segment *list, int64_t count)
{
    for (int64_t i = 0; i < count; i++) {
        const int64_t index = nereus_jobstate_find_world(state, list[i].world);
        cr_assert(index >= 0 && list[i].count > 0);
        const struct nereus_world *world = &state->worlds[index];
        cr_assert(list[i].node >= world->first_node &&
                  list[i].node < world->first_node + world->nodes);
        cr_assert(machine->node_count == 0 || list[i].node < machine->node_count);
    }
}

static void check_state(const struct nereus_jobstate *state, const struct nereus_machine *machine)
{
    for (int64_t i = 0; i < state->world_count; i++) {
        const struct nereus_world *w = &state->worlds[i];
        cr_assert(w->id < state->next_world_id && (i == 0 || state->worlds[i - 1].id < w->id));
        cr_assert(w->processes >= 0 && w->zombies >= 0 && w->processes + w->zombies > 0);
        cr_assert(w->processes == sum_of(state->segments, state->segment_count, w->id));
        cr_assert(w->zombies == sum_of(state->sleepers, state->sleeper_count, w->id));
    }
    check_places(state, machine, state->segments, state->segment_count);
    check_places(state, machine, state->sleepers, state->sleeper_count);
}

static void check_groups(const struct nereus_request *request, int64_t spawned,
                         const int64_t *release, int64_t release_count)
{
    int64_t sum = 0;
    for (int64_t i = 0; i < request->group_count; i++) {
        const struct nereus_group *group = &request->groups[i];
        cr_assert(group->processes > 0 && (i == 0 || request->groups[i - 1].node <= group->node));
        sum += group->processes;
        for (int64_t k = 0; k < release_count; k++)
            cr_assert(group->node != release[k]);
    }
    cr_assert(sum == spawned, "%ld in groups, not %ld", sum, spawned);
}

/* Sorted ranges of so many in all; an ending world ends with all its processes. */
static void check_leavers(const struct nereus_request *request, const struct nereus_jobstate *state)
{
    int64_t next = 0, sum = 0;
    for (int64_t i = 0; i < request->leaver_count; i++) {
        const struct nereus_leavers *leavers = &request->leavers[i];
        cr_assert(leavers->first >= next && leavers->count > 0 && leavers->ends >= 0 &&
                  leavers->ends <= 1);
        next = leavers->first + leavers->count;
        sum += leavers->count;
    }
    cr_assert(next <= request->ns && sum == request->ns - request->nt);
    for (int64_t w = 0; w < state->world_count; w++) {
        int64_t ending = 0;
        for (int64_t i = 0; i < request->leaver_count; i++)
            for (int64_t r = 0; r < request->leavers[i].count && request->leavers[i].ends != 0; r++)
                ending += nereus_jobstate_world_of(state, request->leavers[i].first + r) ==
                          state->worlds[w].id;
        cr_assert(ending == 0 || ending == state->worlds[w].processes, "half of world %ld ends",
                  state->worlds[w].id);
    }
}

/* Who stays keeps the order, and where they are. */
static void check_order(const struct nereus_plan *plan, const struct nereus_jobstate *before,
                        const struct nereus_jobstate *after)
{
    int64_t last = -1;
    for (int64_t rank = 0; rank < plan->ns; rank++) {
        const int64_t to = nereus_plan_new_rank(plan, rank);
        if (to < 0)
            continue;
        cr_assert(to == last + 1);
        cr_assert(nereus_jobstate_node_of(before, rank) == nereus_jobstate_node_of(after, to));
        cr_assert(nereus_jobstate_world_of(before, rank) == nereus_jobstate_world_of(after, to));
        last = to;
    }
}

static void check_released(const struct nereus_request *request,
                           const struct nereus_jobstate *state, const int64_t *release,
                           int64_t count)
{
    if (request->method.shrink == NEREUS_ZS)
        return; /* as asked for: they sleep on */
    for (int64_t k = 0; k < count; k++) {
        cr_assert(nereus_jobstate_node_processes(state, release[k]) == 0);
        for (int64_t i = 0; i < state->sleeper_count; i++)
            cr_assert(state->sleepers[i].node != release[k]);
    }
}

/*
 * Also over the wire, and planned without error; hypercube may refuse unequal groups.
 * @return false: that was refused
 */
static bool plan_of(const struct nereus_request *request, struct nereus_plan *plan)
{
    struct nereus_request received;
    struct nereus_error err = {NEREUS_OK, ""};
    const size_t bytes = nereus_request_packed_bytes(request);
    unsigned char *buffer = malloc(bytes);
    nereus_request_pack(request, buffer);
    cr_assert(nereus_request_unpack(buffer, bytes, &received, &err) == NEREUS_OK, "%s", err.text);
    const enum nereus_status status = nereus_plan_make(&received, plan, &err);
    cr_assert(status == NEREUS_OK ||
                  (status == NEREUS_ERR_ILLEGAL && request->method.strategy == NEREUS_HYPERCUBE),
              "%s", err.text);
    nereus_request_fini(&received);
    free(buffer);
    return status == NEREUS_OK;
}

static struct nereus_method random_method(int64_t ns, int64_t nt)
{
    static const char *const grow[] = {"merge",           "merge-single",       "merge-multiple",
                                       "merge-hypercube", "merge-diffusive",    "merge-launch",
                                       "baseline",        "baseline-diffusive", "baseline-intra"};
    static const char *const shrink[] = {"merge",        "merge",
                                         "merge",        "merge-hypercube",
                                         "merge-single", "merge-diffusive",
                                         "merge-zs",     "merge-ts",
                                         "merge-ss",     "merge-multiple-ss",
                                         "baseline",     "baseline-intra-multiple"};
    struct nereus_method method;
    const char *text = nt > ns ? grow[random_below(NEREUS_COUNT_OF(grow))]
                               : shrink[random_below(NEREUS_COUNT_OF(shrink))];
    cr_assert(nereus_method_parse(text, &method, NULL) == NEREUS_OK);
    return method;
}

/* No world has fallen asleep as a whole. */
static void check_awake(const struct nereus_jobstate *before, const struct nereus_jobstate *after)
{
    for (int64_t i = 0; i < after->world_count; i++) {
        const int64_t was = nereus_jobstate_find_world(before, after->worlds[i].id);
        cr_assert(after->worlds[i].processes > 0 ||
                  (was >= 0 && before->worlds[was].processes == 0));
    }
}

/*
 * One reconfiguration; the state afterwards is checked against the one before.
 * @return it was possible
 */
static bool change(const struct nereus_machine *machine, struct nereus_jobstate *state)
{
    const int64_t ns = nereus_jobstate_processes(state), nt = 1 + random_below(40);
    struct nereus_request request = {.version = NEREUS_RECORD_VERSION,
                                     .ns = ns,
                                     .nt = nt,
                                     .zombies = nereus_jobstate_zombies(state),
                                     .batch = random_below(4),
                                     .keep_asleep = random_below(2)};
    request.method = random_method(ns, nt);
    const enum nereus_shrink wish = request.method.shrink;
    int64_t release[2] = {random_below(machine->node_count > 0 ? machine->node_count : 5),
                          random_below(machine->node_count > 0 ? machine->node_count : 5)};
    const int64_t count = random_below(3) == 0 ? 1 + random_below(2) : 0;
    struct nereus_error err = {NEREUS_OK, ""};
    struct nereus_jobstate before;
    struct nereus_plan plan;
    cr_assert(nereus_jobstate_copy(state, &before, NULL) == NEREUS_OK);
    const enum nereus_status status =
        nereus_request_place(machine, state, release, count, &request, &err);
    const bool may_fail = count > 0 || wish == NEREUS_TS;
    cr_assert(status == NEREUS_OK || (may_fail && status != NEREUS_ERR_MEMORY), "%s", err.text);
    bool possible = status == NEREUS_OK && plan_of(&request, &plan);
    if (possible) {
        check_groups(&request, plan.spawned, release, count);
        if (request.leaver_count > 0)
            check_leavers(&request, state);
        cr_assert(nereus_jobstate_apply(machine, &request, state, &err) == NEREUS_OK, "%s",
                  err.text);
        check_state(state, machine);
        cr_assert(nereus_jobstate_processes(state) == nt);
        check_order(&plan, &before, state);
        check_released(&request, state, release, count);
        if (wish == NEREUS_ZS && nt < ns && request.keep_asleep != 0)
            cr_assert(nereus_jobstate_zombies(state) == request.zombies + ns - nt);
        if (wish == NEREUS_ZS && nt < ns && request.keep_asleep == 0)
            check_awake(&before, state);
        nereus_plan_fini(&plan);
    }
    nereus_jobstate_fini(&before);
    nereus_request_fini(&request);
    return possible;
}

Test(placement, any_sequence_keeps_the_books)
{
    int64_t possible = 0;
    for (int i = 0; i < 400; i++) {
        struct nereus_machine machine = random_machine();
        struct nereus_jobstate state;
        cr_assert(nereus_jobstate_initial(&machine, 1 + random_below(40), &state, NULL) ==
                  NEREUS_OK);
        check_state(&state, &machine);
        for (int k = 0; k < 25; k++)
            possible += change(&machine, &state);
        nereus_jobstate_fini(&state);
        nereus_machine_fini(&machine);
    }
    cr_expect(possible > 7000, "%ld of 10000", possible);
}
