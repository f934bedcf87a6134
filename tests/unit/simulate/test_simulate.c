/**
 * @file test_simulate.c
 * What holds of every simulation, whatever the workload: no node is used twice, no job starts
 * before it is submitted, work is conserved under resizes, EASY does not delay the head of its
 * queue by estimates, and the same seed gives the same schedule.
 */
#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "model/simulate/availability.h"
#include "model/simulate/simulation.h"
#include "model/util/arith.h"
#include "model/workload/draw.h"
#include "nereus/profile.h"
#include "predictor/simulate/report.h"
#include "tests/unit/random.h"

enum { NODES = 64, JOBS = 1500 };

/* --- what an observer of all changes of nodes knows --- */

struct seen {
    int32_t owner[NODES]; /* a job, or NEREUS_SIM_NONE */
    int64_t changes, shared, lost;
    struct {
        double since_s, rate, work_s, resizes_s;
    } jobs[JOBS];
};

static void look_at_nodes(struct seen *seen, const struct nereus_sim *sim, int32_t job)
{
    int32_t held = 0, node = sim->jobs[job].first_node, owned = 0;
    for (int32_t i = 0; i < NODES; i++)
        if (seen->owner[i] == job)
            seen->owner[i] = NEREUS_SIM_NONE;
    for (; node != NEREUS_SIM_NONE; node = sim->cluster.next[node], held++) {
        seen->shared += seen->owner[node] != NEREUS_SIM_NONE;
        seen->owner[node] = job;
    }
    for (int32_t i = 0; i < NODES; i++)
        owned += seen->owner[i] != NEREUS_SIM_NONE;
    seen->lost += held != sim->jobs[job].held || owned + sim->cluster.free != NODES;
}

static void on_change(void *user, const struct nereus_sim *sim, int32_t number)
{
    struct seen *seen = user;
    const struct nereus_sim_job *job = &sim->jobs[number];
    seen->changes++;
    look_at_nodes(seen, sim, number);
    /* The resize that has been priced at the last change took its time since then. */
    const double resizes_s = job->resizing ? seen->jobs[number].resizes_s : job->reconfiguration_s;
    seen->jobs[number].work_s +=
        seen->jobs[number].rate *
        (sim->now_s - seen->jobs[number].since_s - (resizes_s - seen->jobs[number].resizes_s));
    seen->jobs[number].resizes_s = resizes_s;
    seen->jobs[number].since_s = sim->now_s;
    if (!job->resizing)
        seen->jobs[number].rate = job->held > 0 ? nereus_sim_rate(sim, job, job->held) : 0;
}

/* --- workloads --- */

static struct nereus_workload make_workload(int64_t seed, double share)
{
    static const struct nereus_sim_machine machine = {NODES, 1};
    struct nereus_workload workload;
    struct nereus_error err = {.status = NEREUS_OK};
    cr_assert_eq(nereus_draw_lublin(JOBS, NODES, seed, &workload, &err), NEREUS_OK, "%s", err.text);
    random_state = (uint64_t)seed;
    for (int64_t i = 0; i < workload.count; i++)
        workload.jobs[i].estimate_s *= 1 + (double)random_below(3) * random_share();
    cr_assert_eq(nereus_workload_prepare(&workload, &machine, &err), NEREUS_OK, "%s", err.text);
    nereus_workload_scale_arrivals(&workload,
                                   nereus_workload_offered_load(&workload, &machine) / 0.9);
    const struct nereus_draw_malleable draw = {
        .jobs = {.share = share,
                 .t_iter_s = {NEREUS_DRAW_LOGNORMAL, 3, 1.5},
                 .serial = {NEREUS_DRAW_UNIFORM, 0, 0.2},
                 .bytes_per_process = {NEREUS_DRAW_CONSTANT, 1e6, 0},
                 .shrink = 0.3,
                 .grow = 2.5},
        .seed = seed};
    cr_assert_eq(nereus_draw_malleable_jobs(&draw, NODES, &workload, &err), NEREUS_OK, "%s",
                 err.text);
    return workload;
}

static void read_profile(struct nereus_profile *profile)
{
    struct nereus_error err = {.status = NEREUS_OK};
    cr_assert_eq(
        nereus_profile_read(NEREUS_SOURCE_DIR "/tests/cli/data/profile.json", profile, &err),
        NEREUS_OK, "%s", err.text);
}

static struct seen seen;

static void run(const struct nereus_sim_scheduler *scheduler,
                const struct nereus_sim_policy *policy, struct nereus_resize_prices *prices,
                struct nereus_workload *workload)
{
    memset(&seen, 0, sizeof seen);
    for (int32_t i = 0; i < NODES; i++)
        seen.owner[i] = NEREUS_SIM_NONE;
    const struct nereus_sim_settings settings = {.machine = {NODES, 1},
                                                 .scheduler = scheduler,
                                                 .policy = policy,
                                                 .prices = prices,
                                                 .on_change = on_change,
                                                 .user = &seen};
    bool interrupted;
    struct nereus_error err = {.status = NEREUS_OK};
    cr_assert_eq(nereus_simulate(&settings, workload, &interrupted, &err), NEREUS_OK, "%s: %s",
                 scheduler->name, err.text);
}

static void check_jobs(const char *name, const struct nereus_workload *workload)
{
    cr_expect(seen.shared == 0 && seen.lost == 0,
              "%s: nodes used twice %lld times, lost %lld times", name, (long long)seen.shared,
              (long long)seen.lost);
    for (int64_t i = 0; i < workload->count; i++) {
        const struct nereus_sim_job *job = &workload->jobs[i];
        cr_expect(job->start_s >= job->submit_s && job->end_s >= job->start_s,
                  "%s: job %lld is submitted at %g, starts at %g, ends at %g", name, (long long)i,
                  job->submit_s, job->start_s, job->end_s);
        cr_expect_float_eq(seen.jobs[i].work_s, job->run_s, 1e-6 * (1 + job->run_s),
                           "%s: job %lld does %.9g s of work, not %.9g, in %d resizes", name,
                           (long long)i, seen.jobs[i].work_s, job->run_s, job->resizes);
    }
}

Test(simulate, every_scheduler_with_every_policy)
{
    struct nereus_profile profile;
    struct nereus_error err = {.status = NEREUS_OK};
    int64_t resizes[NEREUS_POLICIES_MAX] = {0};
    char name[64];
    read_profile(&profile);
    for (int s = 0; nereus_sim_schedulers[s] != NULL; s++) {
        for (int p = 0; nereus_sim_policies[p] != NULL; p++) {
            struct nereus_workload workload = make_workload(7 + s + 10 * p, 0.6);
            struct nereus_resize_prices prices;
            struct nereus_sim_summary summary;
            cr_assert_eq(nereus_resize_prices_init(&profile, "best", 1, &prices, &err), NEREUS_OK,
                         "%s", err.text);
            snprintf(name, sizeof name, "%s, %s", nereus_sim_schedulers[s]->name,
                     nereus_sim_policies[p]->name);
            run(nereus_sim_schedulers[s], nereus_sim_policies[p], &prices, &workload);
            check_jobs(name, &workload);
            nereus_sim_summarise(&workload, NODES, NULL, &summary);
            cr_expect(summary.utilisation > 0.1 && summary.utilisation <= 1 + 1e-12, "%s: %g", name,
                      summary.utilisation);
            resizes[p] += summary.resizes;
            nereus_resize_prices_fini(&prices);
            nereus_workload_fini(&workload);
        }
    }
    for (int p = 0; nereus_sim_policies[p] != NULL; p++)
        cr_expect_eq(resizes[p] > 0, nereus_sim_policies[p]->pass != NULL, "%s: %lld resizes",
                     nereus_sim_policies[p]->name, (long long)resizes[p]);
    nereus_profile_fini(&profile);
}

/* --- EASY --- */

static int32_t last_head;
static double last_shadow_s;
static int64_t heads, delays;

/* By counting at each estimated end, other than the scheduler does. */
static double shadow_of(const struct nereus_sim *sim)
{
    double shadow_s = INFINITY;
    for (int32_t i = 0; i < sim->running.count; i++) {
        const double end_s = sim->jobs[sim->running.items[i].job].estimated_end_s;
        int32_t free = sim->cluster.free;
        for (int32_t k = 0; k < sim->running.count; k++) {
            const struct nereus_sim_job *job = &sim->jobs[sim->running.items[k].job];
            free += job->estimated_end_s <= end_s ? job->held : 0;
        }
        if (free >= sim->jobs[sim->first_queued].nodes)
            shadow_s = fmin(shadow_s, end_s);
    }
    return shadow_s;
}

static enum nereus_status watched_pass(struct nereus_sim *sim, struct nereus_error *err)
{
    const enum nereus_status status = nereus_sim_schedulers[1]->pass(sim, err);
    const double shadow_s = sim->first_queued == NEREUS_SIM_NONE ? 0 : shadow_of(sim);
    if (sim->first_queued == last_head && last_head != NEREUS_SIM_NONE) {
        heads++;
        delays += shadow_s > last_shadow_s;
    }
    last_head = sim->first_queued;
    last_shadow_s = shadow_s;
    return status;
}

Test(simulate, easy_does_not_delay_the_head)
{
    static const struct nereus_sim_scheduler watched = {.name = "easy, watched",
                                                        .pass = watched_pass};
    cr_assert_str_eq(nereus_sim_schedulers[1]->name, "easy");
    for (int64_t seed = 1; seed <= 5; seed++) {
        struct nereus_workload workload = make_workload(seed, 0);
        last_head = NEREUS_SIM_NONE;
        run(&watched, NULL, NULL, &workload);
        check_jobs("easy", &workload);
        nereus_workload_fini(&workload);
    }
    cr_expect(heads > 1000 && delays == 0, "%lld of %lld passes delayed the head",
              (long long)delays, (long long)heads);
}

/* EASY as it is defined: each job of the queue in its turn. */
static enum nereus_status scanning_pass(struct nereus_sim *sim, struct nereus_error *err)
{
    (void)err;
    while (sim->first_queued != NEREUS_SIM_NONE && nereus_sim_fits(sim, sim->first_queued))
        nereus_sim_start(sim, sim->first_queued);
    if (sim->first_queued == NEREUS_SIM_NONE)
        return NEREUS_OK;
    const double shadow_s = shadow_of(sim);
    int32_t extra = sim->cluster.free - sim->jobs[sim->first_queued].nodes;
    for (int32_t i = 0; i < sim->running.count; i++)
        if (sim->running.items[i].end_s <= shadow_s)
            extra += sim->jobs[sim->running.items[i].job].held;
    for (int32_t job = sim->jobs[sim->first_queued].next, next; job != NEREUS_SIM_NONE;
         job = next) {
        const bool ends = sim->now_s + nereus_sim_estimate_s(sim, job) <= shadow_s;
        next = sim->jobs[job].next;
        if (!nereus_sim_fits(sim, job) || (!ends && sim->jobs[job].nodes > extra))
            continue;
        extra -= ends ? 0 : sim->jobs[job].nodes;
        nereus_sim_start(sim, job);
    }
    return NEREUS_OK;
}

Test(simulate, easy_as_by_a_scan_of_the_queue)
{
    static const struct nereus_sim_scheduler scanning = {.name = "easy, by a scan",
                                                         .pass = scanning_pass};
    int64_t overtaken = 0;
    for (int64_t seed = 1; seed <= 10; seed++) {
        struct nereus_workload one = make_workload(seed, 0), other = make_workload(seed, 0);
        if (seed % 2 == 0) /* a long queue */
            for (int64_t i = 0; i < one.count; i++)
                one.jobs[i].submit_s = other.jobs[i].submit_s /= 3;
        run(nereus_sim_schedulers[1], NULL, NULL, &one);
        run(&scanning, NULL, NULL, &other);
        for (int64_t i = 0; i < one.count; i++) {
            cr_assert(one.jobs[i].start_s == other.jobs[i].start_s, "seed %lld, job %lld",
                      (long long)seed, (long long)i);
            overtaken += i > 0 && one.jobs[i].start_s < one.jobs[i - 1].start_s;
        }
        nereus_workload_fini(&one);
        nereus_workload_fini(&other);
    }
    cr_expect(overtaken > 100, "%lld jobs were backfilled", (long long)overtaken);
}

/* --- seeds --- */

Test(simulate, the_same_seed_gives_the_same_schedule)
{
    struct nereus_workload runs[3];
    static const int64_t seeds[] = {5, 5, 6};
    int64_t differ[2] = {0};
    for (int r = 0; r < 3; r++) {
        runs[r] = make_workload(seeds[r], 0.5);
        run(nereus_sim_schedulers[1], NULL, NULL, &runs[r]);
    }
    for (int64_t i = 0; i < JOBS; i++)
        for (int r = 1; r < 3; r++)
            differ[r - 1] += runs[r].jobs[i].end_s != runs[0].jobs[i].end_s ||
                             runs[r].jobs[i].malleable != runs[0].jobs[i].malleable;
    cr_expect(differ[0] == 0 && differ[1] > JOBS / 2, "%lld and %lld jobs differ",
              (long long)differ[0], (long long)differ[1]);
    for (int r = 0; r < 3; r++)
        nereus_workload_fini(&runs[r]);
}

/* --- free nodes as a function of time --- */

Test(simulate, earliest_times)
{
    /* 10 nodes; 6 are taken from 0 to 5, 8 from 7 to 9, and 3 from 2 to 7. */
    static const struct {
        int32_t nodes;
        double duration_s, expected_s;
    } rows[] = {
        {1, 7, 0}, {1, 100, 0}, {2, 2, 0}, {2, 3, 5},  {4, 2, 0},   {4, 3, 9},
        {7, 2, 5}, {7, 2.5, 9}, {8, 1, 9}, {10, 0, 9}, {4, 1.5, 0}, {2, 4.5, 5},
    };
    static const struct {
        double begin_s, end_s;
        int32_t nodes;
    } taken[] = {{0, 5, 6}, {7, 9, 8}, {2, 7, 3}};
    struct nereus_availability availability = {0};
    struct nereus_error err;
    nereus_availability_reset(&availability, 0, 10, &err);
    for (size_t i = 0; i < NEREUS_COUNT_OF(taken); i++)
        nereus_availability_reserve(&availability, taken[i].begin_s, taken[i].end_s, taken[i].nodes,
                                    &err);
    for (size_t i = 0; i < NEREUS_COUNT_OF(rows); i++) {
        const double found_s =
            nereus_availability_find(&availability, rows[i].nodes, rows[i].duration_s);
        cr_expect_eq(found_s, rows[i].expected_s, "row %zu: %g", i, found_s);
    }
    nereus_availability_fini(&availability);
}
