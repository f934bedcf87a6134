/** @file test_repeats.c  How sure a measured value is: by its repeats, by those of others, and of
 * how many runs it is. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "model/fit/scatter.h"
#include "model/predict/lookup.h"
#include "model/price/cost_sum.h"
#include "model/util/arith.h"

#define TABLES NEREUS_SOURCE_DIR "/tests/unit/data/spawning_tables_1_to_4.csv"

static struct nereus_measurement measured(int64_t n, double log_sd, bool oversubscribed)
{
    return (struct nereus_measurement){.ns = 1,
                                       .nt = 2,
                                       .cores_per_node = 2,
                                       .rt_s = 0.1,
                                       .n = n,
                                       .log_sd = log_sd,
                                       .model_s = NAN,
                                       .t_iter_ns_s = NAN,
                                       .oversubscribed = oversubscribed};
}

/* high / value of the 90 % interval of the first row. */
static double factor(struct nereus_measurement *rows, int64_t count)
{
    const struct nereus_profile profile = {.measurements = rows, .measured_count = count};
    const struct nereus_cost_sum sum = nereus_lookup_make_sum(&profile, &rows[0]);
    const struct nereus_interval interval = nereus_cost_interval(&sum);
    return interval.high / interval.value;
}

/* A median of ten runs is surer than one run, and of one run with nothing beside it next to nothing
 * is known. */
Test(repeats, a_single_run_is_less_sure_than_a_median)
{
    struct nereus_measurement median = measured(10, NAN, false), single = measured(1, NAN, false);
    cr_expect(factor(&median, 1) < 1.15, "%g", factor(&median, 1));
    cr_expect(factor(&single, 1) > 1.5, "%g", factor(&single, 1));
}

/* A machine that is shared differs from itself more on another day than one's own, and a shrink by
 * more than a start; a profile keeps that. */
Test(repeats, another_day_by_the_kind_of_machine)
{
    static const struct {
        const char *kind;
        double min, max; /* of high / value */
    } rows[] = {{"", 1.07, 1.15},
                {NEREUS_MACHINE_DEDICATED, 1.17, 1.3},
                {"a new kind", 1.07, 1.15},
                {NEREUS_MACHINE_VIRTUAL, 1.45, 1.75}};
    for (size_t i = 0; i < NEREUS_COUNT_OF(rows); i++) {
        char path[] = "/tmp/nereus-campaign-XXXXXX";
        struct nereus_measurement start = measured(10, NAN, false), shrink = start;
        struct nereus_profile profile = {.cluster = "one", .cores_per_node = 2}, again;
        struct nereus_error err = {.text = ""};
        start.method.process = shrink.method.process = NEREUS_MERGE;
        shrink.ns = 4;
        const int file = mkstemp(path);
        cr_assert(file >= 0);
        close(file);
        snprintf(profile.machine_kind, sizeof profile.machine_kind, "%s", rows[i].kind);
        nereus_profile_set_campaign(&profile);
        cr_assert(nereus_profile_write(path, &profile, &err) == NEREUS_OK, "%s", err.text);
        cr_assert(nereus_profile_read(path, &again, &err) == NEREUS_OK, "%s", err.text);
        remove(path);
        const struct nereus_cost_sum sums[] = {nereus_lookup_make_sum(&again, &start),
                                               nereus_lookup_make_sum(&again, &shrink)};
        const double high = nereus_cost_interval(&sums[0]).high / start.rt_s;
        cr_expect(high > rows[i].min && high < rows[i].max, "%s: %g", rows[i].kind, high);
        cr_expect(nereus_cost_interval(&sums[1]).high > 1.1 * high * shrink.rt_s);
        cr_expect_str_eq(again.machine_kind, rows[i].kind);
        nereus_profile_fini(&again);
    }
}

/* Above the cores nothing was repeated, and within them everything: the machine is the same. */
Test(repeats, those_of_another_load_say_more_than_none)
{
    struct nereus_measurement rows[6] = {measured(1, NAN, true)};
    for (int i = 1; i < 6; i++)
        rows[i] = measured(3, 0.5, false);
    const double wide = factor(rows, 6);
    for (int i = 1; i < 6; i++)
        rows[i].log_sd = 0.05;
    const double narrow = factor(rows, 6);
    cr_expect(wide > 3 && narrow < 1.3, "%g, %g", wide, narrow);
    /* Four cells and more of its own kind are asked alone. */
    for (int i = 1; i < 6; i++)
        rows[i] = measured(3, i < 5 ? 0.05 : 9, i < 5);
    cr_expect(factor(rows, 6) < 1.3);
}

/* The same scatter, found in more runs. */
Test(repeats, more_runs_are_surer)
{
    struct nereus_measurement rows[5];
    for (int i = 0; i < 5; i++)
        rows[i] = measured(2, 0.3, false);
    const double two = factor(rows, 5);
    rows[0].n = 20;
    cr_expect(factor(rows, 5) < 0.9 * two, "%g of %g", factor(rows, 5), two);
}

/* Two runs that are a half apart scatter. */
Test(repeats, two_runs_have_a_scatter)
{
    struct nereus_samples samples;
    struct nereus_sample rows[300];
    struct nereus_profile profile;
    struct nereus_error err = {.text = ""};
    cr_assert(nereus_samples_read(TABLES, false, &samples, &err) == NEREUS_OK, "%s", err.text);
    const int64_t count = samples.count;
    cr_assert(count < 300);
    memcpy(rows, samples.rows, (size_t)count * sizeof rows[0]);
    rows[count] = rows[0];
    rows[count].rt_s = 1.5 * rows[0].rt_s;
    const struct nereus_samples more = {.rows = rows, .count = count + 1};
    cr_assert(nereus_profile_fit(&more, NULL, &profile, &err) == NEREUS_OK, "%s", err.text);
    const double log_sd =
        profile.measurements[0].log_sd; /* of two runs: their distance / sqrt(2) */
    cr_expect(profile.measurements[0].n == 2 * rows[0].n && log_sd > 0.2 && log_sd < 0.5, "%g",
              log_sd);
    cr_expect(isnan(profile.measurements[1].log_sd));
    nereus_profile_fini(&profile);
    nereus_samples_fini(&samples);
}

/* A scatter is one of logarithms, as all log-sds of a profile are: ten times as long is as far as a
 * tenth. Runs of 1 s and 10 s are log(5.5) and log(10 / 5.5) from their median. */
Test(repeats, a_scatter_is_one_of_logarithms)
{
    struct nereus_sample rows[2];
    const struct nereus_samples samples = {.rows = rows, .count = 2};
    struct nereus_profile profile;
    struct nereus_error err = {.text = ""};
    for (int i = 0; i < 2; i++) {
        rows[i] = (struct nereus_sample){.cluster = "one",
                                         .kind = NEREUS_SAMPLE_RECONFIGURATION,
                                         .cores_per_node = 20,
                                         .ns = 20,
                                         .nt = 40,
                                         .t_iter_ns_s = NAN,
                                         .t_iter_nt_s = NAN,
                                         .bytes = NAN,
                                         .rt_s = i == 0 ? 1 : 10,
                                         .ct_s = NAN,
                                         .iterations = NAN,
                                         .time_s = NAN,
                                         .n = 1};
        cr_assert(nereus_method_parse("merge", &rows[i].method, NULL) == NEREUS_OK);
    }
    cr_assert(nereus_profile_fit(&samples, NULL, &profile, &err) == NEREUS_OK, "%s", err.text);
    cr_expect_float_eq(profile.measurements[0].log_sd,
                       sqrt((pow(log(5.5), 2) + pow(log(10 / 5.5), 2)) / NEREUS_HUBER_SHARE), 1e-9,
                       "%g", profile.measurements[0].log_sd);
    nereus_profile_fini(&profile);
}

/* One run of another pair says less of a pair than one of the pair itself. */
Test(repeats, what_was_not_measured_is_less_sure)
{
    const struct nereus_machine machine = {.cores_per_node = 20};
    struct nereus_sample row = {.kind = NEREUS_SAMPLE_RECONFIGURATION,
                                .cluster = "one",
                                .cores_per_node = 20,
                                .ns = 20,
                                .nt = 40};
    struct nereus_profile profile;
    struct nereus_prediction p[2];
    struct nereus_error err = {.text = ""};
    row.n = 1;
    row.rt_s = 0.8;
    row.t_iter_ns_s = row.t_iter_nt_s = row.ct_s = row.iterations = NAN;
    cr_assert(nereus_method_parse("merge", &row.method, NULL) == NEREUS_OK);
    const struct nereus_samples samples = {.rows = &row, .count = 1};
    cr_assert(nereus_profile_fit(&samples, NULL, &profile, &err) == NEREUS_OK, "%s", err.text);
    for (int i = 0; i < 2; i++) {
        const struct nereus_scenario s = {.machine = &machine, .ns = 20, .nt = i == 0 ? 40 : 80};
        cr_assert(nereus_predict(&profile, &s, &row.method, &p[i], &err) == NEREUS_OK, "%s",
                  err.text);
    }
    cr_expect(p[0].rt_s.high < p[1].rt_s.high && p[0].rt_s.low > p[1].rt_s.low,
              "%g to %g, %g to %g", p[0].rt_s.low, p[0].rt_s.high, p[1].rt_s.low, p[1].rt_s.high);
    nereus_profile_fini(&profile);
}

/* Without data all ways to move it do the same: a good run of one and a bad run of the other are
 * two runs of either, and scatter. */
Test(repeats, ways_to_move_no_data_are_one)
{
    static const char *const rows[] = {"merge-zs/coll", "merge-zs/p2p"}, *const asked[] = {
                                                                             "merge-zs",
                                                                             "merge-zs/coll",
                                                                             "merge-zs/p2p",
                                                                             "merge-zs/rma"};
    struct nereus_measurement two[2];
    const struct nereus_profile profile = {.measurements = two, .measured_count = 2};
    struct nereus_method method;
    struct nereus_measurement m;
    for (int i = 0; i < 2; i++) {
        two[i] = measured(1, NAN, false);
        two[i].ns = 2;
        two[i].nt = 1;
        two[i].rt_s = i == 0 ? 1e-4 : 9e-4;
        cr_assert(nereus_method_parse(rows[i], &two[i].method, NULL) == NEREUS_OK);
    }
    struct nereus_lookup_key key = {.ns = 2, .nt = 1, .nodes = {0, 2}, .method = &method};
    for (int i = 0; i < 4; i++) {
        cr_assert(nereus_method_parse(asked[i], &method, NULL) == NEREUS_OK);
        cr_assert(nereus_lookup_find_process(&profile, &key, &m));
        cr_expect_float_eq(m.rt_s, 3e-4, 1e-12, "%s: %g", asked[i], m.rt_s);
        cr_expect(m.n == 2);
        cr_expect_float_eq(m.log_sd, log(9) / sqrt(2), 1e-9, "%g", m.log_sd);
    }
    /* A cell of nine runs weighs nine times one run; data is another matter. */
    two[0].n = 9;
    two[0].log_sd = 0.1;
    cr_assert(nereus_lookup_find_process(&profile, &key, &m));
    cr_expect_float_eq(m.rt_s, 1e-4 * pow(9, 0.1), 1e-12);
    cr_expect_float_eq(m.log_sd, sqrt((8 * 0.01 + 0.9 * log(9) * log(9)) / 9), 1e-9, "%g",
                       m.log_sd);
    two[1].bytes = 1e6;
    cr_assert(nereus_lookup_find_process(&profile, &key, &m));
    cr_expect(m.rt_s == 1e-4 && m.n == 9 && m.log_sd == 0.1);
    two[0].nt = 3;
    cr_expect(!nereus_lookup_find_process(&profile, &key, &m));
}

/* Iteration times of runs that are alike one by one, but not the first and the third: each run is
 * in one cell, and none is lost. */
Test(repeats, each_run_is_in_one_cell)
{
    static const double t_iter_s[] = {0.1, 0.1009, 0.1018, 0.101}, rt_s[] = {0.9, 0.91, 0.97, 0.92};
    struct nereus_sample rows[4];
    const struct nereus_samples samples = {.rows = rows, .count = 4};
    struct nereus_profile profile;
    struct nereus_error err = {.text = ""};
    for (int i = 0; i < 4; i++) {
        rows[i] = (struct nereus_sample){.cluster = "a",
                                         .kind = NEREUS_SAMPLE_RECONFIGURATION,
                                         .cores_per_node = 20,
                                         .ns = 20,
                                         .nt = 40,
                                         .t_iter_ns_s = t_iter_s[i],
                                         .t_iter_nt_s = NAN,
                                         .bytes = NAN,
                                         .rt_s = rt_s[i],
                                         .ct_s = 0.4,
                                         .iterations = 2,
                                         .time_s = NAN,
                                         .n = 1};
        cr_assert(nereus_method_parse("merge-async", &rows[i].method, NULL) == NEREUS_OK);
    }
    cr_assert(nereus_profile_fit(&samples, NULL, &profile, &err) == NEREUS_OK, "%s", err.text);
    cr_assert(profile.measured_count == 2, "%lld", (long long)profile.measured_count);
    cr_expect(profile.measurements[0].n == 3 && profile.measurements[0].rt_s == 0.91);
    cr_expect(profile.measurements[1].n == 1 && profile.measurements[1].rt_s == 0.97);
    nereus_profile_fini(&profile);
}
