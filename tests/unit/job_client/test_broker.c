/**
 * @file test_broker.c
 * Who shrinks so that a waiting job starts, and who grows into idle nodes (nereus/broker.h).
 */
#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

#include "model/util/arith.h"
#include "nereus/broker.h"
#include "tests/unit/random.h"

enum { JOBS_MAX = 3, WAITING_MAX = 3, HORIZON_S = 600 };

/* A resize costs so many seconds, and one of the third job ten times that. */
static double flat_price(void *user, int64_t job, int64_t ns, int64_t nt)
{
    (void)ns;
    (void)nt;
    return *(const double *)user * (job == 2 ? 10 : 1);
}

/* 2 cores per node throughout; left_s below 0: unknown, so the horizon. What else there is
 * follows. */
#define JOB_WITH(processes_, nodes_, kept_, left_, ...)                                            \
    {                                                                                              \
        .processes = processes_, .nodes = nodes_, .kept_nodes = kept_, .cores_per_node = 2,        \
        .left_s = left_, __VA_ARGS__                                                               \
    }
#define JOB(...) JOB_WITH(__VA_ARGS__, .is_busy = false)

struct row {
    const char *name, *source;
    int64_t idle, waiting[WAITING_MAX];
    struct nereus_broker_job jobs[JOBS_MAX];
    double price_s;
    int64_t expected[JOBS_MAX]; /* nodes of each job afterwards */
};

static const struct row rows[] = {
    {"grows into all idle nodes", "one job, nobody waits", 3, {0}, {JOB(2, 1, 1, 100)}, 1, {4}},
    {"as far as its maximum",
     "7 processes take 4 nodes of 2",
     9,
     {0},
     {JOB_WITH(2, 1, 1, 100, .sizes = {.minimum = 2, .maximum = 7})},
     1,
     {4}},
    {"in steps that it can take",
     "powers of two: 2, 4, 8; of 7 nodes 4",
     6,
     {0},
     {JOB_WITH(2, 1, 1, 100, .sizes = {.powers_of_two = true})},
     1,
     {4}},
    {"not where the way there and back costs more",
     "saves 100 x (1 - 2/4) = 50 < 2 x 26",
     1,
     {0},
     {JOB(2, 1, 1, 100)},
     26,
     {1}},
    {"where it saves more", "50 > 2 x 24", 1, {0}, {JOB(2, 1, 1, 100)}, 24, {2}},
    {"far where one step does not pay",
     "50 < 60 < 100 x (1 - 2/8) = 75",
     3,
     {0},
     {JOB(2, 1, 1, 100)},
     30,
     {4}},
    {"shares by what a node saves",
     "900/2, 900/6, 900/12, then 100/2 > 900/20",
     4,
     {0},
     {JOB(2, 1, 1, 900), JOB(2, 1, 1, 100)},
     0,
     {4, 2}},
    {"evenly between equals",
     "the first gets the odd one",
     3,
     {0},
     {JOB(2, 1, 1, 300), JOB(2, 1, 1, 300)},
     0,
     {3, 2}},
    {"an unknown end is the horizon",
     "600 > 100",
     1,
     {0},
     {JOB(2, 1, 1, 100), JOB(2, 1, 1, -1)},
     0,
     {1, 2}},
    {"not while it changes", "busy", 1, {0}, {JOB_WITH(2, 1, 1, 100, .is_busy = true)}, 0, {1}},
    {"idle nodes that a waiting job takes are not idle",
     "3 - 2 = 1",
     3,
     {2},
     {JOB(2, 1, 1, 100)},
     0,
     {2}},
    {"shrinks so that the first starts", "wants 3, has 1", 1, {3}, {JOB(8, 4, 1, 100)}, 1, {2}},
    {"and no further", "the second waits for its turn", 1, {3, 9}, {JOB(8, 4, 1, 100)}, 1, {2}},
    {"nobody grows then",
     "one gives, none takes",
     0,
     {1},
     {JOB(4, 2, 1, 100), JOB(2, 1, 1, 900)},
     1,
     {1, 1}},
    {"not where all together cannot free enough",
     "wants 4: 1 idle, 2 to give",
     1,
     {4},
     {JOB(4, 2, 1, 100), JOB(4, 2, 1, 100)},
     1,
     {2, 2}},
    {"its first allocation is kept", "two of three nodes", 0, {2}, {JOB(6, 3, 2, 100)}, 1, {3}},
    {"its minimum is kept",
     "at least 4 processes",
     0,
     {2},
     {JOB_WITH(6, 3, 1, 100, .sizes = {.minimum = 4})},
     1,
     {3}},
    {"who gives for least",
     "1 s x 4 / 1 < 10 s x 4 / 1",
     0,
     {1},
     {JOB(2, 1, 1, 100), JOB(4, 2, 1, 100), JOB(4, 2, 1, 900)},
     1,
     {1, 1, 2}},
    {"of equal prices who runs longest",
     "900 > 100",
     0,
     {1},
     {JOB(4, 2, 1, 100), JOB(4, 2, 1, 900)},
     1,
     {2, 1}},
    {"several give", "2 + 1", 0, {3}, {JOB(6, 3, 1, 100), JOB(6, 3, 1, 50)}, 1, {1, 2}},
    {"not for longer than the horizon", "601 > 600", 0, {1}, {JOB(4, 2, 1, 100)}, 601, {2}},
    {"more than is wanted where its sizes ask for it",
     "powers of two: 4 nodes, 2 nodes",
     0,
     {1},
     {JOB_WITH(8, 4, 1, 100, .sizes = {.powers_of_two = true})},
     1,
     {2}},
    {"as much as its minimum leaves",
     "one gives 1 of the 3, the other 2",
     0,
     {3},
     {JOB_WITH(6, 3, 1, 100, .sizes = {.minimum = 4}), JOB(6, 3, 1, 50)},
     1,
     {2, 1}},
    {"a node without processes costs nothing",
     "an allocation that was left over: 2 processes before and after",
     0,
     {1},
     {JOB(2, 2, 1, 100)},
     1000,
     {1}},
    {"nothing to do", "no idle node, nobody waits", 0, {0}, {JOB(4, 2, 1, 100)}, 1, {2}},
};

static int64_t count_of(const int64_t *waiting)
{
    int64_t count = 0;
    while (count < WAITING_MAX && waiting[count] > 0)
        count++;
    return count;
}

static void check_row(const struct row *row)
{
    struct nereus_broker_action actions[JOBS_MAX];
    double price_s = row->price_s;
    int64_t job_count = 0, count = -1, got[JOBS_MAX] = {0};
    while (job_count < JOBS_MAX && row->jobs[job_count].nodes > 0) {
        got[job_count] = row->jobs[job_count].nodes;
        job_count++;
    }
    const struct nereus_broker_state state = {.idle_nodes = row->idle,
                                              .waiting_nodes = row->waiting,
                                              .waiting_count = count_of(row->waiting),
                                              .jobs = row->jobs,
                                              .job_count = job_count,
                                              .horizon_s = HORIZON_S,
                                              .price = flat_price,
                                              .user = &price_s};
    struct nereus_error err;
    cr_assert_eq(nereus_broker_decide(&state, actions, &count, &err), NEREUS_OK, "%s", row->name);
    for (int64_t i = 0; i < count; i++) {
        const struct nereus_broker_action *action = &actions[i];
        cr_expect_eq(action->from_nodes, got[action->job], "%s", row->name);
        cr_expect(action->to_processes > (action->to_nodes - 1) * 2 &&
                      action->to_processes <= action->to_nodes * 2,
                  "%s: %d processes on %d nodes", row->name, (int)action->to_processes,
                  (int)action->to_nodes);
        const bool moves = action->to_processes != row->jobs[action->job].processes;
        cr_expect_float_eq(action->price_s, moves * price_s * (action->job == 2 ? 10 : 1), 1e-12);
        cr_expect_eq(action->gain_s > 0, action->to_nodes > action->from_nodes, "%s", row->name);
        got[action->job] = action->to_nodes;
    }
    for (int64_t i = 0; i < job_count; i++) {
        cr_expect_eq(got[i], row->expected[i], "%s (%s): job %d gets %d nodes, not %d", row->name,
                     row->source, (int)i, (int)got[i], (int)row->expected[i]);
    }
}

Test(broker, rows)
{
    for (size_t i = 0; i < NEREUS_COUNT_OF(rows); i++)
        check_row(&rows[i]);
}

/* The gain is what is saved: 100 s on 2 processes are 50 s on 4, less the way there and back. */
Test(broker, gain)
{
    const struct nereus_broker_job job = JOB(2, 1, 1, 100);
    double price_s = 7;
    const struct nereus_broker_state state = {.idle_nodes = 1,
                                              .jobs = &job,
                                              .job_count = 1,
                                              .horizon_s = HORIZON_S,
                                              .price = flat_price,
                                              .user = &price_s};
    struct nereus_broker_action action;
    int64_t count = 0;
    cr_assert_eq(nereus_broker_decide(&state, &action, &count, NULL), NEREUS_OK);
    cr_assert_eq(count, 1);
    cr_expect_float_eq(action.gain_s, 100 * (1 - 2. / 4) - 2 * 7, 1e-12);
}

/* A prediction is expensive on a large cluster: prices are asked for each job and node at most, not
 * for each pair of them. */
static double counted_price(void *user, int64_t job, int64_t ns, int64_t nt)
{
    (void)job;
    (void)ns;
    (void)nt;
    ++*(int64_t *)user;
    return 1;
}

Test(broker, few_prices)
{
    enum { JOBS = 100, IDLE = 1000 };
    struct nereus_broker_job jobs[JOBS];
    struct nereus_broker_action actions[JOBS];
    int64_t asked = 0, count = 0, taken = 0;
    for (int64_t i = 0; i < JOBS; i++)
        jobs[i] = (struct nereus_broker_job)JOB(8, 4, 4, (double)(1000 + i));
    const struct nereus_broker_state state = {.idle_nodes = IDLE,
                                              .jobs = jobs,
                                              .job_count = JOBS,
                                              .horizon_s = HORIZON_S,
                                              .price = counted_price,
                                              .user = &asked};
    cr_assert_eq(nereus_broker_decide(&state, actions, &count, NULL), NEREUS_OK);
    for (int64_t i = 0; i < count; i++)
        taken += actions[i].to_nodes - actions[i].from_nodes;
    cr_expect_eq(taken, IDLE);
    cr_expect(asked < 8 * (JOBS + IDLE), "%lld prices", (long long)asked);
}

/* ---- nobody starves -------------------------------------------------------------------------- */

/* The least number of nodes that the job can shrink to, by trying all. */
static int64_t find_least(const struct nereus_broker_job *job)
{
    for (int64_t nodes = nereus_max(job->kept_nodes, 1); nodes < job->nodes && !job->is_busy;
         nodes++)
        for (int64_t size = (nodes - 1) * job->cores_per_node + 1;
             size <= nodes * job->cores_per_node; size++)
            if (nereus_sizes_allow(&job->sizes, size))
                return nodes;
    return job->nodes;
}

static struct nereus_broker_job make_random_job(void)
{
    struct nereus_broker_job job = {
        .cores_per_node = 1 + random_below(3),
        .nodes = 1 + random_below(6),
        .left_s = (double)(1 + random_below(1000)),
        .is_busy = random_below(5) == 0,
        .sizes = {.multiple_of = random_below(4), .powers_of_two = random_below(3) == 0}};
    job.kept_nodes = 1 + random_below(job.nodes);
    job.processes = job.nodes * job.cores_per_node;
    return job;
}

/*
 * The bound: a job at the head of the queue starts after one decision, if it fits beside the
 * malleable jobs at their least sizes, however large they have become. Nodes that a waiting job
 * takes, or could take, are given to nobody else.
 */
static void check_fairness(const struct nereus_broker_state *state)
{
    struct nereus_broker_action actions[JOBS_MAX];
    int64_t count = 0, can_free = 0, frees = 0, takes = 0, lacking = -state->idle_nodes;
    cr_assert_eq(nereus_broker_decide(state, actions, &count, NULL), NEREUS_OK);
    for (int64_t i = 0; i < state->job_count; i++)
        can_free += state->jobs[i].nodes - find_least(&state->jobs[i]);
    for (int64_t i = 0; i < count; i++) {
        const int64_t change = actions[i].to_nodes - actions[i].from_nodes;
        *(change < 0 ? &frees : &takes) += change < 0 ? -change : change;
        cr_assert(actions[i].to_nodes >= find_least(&state->jobs[actions[i].job]));
    }
    for (int64_t i = 0; i < state->waiting_count && lacking <= 0; i++)
        lacking += state->waiting_nodes[i];
    cr_expect(lacking <= 0 ? frees == 0 && takes <= -lacking : takes == 0);
    cr_expect(lacking <= 0 || (can_free >= lacking) == (frees >= lacking),
              "%d of %d nodes, %d lack", (int)frees, (int)can_free, (int)lacking);
}

Test(broker, nobody_starves)
{
    for (int64_t round = 0; round < 100000; round++) {
        struct nereus_broker_job jobs[JOBS_MAX];
        int64_t waiting[WAITING_MAX];
        const struct nereus_broker_state state = {.idle_nodes = random_below(6),
                                                  .waiting_nodes = waiting,
                                                  .waiting_count = random_below(WAITING_MAX + 1),
                                                  .jobs = jobs,
                                                  .job_count = random_below(JOBS_MAX + 1),
                                                  .horizon_s = HORIZON_S};
        for (int i = 0; i < JOBS_MAX; i++)
            jobs[i] = make_random_job();
        for (int i = 0; i < WAITING_MAX; i++)
            waiting[i] = 1 + random_below(12);
        check_fairness(&state);
    }
}

Test(broker, refuses_what_is_no_cluster)
{
    const struct nereus_broker_job job = {.processes = 1, .nodes = 0, .cores_per_node = 2};
    const struct nereus_broker_state states[] = {{.idle_nodes = -1, .horizon_s = 1},
                                                 {.idle_nodes = 1, .horizon_s = 0},
                                                 {.idle_nodes = 1, .horizon_s = NAN},
                                                 {.jobs = &job, .job_count = 1, .horizon_s = 1}};
    struct nereus_broker_action action;
    int64_t count = 0;
    for (size_t i = 0; i < NEREUS_COUNT_OF(states); i++) {
        struct nereus_error err;
        cr_expect_eq(nereus_broker_decide(&states[i], &action, &count, &err), NEREUS_ERR_ARGUMENT);
        cr_expect(strstr(err.text, "must be") != NULL, "%s", err.text);
    }
}
