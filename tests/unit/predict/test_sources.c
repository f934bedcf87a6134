/** @file test_sources.c  Respawns by several worlds are corrected by rows of as many sources,
 * whatever their targets. */
#include <criterion/criterion.h>
#include <math.h>

#include "model/predict/lookup.h"
#include "model/util/arith.h"

enum { SOURCES = 4, TARGETS = 5, ROWS = SOURCES * TARGETS };
static const int64_t sources[SOURCES] = {20, 80, 160, 320};
static const int64_t targets[TARGETS] = {30, 60, 120, 240, 480};

/* Rows that differ from the model by an offset of their sources. */
static struct nereus_profile profile_of(struct nereus_method method, const double offsets[SOURCES])
{
    static struct nereus_measurement rows[ROWS];
    for (int i = 0; i < ROWS; i++)
        rows[i] = (struct nereus_measurement){.ns = sources[i / TARGETS],
                                              .nt = targets[i % TARGETS],
                                              .cores_per_node = 20,
                                              .method = method,
                                              .rt_s = 3 * exp(offsets[i / TARGETS]),
                                              .model_s = 3,
                                              .t_iter_ns_s = NAN,
                                              .log_sd = NAN,
                                              .n = 20};
    return (struct nereus_profile){.measurements = rows, .measured_count = ROWS};
}

static double log_correction(const struct nereus_profile *profile,
                             const struct nereus_method *method, int64_t ns, int64_t nt)
{
    const struct nereus_lookup_key key = {.ns = ns, .nt = nt, .nodes = {0, 20}, .method = method};
    return log(nereus_lookup_correction(profile, &key, 0));
}

/* Targets that nobody measured from these sources, in either direction; between two numbers of
 * sources less is known, and beyond all of them nothing. */
Test(sources, of_as_many_say_most)
{
    static const double offsets[SOURCES] = {0, 0.02, 0.17, 0.15};
    const struct nereus_method diffusive = {.process = NEREUS_BASELINE,
                                            .strategy = NEREUS_DIFFUSIVE};
    const struct nereus_profile profile = profile_of(diffusive, offsets);
    static const struct {
        int64_t ns, nt;
        double min, max;
    } rows[] = {
        {20, 85, -0.001, 0.01}, {80, 85, 0.015, 0.03}, {160, 85, 0.13, 0.17},
        {160, 700, 0.1, 0.17},  {320, 3, 0.1, 0.15},   {226, 85, 0.001, 0.03},
        {900, 85, -1e-6, 1e-6}, {170, 85, 0.05, 0.16},
    };
    for (size_t i = 0; i < NEREUS_COUNT_OF(rows); i++) {
        const double found = log_correction(&profile, &diffusive, rows[i].ns, rows[i].nt);
        cr_expect(found >= rows[i].min && found <= rows[i].max, "%lld -> %lld: %g",
                  (long long)rows[i].ns, (long long)rows[i].nt, found);
    }
}

/* One start for all has no such offsets: rows of other targets say nothing. */
Test(sources, of_one_world_say_nothing_of_other_targets)
{
    static const double offsets[SOURCES] = {0, 0.02, 0.17, 0.15};
    const struct nereus_method plain = {.process = NEREUS_BASELINE};
    const struct nereus_profile profile = profile_of(plain, offsets);
    cr_expect_float_eq(log_correction(&profile, &plain, 160, 1500), 0, 1e-4);
    cr_expect(log_correction(&profile, &plain, 160, 235) > 0.09);
}
