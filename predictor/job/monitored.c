/** @file monitored.c  Reads the lines of a monitored job. */
#include "monitored.h"

#include "model/util/json_reader.h"

/* Version of the format that this code reads. */
enum { VERSION = 1 };

static enum nereus_status fail_event(const struct nereus_event_line *place, const char *what)
{
    return nereus_fail(place->err, NEREUS_ERR_PARSE, "%s, line %lld: %s", place->path,
                       (long long)place->line, what);
}

static int64_t get_integer(const json_t *event, const char *key)
{
    return json_integer_value(json_object_get(event, key));
}

static void copy_plain(const char *value, char *text, size_t bytes)
{
    nereus_text_replace_controls(nereus_text_copy(value, text, bytes), '?');
}

static void copy_text(const json_t *event, const char *key, char *text, size_t bytes)
{
    copy_plain(json_string_value(json_object_get(event, key)), text, bytes);
}

/* Sum of a and b, at most INT64_MAX. */
static int64_t add_saturated(int64_t a, int64_t b)
{
    int64_t sum;
    return __builtin_add_overflow(a, b, &sum) ? INT64_MAX : sum;
}

static void clear_sample(struct nereus_monitored_sample *sample)
{
    free(sample->processes);
    free(sample->calls);
    *sample = (struct nereus_monitored_sample){0};
}

void nereus_monitored_fini(struct nereus_monitored *job)
{
    clear_sample(&job->sample);
    clear_sample(&job->arriving);
}

static enum nereus_status begin_job(const struct nereus_event_line *place, const json_t *event,
                                    struct nereus_monitored *job)
{
    if (get_integer(event, "version") < 1 || get_integer(event, "version") > VERSION) {
        return nereus_fail(place->err, NEREUS_ERR_PARSE,
                           "%s, line %lld: key version is not %d: another version of Nereus wrote "
                           "this file",
                           place->path, (long long)place->line, VERSION);
    }
    nereus_monitored_fini(job);
    *job = (struct nereus_monitored){
        .event_count = job->event_count, .begun = true, .change_point = -1};
    copy_text(event, "job", job->job, sizeof job->job);
    copy_text(event, "work", job->work, sizeof job->work);
    copy_text(event, "degraded", job->degraded, sizeof job->degraded);
    return NEREUS_OK;
}

static struct nereus_monitored_calls *find_kind(struct nereus_monitored_sample *sample,
                                                const char *kind)
{
    for (int64_t i = 0; i < sample->call_count; i++)
        if (strcmp(sample->calls[i].kind, kind) == 0)
            return &sample->calls[i];
    struct nereus_monitored_calls *calls =
        nereus_grow(sample->calls, sample->call_count, sizeof *calls);
    if (calls == NULL)
        return NULL;
    sample->calls = calls;
    calls = &sample->calls[sample->call_count++];
    *calls = (struct nereus_monitored_calls){0};
    copy_plain(kind, calls->kind, sizeof calls->kind);
    return calls;
}

/* Read calls of a kind, "allreduce": [calls, bytes, time_s]. */
static enum nereus_status add_calls(const struct nereus_event_line *place, json_t *mpi,
                                    struct nereus_monitored_sample *sample)
{
    const char *kind;
    json_t *use;
    json_object_foreach(mpi, kind, use)
    {
        struct nereus_monitored_calls *calls = find_kind(sample, kind);
        NEREUS_TRY_MEMORY(calls, place->err, "for MPI calls of %lld kinds",
                          (long long)sample->call_count + 1);
        calls->calls = add_saturated(calls->calls, json_integer_value(json_array_get(use, 0)));
        calls->bytes = add_saturated(calls->bytes, json_integer_value(json_array_get(use, 1)));
        calls->time_s += json_number_value(json_array_get(use, 2));
    }
    return NEREUS_OK;
}

static enum nereus_status add_process(const struct nereus_event_line *place, const json_t *event,
                                      struct nereus_monitored *job)
{
    struct nereus_monitored_sample *sample = &job->arriving;
    NEREUS_TRY_GROW(sample->processes, sample->process_count, place->err, "for %lld processes",
                    (long long)sample->process_count + 1);
    struct nereus_monitored_process *process = &sample->processes[sample->process_count++];
    *process = (struct nereus_monitored_process){.rank = get_integer(event, "rank"),
                                                 .pid = get_integer(event, "pid"),
                                                 .memory_bytes = get_integer(event, "memory_bytes"),
                                                 .real_s = nereus_json_get_real(event, "real_s"),
                                                 .cpu_s = nereus_json_get_real(event, "cpu_s"),
                                                 .work = nereus_json_get_real(event, "work"),
                                                 .power = nereus_json_get_real(event, "power"),
                                                 .mpi_s = nereus_json_get_real(event, "mpi_s"),
                                                 .wait_s = nereus_json_get_real(event, "wait_s")};
    copy_text(event, "host", process->host, sizeof process->host);
    return add_calls(place, json_object_get(event, "mpi"), sample);
}

static int compare_hosts(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* Count the different hosts of an interval: sorted, equal names are neighbours. */
static enum nereus_status count_hosts(const struct nereus_event_line *place,
                                      struct nereus_monitored_sample *sample)
{
    const int64_t count = sample->process_count;
    const char **hosts = calloc((size_t)count + 1, sizeof *hosts);
    NEREUS_TRY_MEMORY(hosts, place->err, "for the hosts of %lld processes", (long long)count);
    for (int64_t i = 0; i < count; i++)
        hosts[i] = sample->processes[i].host;
    qsort(hosts, (size_t)count, sizeof *hosts, compare_hosts);
    sample->host_count = 0;
    for (int64_t i = 0; i < count; i++)
        sample->host_count += i == 0 || strcmp(hosts[i], hosts[i - 1]) != 0;
    free(hosts);
    return NEREUS_OK;
}

/* Finish an interval, whose lines of processes precede this one. Without all of them, as a line was
 * cut off, it is left out. */
static enum nereus_status finish_interval(const struct nereus_event_line *place,
                                          const json_t *event, struct nereus_monitored *job)
{
    if (get_integer(event, "processes") != job->arriving.process_count) {
        clear_sample(&job->arriving);
        return NEREUS_OK;
    }
    NEREUS_TRY(count_hosts(place, &job->arriving));
    clear_sample(&job->sample);
    job->sample = job->arriving;
    job->arriving = (struct nereus_monitored_sample){0};
    job->samples++;
    job->event_count++;
    job->point = get_integer(event, "point");
    job->iterations = get_integer(event, "iterations");
    job->reconfigurations = get_integer(event, "reconfigurations");
    if (json_is_string(json_object_get(event, "work")))
        copy_text(event, "work", job->work, sizeof job->work);
    job->real_s = nereus_json_get_real(event, "real_s");
    job->t_iter_s = nereus_json_get_real(event, "t_iter_s");
    job->imbalance = nereus_json_get_real(event, "imbalance");
    return NEREUS_OK;
}

static void read_change(const json_t *event, struct nereus_monitored *job)
{
    job->event_count++;
    job->change_point = get_integer(event, "point");
    job->change_ns = get_integer(event, "ns");
    job->change_nt = get_integer(event, "nt");
    copy_text(event, "method", job->change_method, sizeof job->change_method);
    copy_text(event, "outcome", job->change_outcome, sizeof job->change_outcome);
    copy_text(event, "sentence", job->change_sentence, sizeof job->change_sentence);
}

enum nereus_status nereus_monitored_add_event(const struct nereus_event_line *line,
                                              struct nereus_monitored *job)
{
    const json_t *event = line->event;
    const char *name = json_string_value(json_object_get(event, "event"));
    if (name == NULL)
        return fail_event(line, "key event is missing");
    if (strcmp(name, "monitor") == 0)
        return begin_job(line, event, job);
    if (!job->begun) {
        return fail_event(line, "the first line has to be of the event monitor: NEREUS_MONITOR did "
                                "not write this file");
    }
    if (strcmp(name, "process") == 0)
        return add_process(line, event, job);
    if (strcmp(name, "interval") == 0)
        return finish_interval(line, event, job);
    if (strcmp(name, "reconfiguration") == 0)
        read_change(event, job);
    if (strcmp(name, "end") == 0) {
        job->ended = true;
        job->event_count++;
    }
    return NEREUS_OK;
}
