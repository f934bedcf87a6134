/** @file test_policy.c  Policies: what holds whatever is asked, and beside counting all
 * sequences. */
#include <criterion/criterion.h>
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/util/arith.h"
#include "nereus/policy.h"
#include "tests/unit/random.h"

enum { INTERVALS = 4, CLASSES = 2, SETS_MAX = 16 };

/* A small case: every allocation of two classes, four intervals. */
struct small_case {
    struct nereus_computational_model model;
    double work[INTERVALS], iterations[INTERVALS];
    struct nereus_allocation start, sets[SETS_MAX];
    int set_count;
    int64_t cool_down, cool; /* after a change; at the start */
};

static double draw_of(const double *values, int64_t count)
{
    return values[random_below(count)] * (0.7 + 0.6 * random_share());
}

static void draw(struct small_case *c)
{
    static const double changes_s[] = {0, 0.01, 0.3, 2, 9}, latencies_s[] = {0, 0.001, 0.05, 0.4},
                        bytes[] = {0, 0, 1, 8};
    memset(c, 0, sizeof *c);
    c->model = (struct nereus_computational_model){
        .class_count = CLASSES, .call_count = 1, .communication_factor = 1};
    for (int k = 0; k < CLASSES; k++)
        c->model.classes[k] =
            (struct nereus_node_class){.name = {(char)('A' + k)},
                                       .max = k == 0 ? 1 + random_below(3) : random_below(4),
                                       .power = random_below(5) == 0 ? 1 : 0.5 + 2 * random_share(),
                                       .price_per_core_hour = random_share()};
    c->model.calls[0] = (struct nereus_monitored_call){
        random_below(2) == 0 ? NEREUS_COLLECTIVE_ALLTOALL : NEREUS_COLLECTIVE_ALLREDUCE, 1, 1};
    c->model.bytes = draw_of(bytes, 4);
    c->model.stated_costs = (struct nereus_stated_costs){.spawn_s = draw_of(changes_s, 5),
                                                         .remove_s = draw_of(changes_s, 5),
                                                         .latency_s = draw_of(latencies_s, 4),
                                                         .seconds_per_byte = 0.1};
    for (int i = 0; i < INTERVALS; i++) {
        c->work[i] = 10 * random_share() * (random_below(4) == 0 ? 5 : 1);
        c->iterations[i] = (double)(1 + random_below(12));
    }
    c->cool_down = random_below(3);
    c->cool = random_below(3) == 0 ? random_below(c->cool_down + 1) : 0;
    for (int64_t a = 0; a <= c->model.classes[0].max; a++)
        for (int64_t b = 0; b <= c->model.classes[1].max; b++)
            if (a + b > 0)
                c->sets[c->set_count++] = (struct nereus_allocation){{a, b}};
    c->start = c->sets[random_below(c->set_count)];
}

static double interval_s(const struct small_case *c, int i, const struct nereus_allocation *set)
{
    struct nereus_interval_time time;
    cr_assert_eq(
        nereus_interval_time_compute(&c->model, c->work[i], c->iterations[i], set, &time, NULL),
        NEREUS_OK);
    return time.computation_s + time.communication_s;
}

/* Processes are added, or removed: never both at once. */
static double change_s(const struct small_case *c, const struct nereus_allocation *from,
                       const struct nereus_allocation *to)
{
    struct nereus_interval change;
    if (!nereus_allocation_contains(&c->model, from, to) &&
        !nereus_allocation_contains(&c->model, to, from))
        return INFINITY;
    cr_assert_eq(nereus_change_time(&c->model, from, to, &change, NULL), NEREUS_OK);
    return change.value;
}

/* The least time of all sequences, from interval i on. */
static double count_all(const struct small_case *c, int i, const struct nereus_allocation *now,
                        int64_t cool)
{
    if (i == INTERVALS)
        return 0;
    double min = interval_s(c, i, now) + count_all(c, i + 1, now, cool > 0 ? cool - 1 : 0);
    for (int b = 0; cool == 0 && b < c->set_count; b++) {
        const double change = change_s(c, now, &c->sets[b]);
        if (isfinite(change) && !nereus_allocation_equal(&c->model, now, &c->sets[b]))
            min = fmin(min, change + interval_s(c, i, &c->sets[b]) +
                                count_all(c, i + 1, &c->sets[b], c->cool_down));
    }
    return min;
}

struct walked {
    double end_s;
    int changes;
};

/* Times are exactly what the model says. */
static struct walked walk(const struct small_case *c, enum nereus_policy_kind kind, double goal_s)
{
    struct walked walked = {0, 0};
    struct nereus_allocation now = c->start;
    int64_t cool = c->cool;
    for (int i = 0; i < INTERVALS; i++) {
        const struct nereus_policy_question question = {.model = &c->model,
                                                        .allocation = now,
                                                        .interval = i,
                                                        .elapsed_s = walked.end_s,
                                                        .goal_s = goal_s,
                                                        .intervals_left = INTERVALS - i,
                                                        .work = c->work + i,
                                                        .iterations = c->iterations + i,
                                                        .cool_down = cool,
                                                        .cool_down_intervals = c->cool_down};
        struct nereus_decision decision;
        struct nereus_error err = {NEREUS_OK, ""};
        cr_assert_eq(nereus_policy_decide(kind, &question, &decision, &err), NEREUS_OK, "%s",
                     err.text);
        cr_assert(nereus_allocation_fits(&c->model, &decision.target), "%s", decision.reason);
        cr_assert(decision.reason[0] != '\0');
        cr_assert(cool == 0 || !decision.changes, "a change within the cool-down");
        cool = decision.changes ? c->cool_down : cool > 0 ? cool - 1 : 0;
        walked.end_s += change_s(c, &now, &decision.target) + interval_s(c, i, &decision.target);
        walked.changes += decision.changes;
        now = decision.target;
        nereus_decision_fini(&decision);
    }
    return walked;
}

/* The goal is met when any sequence meets it; where none does, the policy ends no later than by
 * staying. */
Test(policy, meets_what_any_sequence_meets)
{
    static const double factors[] = {1 + 1e-7, 1.02, 1.3, 0.97, 2.5};
    int close = 0, sequences = 0;
    for (int i = 0; i < 400; i++) {
        struct small_case c;
        draw(&c);
        const double min = count_all(&c, 0, &c.start, c.cool),
                     goal_s = min * factors[random_below(5)];
        double stay_s = 0;
        for (int k = 0; k < INTERVALS; k++)
            stay_s += interval_s(&c, k, &c.start);
        for (int p = 0; p < 2; p++) {
            const enum nereus_policy_kind kind =
                p == 0 ? NEREUS_POLICY_FLEX_EFFICIENCY : NEREUS_POLICY_FLEX_COST;
            const struct walked walked = walk(&c, kind, goal_s);
            if (goal_s >= min)
                cr_assert_leq(walked.end_s, goal_s * (1 + 1e-6),
                              "case %d, %s: ends after %.9g s, a sequence after %.9g s, goal %.9g",
                              i, nereus_policy_kind_name(kind), walked.end_s, min, goal_s);
            else
                cr_assert_leq(walked.end_s, stay_s * (1 + 1e-9));
            close += goal_s < stay_s && goal_s >= min;
            sequences += walked.changes > 1;
        }
    }
    cr_assert_gt(close, 100, "%d cases needed a change", close);
    cr_assert_gt(sequences, 20, "%d cases had several", sequences);
}

/* Zero gain: changes that cost what they save, or that there is no goal for, are not made. */
Test(policy, does_nothing_without_gain)
{
    for (int i = 0; i < 300; i++) {
        struct small_case c;
        draw(&c);
        cr_assert_eq(walk(&c, NEREUS_POLICY_FLEX_COST, INFINITY).changes, 0);
        cr_assert_eq(walk(&c, NEREUS_POLICY_NONE, 0).changes, 0);
        /* to change costs more than all that is left */
        c.model.stated_costs.spawn_s = c.model.stated_costs.remove_s = 1e6;
        for (int g = 0; g < 3; g++) {
            cr_assert_eq(walk(&c, NEREUS_POLICY_FLEX_EFFICIENCY, g * 20).changes, 0);
            cr_assert_eq(walk(&c, NEREUS_POLICY_FLEX_COST, g * 20).changes, 0);
        }
        /* nothing is left to be done: whatever is changed gains nothing */
        memset(c.work, 0, sizeof c.work);
        memset(c.iterations, 0, sizeof c.iterations);
        c.model.stated_costs = (struct nereus_stated_costs){0};
        c.model.bytes = 0;
        cr_assert_eq(walk(&c, NEREUS_POLICY_FLEX_EFFICIENCY, 0).changes, 0);
        cr_assert_eq(walk(&c, NEREUS_POLICY_FLEX_COST, 50).changes, 0);
    }
}

/* A program's function that wants anything; what it wants is kept. */
static bool any_wish(void *user, const struct nereus_policy_question *question,
                     struct nereus_allocation *wanted_allocation, char why[128])
{
    for (int k = 0; k < CLASSES; k++)
        wanted_allocation->processes[k] = random_below(5) - 1;
    *(struct nereus_allocation *)user = *wanted_allocation;
    (void)question;
    (void)why;
    return true;
}

static struct nereus_decision ask_any(const struct small_case *c, enum nereus_policy_kind kind,
                                      const char *asked,
                                      struct nereus_allocation *wanted_allocation)
{
    const struct nereus_policy_question question = {.model = &c->model,
                                                    .allocation = c->start,
                                                    .goal_s = 20 * random_share(),
                                                    .intervals_left = INTERVALS,
                                                    .work = c->work,
                                                    .iterations = c->iterations,
                                                    .request = asked,
                                                    .function = any_wish,
                                                    .user = wanted_allocation};
    struct nereus_decision decision;
    struct nereus_error err = {NEREUS_OK, ""};
    cr_assert_eq(nereus_policy_decide(kind, &question, &decision, &err), NEREUS_OK, "%s", err.text);
    cr_assert(nereus_allocation_fits(&c->model, &decision.target), "%s", decision.reason);
    cr_assert_eq(decision.changes,
                 !nereus_allocation_equal(&c->model, &decision.target, &c->start));
    return decision;
}

/* Whatever a function or a file asks for: that is done if the layout holds it, else nothing. */
Test(policy, never_asks_for_what_is_not_there)
{
    int held = 0, refused = 0;
    for (int i = 0; i < 500; i++) {
        struct small_case c;
        struct nereus_allocation wanted_allocation;
        char asked[64];
        draw(&c);
        struct nereus_decision user = ask_any(&c, NEREUS_POLICY_USER, NULL, &wanted_allocation);
        snprintf(asked, sizeof asked, "A:%d,B:%d", (int)wanted_allocation.processes[0],
                 (int)wanted_allocation.processes[1]);
        struct nereus_decision follow = ask_any(&c, NEREUS_POLICY_FOLLOW, asked, NULL);
        const bool holds = nereus_allocation_fits(&c.model, &wanted_allocation);
        const struct nereus_allocation *expected = holds ? &wanted_allocation : &c.start;
        cr_assert(nereus_allocation_equal(&c.model, &user.target, expected), "%s: %s", asked,
                  user.reason);
        cr_assert(nereus_allocation_equal(&c.model, &follow.target, expected), "%s: %s", asked,
                  follow.reason);
        const int64_t number = random_below(9),
                      max = c.model.classes[0].max + c.model.classes[1].max;
        snprintf(asked, sizeof asked, "%d", (int)number);
        follow = ask_any(&c, NEREUS_POLICY_FOLLOW, asked, NULL);
        const int64_t got = nereus_allocation_processes(&c.model, &follow.target);
        cr_assert_eq(got, number >= 1 && number <= max
                              ? number
                              : nereus_allocation_processes(&c.model, &c.start));
        held += holds;
        refused += !holds;
    }
    cr_assert(held > 100 && refused > 100, "%d were there, and %d were not", held, refused);
}

/* ---- one decision ---- */

/* Two classes of 4; 2 of A. 100 of work in 10 intervals. */
static struct nereus_policy_question question_of(struct nereus_computational_model *model,
                                                 double goal_s)
{
    static double work[10], iterations[10];
    for (int i = 0; i < 10; i++) {
        work[i] = 10;
        iterations[i] = 1;
    }
    *model =
        (struct nereus_computational_model){.class_count = 2,
                                            .classes = {{"A", 4, 1, 0.1}, {"B", 4, 2, 0.3}},
                                            .communication_factor = 1,
                                            .stated_costs = {.spawn_s = 0.5, .remove_s = 0.25}};
    return (struct nereus_policy_question){.model = model,
                                           .allocation = {{2, 0}},
                                           .goal_s = goal_s,
                                           .intervals_left = 10,
                                           .work = work,
                                           .iterations = iterations};
}

static struct nereus_decision decide(enum nereus_policy_kind kind,
                                     const struct nereus_policy_question *question)
{
    struct nereus_decision decision;
    struct nereus_error err = {NEREUS_OK, ""};
    cr_assert_eq(nereus_policy_decide(kind, question, &decision, &err), NEREUS_OK, "%s", err.text);
    return decision;
}

/* {policy, goal, A, B afterwards}. With 2 A (power 2) 100 of work take 50 s. */
static const struct {
    enum nereus_policy_kind kind;
    double goal_s;
    int64_t a, b;
    const char *why;
} rows[] = {
    /* power 4 in 25 s: one B (0.5 s) has it by 25.5 s */
    {NEREUS_POLICY_FLEX_EFFICIENCY, 25.6, 2, 1, "3 processes meet it"},
    /* two A cost 0.4 an hour together, one B 0.5: cheaper, and 26 s */
    {NEREUS_POLICY_FLEX_COST, 26.1, 4, 0, "4 processes meet it"},
    /* 0.6 an hour for 21 s are less than 0.5 for 25.5 s */
    {NEREUS_POLICY_FLEX_COST, 25.6, 3, 1, "4 processes meet it"},
    /* one A takes 100 s, its removal 0.25 s */
    {NEREUS_POLICY_FLEX_EFFICIENCY, 101, 2, 0, "does not pay"},
    {NEREUS_POLICY_FLEX_EFFICIENCY, 99, 2, 0, "would be late"},
    {NEREUS_POLICY_FLEX_EFFICIENCY, 50, 2, 0, "ends by the goal"},
    {NEREUS_POLICY_FLEX_EFFICIENCY, 5, 4, 4, "ends soonest, though late"},
    {NEREUS_POLICY_NONE, 5, 2, 0, "changes nothing"},
};

Test(policy, rows_by_hand)
{
    for (size_t i = 0; i < NEREUS_COUNT_OF(rows); i++) {
        struct nereus_computational_model model;
        const struct nereus_policy_question question = question_of(&model, rows[i].goal_s);
        struct nereus_decision decision = decide(rows[i].kind, &question);
        cr_assert(decision.target.processes[0] == rows[i].a &&
                      decision.target.processes[1] == rows[i].b,
                  "row %zu: A:%d B:%d, %s", i, (int)decision.target.processes[0],
                  (int)decision.target.processes[1], decision.reason);
        cr_assert(strstr(decision.reason, rows[i].why) != NULL, "row %zu: %s", i, decision.reason);
        nereus_decision_fini(&decision);
    }
}

/* A price with an interval counts with its end: who meets the goal only if the change takes as long
 * as predicted is late. */
Test(policy, counts_a_price_with_its_interval)
{
    struct nereus_profile profile;
    struct nereus_machine machine;
    struct nereus_computational_model model;
    int doubtful = 0;
    cr_assert_eq(
        nereus_profile_read(NEREUS_SOURCE_DIR "/tests/cli/data/profile.json", &profile, NULL),
        NEREUS_OK);
    cr_assert_eq(nereus_machine_uniform(4, &machine, NULL), NEREUS_OK);
    for (int i = 0; i < 40; i++) {
        struct nereus_policy_question question = question_of(&model, 14.2 + 0.02 * i);
        model.classes[0].max = 7;
        model.class_count = 1;
        model.profile = &profile;
        model.machine = &machine;
        question.allocation.processes[0] = 3;
        struct nereus_decision decision = decide(NEREUS_POLICY_FLEX_EFFICIENCY, &question);
        for (int64_t c = 0; c < decision.candidate_count; c++) {
            const struct nereus_policy_candidate *one = &decision.candidates[c];
            cr_assert_leq(one->end_s, one->latest_end_s);
            cr_assert_eq(one->verdict == NEREUS_VERDICT_MEETS,
                         one->latest_end_s <= question.goal_s * (1 + 1e-9));
            doubtful += one->end_s < question.goal_s && one->verdict == NEREUS_VERDICT_LATE;
        }
        nereus_decision_fini(&decision);
    }
    cr_assert_gt(doubtful, 0, "no goal was between a price and its end");
    nereus_machine_fini(&machine);
    nereus_profile_fini(&profile);
}

static bool all_and_more(void *user, const struct nereus_policy_question *question,
                         struct nereus_allocation *wanted_allocation, char why[128])
{
    (void)question;
    wanted_allocation->processes[0] = *(const int64_t *)user;
    strcpy(why, "as many as it says");
    return true;
}

Test(policy, asks_the_programs_own_function)
{
    struct nereus_computational_model model;
    struct nereus_policy_question question = question_of(&model, 40);
    int64_t wanted = 4;
    cr_assert_eq(nereus_policy_decide(NEREUS_POLICY_USER, &question, NULL, NULL),
                 NEREUS_ERR_ARGUMENT);
    question.function = all_and_more;
    question.user = &wanted;
    struct nereus_decision decision = decide(NEREUS_POLICY_USER, &question);
    cr_assert(decision.changes && decision.target.processes[0] == 4);
    cr_assert_str_eq(decision.reason, "as many as it says");
    cr_assert_float_eq(decision.change_s.value, 1, 1e-12);
    wanted = 5; /* the layout has 4 */
    decision = decide(NEREUS_POLICY_USER, &question);
    cr_assert(!decision.changes && decision.target.processes[0] == 2);
    cr_assert(strstr(decision.reason, "refused: the layout does not hold A:5") != NULL, "%s",
              decision.reason);
}

/* {asked, A, B, why}: from A:2 */
static const struct {
    const char *asked;
    int64_t a, b;
    const char *why;
} asked[] = {
    {NULL, 2, 0, "nothing is asked"},
    {"", 2, 0, "nothing is asked"},
    {"2", 2, 0, "asked from outside: A:2"},
    {"5", 2, 3, "asked from outside: A:2,B:3"},
    {"7", 3, 4, "asked from outside: A:3,B:4"},
    {"1", 1, 0, "asked from outside: A:1"},
    {"B:3", 0, 3, "asked from outside: B:3"},
    {"9", 2, 0, "refused: 9 processes are asked for, and there is room for 8"},
    {"A:5", 2, 0, "refused: asked: 'A:5' is not between one process and all that there are"},
    {"C:1", 2, 0, "refused: asked: there is no class 'C'"},
    {"B:3,B:1", 2, 0, "refused: asked: the class 'B' is named twice"},
    {"many", 2, 0, "refused: asked: processes"},
};

Test(policy, follows_what_is_asked)
{
    for (size_t i = 0; i < NEREUS_COUNT_OF(asked); i++) {
        struct nereus_computational_model model;
        struct nereus_policy_question question = question_of(&model, INFINITY);
        question.request = asked[i].asked;
        const struct nereus_decision decision = decide(NEREUS_POLICY_FOLLOW, &question);
        cr_assert(decision.target.processes[0] == asked[i].a &&
                      decision.target.processes[1] == asked[i].b,
                  "row %zu: %s", i, decision.reason);
        cr_assert(strncmp(decision.reason, asked[i].why, strlen(asked[i].why)) == 0, "row %zu: %s",
                  i, decision.reason);
    }
}

/* The log of a decision can be read, and has its candidates. */
Test(policy, is_logged)
{
    struct nereus_computational_model model;
    const struct nereus_policy_question question = question_of(&model, 25.6);
    struct nereus_decision decision = decide(NEREUS_POLICY_FLEX_EFFICIENCY, &question);
    char *text = nereus_decision_json(NEREUS_POLICY_FLEX_EFFICIENCY, &question, &decision);
    json_t *line = json_loads(text, JSON_REJECT_DUPLICATES, NULL);
    cr_assert_not_null(line, "%s", text);
    cr_assert_eq(strchr(text, '\n'), text + strlen(text) - 1, "one line");
    cr_assert_eq(json_integer_value(json_object_get(line, "left")), question.intervals_left);
    const json_t *candidates = json_object_get(line, "candidates");
    cr_assert_eq(json_array_size(candidates), 7, "sizes 1 to 8 without 2");
    const json_t *chosen =
        json_array_get(candidates, (size_t)json_integer_value(json_object_get(line, "chosen")));
    cr_assert_eq(json_integer_value(json_object_get(chosen, "count")), 3);
    cr_assert_str_eq(json_string_value(json_object_get(chosen, "verdict")), "meets");
    json_decref(line);
    free(text);
    /* A job that does not say how many iterations it has: null. */
    struct nereus_policy_question endless = question;
    endless.endless = true;
    text = nereus_decision_json(NEREUS_POLICY_FLEX_EFFICIENCY, &endless, &decision);
    line = json_loads(text, 0, NULL);
    cr_assert(json_is_null(json_object_get(line, "left")), "%s", text);
    json_decref(line);
    free(text);
    nereus_decision_fini(&decision);
    /* A file that is no text. */
    struct nereus_policy_question strange = question;
    strange.request = "\xff";
    decision = decide(NEREUS_POLICY_FOLLOW, &strange);
    text = nereus_decision_json(NEREUS_POLICY_FOLLOW, &strange, &decision);
    cr_assert_not_null(text);
    cr_assert(strstr(text, "not '\xef\xbf\xbd'\"") != NULL, "%s", text);
    free(text);
}

Test(policy, is_a_table)
{
    for (int kind = 0; kind < NEREUS_POLICY_COUNT; kind++)
        cr_assert_not_null(nereus_policy_kind_name((enum nereus_policy_kind)kind));
    cr_assert_null(nereus_policy_kind_name(NEREUS_POLICY_COUNT));
}
