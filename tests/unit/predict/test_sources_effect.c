/** @file test_sources_effect.c  Offsets of the number of sources: found where they are, and no
 * surer than their rows. */
#include <criterion/criterion.h>
#include <math.h>

#include "model/predict/sources_effect.h"
#include "tests/unit/random.h"

enum { SOURCES = 5, TARGETS = 6, ROWS = SOURCES * TARGETS };
static const int64_t sources[SOURCES] = {20, 40, 80, 160, 320};
static const struct nereus_method diffusive = {.process = NEREUS_BASELINE,
                                               .strategy = NEREUS_DIFFUSIVE};
static struct nereus_measured rows[ROWS];

/* Rows that differ from the model by an offset of their sources, and by up to `noise`. */
static struct nereus_profile profile_of(const double offsets[SOURCES], double noise)
{
    for (int i = 0; i < ROWS; i++) {
        rows[i] = (struct nereus_measured){
            .ns = sources[i / TARGETS],
            .nt = 30 + 70 * (i % TARGETS),
            .cores_per_node = 20,
            .method = diffusive,
            .rt_s = 3 * exp(offsets[i / TARGETS] + noise * (2 * random_share() - 1)),
            .model_s = 3,
            .t_iter_ns_s = NAN,
            .log_sd = NAN,
            .n = 20};
    }
    return (struct nereus_profile){.measured = rows, .measured_count = ROWS};
}

Test(sources_effect, offsets_are_found_and_shrink_between_and_beyond_the_levels)
{
    static const double offsets[SOURCES] = {0, 0.01, -0.02, 0.17, 0.15};
    static const struct {
        int64_t ns;
        double least, most; /* of the mean */
    } asked[] = {
        {20, -0.02, 0.02},  {80, -0.04, 0.01}, {160, 0.14, 0.19}, {320, 0.13, 0.17},
        {226, 0.11, 0.18},  {113, 0.03, 0.12}, /* between levels: between their offsets */
        {1000, 0.02, 0.10}, {9000, 0, 0.01},   /* beyond: back to the model */
    };
    const struct nereus_profile profile = profile_of(offsets, 0.02);
    struct nereus_sources_effect effect;
    nereus_sources_effect_make(&profile, &diffusive, &effect);
    cr_assert(effect.levels == SOURCES);
    for (size_t i = 0; i < sizeof asked / sizeof asked[0]; i++) {
        double mean, variance;
        nereus_sources_effect_at(&effect, asked[i].ns, &mean, &variance);
        cr_expect(mean >= asked[i].least && mean <= asked[i].most, "%lld: %g",
                  (long long)asked[i].ns, mean);
        cr_expect(variance >= effect.within &&
                  variance <= (effect.within + effect.between) * (1 + 1e-9));
    }
    double mean, near, between, beyond;
    nereus_sources_effect_at(&effect, 160, &mean, &near);
    nereus_sources_effect_at(&effect, 226, &mean, &between);
    nereus_sources_effect_at(&effect, 9000, &mean, &beyond);
    cr_expect(near < between && between < beyond, "%g, %g, %g", near, between, beyond);
    cr_expect(sqrt(effect.within) > 0.005 && sqrt(effect.within) < 0.02);
}

/* Noise alone is taken for an effect in one of twenty tables; other methods have none. */
Test(sources_effect, chance_is_no_effect)
{
    static const double none[SOURCES] = {0}, offsets[SOURCES] = {0.2, 0, 0.1, -0.1, 0.3};
    const struct nereus_method merge = {.process = NEREUS_MERGE, .strategy = NEREUS_DIFFUSIVE};
    struct nereus_sources_effect effect;
    int found = 0;
    for (int table = 0; table < 400; table++) {
        const struct nereus_profile profile = profile_of(none, 0.05);
        nereus_sources_effect_make(&profile, &diffusive, &effect);
        found += effect.levels > 0;
    }
    cr_expect(found >= 5 && found <= 40, "%d of 400", found);
    const struct nereus_profile profile = profile_of(offsets, 0.02);
    nereus_sources_effect_make(&profile, &merge, &effect);
    cr_expect(effect.levels == 0);
}
