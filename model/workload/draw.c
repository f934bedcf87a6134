/** @file draw.c  Draws what a log lacks about its jobs from distributions. */
#include "draw.h"

#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>

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
enum { KIND_COUNT = NEREUS_COUNT_OF(kinds) };

enum nereus_status nereus_draw_parse(const char *what, const char *text,
                                     struct nereus_draw_distribution *distribution,
                                     struct nereus_error *err)
{
    char copy[128], *rest = copy, *words[4] = {NULL};
    int count = 0, kind = 0;
    snprintf(copy, sizeof copy, "%s", text);
    while (count < 4 && (words[count] = strsep(&rest, ":")) != NULL)
        count++;
    while (kind < KIND_COUNT && strcmp(words[0], kinds[kind].name) != 0)
        kind++;
    if (kind == KIND_COUNT || count != 1 + kinds[kind].values) {
        return nereus_fail(err, NEREUS_ERR_PARSE,
                           "%s must be constant:VALUE, uniform:LOW:HIGH, exponential:MEAN or "
                           "lognormal:MEDIAN:LOG-SD, not '%s'",
                           what, text);
    }
    struct nereus_draw_distribution found = {.kind = (enum nereus_draw_kind)kind};
    NEREUS_TRY(nereus_value_parse_number(what, words[1], &found.a, err));
    if (kinds[kind].values > 1)
        NEREUS_TRY(nereus_value_parse_number(what, words[2], &found.b, err));
    if (found.kind == NEREUS_DRAW_UNIFORM && found.a > found.b) {
        return nereus_fail(err, NEREUS_ERR_PARSE, "%s: the lower end %g is above the upper one %g",
                           what, found.a, found.b);
    }
    *distribution = found;
    return NEREUS_OK;
}

enum nereus_status nereus_draw_parse_bytes(const char *what, const char *text,
                                           struct nereus_draw_distribution *distribution,
                                           struct nereus_error *err)
{
    int64_t bytes;
    if (strchr(text, ':') != NULL)
        return nereus_draw_parse(what, text, distribution, err);
    NEREUS_TRY(nereus_value_parse_bytes(what, text, &bytes, err));
    *distribution = (struct nereus_draw_distribution){NEREUS_DRAW_CONSTANT, (double)bytes, 0};
    return NEREUS_OK;
}

static double draw_value(const gsl_rng *rng, const struct nereus_draw_distribution *distribution)
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

static bool is_missing(const struct nereus_sim_job *job, enum nereus_sim_given what)
{
    return (job->given & what) == 0;
}

/* Draw all numbers for every job, so that another share does not change the numbers of other jobs.
 */
static void draw_job(const struct nereus_draw_jobs *settings, int32_t nodes, const gsl_rng *rng,
                     struct nereus_sim_job *job)
{
    const bool chosen = gsl_rng_uniform(rng) < settings->share;
    const double t_iter_s = draw_value(rng, &settings->t_iter_s);
    const double serial = draw_value(rng, &settings->serial);
    const double bytes = draw_value(rng, &settings->bytes_per_process);
    job->t_iter_s = is_missing(job, NEREUS_SIM_GIVEN_T_ITER) ? t_iter_s : job->t_iter_s;
    job->serial = is_missing(job, NEREUS_SIM_GIVEN_SERIAL) ? fmin(serial, 1) : job->serial;
    job->bytes_per_process =
        is_missing(job, NEREUS_SIM_GIVEN_BYTES) ? bytes : job->bytes_per_process;
    job->malleable = (is_missing(job, NEREUS_SIM_GIVEN_MALLEABLE) ? chosen : job->malleable) &&
                     job->t_iter_s > 0 && job->run_s > 0;
    if (is_missing(job, NEREUS_SIM_GIVEN_MIN))
        job->min = (int32_t)nereus_max(1, (int64_t)ceil(job->nodes * settings->shrink));
    if (is_missing(job, NEREUS_SIM_GIVEN_MAX))
        job->max = (int32_t)fmin(nodes, floor(job->nodes * settings->grow));
}

/* Classes by their number in the workload, where those of the log come first. */
struct classes {
    const struct nereus_draw_malleable *settings;
    const struct nereus_draw_jobs **jobs; /* indexed by class number; owned */
    int32_t *numbers;                     /* of the settings' classes; owned */
};

static enum nereus_status add_classes(struct nereus_workload *workload, struct classes *classes,
                                      struct nereus_error *err)
{
    const int32_t count = classes->settings->class_count;
    const size_t capacity = (size_t)count + (size_t)workload->class_count + 1;
    classes->jobs = calloc(capacity, sizeof *classes->jobs);
    classes->numbers = calloc(capacity, sizeof *classes->numbers);
    NEREUS_TRY_MEMORY(classes->jobs != NULL && classes->numbers != NULL, err, "for %d classes",
                      count);
    for (int32_t c = 0; c < count; c++) {
        const struct nereus_draw_class *one = &classes->settings->classes[c];
        NEREUS_TRY(nereus_workload_class(workload, one->name, &classes->numbers[c], err));
        classes->jobs[classes->numbers[c]] = &one->jobs;
    }
    return NEREUS_OK;
}

/* Draw the class of a job; jobs beyond all shares have none. */
static int32_t draw_class(const struct classes *classes, const gsl_rng *rng)
{
    double u = gsl_rng_uniform(rng);
    for (int32_t c = 0; c < classes->settings->class_count; c++) {
        if (u < classes->settings->classes[c].share)
            return classes->numbers[c];
        u -= classes->settings->classes[c].share;
    }
    return NEREUS_SIM_NONE;
}

static void draw_all(const struct classes *classes, int32_t nodes, const gsl_rng *rng,
                     struct nereus_workload *workload)
{
    for (int64_t i = 0; i < workload->count; i++) {
        struct nereus_sim_job *job = &workload->jobs[i];
        if (job->app_class == NEREUS_SIM_NONE && classes->settings->class_count > 0)
            job->app_class = draw_class(classes, rng);
        const struct nereus_draw_jobs *own =
            job->app_class != NEREUS_SIM_NONE ? classes->jobs[job->app_class] : NULL;
        draw_job(own != NULL ? own : &classes->settings->jobs, nodes, rng, job);
    }
}

enum nereus_status nereus_draw_malleable_jobs(const struct nereus_draw_malleable *draw,
                                              int32_t nodes, struct nereus_workload *workload,
                                              struct nereus_error *err)
{
    struct classes classes = {.settings = draw};
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    NEREUS_TRY_MEMORY(rng, err, "for random numbers");
    gsl_rng_set(rng, (unsigned long)draw->seed);
    const enum nereus_status status = add_classes(workload, &classes, err);
    if (status == NEREUS_OK)
        draw_all(&classes, nodes, rng, workload);
    free(classes.jobs);
    free(classes.numbers);
    gsl_rng_free(rng);
    return status;
}
