/** @file bound_options.c  Collects options and arguments of nereus_init, which Fortran passes one
 * by one. */

#include "bound.h"

enum { TEXTS_MAX = 12 };

/* No lock: a process has one job, and its main thread begins it. */
static struct {
    struct nereus_options options;
    struct nereus_resize *schedule;
    char **arguments;
    int argument_count, text_count;
    char *texts[TEXTS_MAX];
} wanted = {.options = NEREUS_OPTIONS_INIT};

void nereus_fortran_add_argument(const char *text)
{
    const size_t capacity = (size_t)wanted.argument_count + 2;
    wanted.arguments =
        nereus_fortran_memory(realloc(wanted.arguments, capacity * sizeof *wanted.arguments));
    wanted.arguments[wanted.argument_count++] = nereus_fortran_memory(strdup(text));
    wanted.arguments[wanted.argument_count] = NULL;
}

void nereus_fortran_set_text(const char *option, const char *text)
{
    struct nereus_options *options = &wanted.options;
    const struct {
        const char *name, **place;
    } places[TEXTS_MAX] = {{"method", &options->method},     {"program", &options->program},
                           {"hostfile", &options->hostfile}, {"trace", &options->trace},
                           {"state", &options->state},       {"bind", &options->bind},
                           {"connect", &options->connect},   {"profile", &options->profile},
                           {"goal", &options->goal},         {"scaling", &options->scaling},
                           {"policy", &options->policy},     {"checkpoint", &options->checkpoint}};
    if (text[0] == '\0' || wanted.text_count == TEXTS_MAX)
        return;
    for (int i = 0; i < TEXTS_MAX && places[i].name != NULL; i++)
        if (strcmp(option, places[i].name) == 0)
            *places[i].place = wanted.texts[wanted.text_count++] =
                nereus_fortran_memory(strdup(text));
}

void nereus_fortran_set_counts(int64_t slots, int64_t batch, int64_t test_every,
                               int64_t cores_per_process, int64_t iterations)
{
    wanted.options.slots = slots;
    wanted.options.batch = batch;
    wanted.options.test_every = test_every;
    wanted.options.cores_per_process = cores_per_process;
    wanted.options.iterations = iterations;
}

void nereus_fortran_set_reals(double spawn_timeout_s, double checkpoint_every_s, double node_w,
                              double idle_w, double resize_w)
{
    wanted.options.spawn_timeout_s = spawn_timeout_s;
    wanted.options.checkpoint_every_s = checkpoint_every_s;
    wanted.options.node_power_w = node_w;
    wanted.options.idle_power_w = idle_w;
    wanted.options.resize_power_w = resize_w;
}

void nereus_fortran_set_callbacks(void (*before)(nereus_job *, void *),
                                  void (*after)(nereus_job *, void *))
{
    wanted.options.before = before;
    wanted.options.after = after;
}

void nereus_fortran_add_resize(int64_t point, int64_t nt, const char *method)
{
    const size_t capacity = (size_t)wanted.options.schedule_count + 1;
    wanted.schedule =
        nereus_fortran_memory(realloc(wanted.schedule, capacity * sizeof *wanted.schedule));
    wanted.schedule[capacity - 1] = (struct nereus_resize){
        .point = point,
        .nt = nt,
        .method = method[0] == '\0' ? NULL : nereus_fortran_memory(strdup(method))};
    wanted.options.schedule = wanted.schedule;
    wanted.options.schedule_count++;
}

/* Free the options, which nereus_init has copied. The arguments stay, like those of main. */
static void free_options(void)
{
    for (int64_t i = 0; i < wanted.options.schedule_count; i++)
        free((char *)(uintptr_t)wanted.schedule[i].method);
    free(wanted.schedule);
    for (int i = 0; i < wanted.text_count; i++)
        free(wanted.texts[i]);
    wanted.schedule = NULL;
    wanted.text_count = 0;
    wanted.options = (struct nereus_options)NEREUS_OPTIONS_INIT;
}

int nereus_fortran_init(nereus_job **job)
{
    char **arguments = wanted.arguments;
    *job = NULL;
    const enum nereus_status status =
        nereus_init(&wanted.argument_count, &arguments, &wanted.options, job);
    free_options();
    return (int)status;
}
