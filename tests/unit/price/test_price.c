/** @file test_price.c  A question is priced as its plan, on random machines, sizes,
 * states and profiles. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "model/fit/fit.h"
#include "model/plan/placement.h"
#include "model/plan/strategies/strategy.h"
#include "model/price/cost.h"
#include "model/price/cost_data.h"
#include "model/price/cost_sum.h"
#include "model/price/price_parts.h"
#include "model/util/arith.h"
#include "tests/unit/price/price_sum.h"
#include "tests/unit/random.h"

static int64_t draw_between(int64_t min, int64_t max)
{
    return min + random_below(max - min + 1);
}

static double draw_real(double min, double max)
{
    return min + (max - min) * random_share();
}

static void draw_model(enum nereus_step_kind kind, struct nereus_linear_model *m)
{
    const struct nereus_cost_kind *row = nereus_cost_kind_of(kind);
    m->basis = NEREUS_BASIS_FITTED;
    m->terms = row->term_count;
    m->rows = 40;
    for (int i = 0; i < m->terms; i++) {
        snprintf(m->names[i], sizeof m->names[i], "%s", nereus_term_name(row->terms[i]));
        m->coefficients[i] =
            draw_real(0.01, 1.7) * (strstr(m->names[i], "bytes") != NULL ? 1e-9 : 1);
    }
}

static void draw_pieces(struct nereus_hockney *pair)
{
    pair->basis = random_below(4) != 0 ? NEREUS_BASIS_FITTED : NEREUS_BASIS_NONE;
    pair->pieces = 2;
    pair->rows = 20;
    pair->from_bytes[1] = 12000;
    for (int i = 0; i < 2; i++) {
        pair->alpha_s[i] = draw_real(1e-6, 5e-5);
        pair->beta_s_per_byte[i] = draw_real(1e-10, 3e-9);
    }
}

static void draw_profile(struct nereus_profile *p)
{
    memset(p, 0, sizeof *p);
    for (int k = 0; k < NEREUS_STEP_KIND_COUNT; k++) {
        draw_model((enum nereus_step_kind)k, &p->steps[k]);
        if (random_below(2) == 0)
            draw_model((enum nereus_step_kind)k, &p->steps_oversubscribed[k]);
    }
    for (int k = 0; k < NEREUS_PAIR_CLASS_COUNT; k++)
        draw_pieces(&p->pairs[k]);
    for (int o = 0; o < NEREUS_OPERATION_COUNT; o++)
        draw_pieces(&p->operations[o]);
    /* A broadcast measured of a few processes, or not at all. */
    static struct nereus_collective_time broadcasts[2];
    p->cores_per_node = draw_between(1, 60);
    p->collectives = broadcasts;
    p->collective_count = draw_between(0, 2);
    for (int64_t i = 0; i < p->collective_count; i++) {
        broadcasts[i] =
            (struct nereus_collective_time){.collective = NEREUS_COLLECTIVE_BCAST,
                                            .processes = draw_between(2 + 50 * i, 40 + 90 * i)};
        draw_pieces(&broadcasts[i].time);
        broadcasts[i].time.basis = NEREUS_BASIS_FITTED;
    }
}

static void draw_machine(struct nereus_machine *machine, const struct nereus_method *method,
                         struct nereus_node *nodes)
{
    memset(machine, 0, sizeof *machine);
    machine->cores_per_node = draw_between(1, 128);
    /* Hypercube wants equal groups, and ts more than one world. */
    if (random_below(2) == 0 || nereus_strategy_ops_of(method->strategy)->equal_groups != NULL ||
        method->shrink == NEREUS_TS)
        return;
    machine->node_count = draw_between(1, 5);
    machine->nodes = nodes;
    machine->cores_per_node = 0;
    for (int64_t i = 0; i < machine->node_count; i++) {
        nodes[i].cores = draw_between(1, 40);
        if (nodes[i].cores > machine->cores_per_node)
            machine->cores_per_node = nodes[i].cores;
    }
}

/* A job of *ns processes and perhaps zombies. For ts every node has a world, and *nt are the
 * processes left when the last worlds end; for hypercube all cores of all nodes are filled. */
static struct nereus_jobstate draw_state(const struct nereus_machine *machine,
                                         const struct nereus_method *method, int64_t *ns,
                                         int64_t *nt)
{
    struct nereus_jobstate state;
    const int64_t cores = machine->cores_per_node;
    int64_t zombies = random_below(3) == 0 ? draw_between(1, 350) : 0;
    if (nereus_strategy_ops_of(method->strategy)->equal_groups != NULL) {
        *ns = cores * draw_between(1, 4);
        *nt = *ns + cores * draw_between(1, 40);
        zombies = 0;
    }
    if (method->shrink == NEREUS_TS) {
        cr_assert(nereus_jobstate_per_node(machine, *ns, &state, NULL) == NEREUS_OK);
        const int64_t stay = draw_between(1, state.world_count - 1);
        for (int64_t i = *nt = 0; i < stay; i++)
            *nt += state.worlds[i].processes;
        return state;
    }
    cr_assert(nereus_jobstate_initial(machine, *ns + zombies, &state, NULL) == NEREUS_OK);
    const struct nereus_request sleep = {
        .ns = *ns + zombies, .nt = *ns, .method = {.process = NEREUS_MERGE, .shrink = NEREUS_ZS}};
    cr_assert(nereus_jobstate_apply(machine, &sleep, &state, NULL) == NEREUS_OK);
    return state;
}

/* A layout by node, of a machine with a list of nodes, that the method can bring about: what a
 * merge lacks, or all targets of a respawn, on any nodes. */
struct by_node {
    int64_t before[5], woken[5], after[5];
    struct nereus_layout layout;
};

static void draw_layout(const struct nereus_machine *machine, const struct nereus_jobstate *state,
                        int64_t ns, int64_t nt, bool respawn, struct by_node *at)
{
    int64_t left = nt;
    int64_t awake = nt - ns;
    memset(at, 0, sizeof *at);
    for (int64_t i = 0; i < state->segment_count; i++)
        at->before[state->segments[i].node] += state->segments[i].count;
    for (int64_t i = state->sleeper_count - 1; i >= 0 && awake > 0; i--) {
        const int64_t here = awake < state->sleepers[i].count ? awake : state->sleepers[i].count;
        at->woken[state->sleepers[i].node] += here;
        awake -= here;
    }
    for (int node = 0; node < 5 && !respawn; node++)
        left -= at->after[node] = at->before[node] + at->woken[node];
    for (; left > 0; left--)
        at->after[random_below(machine->node_count)]++;
    at->layout = (struct nereus_layout){at->before, at->woken, at->after};
}

/* One random case of a method.
 * @return the relative difference of the two prices */
static double compare(const struct nereus_method *method, int direction, double *seconds)
{
    struct nereus_profile profile;
    struct nereus_machine machine;
    struct nereus_node nodes[5] = {{.cores = 0}};
    draw_profile(&profile);
    draw_machine(&machine, method, nodes);
    int64_t ns = draw_between(1, 400), nt = draw_between(1, 400);
    if (direction > 0)
        nt = ns + draw_between(1, 300);
    else if (direction < 0)
        ns = nt + draw_between(1, 300);
    if (direction == -2) /* more than one node */
        ns = machine.cores_per_node + draw_between(1, 600);
    struct nereus_jobstate state = draw_state(&machine, method, &ns, &nt);
    const bool respawn = nereus_method_resolve(method).process != NEREUS_MERGE;
    struct by_node by_node;
    if (machine.node_count > 0 && (respawn || nt >= ns) && random_below(2) == 0) {
        draw_layout(&machine, &state, ns, nt, respawn, &by_node);
        machine.layout = &by_node.layout;
    }
    struct nereus_data_entry data[3] = {
        {.name = "c",
         .element_bytes = 1,
         .count = draw_between(1, 3000000000LL),
         .kind = NEREUS_CONSTANT},
        {.name = "v", .element_bytes = 1, .count = draw_between(0, 50000), .kind = NEREUS_VARIABLE},
        {.name = "r",
         .element_bytes = 1,
         .count = draw_between(0, 9000000),
         .placement = NEREUS_REPLICATED}};
    struct nereus_request request = {.version = NEREUS_RECORD_VERSION,
                                     .number = 1,
                                     .ns = ns,
                                     .nt = nt,
                                     .zombies = nereus_jobstate_zombies(&state),
                                     .next_world_id = state.next_world_id,
                                     .method = *method};
    struct nereus_scenario scenario = {.machine = &machine, .state = &state, .ns = ns, .nt = nt};
    struct nereus_plan plan;
    struct nereus_interval walked;
    struct nereus_error err = {.text = ""};
    cr_assert(nereus_request_place(&machine, &state, NULL, 0, &request, &err) == NEREUS_OK, "%s",
              err.text);
    if (random_below(4) != 0) {
        request.data = data;
        request.data_count = 2;
        scenario.constant_bytes = (double)data[0].count;
        scenario.variable_bytes = (double)data[1].count;
        if (random_below(2) == 0) {
            request.data_count = 3;
            scenario.replicated_bytes = (double)data[2].count;
        }
    }
    cr_assert(nereus_plan_make(&request, &plan, &err) == NEREUS_OK, "%s", err.text);
    cr_assert(nereus_price_plan(&profile, &scenario, &plan, NULL, &walked, &err) == NEREUS_OK, "%s",
              err.text);
    cr_assert(price_sum(&profile, &scenario, method, seconds, &err) == NEREUS_OK, "%s", err.text);
    nereus_plan_fini(&plan);
    request.data = NULL;
    nereus_request_fini(&request);
    nereus_jobstate_fini(&state);
    return fabs(walked.value - *seconds) / fmax(*seconds, 1e-300);
}

static const struct {
    const char *text;
    int direction;
} walked[] = {
    {"baseline", 0},
    {"baseline/coll", 0},
    {"baseline/p2p", 0},
    {"baseline-single", 0},
    {"baseline-single/p2p", 0},
    {"merge/coll", 1},
    {"merge/p2p", 1},
    {"merge-single/coll", 1},
    {"merge-single", 1},
    {"merge/coll", -1},
    {"merge-zs/p2p", -1},
    {"merge-single/coll", -1},
    {"merge-async/coll", 1},
    {"baseline-async", 0},
    {"merge-single-async", 1},
    {"merge-async/p2p", -1},
    {"baseline-intra/coll", 0},
    {"baseline-intra-single", 0},
    {"baseline-intra-async/p2p", 0},
    {"merge-multiple/coll", 1},
    {"baseline-multiple", 0},
    {"baseline-intra-multiple-async/p2p", 0},
    {"merge-diffusive", 1},
    {"baseline-diffusive/coll", 0},
    {"baseline-intra-diffusive", 0},
    {"merge-diffusive-async/p2p", 1},
    {"merge-binomial/coll", 1},
    {"baseline-intra-binomial-async", 0},
    {"merge-binomial-ss", -1},
    {"merge-hypercube/coll", 1},
    {"baseline-hypercube", 1},
    {"baseline-intra-hypercube-async", 1},
    {"merge-launch", 1},
    {"baseline-launch/coll", 0},
    {"baseline-intra-launch", 0},
    {"merge-launch-async/coll", 1},
    {"merge-ss/coll", -1},
    {"merge-multiple-ss", -1},
    {"merge-launch-async-ss/p2p", -1},
    {"merge-ts/coll", -2},
    {"merge-async-ts", -2},
    {"baseline/coll-waitsources", 0},
    {"baseline-async/p2p-waittargets", 0},
    {"baseline-intra-single-async/coll-thread", 0},
    {"merge/coll-waittargets", 1},
    {"merge/p2p-thread", -1},
    {"merge-async/coll-thread", 1},
    {"merge-async/coll-waitsources", -1},
    {"merge-diffusive-async/p2p-thread", 1},
    {"merge-launch-async/coll-thread", 1},
    {"merge-launch-async/coll-thread", -1},
    {"merge-launch-async/p2p-waitsources", 1},
    {"merge-launch-async-ss/coll-thread", -1},
    {"merge-ts/coll-waittargets", -2},
    {"merge/rma", 1},
    {"merge/rma-keep", -1},
    {"merge/rma-waittargets", -1},
    {"merge-async/rma-thread", 1},
    {"baseline-intra/rma", 0},
    {"baseline-intra-single/rma-waitsources", 0},
    {"baseline/shared", 0},
    {"baseline-async/shared-waitsources", 0},
    {"merge/shared", 1},
    {"merge-zs/shared-weighted", -1},
    {"merge/shared-thread", 1},
    {"baseline-launch/shared-waittargets", 0},
    {"merge-diffusive-async/rma-waitsources", 1},
    {"baseline-single/coll-thread", 0},
    {"baseline-diffusive/p2p-waitsources", 0},
    {"restart/file", 0},
    {"restart", 0},
};

/* One generator makes the steps of both; only the placement of new processes, with and without a
 * request record, could differ. */
enum { CASES = 300 };

Test(price, question_is_priced_as_its_plan, .timeout = 100)
{
    for (size_t i = 0; i < NEREUS_COUNT_OF(walked); i++) {
        struct nereus_method method;
        cr_assert(nereus_method_parse(walked[i].text, &method, NULL) == NEREUS_OK);
        random_state = 7919 * i; /* a failing case can be repeated by its number */
        for (int n = 0; n < CASES; n++) {
            double seconds;
            const double difference = compare(&method, walked[i].direction, &seconds);
            cr_assert(difference <= 1e-9 && seconds > 0, "%s, case %d: %g apart at %g s",
                      walked[i].text, n, difference, seconds);
        }
    }
}

#define TOKEN(e, name, token) token,
Test(price, every_strategy_is_walked)
{
    static const char *const words[] = {NEREUS_STRATEGY_LIST(TOKEN)};
    bool found[NEREUS_STRATEGY_COUNT] = {false};
    for (size_t i = 0; i < NEREUS_COUNT_OF(walked); i++) {
        struct nereus_method method;
        cr_assert(nereus_method_parse(walked[i].text, &method, NULL) == NEREUS_OK);
        found[method.strategy] = true;
    }
    for (int s = 0; s < NEREUS_STRATEGY_COUNT; s++)
        cr_expect(found[s], "`walked` has no row of %s", words[s]);
}

/* A layout that is the compact placement is priced as that; one that is not has another price.
 * Respawned beside their sources, processes are on the same nodes. */
Test(price, a_compact_layout_is_priced_as_compact, .timeout = 60)
{
    static const char *const methods[] = {"merge/coll",           "baseline/p2p",
                                          "baseline-intra/coll",  "merge-single/coll",
                                          "merge-multiple/coll",  "merge-diffusive/p2p",
                                          "baseline-launch/coll", "baseline-diffusive/coll"};
    int64_t others = 0;
    for (int i = 0; i < 4000; i++) {
        struct nereus_node nodes[4] = {{.cores = 0}};
        struct nereus_machine machine = {.node_count = 4, .nodes = nodes};
        struct nereus_profile profile;
        struct nereus_method method;
        double seconds[3] = {0};
        draw_profile(&profile);
        for (int node = 0; node < 4; node++)
            nodes[node].cores = draw_between(1, 9);
        const int64_t cores = nereus_machine_total_cores(&machine), ns = draw_between(1, cores - 2),
                      nt = draw_between(ns + 1, cores);
        int64_t by_node[3][4] = {{0}};
        const struct nereus_layout layout = {by_node[0], by_node[1], by_node[2]};
        struct nereus_jobstate state;
        cr_assert(nereus_jobstate_initial(&machine, ns, &state, NULL) == NEREUS_OK);
        cr_assert(nereus_method_parse(methods[random_below(NEREUS_COUNT_OF(methods))], &method,
                                      NULL) == NEREUS_OK);
        for (int node = 0; node < 4; node++) {
            by_node[0][node] = nereus_machine_node_processes(&machine, 0, ns, node);
            by_node[2][node] = nereus_machine_node_processes(&machine, 0, nt, node);
        }
        const struct nereus_scenario scenario = {
            .machine = &machine, .state = &state, .ns = ns, .nt = nt, .variable_bytes = 7e6};
        for (int k = 0; k < 3; k++) {
            machine.layout = k > 0 ? &layout : NULL;
            if (k == 2) { /* the last process on another node than before */
                const int64_t last = nereus_machine_node_of(&machine, nt - 1);
                by_node[2][last]--;
                by_node[2][(last + 3) % 4]++;
            }
            const enum nereus_status status =
                price_sum(&profile, &scenario, &method, &seconds[k], NULL);
            cr_assert(status == NEREUS_OK || k == 2, "case %d", i);
        }
        cr_assert(fabs(seconds[1] - seconds[0]) <= 1e-12 * seconds[0], "case %d: %g, %g", i,
                  seconds[0], seconds[1]);
        others += fabs(seconds[2] - seconds[0]) > 1e-3 * seconds[0];
        nereus_jobstate_fini(&state);
    }
    cr_expect(others > 400, "%lld layouts have another price", (long long)others);
}

static void constant_profile(struct nereus_profile *p)
{
    memset(p, 0, sizeof *p);
    for (int k = 0; k < NEREUS_STEP_KIND_COUNT; k++) {
        p->steps[k].basis = NEREUS_BASIS_FITTED;
        p->steps[k].terms = 1;
        p->steps[k].rows = 30;
        p->steps[k].coefficients[0] = 0.5 + 0.25 * k;
        snprintf(p->steps[k].names[0], sizeof p->steps[k].names[0], "const");
    }
}

static const struct nereus_machine seven_cores = {.cores_per_node = 7};

Test(price, steps_follow_one_another)
{
    struct nereus_profile profile;
    struct nereus_step_price prices[4];
    struct nereus_interval rt;
    /* Repeats run at the same time. */
    struct nereus_step steps[4] = {
        {.kind = NEREUS_STEP_DECIDE, .repeat = 1, .old_processes = 5},
        {.kind = NEREUS_STEP_SPAWN,
         .repeat = 1,
         .old_processes = 5,
         .new_processes = 3,
         .first_new = 5},
        {.kind = NEREUS_STEP_MERGE,
         .repeat = 6,
         .old_processes = 5,
         .new_processes = 3,
         .first_new = 5},
        {.kind = NEREUS_STEP_AGREE, .repeat = 1, .old_processes = 5, .new_processes = 3}};
    const struct nereus_plan plan = {
        .ns = 5, .nt = 8, .method = {.process = NEREUS_MERGE}, .step_count = 4, .steps = steps};
    const struct nereus_scenario scenario = {.machine = &seven_cores, .ns = 5, .nt = 8};
    constant_profile(&profile);
    cr_assert(nereus_price_plan(&profile, &scenario, &plan, prices, &rt, NULL) == NEREUS_OK);
    const double decide = 0.5, spawn = 0.5 + 0.25 * NEREUS_STEP_SPAWN,
                 merge = 0.5 + 0.25 * NEREUS_STEP_MERGE, agree = 0.5 + 0.25 * NEREUS_STEP_AGREE;
    cr_expect_float_eq(rt.value, decide + spawn + merge + agree, 1e-12);
    cr_expect_float_eq(prices[1].start_s, decide, 1e-12);
    cr_expect_float_eq(prices[2].start_s, decide + spawn, 1e-12);
    cr_expect_float_eq(prices[3].end_s, rt.value, 1e-12);
    cr_expect(prices[2].terms == 1 && prices[2].term[0].feature == 1 &&
              prices[2].term[0].seconds == merge);
}

/* No price is silently 0. */
Test(price, a_term_without_a_price_is_refused)
{
    struct nereus_profile profile;
    struct nereus_error err = {.text = ""};
    struct nereus_cost_input input = {.old_processes = 5, .new_processes = 3};
    const struct nereus_scenario scenario = {.machine = &seven_cores, .ns = 5, .nt = 8};
    const struct nereus_method merge = {.process = NEREUS_MERGE};
    double rt_s;
    for (int f = 0; f < NEREUS_TERM_COUNT; f++)
        cr_expect(!isnan(nereus_cost_feature((enum nereus_term)f, &input)), "feature %d", f);
    constant_profile(&profile);
    snprintf(profile.steps[NEREUS_STEP_MERGE].names[0], sizeof profile.steps[0].names[0],
             "moonlight");
    cr_expect(price_sum(&profile, &scenario, &merge, &rt_s, &err) == NEREUS_ERR_NO_BASIS);
    cr_expect(strstr(err.text, "'merge'") != NULL, "%s", err.text);
}

/* Simultaneous steps cost one, consecutive steps cost each. Where connections were measured only in
 * whole reconfigurations, a round among new groups costs a connection and a merge; between old and
 * new processes, an agreement too. */
Test(price, what_a_step_that_stands_for_several_costs)
{
    static struct nereus_profile profile;
    const struct nereus_step step = {.kind = NEREUS_STEP_SPAWN,
                                     .repeat = 1,
                                     .times = 1,
                                     .old_processes = 5,
                                     .new_processes = 60,
                                     .first_new = 5};
    const struct nereus_method merge = {.process = NEREUS_MERGE};
    struct nereus_cost_context context;
    nereus_cost_context_init(&profile, &seven_cores, 5, 65, &merge, &context);
    const double spawn = 0.5 + 0.25 * NEREUS_STEP_SPAWN, connect = 0.5 + 0.25 * NEREUS_STEP_CONNECT,
                 merging = 0.5 + 0.25 * NEREUS_STEP_MERGE, agree = 0.5 + 0.25 * NEREUS_STEP_AGREE,
                 synchronise = 0.5 + 0.25 * NEREUS_STEP_SYNCHRONISE;
    const struct {
        enum nereus_step_kind kind;
        int64_t repeat, times, level;
        bool overload_only; /* all that the profile knows of connections */
        double expected;
    } rows[] = {
        {NEREUS_STEP_SPAWN, 9, 1, 2, false, spawn},
        {NEREUS_STEP_SPAWN, 1, 12, 1, false, 12 * spawn},
        {NEREUS_STEP_SYNCHRONISE, 1, 1, -2, false, synchronise},
        {NEREUS_STEP_SYNCHRONISE, 1, 1, 0, false, agree},
        {NEREUS_STEP_CONNECT, 6, 1, 1, false, connect},
        {NEREUS_STEP_CONNECT, 6, 1, 1, true, merging},
        {NEREUS_STEP_CONNECT, 1, 1, 0, true,
         0}, /* single: nothing without overload (Martín-Álvarez et al. (2024a), tables 1 and 2) */
    };
    for (size_t i = 0; i < NEREUS_COUNT_OF(rows); i++) {
        struct nereus_step one = step;
        struct nereus_cost_sum sum = NEREUS_COST_SUM_INIT;
        constant_profile(&profile);
        if (rows[i].overload_only)
            strcpy(profile.steps[NEREUS_STEP_CONNECT].names[0], "overload_log2");
        one.kind = rows[i].kind;
        one.repeat = rows[i].repeat;
        one.times = rows[i].times;
        one.level = rows[i].level;
        cr_assert(nereus_price_step(&context, &one, &sum, NULL) == NEREUS_OK);
        cr_expect_float_eq(sum.value_s, rows[i].expected, 1e-12, "row %zu: %g s", i, sum.value_s);
    }
}

/* Inputs of features: an average step of several, two groups of a round, new processes alone. */
Test(price, who_takes_part_in_one_of_several)
{
    static const struct nereus_profile profile;
    const struct nereus_method baseline = {.process = NEREUS_BASELINE};
    struct nereus_cost_context context;
    struct nereus_cost_input input;
    nereus_cost_context_init(&profile, &seven_cores, 10, 70, &baseline, &context);
    struct nereus_step step = {.kind = NEREUS_STEP_SPAWN,
                               .repeat = 1,
                               .times = 10,
                               .old_processes = 10,
                               .new_processes = 70,
                               .level = 1};
    nereus_cost_input_make(&context, &step, &input);
    cr_expect(input.old_processes == 10 && input.new_processes == 7 && input.load.new_nodes == 1 &&
              input.load.new_per_node == 7);
    step.times = 1;
    step.repeat = 10; /* all at once: on ten nodes, two of which are shared with the ten sources */
    nereus_cost_input_make(&context, &step, &input);
    cr_expect(input.new_processes == 70 && input.load.new_nodes == 10 &&
              input.load.shared_nodes == 2 && input.load.core_load == 2);
    /* A second level, from node 4 on: no source is there, whatever the step before. */
    step.level = 2;
    step.old_processes = 10 + 28;
    step.first_new = 28;
    step.new_processes = 42;
    nereus_cost_input_make(&context, &step, &input);
    cr_expect(input.old_processes == 38 && input.load.new_nodes == 6 &&
              input.load.shared_nodes == 0 && input.load.core_load == 1);
    step = (struct nereus_step){.kind = NEREUS_STEP_CONNECT,
                                .repeat = 5,
                                .times = 1,
                                .old_processes = 10,
                                .new_processes = 70,
                                .level = 1};
    nereus_cost_input_make(&context, &step, &input);
    cr_expect(input.old_processes == 7 && input.new_processes == 7, "five pairs of seven");
    step.kind = NEREUS_STEP_REORDER;
    nereus_cost_input_make(&context, &step, &input);
    cr_expect(input.old_processes == 0 && input.new_processes == 70);
}

/* The sum of the plan's steps is within 15 % of whole parallel merges on MareNostrum 5
 * (Martín-Álvarez et al. (2025), section 5.2), though the steps that join groups have priors. */
Test(price, steps_of_parallel_merges_add_up_to_what_was_measured)
{
    struct nereus_samples samples = {.rows = NULL};
    struct nereus_profile profile;
    struct nereus_error err = {.text = ""};
    int compared = 0;
    cr_assert(nereus_samples_read(NEREUS_SOURCE_DIR "/tests/unit/data/parallel_mn5.csv", false,
                                  &samples, &err) == NEREUS_OK,
              "%s", err.text);
    cr_assert(nereus_profile_fit(&samples, NULL, &profile, &err) == NEREUS_OK, "%s", err.text);
    cr_expect_str_eq(profile.steps[NEREUS_STEP_CONNECT].source, "connect as merge");
    for (int64_t i = 0; i < samples.count; i++) {
        const struct nereus_sample *s = &samples.rows[i];
        const struct nereus_machine machine = {.cores_per_node = s->cores_per_node};
        const struct nereus_scenario scenario = {.machine = &machine, .ns = s->ns, .nt = s->nt};
        struct nereus_jobstate state;
        struct nereus_request request = {.version = NEREUS_RECORD_VERSION,
                                         .number = 1,
                                         .ns = s->ns,
                                         .nt = s->nt,
                                         .next_world_id = 1,
                                         .method = s->method};
        struct nereus_plan plan;
        struct nereus_interval rt;
        if (s->method.process != NEREUS_MERGE || s->method.strategy < NEREUS_HYPERCUBE ||
            s->nt <= s->ns)
            continue;
        cr_assert(nereus_jobstate_initial(&machine, s->ns, &state, NULL) == NEREUS_OK);
        cr_assert(nereus_request_place(&machine, &state, NULL, 0, &request, NULL) == NEREUS_OK);
        cr_assert(nereus_plan_make(&request, &plan, NULL) == NEREUS_OK);
        cr_assert(nereus_price_plan(&profile, &scenario, &plan, NULL, &rt, &err) == NEREUS_OK, "%s",
                  err.text);
        cr_expect(fabs(rt.value / s->rt_s - 1) < 0.15, "%lld -> %lld: %g s, measured %g s",
                  (long long)s->ns, (long long)s->nt, rt.value, s->rt_s);
        compared++;
        nereus_plan_fini(&plan);
        nereus_request_fini(&request);
        nereus_jobstate_fini(&state);
    }
    cr_expect(compared >= 10, "%d", compared);
    nereus_samples_fini(&samples);
    nereus_profile_fini(&profile);
}

/* Steps that only strategies with several worlds have, on a machine that was calibrated without
 * them: each has its own named prior, above 0 and with a wide interval. */
Test(price, what_no_calibration_measured_has_a_name)
{
    static const struct {
        enum nereus_step_kind kind;
        const char *name;
        double value_s, min_log_sd; /* 90 %: a factor of 3, or of 10 */
    } rows[] = {
        {NEREUS_STEP_CONNECT, "connect: a twentieth of a spawn assumed", 0.126 / 20, 1.4},
        {NEREUS_STEP_SYNCHRONISE, "synchronise as agree", 0.0007, 0.7},
        {NEREUS_STEP_TERMINATE, "terminate as disconnect", 0.0019, 0.7},
        {NEREUS_STEP_LAUNCH, "launch as spawn", 0.126, 0.7},
        {NEREUS_STEP_REORDER, "reorder as split", 0.0003, 0.7},
        {NEREUS_STEP_WAKE, "wake as split", 0.0003, 0.7},
    };
    struct nereus_profile profile;
    constant_profile(&profile);
    profile.steps[NEREUS_STEP_SPAWN].coefficients[0] = 0.126;
    profile.steps[NEREUS_STEP_AGREE].coefficients[0] = 0.0007;
    profile.steps[NEREUS_STEP_DISCONNECT].coefficients[0] = 0.0019;
    profile.steps[NEREUS_STEP_SPLIT].coefficients[0] = 0.0003;
    profile.pairs[0] =
        (struct nereus_hockney){.basis = NEREUS_BASIS_FITTED, .pieces = 1, .alpha_s = {1e-6}};
    for (size_t i = 0; i < NEREUS_COUNT_OF(rows); i++)
        profile.steps[rows[i].kind].basis = NEREUS_BASIS_NONE;
    nereus_fit_set_unmeasured(&profile);
    for (size_t i = 0; i < NEREUS_COUNT_OF(rows); i++) {
        const struct nereus_linear_model *m = &profile.steps[rows[i].kind];
        cr_expect(m->basis == NEREUS_BASIS_PRIOR && strcmp(m->source, rows[i].name) == 0, "%s",
                  m->source);
        cr_expect_float_eq(m->coefficients[0], rows[i].value_s, 1e-12, "%s", rows[i].name);
        cr_expect(m->terms == 1 && m->log_sd >= rows[i].min_log_sd, "%s", rows[i].name);
    }
}

Test(price, a_step_without_basis_is_refused_by_name)
{
    struct nereus_profile profile;
    struct nereus_error err = {.text = ""};
    const struct nereus_scenario scenario = {.machine = &seven_cores, .ns = 5, .nt = 8};
    const struct nereus_method merge = {.process = NEREUS_MERGE};
    double rt_s = -7;
    constant_profile(&profile);
    profile.steps[NEREUS_STEP_MERGE].basis = NEREUS_BASIS_NONE;
    cr_expect(price_sum(&profile, &scenario, &merge, &rt_s, &err) == NEREUS_ERR_NO_BASIS);
    cr_expect(strstr(err.text, "'merge'") != NULL && rt_s == -7, "%s", err.text);
}

/* The same step of both kinds of start: while the root starts all alone, the other sources back
 * off. */
Test(price, who_starts_processes_matters_to_their_load)
{
    const struct nereus_machine machine = {
        .cores_per_node = 2, .node_count = 1, .nodes = &(struct nereus_node){.cores = 2}};
    const struct nereus_step step = {.kind = NEREUS_STEP_SPAWN,
                                     .repeat = 1,
                                     .times = 1,
                                     .old_processes = 5,
                                     .new_processes = 2,
                                     .first_new = 5};
    struct nereus_profile profile = {.cores_per_node = 2};
    struct nereus_linear_model *spawn = &profile.steps[NEREUS_STEP_SPAWN];
    *spawn = (struct nereus_linear_model){
        .basis = NEREUS_BASIS_FITTED, .terms = 1, .coefficients = {0.37}};
    snprintf(spawn->names[0], sizeof spawn->names[0], "%s",
             nereus_term_name(NEREUS_TERM_OVERLOAD_AWAKE));
    for (int single = 0; single < 2; single++) {
        const struct nereus_method method = {.process = NEREUS_MERGE,
                                             .strategy = single ? NEREUS_SINGLE : NEREUS_PLAIN};
        struct nereus_cost_context context;
        struct nereus_cost_sum sum = NEREUS_COST_SUM_INIT;
        nereus_cost_context_init(&profile, &machine, 5, 7, &method, &context);
        context.values_only = true;
        cr_assert_eq(nereus_price_step(&context, &step, &sum, NULL), NEREUS_OK);
        /* 5 + 2 processes on 2 cores; of single the root and the 2 new ones. */
        cr_expect_float_eq(sum.value_s, 0.37 * sqrt(single ? 0.5 : 2.5), 1e-12, "%s: %g",
                           single ? "single" : "plain", sum.value_s);
    }
}

Test(price, hockney_changes_at_its_breakpoint)
{
    const struct nereus_hockney pair = {.basis = NEREUS_BASIS_FITTED,
                                        .pieces = 2,
                                        .from_bytes = {0, 8192},
                                        .alpha_s = {2e-6, 9e-6},
                                        .beta_s_per_byte = {1e-9, 3e-10}};
    cr_expect_float_eq(nereus_hockney_s(&pair, 100), 2.1e-6, 1e-15);
    cr_expect_float_eq(nereus_hockney_s(&pair, 8191), 2e-6 + 8191e-9, 1e-15);
    cr_expect_float_eq(nereus_hockney_s(&pair, 8192), 9e-6 + 8192 * 3e-10, 1e-15);
}

Test(price, transfer_counts_the_messages_of_the_busiest)
{
    static struct nereus_profile profile;
    struct nereus_hockney *const pairs = profile.pairs;
    for (int i = 0; i < NEREUS_PAIR_CLASS_COUNT; i++)
        pairs[i] = (struct nereus_hockney){.basis = NEREUS_BASIS_FITTED,
                                           .pieces = 1,
                                           .alpha_s = {(i + 2) * 1e-5},
                                           .beta_s_per_byte = {(i + 3) * 1e-9}};
    const struct nereus_machine wide = {.cores_per_node = 64};
    const struct nereus_method merge = {
        .process = NEREUS_MERGE, .has_data = true, .data = NEREUS_P2P};
    const struct nereus_method baseline = {.has_data = true, .data = NEREUS_COLL};
    struct nereus_cost_context c;
    /* 3 -> 7 on one node: ceil(7/3) + 1 = 4 messages of 2100 / 3 / 4 bytes, between a world and one
     * it spawned. */
    nereus_cost_context_init(&profile, &wide, 3, 7, &merge, &c);
    cr_expect_float_eq(nereus_cost_transfer_s(&c, 2100), 4 * 4e-5 + 700 * 5e-9, 1e-12);
    /* 7 -> 3, all of one world. */
    nereus_cost_context_init(&profile, &wide, 7, 3, &merge, &c);
    cr_expect_float_eq(nereus_cost_transfer_s(&c, 2100), 4 * 2e-5 + 700 * 3e-9, 1e-12);
    /* coll between two groups moves by messages, too. */
    nereus_cost_context_init(&profile, &wide, 3, 7, &baseline, &c);
    cr_expect_float_eq(nereus_cost_transfer_s(&c, 2100), 4 * 4e-5 + 700 * 5e-9, 1e-12);
    /* Not on one node. */
    nereus_cost_context_init(&profile, &seven_cores, 8, 3, &merge, &c);
    cr_expect_float_eq(nereus_cost_transfer_s(&c, 2100), 4 * 3e-5 + 700 * 4e-9, 1e-12);
}
