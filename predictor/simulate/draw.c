/** @file draw.c  Named distributions, and which jobs are malleable. */
#include "draw.h"

#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "model/util/arith.h"
#include "model/util/try.h"
#include "model/util/values.h"

static const struct {
    const char *name;
    int values;
} kinds[] = {
    [NEREUS_DRAW_CONSTANT] = {"constant", 1},
    [NEREUS_DRAW_UNIFORM] = {"uniform", 2},
    [NEREUS_DRAW_EXPONENTIAL] = {"exponential", 1},
    [NEREUS_DRAW_LOGNORMAL] = {"lognormal", 2},
};
enum { KIND_COUNT = sizeof kinds / sizeof kinds[0] };

enum nereus_status nereus_draw_parse(const char *what, const char *text,
                                     struct nereus_draw_distribution *distribution,
                                     struct nereus_error *err)
{
    char copy[128], *rest = copy, *words[4] = {NULL};
    int count = 0, kind = 0;
    snprintf(copy, sizeof copy, "%s", text);
    while (count < 4 && (words[count] = strsep(&rest, ":")) != NULL) {
        count++;
    }
    while (kind < KIND_COUNT && strcmp(words[0], kinds[kind].name) != 0) {
        kind++;
    }
    if (kind == KIND_COUNT || count != 1 + kinds[kind].values) {
        return nereus_fail(err, NEREUS_ERR_PARSE,
                           "%s must be constant:VALUE, uniform:LOW:HIGH, exponential:MEAN or "
                           "lognormal:MEDIAN:SD, not '%s'",
                           what, text);
    }
    struct nereus_draw_distribution found = {.kind = (enum nereus_draw_kind)kind};
    NEREUS_TRY(nereus_value_number(what, words[1], &found.a, err));
    if (kinds[kind].values > 1) {
        NEREUS_TRY(nereus_value_number(what, words[2], &found.b, err));
    }
    if (found.kind == NEREUS_DRAW_UNIFORM && found.a > found.b) {
        return nereus_fail(err, NEREUS_ERR_PARSE, "%s: the lower end %g is above the upper one %g",
                           what, found.a, found.b);
    }
    *distribution = found;
    return NEREUS_OK;
}

static double draw(const gsl_rng *rng, const struct nereus_draw_distribution *distribution)
{
    switch (distribution->kind) {
    case NEREUS_DRAW_UNIFORM:
        return distribution->a + (distribution->b - distribution->a) * gsl_rng_uniform(rng);
    case NEREUS_DRAW_EXPONENTIAL:
        return gsl_ran_exponential(rng, distribution->a);
    case NEREUS_DRAW_LOGNORMAL:
        return distribution->a * exp(gsl_ran_gaussian(rng, distribution->b));
    case NEREUS_DRAW_CONSTANT:
    default:
        return distribution->a;
    }
}

/* Every job draws all its numbers, so that another share leaves those of the others as they are. */
static void draw_job(const struct nereus_draw_malleable *settings, int32_t nodes,
                     const gsl_rng *rng, struct nereus_sim_job *job)
{
    const bool chosen = gsl_rng_uniform(rng) < settings->share;
    const double t_iter_s = draw(rng, &settings->t_iter_s);
    const double serial = draw(rng, &settings->serial);
    job->malleable = chosen && t_iter_s > 0 && job->run_s > 0;
    job->t_iter_s = t_iter_s;
    job->serial = fmin(serial, 1);
    job->least = (int32_t)nereus_max(1, (int64_t)ceil(job->nodes * settings->shrink));
    job->most = (int32_t)fmin(nodes, floor(job->nodes * settings->grow));
}

enum nereus_status nereus_draw_malleable(const struct nereus_draw_malleable *settings,
                                         int32_t nodes, struct nereus_workload *workload,
                                         struct nereus_error *err)
{
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    NEREUS_TRY_MEMORY(rng, err, "for random numbers");
    gsl_rng_set(rng, (unsigned long)settings->seed);
    for (int64_t i = 0; i < workload->count; i++) {
        draw_job(settings, nodes, rng, &workload->jobs[i]);
    }
    gsl_rng_free(rng);
    return NEREUS_OK;
}
