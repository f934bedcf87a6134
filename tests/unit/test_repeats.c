/** @file test_repeats.c  How sure a measured value is: by its repeats, by those of others, and of how many runs it is. */
#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

#include "cost.h"
#include "lookup.h"

#define TABLES NEREUS_SOURCE_DIR "/tests/unit/data/spawning_tables_1_to_4.csv"

static struct nereus_measured measured(int64_t n, double spread, bool oversubscribed)
{
    return (struct nereus_measured){.ns = 1,
                                    .nt = 2,
                                    .cores_per_node = 2,
                                    .rt_s = 0.1,
                                    .n = n,
                                    .spread = spread,
                                    .model_s = NAN,
                                    .t_iter_ns_s = NAN,
                                    .oversubscribed = oversubscribed};
}

/* high / value of the 90 % interval of the first row. */
static double factor(struct nereus_measured *rows, int64_t count)
{
    const struct nereus_profile profile = {.measured = rows, .measured_count = count};
    const struct nereus_cost_sum sum = nereus_lookup_sum(&profile, &rows[0]);
    const struct nereus_interval interval = nereus_cost_interval(&sum);
    return interval.high / interval.value;
}

/* A median of ten runs is surer than one run, and of one run with nothing beside it next to nothing is known. */
Test(repeats, a_single_run_is_less_sure_than_a_median)
{
    struct nereus_measured median = measured(10, NAN, false), single = measured(1, NAN, false);
    cr_expect(factor(&median, 1) < 1.1, "%g", factor(&median, 1));
    cr_expect(factor(&single, 1) > 1.5, "%g", factor(&single, 1));
}

/* Above the cores nothing was repeated, and within them everything: the machine is the same. */
Test(repeats, those_of_another_load_say_more_than_none)
{
    struct nereus_measured rows[6] = {measured(1, NAN, true)};
    for (int i = 1; i < 6; i++)
        rows[i] = measured(3, 0.5, false);
    const double wide = factor(rows, 6);
    for (int i = 1; i < 6; i++)
        rows[i].spread = 0.05;
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
    struct nereus_measured rows[5];
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
    const struct nereus_samples more = {rows, count + 1};
    cr_assert(nereus_profile_fit(&more, NULL, &profile, &err) == NEREUS_OK, "%s", err.text);
    const double spread = profile.measured[0].spread; /* of two runs: their distance / sqrt(2) */
    cr_expect(profile.measured[0].n == 2 * rows[0].n && spread > 0.2 && spread < 0.5, "%g", spread);
    cr_expect(isnan(profile.measured[1].spread));
    nereus_profile_fini(&profile);
    nereus_samples_fini(&samples);
}
