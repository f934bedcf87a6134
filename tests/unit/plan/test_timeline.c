/** @file test_timeline.c  Stamps to step times, by hand and at random: critical path + waits + rest
 * = RT. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "model/util/arith.h"
#include "nereus/timeline.h"
#include "tests/unit/random.h"

#define NONE                                                                                       \
    {                                                                                              \
        0, 0, false                                                                                \
    }

enum { PROCESSES = 3, STEPS = 3 };

/* ---- rows by hand ---------------------------------------------------------------------------- */

/* Times in seconds; those of a step: time, critical, wait. Tolerance 1e-12. Source: the definition
 * in timeline.h, worked out with a pencil. */
static const struct {
    const char *what;
    double start_s, end_s;
    struct nereus_stamp stamps[PROCESSES][STEPS];
    double steps[STEPS][3];
    double critical_s, waits_s, rest_s;
} rows[] = {
    {"one after the other, without a gap",
     10,
     16,
     {{{10, 11, true}, {11, 14, true}, {14, 16, true}}, {NONE, NONE, NONE}, {NONE, NONE, NONE}},
     {{1, 1, 0}, {3, 3, 0}, {2, 2, 0}},
     6,
     0,
     0},
    {"gaps before, between and after",
     10,
     20,
     {{{10.5, 11, true}, {11.75, 14, true}, {16, 18.5, true}},
      {NONE, NONE, NONE},
      {NONE, NONE, NONE}},
     {{0.5, 0.5, 0}, {2.25, 2.25, 0}, {2.5, 2.5, 0}},
     5.25,
     0,
     4.75},
    {"who comes early waits, who goes late is waited for",
     100,
     110,
     {{{100, 103, true}, {103, 108, true}, {108, 110, true}},
      {{101.5, 104, true}, {104, 107, true}, {109, 110, true}},
      {{101, 102, true}, {105.25, 108.5, true}, NONE}},
     {{2.5, 2.5, 1.5}, {3.25, 3.25, 1.25}, {1, 1, 0.5}},
     6.75,
     3.25,
     0},
    {"a step within another: what ends first takes its own, the other what is left",
     0,
     9,
     {{{1, 8, true}, NONE, NONE}, {NONE, {2, 5, true}, NONE}, {NONE, NONE, NONE}},
     {{7, 4, 0}, {3, 3, 0}, {0, 0, 0}},
     7,
     0,
     2},
    {"one is late with a step while the others are two steps further",
     0.5,
     9,
     {{{1, 4, true}, {4, 5, true}, {5, 9, true}},
      {{1.25, 4, true}, {4, 4.5, true}, {5, 9, true}},
      {{1, 8, true}, NONE, {8, 8.75, true}}},
     {{6.75, 5.75, 0.25}, {1, 1, 0}, {1, 1, 0}},
     7.75,
     0.25,
     0.5},
    {"a step that is carried out comes before one that is waited for",
     0,
     8,
     {{{1, 7, true}, NONE, NONE}, {{6, 6.5, true}, NONE, NONE}, {NONE, {2, 8, true}, NONE}},
     {{1, 1, 1}, {6, 5, 0}, {0, 0, 0}},
     6,
     1,
     1},
    {"the same, the other way round in the plan",
     0,
     8,
     {{NONE, {1, 7, true}, NONE}, {NONE, {6, 6.5, true}, NONE}, {{2, 8, true}, NONE, NONE}},
     {{6, 5, 0}, {1, 1, 1}, {0, 0, 0}},
     6,
     1,
     1},
    {"of two that are waited for, the one that ends first",
     1,
     9,
     {{{1, 9, true}, {4, 5, true}, NONE}, {{4, 8, true}, {2, 6, true}, NONE}, {NONE, NONE, NONE}},
     {{5, 3, 1}, {2, 2, 2}, {0, 0, 0}},
     5,
     3,
     0},
    {"of two that end together, the plan's first",
     0,
     6,
     {{{1, 5, true}, NONE, NONE}, {NONE, {2, 5, true}, NONE}, {NONE, NONE, NONE}},
     {{4, 4, 0}, {3, 0, 0}, {0, 0, 0}},
     4,
     0,
     2},
    {"two steps that overlap by a part",
     20,
     30,
     {{{20, 26, true}, NONE, NONE}, {NONE, {23, 29.5, true}, NONE}, {NONE, NONE, NONE}},
     {{6, 6, 0}, {6.5, 3.5, 0}, {0, 0, 0}},
     9.5,
     0,
     0.5},
    {"a wait that another step covers in part",
     0,
     10,
     /* step 1: first there at 1, last at 6, done at 9; step 0 covers 0.5 to 4: named wait 4 to 6 */
     {{{0.5, 4, true}, NONE, NONE}, {NONE, {1, 9, true}, NONE}, {NONE, {6, 8.5, true}, NONE}},
     {{3.5, 3.5, 0}, {3, 3, 2}, {0, 0, 0}},
     6.5,
     2,
     1.5},
    {"the plan's order is not the order in time",
     0,
     8,
     {{{5, 8, true}, {2, 4, true}, {0, 2, true}}, {NONE, NONE, NONE}, {NONE, NONE, NONE}},
     {{3, 3, 0}, {2, 2, 0}, {2, 2, 0}},
     7,
     0,
     1},
    {"who leaves is busy after the end, and some steps begin there",
     50,
     60,
     {{{50, 54, true}, {54, 63, true}, {63, 70, true}},
      {{50.25, 55, true}, {57, 59, true}, NONE},
      {NONE, NONE, NONE}},
     {{4.75, 4.75, 0.25}, {3, 3, 2}, {0, 0, 0}},
     7.75,
     2.25,
     0},
    {"stamps before the start count from the start",
     10,
     14,
     {{{8, 12, true}, NONE, NONE}, {{9, 11, true}, NONE, NONE}, {NONE, {3, 5, true}, NONE}},
     {{2, 2, 0}, {0, 0, 0}, {0, 0, 0}},
     2,
     0,
     2},
    {"nobody takes part in anything",
     3,
     7.5,
     {{NONE, NONE, NONE}, {NONE, NONE, NONE}, {NONE, NONE, NONE}},
     {{0, 0, 0}, {0, 0, 0}, {0, 0, 0}},
     0,
     0,
     4.5},
    {"a stamp that is not taken does not count, whatever it holds",
     0,
     5,
     {{{1, 4, true}, NONE, NONE}, {{0.25, 4.75, false}, {-3, 99, false}, NONE}, {NONE, NONE, NONE}},
     {{3, 3, 0}, {0, 0, 0}, {0, 0, 0}},
     3,
     0,
     2},
    {"a reconfiguration that takes no time",
     6,
     6,
     {{{6, 6, true}, {6, 9, true}, NONE}, {NONE, NONE, NONE}, {NONE, NONE, NONE}},
     {{0, 0, 0}, {0, 0, 0}, {0, 0, 0}},
     0,
     0,
     0},
};

static void expect_near(double found, double expected, const char *what, const char *which)
{
    cr_expect(fabs(found - expected) <= 1e-12, "%s: %s is %.15g, expected %.15g", what, which,
              found, expected);
}

Test(timeline, rows_by_hand)
{
    for (size_t i = 0; i < NEREUS_COUNT_OF(rows); i++) {
        struct nereus_step_time times[STEPS];
        struct nereus_timeline sum;
        cr_assert(
            nereus_timeline_make(&(struct nereus_stamps){&rows[i].stamps[0][0], PROCESSES, STEPS,
                                                         rows[i].start_s, rows[i].end_s},
                                 times, &sum, NULL) == NEREUS_OK);
        for (int s = 0; s < STEPS; s++) {
            bool taken = false;
            for (int p = 0; p < PROCESSES; p++)
                taken = taken || rows[i].stamps[p][s].taken;
            cr_expect(times[s].taken == taken, "%s: step %d", rows[i].what, s);
            expect_near(times[s].time_s, rows[i].steps[s][0], rows[i].what, "a step's time");
            expect_near(times[s].critical_s, rows[i].steps[s][1], rows[i].what,
                        "a step's critical share");
            expect_near(times[s].wait_s, rows[i].steps[s][2], rows[i].what, "a step's wait");
        }
        expect_near(sum.rt_s, rows[i].end_s - rows[i].start_s, rows[i].what, "RT");
        expect_near(sum.critical_s, rows[i].critical_s, rows[i].what, "the critical path");
        expect_near(sum.waits_s, rows[i].waits_s, rows[i].what, "the waits");
        expect_near(sum.not_attributed_s, rows[i].rest_s, rows[i].what, "what is not attributed");
    }
}

Test(timeline, first_and_last_stamps)
{
    static const struct nereus_stamp stamps[3] = {
        {4.5, 6, true}, {3.25, 7.75, true}, {1, 9, false}};
    struct nereus_step_time time;
    struct nereus_timeline sum;
    cr_assert(nereus_timeline_make(&(struct nereus_stamps){stamps, 3, 1, 2, 8}, &time, &sum,
                                   NULL) == NEREUS_OK);
    cr_expect(time.first_arrival_s == 3.25 && time.last_arrival_s == 4.5 &&
              time.last_departure_s == 7.75);
    cr_expect(time.time_s == 3.25 && time.wait_s == 1.25 && sum.not_attributed_s == 1.5);
}

Test(timeline, no_processes_and_no_steps)
{
    struct nereus_timeline sum;
    struct nereus_step_time times[2];
    cr_assert(nereus_timeline_make(&(struct nereus_stamps){NULL, 0, 2, 2.5, 7}, times, &sum,
                                   NULL) == NEREUS_OK);
    cr_expect(sum.rt_s == 4.5 && sum.not_attributed_s == 4.5 && !times[0].taken && !times[1].taken);
    cr_assert(nereus_timeline_make(&(struct nereus_stamps){NULL, 0, 0, 2.5, 7}, NULL, &sum, NULL) ==
              NEREUS_OK);
    cr_expect(sum.rt_s == 4.5 && sum.not_attributed_s == 4.5 && sum.critical_s == 0 &&
              sum.waits_s == 0);
}

Test(timeline, an_end_before_the_start_is_refused)
{
    struct nereus_timeline sum = {.rt_s = 47};
    struct nereus_step_time time;
    struct nereus_error err = {0};
    const struct nereus_stamp stamp = {3, 4, true};
    cr_expect(nereus_timeline_make(&(struct nereus_stamps){&stamp, 1, 1, 5, 3}, &time, &sum,
                                   &err) == NEREUS_ERR_ARGUMENT);
    cr_expect(strstr(err.text, "2 s before it starts") != NULL, "%s", err.text);
    cr_expect(sum.rt_s == 47);
}

/* ---- at random ------------------------------------------------------------------------------- */

/* Steps of any length at any time, some processes not taking part, stamps beyond both ends, ties.
 */
static void random_stamps(struct nereus_stamp *stamps, int count, double start_s)
{
    for (int i = 0; i < count; i++) {
        const double arrival = start_s - 0.5 + 6 * random_share(), taken = random_share(),
                     grid = random_share();
        const double length = random_share() < 0.1 ? 0 : 3 * random_share() * random_share();
        stamps[i] = (struct nereus_stamp){arrival, arrival + length, taken < 0.7};
        if (grid < 0.3) { /* coarse clocks give equal stamps */
            stamps[i].arrival_s = floor(stamps[i].arrival_s * 4) / 4;
            stamps[i].departure_s = ceil(stamps[i].departure_s * 4) / 4;
        }
    }
}

static void check_identity(const struct nereus_step_time *times, int steps,
                           const struct nereus_timeline *sum)
{
    double critical_s = 0, waits_s = 0;
    for (int s = 0; s < steps; s++) {
        cr_assert(times[s].critical_s >= 0 && times[s].wait_s >= 0 && times[s].time_s >= 0);
        cr_assert(times[s].critical_s <= times[s].time_s + 1e-12,
                  "more on the critical path than it took");
        cr_assert(times[s].taken || times[s].critical_s + times[s].wait_s + times[s].time_s == 0);
        critical_s += times[s].critical_s;
        waits_s += times[s].wait_s;
    }
    cr_assert(sum->not_attributed_s >= 0);
    cr_assert(fabs(sum->critical_s + sum->waits_s + sum->not_attributed_s - sum->rt_s) <= 1e-12,
              "%.17g + %.17g + %.17g is not %.17g", sum->critical_s, sum->waits_s,
              sum->not_attributed_s, sum->rt_s);
    cr_assert(fabs(critical_s - sum->critical_s) <= 1e-12 && fabs(waits_s - sum->waits_s) <= 1e-12,
              "the steps' shares do not add up to the sums");
}

Test(timeline, adds_up_for_any_stamps)
{
    enum { SETS = 10000, MAX = 12 };
    static struct nereus_stamp stamps[MAX * MAX];
    struct nereus_step_time times[MAX];
    for (int set = 0; set < SETS; set++) {
        const int processes = 1 + (int)(MAX * random_share()),
                  steps = 1 + (int)(MAX * random_share());
        const double start_s = set % 2 == 0 ? 0 : 40 * random_share(),
                     end_s = start_s + 7 * random_share();
        struct nereus_timeline sum;
        random_stamps(stamps, processes * steps, start_s);
        cr_assert(
            nereus_timeline_make(&(struct nereus_stamps){stamps, processes, steps, start_s, end_s},
                                 times, &sum, NULL) == NEREUS_OK);
        cr_assert(sum.rt_s == end_s - start_s);
        check_identity(times, steps, &sum);
    }
}

/* Found in another way: what any step covers is attributed, and nothing else. */
Test(timeline, attributes_what_steps_cover)
{
    enum { SETS = 200, PIECES = 2000, MAX = 6 };
    struct nereus_stamp stamps[MAX];
    struct nereus_step_time times[MAX];
    for (int set = 0; set < SETS; set++) {
        struct nereus_timeline sum;
        double covered_s = 0;
        for (int s = 0; s < MAX; s++) { /* one process: nobody waits */
            const double arrival = floor(PIECES * 0.8 * random_share()) / PIECES;
            stamps[s] = (struct nereus_stamp){
                arrival, arrival + floor(PIECES * 0.2 * random_share()) / PIECES, true};
        }
        cr_assert(nereus_timeline_make(&(struct nereus_stamps){stamps, 1, MAX, 0, 1}, times, &sum,
                                       NULL) == NEREUS_OK);
        for (int piece = 0; piece < PIECES; piece++) {
            const double middle_s = (piece + 0.5) / PIECES;
            bool covered = false;
            for (int s = 0; s < MAX; s++)
                covered =
                    covered || (stamps[s].arrival_s < middle_s && middle_s < stamps[s].departure_s);
            covered_s += covered ? 1.0 / PIECES : 0;
        }
        cr_assert(fabs(covered_s - sum.critical_s) <= 1e-9,
                  "set %d: %.12g covered, %.12g attributed", set, covered_s, sum.critical_s);
    }
}

/* ---- clocks ---------------------------------------------------------------------------------- */

/*
 * Ping-pongs with another clock that is ahead by an offset: the way there and the way back take
 * different times, and noise comes on top, mostly of the way there.
 * @return the error of the estimate; *bound_s: half of what the best round trip took, less what
 *         each way takes at least (Cristian 1989, section 3).
 */
static double error_of(double offset_s, double there_s, double back_s, double noise_s, int n,
                       double *bound_s)
{
    double sent[64], remote[64], received[64], at_s = 1000 * random_share(), best_s = 1e9;
    for (int i = 0; i < n; i++) {
        const double there = there_s + noise_s * random_share() * random_share() * random_share();
        const double back = back_s + noise_s * random_share() * 0.125;
        sent[i] = at_s;
        remote[i] = at_s + there + offset_s;
        received[i] = at_s + there + back;
        at_s = received[i] + 1e-3 * random_share();
        best_s = fmin(best_s, there + back);
    }
    *bound_s = best_s / 2 - fmin(there_s, back_s);
    return nereus_clock_offset(sent, remote, received, n) - offset_s;
}

/* Without noise the error is half of the asymmetry, exactly. */
Test(timeline, an_injected_offset_is_found)
{
    static const double offsets_s[] = {0, 3.7, -12.25, 1e-3, -4.2e-5};
    const double clock_s = 1e-9; /* what stamps of about 1000 s cannot tell apart, with room */
    double bound_s;
    for (size_t i = 0; i < NEREUS_COUNT_OF(offsets_s); i++) {
        cr_expect(fabs(error_of(offsets_s[i], 21e-6, 21e-6, 0, 8, &bound_s)) < clock_s);
        cr_expect(fabs(error_of(offsets_s[i], 34e-6, 20e-6, 0, 8, &bound_s) - 7e-6) < clock_s);
        cr_expect(fabs(error_of(offsets_s[i], 20e-6, 34e-6, 0, 8, &bound_s) + 7e-6) < clock_s);
        for (int round = 0; round < 200; round++) {
            const double error_s = error_of(offsets_s[i], 21e-6, 20e-6, 5e-3, 64, &bound_s);
            cr_expect(fabs(error_s) <= bound_s + clock_s, "offset %g: error %g, bound %g",
                      offsets_s[i], error_s, bound_s);
        }
    }
}

/* The best of the triples decides, wherever it stands. Round trips 40, 9 and 20 ms: by hand from
 * the second. */
Test(timeline, the_shortest_round_trip_decides)
{
    static const double sent[] = {10, 11, 12}, remote[] = {15.035, 16.002, 17.019},
                        received[] = {10.04, 11.009, 12.02};
    cr_expect(fabs(nereus_clock_offset(sent, remote, received, 3) - 4.9975) < 1e-12);
    cr_expect(fabs(nereus_clock_offset(sent, remote, received, 1) - 5.015) < 1e-12);
    cr_expect(fabs(nereus_clock_offset(sent + 2, remote + 2, received + 2, 1) - 5.009) < 1e-12);
}
