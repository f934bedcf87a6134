/**
 * @file test_failures.c
 * Nodes that fail in a simulation: small cases by hand, and what holds of every one: a node in
 * repair is neither free nor held, node-seconds add up, work that is lost is done again once.
 */
#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "model/simulate/restart_price.h"
#include "model/simulate/simulation.h"
#include "model/util/arith.h"
#include "model/workload/draw.h"
#include "nereus/checkpoint.h"
#include "nereus/profile.h"
#include "predictor/simulate/report.h"

static struct nereus_profile profile;

static void read_profile(void)
{
    struct nereus_error err = {.status = NEREUS_OK};
    cr_assert_eq(
        nereus_profile_read(NEREUS_SOURCE_DIR "/tests/cli/data/profile.json", &profile, &err),
        NEREUS_OK, "%s", err.text);
}

static void fini_profile(void)
{
    nereus_profile_fini(&profile);
}

/* --- by hand: A on nodes 0 and 1 for 1000 s, B on 2 and 3 for 500 s, both at 0 s --- */

enum { A, B, BY_HAND_NODES = 4, NEVER = -1 };
static const double bytes = 1e9; /* of each process */
static const double every_s = 90;

static struct nereus_workload two_jobs(int32_t min)
{
    static const struct nereus_sim_machine machine = {BY_HAND_NODES, 1};
    struct nereus_workload workload = {0};
    struct nereus_error err = {.status = NEREUS_OK};
    for (int i = 0; i < 2; i++) {
        const struct nereus_workload_line line = {
            .line = i + 1,
            .number = i + 1,
            .processors = 2,
            .submit_s = 0,
            .run_s = i == A ? 1000 : 500,
            .requested_s = -1,
            .given = NEREUS_SIM_GIVEN_MALLEABLE | NEREUS_SIM_GIVEN_T_ITER | NEREUS_SIM_GIVEN_BYTES |
                     NEREUS_SIM_GIVEN_MIN,
            .malleable = i == A && min > 0,
            .t_iter_s = 1,
            .bytes_per_process = bytes,
            .min = min > 0 ? min : 2};
        cr_assert_eq(nereus_workload_add(&workload, &line, &err), NEREUS_OK, "%s", err.text);
    }
    cr_assert_eq(nereus_workload_prepare(&workload, &machine, &err), NEREUS_OK, "%s", err.text);
    return workload;
}

/* Of 1 and 2 nodes, by number. */
static struct nereus_restart_price price_of[3];

static void ask_prices(void)
{
    struct nereus_error err = {.status = NEREUS_OK};
    for (int n = 1; n <= 2; n++)
        cr_assert_eq(nereus_restart_price_predict(&profile, 1, n, 2 * bytes, &price_of[n], &err),
                     NEREUS_OK, "%s", err.text);
    cr_assert(price_of[2].write_s > 0.1 && price_of[2].write_s < 9 && price_of[1].restart_s > 0.1);
}

struct expected {
    double end_s[2], redone_s, redone_node_s, checkpoint_node_s, restart_node_s;
};

static void check(const char *name, const struct nereus_workload *workload,
                  const struct expected *expected)
{
    const struct nereus_sim_survival *s = &workload->survival[A];
    const double found[] = {workload->jobs[A].end_s, workload->jobs[B].end_s, s->redone_s,
                            s->redone_node_s,        s->checkpoint_node_s,    s->restart_node_s};
    const double wanted[] = {expected->end_s[A],          expected->end_s[B],
                             expected->redone_s,          expected->redone_node_s,
                             expected->checkpoint_node_s, expected->restart_node_s};
    static const char *const words[] = {"end of A",    "end of B",    "redone",
                                        "redone node", "checkpoints", "restarts"};
    for (size_t i = 0; i < NEREUS_COUNT_OF(found); i++)
        cr_expect_float_eq(found[i], wanted[i], 1e-6, "%s: %s: %.9g, not %.9g", name, words[i],
                           found[i], wanted[i]);
}

/* One row: failures, and what jobs do. */
struct row {
    const char *name;
    int32_t min; /* of A; 0: it is rigid */
    struct nereus_sim_failure list[2];
    int64_t count;
    enum nereus_sim_on_failure on_failure;
    int64_t restarts;
    bool checkpoints;
};

static void run_row(const struct row *row, const struct expected *expected)
{
    const struct nereus_sim_failures failures = {.list = row->list,
                                                 .count = row->count,
                                                 .on_failure = row->on_failure,
                                                 .restarts = row->restarts,
                                                 .interval_s = row->checkpoints ? every_s : 0,
                                                 .profile = &profile};
    for (int s = 0; nereus_sim_schedulers[s] != NULL; s++) {
        struct nereus_workload workload = two_jobs(row->min);
        const struct nereus_sim_settings settings = {.machine = {BY_HAND_NODES, 1},
                                                     .scheduler = nereus_sim_schedulers[s],
                                                     .failures = &failures};
        bool interrupted;
        struct nereus_error err = {.status = NEREUS_OK};
        cr_assert_eq(nereus_simulate(&settings, &workload, &interrupted, &err), NEREUS_OK, "%s: %s",
                     row->name, err.text);
        check(row->name, &workload, expected);
        nereus_workload_fini(&workload);
    }
}

Test(failures, without_checkpoints, .init = read_profile, .fini = fini_profile)
{
    /* A fails at 300 s: after 600 node-seconds */
    static const struct {
        struct row row;
        struct expected expected;
    } rows[] = {
        {{"end", 0, {{300, 100, 1}}, 1, NEREUS_SIM_END, 10, false}, {{NEVER, 500}, 300, 600, 0, 0}},
        {{"no restart left", 0, {{300, 100, 1}}, 1, NEREUS_SIM_RESTART, 0, false},
         {{NEVER, 500}, 300, 600, 0, 0}},
        {{"until the repair", 0, {{300, 100, 1}}, 1, NEREUS_SIM_REQUEUE, 10, false},
         {{1400, 500}, 300, 600, 0, 0}},
        {{"until B has ended", 0, {{300, 1e6, 1}}, 1, NEREUS_SIM_REQUEUE, 10, false},
         {{1500, 500}, 300, 600, 0, 0}},
        {{"malleable, nothing to go on from", 1, {{300, 100, 1}}, 1, NEREUS_SIM_RESTART, 10, false},
         {{1400, 500}, 300, 600, 0, 0}},
        {{"a free node", 0, {{600, 100, 3}}, 1, NEREUS_SIM_END, 10, false},
         {{1000, 500}, 0, 0, 0, 0}},
        {{"a node in repair", 0, {{300, 100, 1}, {350, 100, 1}}, 2, NEREUS_SIM_REQUEUE, 10, false},
         {{1400, 500}, 300, 600, 0, 0}},
        {{"twice", 0, {{300, 100, 1}, {700, 1, 0}}, 2, NEREUS_SIM_REQUEUE, 10, false},
         {{1700, 500}, 600, 1200, 0, 0}},
        {{"twice, once too often",
          0,
          {{300, 100, 1}, {700, 1, 0}},
          2,
          NEREUS_SIM_REQUEUE,
          1,
          false},
         {{NEVER, 500}, 600, 1200, 0, 0}},
    };
    for (size_t i = 0; i < NEREUS_COUNT_OF(rows); i++)
        run_row(&rows[i].row, &rows[i].expected);
}

/* Without failures A writes after 90, 180, ..., 990 s; by 300 s three are whole, with 270 s of
 * work. */
Test(failures, with_checkpoints, .init = read_profile, .fini = fini_profile)
{
    ask_prices();
    const double w1 = price_of[1].write_s, w2 = price_of[2].write_s, r1 = price_of[1].restart_s,
                 r2 = price_of[2].restart_s;
    const double redone_s = 300 - 3 * w2 - 270;
    const struct row late = {
        "no failure in time", 1, {{5000, 1, 1}}, 1, NEREUS_SIM_RESTART, 10, true};
    run_row(&late, &(struct expected){{1000 + 11 * w2, 500 + 5 * w2}, 0, 0, 22 * w2, 0});
    /* B has 5 checkpoints to write, and ends with the sixth interval */
    const struct row requeued = {"requeued", 1, {{300, 100, 1}}, 1, NEREUS_SIM_REQUEUE, 10, true};
    const struct expected waits = {
        {400 + r2 + 730 + 8 * w2, 500 + 5 * w2}, redone_s, 2 * redone_s, 2 * (3 + 8) * w2, 2 * r2};
    run_row(&requeued, &waits);
    const struct row too_few = {
        "too few nodes left", 2, {{300, 100, 1}}, 1, NEREUS_SIM_RESTART, 10, true};
    run_row(&too_few, &waits);
    /* 730 s of work on one node take 1460 s */
    const struct row at_once = {"at once", 1, {{300, 100, 1}}, 1, NEREUS_SIM_RESTART, 10, true};
    run_row(&at_once, &(struct expected){{300 + r1 + 1460 + 16 * w1, 500 + 5 * w2},
                                         redone_s,
                                         2 * redone_s,
                                         2 * 3 * w2 + 16 * w1,
                                         r1});
    /* the other node while the checkpoint is read: nothing more is lost */
    const struct row in_restart = {"in a restart",
                                   1,
                                   {{300, 100, 1}, {300 + r1 / 2, 100, 0}},
                                   2,
                                   NEREUS_SIM_RESTART,
                                   10,
                                   true};
    run_row(&in_restart, &(struct expected){{400 + r1 / 2 + r2 + 730 + 8 * w2, 500 + 5 * w2},
                                            redone_s,
                                            2 * redone_s,
                                            2 * (3 + 8) * w2,
                                            r1 / 2 + 2 * r2});
    /* in the middle of the fourth checkpoint, which is worth nothing */
    const double fourth_s = 4 * every_s + 3.5 * w2;
    const struct row in_write = {
        "in a checkpoint", 0, {{fourth_s, 1, 1}}, 1, NEREUS_SIM_REQUEUE, 10, true};
    run_row(
        &in_write,
        &(struct expected){
            {fourth_s + 1 + r2 + 730 + 8 * w2, 500 + 5 * w2}, 90, 180, 2 * (3.5 + 8) * w2, 2 * r2});
}

/* B ends at 500 s and five checkpoints; A then grows onto its nodes, 50 s after its fifth one. */
Test(failures, checkpoints_go_on_through_a_resize, .init = read_profile, .fini = fini_profile)
{
    struct nereus_error err = {.status = NEREUS_OK};
    struct nereus_resize_prices prices;
    struct nereus_resize_price price;
    struct nereus_restart_price on_4;
    struct nereus_workload workload = two_jobs(1);
    const struct nereus_resize_question question = {
        .ns = 2, .nt = 4, .bytes = 2 * bytes, .t_iter_ns_s = 1, .t_iter_nt_s = 0.5};
    const struct nereus_sim_failure late = {5000, 1, 1};
    const struct nereus_sim_failures failures = {
        .list = &late, .count = 1, .interval_s = every_s, .profile = &profile};
    const struct nereus_sim_settings settings = {.machine = {BY_HAND_NODES, 1},
                                                 .scheduler = nereus_sim_schedulers[1],
                                                 .policy = nereus_sim_policies[2],
                                                 .prices = &prices,
                                                 .failures = &failures};
    bool interrupted;
    ask_prices();
    workload.jobs[A].max = 4;
    cr_assert_str_eq(settings.policy->name, "grow-into-idle");
    cr_assert_eq(nereus_resize_prices_init(&profile, "best", 1, &prices, &err), NEREUS_OK);
    cr_assert(nereus_resize_prices_find(&prices, &question, &price));
    cr_assert_eq(nereus_restart_price_predict(&profile, 1, 4, 2 * bytes, &on_4, &err), NEREUS_OK);
    cr_assert_eq(nereus_simulate(&settings, &workload, &interrupted, &err), NEREUS_OK, "%s",
                 err.text);
    const double w2 = price_of[2].write_s, w4 = on_4.write_s;
    cr_expect_eq(workload.jobs[A].resizes, 1);
    check("a resize", &workload,
          &(struct expected){{500 + 5 * w2 + price.rt_s + 250 + 3 * w4, 500 + 5 * w2},
                             0,
                             0,
                             2 * 5 * w2 + 4 * 3 * w4,
                             0});
    nereus_resize_prices_fini(&prices);
    nereus_workload_fini(&workload);
}

/* Two nodes: A has both, C (5000 s) and D (500 s) wait for one. Node 1 fails at 100 s, for 1000 s:
 * A is the head of the queue again, and C, other than D, would delay it. */
Test(failures, the_queue)
{
    static const struct {
        double submit_s, run_s;
        int64_t processors;
    } jobs[] = {{0, 1000, 2}, {10, 5000, 1}, {20, 500, 1}};
    static const double ends_s[][3] = {{2100, 7100, 2600}, {2100, 7100, 600}, {2100, 7100, 600}};
    static const struct nereus_sim_failure failure = {100, 1000, 1};
    static const struct nereus_sim_failures failures = {
        .list = &failure, .count = 1, .on_failure = NEREUS_SIM_REQUEUE, .restarts = 1};
    for (int s = 0; nereus_sim_schedulers[s] != NULL; s++) {
        const struct nereus_sim_settings settings = {
            .machine = {2, 1}, .scheduler = nereus_sim_schedulers[s], .failures = &failures};
        struct nereus_workload workload = {0};
        struct nereus_error err = {.status = NEREUS_OK};
        bool interrupted;
        for (int i = 0; i < 3; i++) {
            const struct nereus_workload_line line = {.number = i + 1,
                                                      .processors = jobs[i].processors,
                                                      .submit_s = jobs[i].submit_s,
                                                      .run_s = jobs[i].run_s,
                                                      .requested_s = -1};
            nereus_workload_add(&workload, &line, &err);
        }
        nereus_workload_prepare(&workload, &settings.machine, &err);
        cr_assert_eq(nereus_simulate(&settings, &workload, &interrupted, &err), NEREUS_OK, "%s",
                     err.text);
        for (int i = 0; i < 3; i++)
            cr_expect_float_eq(workload.jobs[i].end_s, ends_s[s][i], 1e-6, "%s: job %d: %g",
                               settings.scheduler->name, i, workload.jobs[i].end_s);
        nereus_workload_fini(&workload);
    }
}

/* --- what holds of every simulation --- */

enum { NODES = 64, JOBS = 1200 };

struct seen {
    int32_t owner[NODES]; /* a job, or NEREUS_SIM_NONE */
    int64_t wrong;
    struct {
        double since_s, node_s;
        int32_t held;
    } jobs[JOBS];
};
static struct seen seen;

static void on_change(void *user, const struct nereus_sim *sim, int32_t number)
{
    const struct nereus_sim_job *job = &sim->jobs[number];
    int32_t held = 0, owned = 0, coming = 0;
    (void)user;
    seen.jobs[number].node_s += seen.jobs[number].held * (sim->now_s - seen.jobs[number].since_s);
    seen.jobs[number].since_s = sim->now_s;
    seen.jobs[number].held = job->held;
    for (int32_t i = 0; i < NODES; i++)
        if (seen.owner[i] == number)
            seen.owner[i] = NEREUS_SIM_NONE;
    for (int32_t node = job->first_node; node != NEREUS_SIM_NONE; node = sim->cluster.next[node]) {
        seen.wrong += seen.owner[node] != NEREUS_SIM_NONE || sim->outages.is_down[node];
        seen.owner[node] = number;
        held++;
    }
    for (int32_t i = 0; i < NODES; i++)
        owned += seen.owner[i] != NEREUS_SIM_NONE;
    for (int32_t i = 0; i < sim->running.count; i++) {
        const struct nereus_sim_job *one = &sim->jobs[sim->running.items[i].job];
        coming += one->resizing && one->target < one->held ? one->held - one->target : 0;
    }
    seen.wrong += coming != sim->coming_free;
    seen.wrong += held != job->held || sim->outages.down_count < sim->cluster.down ||
                  owned + sim->cluster.free + sim->cluster.down != NODES;
}

static struct nereus_workload make_workload(int64_t seed, double share)
{
    static const struct nereus_sim_machine machine = {NODES, 1};
    struct nereus_workload workload;
    struct nereus_error err = {.status = NEREUS_OK};
    const struct nereus_draw_malleable draw = {
        .jobs = {.share = share,
                 .t_iter_s = {NEREUS_DRAW_LOGNORMAL, 3, 1.5},
                 .bytes_per_process = {NEREUS_DRAW_UNIFORM, 0, 1e10},
                 .shrink = 0.3,
                 .grow = 2.5},
        .seed = seed};
    cr_assert_eq(nereus_draw_lublin(JOBS, NODES, seed, &workload, &err), NEREUS_OK, "%s", err.text);
    for (int64_t i = 0; i < workload.count; i++)
        workload.jobs[i].estimate_s *= 1 + (double)(i % 3);
    cr_assert_eq(nereus_workload_prepare(&workload, &machine, &err), NEREUS_OK, "%s", err.text);
    nereus_workload_scale_arrivals(&workload,
                                   nereus_workload_offered_load(&workload, &machine) / 0.8);
    cr_assert_eq(nereus_draw_malleable_jobs(&draw, NODES, &workload, &err), NEREUS_OK, "%s",
                 err.text);
    return workload;
}

static void simulate(const struct nereus_sim_settings *wanted, struct nereus_workload *workload)
{
    struct nereus_sim_settings settings = *wanted;
    bool interrupted;
    struct nereus_error err = {.status = NEREUS_OK};
    memset(&seen, 0, sizeof seen);
    for (int32_t i = 0; i < NODES; i++)
        seen.owner[i] = NEREUS_SIM_NONE;
    settings.machine = (struct nereus_sim_machine){NODES, 1};
    settings.on_change = on_change;
    cr_assert_eq(nereus_simulate(&settings, workload, &interrupted, &err), NEREUS_OK, "%s: %s",
                 settings.scheduler->name, err.text);
}

/* Jobs scale ideally, so that node-seconds of computing are the work on the nodes asked for; but
 * between the request of an expansion and its begin a job holds more. */
static void check_job(const char *name, const struct nereus_sim_job *job,
                      const struct nereus_sim_survival *s, double node_s)
{
    const double work_s = job->nodes * (job->run_s + s->redone_s);
    const double found_s =
        job->node_s - s->checkpoint_node_s - s->restart_node_s - job->reconfiguration_node_s;
    const double tolerance_s = 1e-6 * (1 + job->node_s);
    cr_expect_float_eq(node_s, job->node_s, tolerance_s, "%s: job %lld held %.9g, not %.9g", name,
                       (long long)job->number, node_s, job->node_s);
    if (job->end_s < 0)
        return;
    cr_expect(found_s >= work_s - tolerance_s &&
                  (job->resizes > 0 || found_s <= work_s + tolerance_s),
              "%s: job %lld computed for %.9g node-seconds, not %.9g, with %d losses", name,
              (long long)job->number, found_s, work_s, s->losses);
    cr_expect(s->redone_node_s >= job->nodes * s->redone_s - tolerance_s &&
                  (job->resizes > 0 || s->redone_node_s <= job->nodes * s->redone_s + tolerance_s),
              "%s: job %lld redid %.9g node-seconds, not %.9g", name, (long long)job->number,
              s->redone_node_s, job->nodes * s->redone_s);
}

static void check_all(const char *name, const struct nereus_workload *workload)
{
    struct nereus_sim_summary sum;
    double node_h = 0;
    nereus_sim_summarise(workload, NODES, NULL, &sum);
    const struct nereus_sim_losses *l = &sum.losses;
    cr_expect_eq(seen.wrong, 0, "%s: %lld times nodes were lost or used twice", name,
                 (long long)seen.wrong);
    for (int64_t i = 0; i < workload->count; i++) {
        check_job(name, &workload->jobs[i], &workload->survival[i], seen.jobs[i].node_s);
        node_h += workload->jobs[i].node_s / 3600;
    }
    cr_expect_float_eq(l->useful_h + l->redone_h + l->checkpoint_h + l->restart_h +
                           l->unfinished_h + sum.reconfiguration_node_hours,
                       node_h, 1e-6 * node_h, "%s: node-hours", name);
    cr_expect(l->losses > 50 && l->failures > l->losses && l->useful_share > 0.1 &&
                  l->useful_share < sum.utilisation && sum.utilisation <= 1,
              "%s: %lld losses of %lld failures, %g useful of %g", name, (long long)l->losses,
              (long long)l->failures, l->useful_share, sum.utilisation);
}

Test(failures, every_scheduler_with_every_policy, .init = read_profile, .fini = fini_profile)
{
    struct nereus_error err = {.status = NEREUS_OK};
    char name[64];
    int64_t restarts = 0;
    for (int s = 0; nereus_sim_schedulers[s] != NULL; s++) {
        for (int p = 0; nereus_sim_policies[p] != NULL; p++) {
            struct nereus_workload workload = make_workload(3 + s + 10 * p, 0.6);
            struct nereus_resize_prices prices;
            const struct nereus_sim_failures failures = {.mtbf_s = 3e5,
                                                         .repair_s = 5000,
                                                         .seed = s + p,
                                                         .on_failure = NEREUS_SIM_RESTART,
                                                         .restarts = 5,
                                                         .interval_s = p % 2 == 0 ? INFINITY : 2000,
                                                         .profile = &profile};
            const struct nereus_sim_settings settings = {.scheduler = nereus_sim_schedulers[s],
                                                         .policy = nereus_sim_policies[p],
                                                         .prices = &prices,
                                                         .failures = &failures};
            cr_assert_eq(nereus_resize_prices_init(&profile, "best", 1, &prices, &err), NEREUS_OK);
            snprintf(name, sizeof name, "%s, %s", nereus_sim_schedulers[s]->name,
                     nereus_sim_policies[p]->name);
            simulate(&settings, &workload);
            check_all(name, &workload);
            for (int64_t i = 0; i < workload.count; i++)
                restarts += workload.survival[i].restart_node_s > 0;
            nereus_resize_prices_fini(&prices);
            nereus_workload_fini(&workload);
        }
    }
    cr_expect(restarts > 500, "%lld jobs restarted", (long long)restarts);
}

/* The seed of failures alone: the same gives the same ends; failures do not depend on jobs. */
Test(failures, the_same_seed_gives_the_same_run)
{
    double ends[3][JOBS];
    int64_t differ[2] = {0};
    for (int r = 0; r < 3; r++) {
        struct nereus_workload workload = make_workload(5, 0);
        const struct nereus_sim_failures failures = {.mtbf_s = 6e5,
                                                     .repair_s = 5000,
                                                     .seed = r == 2 ? 9 : 8,
                                                     .on_failure = NEREUS_SIM_REQUEUE,
                                                     .restarts = 1000};
        const struct nereus_sim_settings settings = {.scheduler = nereus_sim_schedulers[1],
                                                     .failures = &failures};
        simulate(&settings, &workload);
        for (int64_t i = 0; i < JOBS; i++)
            ends[r][i] = workload.jobs[i].end_s;
        check_all("easy, requeue", &workload);
        nereus_workload_fini(&workload);
    }
    for (int64_t i = 0; i < JOBS; i++)
        for (int r = 1; r < 3; r++)
            differ[r - 1] += ends[r][i] != ends[0][i];
    cr_expect(differ[0] == 0 && differ[1] > JOBS / 4, "%lld and %lld jobs differ",
              (long long)differ[0], (long long)differ[1]);
}

/* Jobs that need nodes where all are in repair nearly always: the simulation ends without them. */
Test(failures, a_job_that_never_gets_its_nodes)
{
    struct nereus_workload workload = two_jobs(0);
    const struct nereus_sim_failures failures = {
        .mtbf_s = 10, .repair_s = 1e6, .on_failure = NEREUS_SIM_REQUEUE, .restarts = 1000000};
    const struct nereus_sim_settings settings = {.machine = {BY_HAND_NODES, 1},
                                                 .scheduler = nereus_sim_schedulers[1],
                                                 .failures = &failures};
    struct nereus_sim_summary sum;
    bool interrupted;
    struct nereus_error err = {.status = NEREUS_OK};
    cr_expect_eq(nereus_simulate(&settings, &workload, &interrupted, &err), NEREUS_OK, "%s",
                 err.text);
    nereus_sim_summarise(&workload, BY_HAND_NODES, NULL, &sum);
    cr_expect(sum.losses.unfinished == 2 && sum.losses.useful_share == 0, "%lld jobs did not end",
              (long long)sum.losses.unfinished);
    cr_expect(sum.jobs == 0 && sum.losses.failures > 0 && sum.losses.down_h > 0,
              "%lld failures, %g node-hours in repair, without a job that ended",
              (long long)sum.losses.failures, sum.losses.down_h);
    nereus_workload_fini(&workload);
}
