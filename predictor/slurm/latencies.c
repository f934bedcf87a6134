/** @file latencies.c  Measures what a batch system adds to waits and runs. */
#include "latencies.h"

#include <sys/stat.h>

#include "model/util/file.h"

/* A chain of jobs, and jobs that find free nodes when it has ended. As Slurm's controller looks at
 * its queue about once a second, jobs end and are submitted at other parts of a second. */
static const double submit_s[] = {0, 0, 0, 0, 0, 0, 0, 0, 0, 45, 52.3, 59.6, 66.9};
enum { JOBS = NEREUS_COUNT_OF(submit_s) };

/* 1 to 1.9 s. */
static double get_run_s(int64_t job)
{
    return 1 + 0.1 * (double)(3 * job % 10);
}

enum nereus_status nereus_latencies_write(const char *folder, int64_t processors, char *path,
                                          struct nereus_error *err)
{
    struct nereus_file_replace replace;
    if (mkdir(folder, 0777) != 0 && errno != EEXIST) {
        return nereus_fail(err, NEREUS_ERR_IO, "the folder '%s' cannot be made: %s", folder,
                           strerror(errno));
    }
    snprintf(path, PATH_MAX, "%s/latencies.csv", folder);
    NEREUS_TRY(nereus_file_replace_begin(path, &replace, err));
    fputs("submit_s,run_s,processors\n", replace.stream);
    for (int i = 0; i < JOBS; i++)
        fprintf(replace.stream, "%g,%g,%lld\n", submit_s[i], get_run_s(i), (long long)processors);
    return nereus_file_replace_commit(&replace, err);
}

enum latency { SUBMIT, NEXT, JOB, LATENCIES };
static const char *const names[LATENCIES] = {"submit", "next", "job"};
static const char *const meanings[LATENCIES] = {"from a submission to the start, on free nodes",
                                                "from the end of a job to the next start",
                                                "what a job takes beyond its work"};

struct samples {
    double values_s[JOBS];
    int count;
};

static void add_sample(struct samples *samples, double value_s)
{
    samples->values_s[samples->count++] = value_s > 0 ? value_s : 0;
}

/* A job that was submitted after the end of the one before it found free nodes. */
static void collect(const struct nereus_submitted *live, struct samples samples[LATENCIES])
{
    double free_since_s = 0;
    for (int64_t i = 0; i < live->workload->count && i < JOBS; i++) {
        const struct nereus_submitted_job *job = &live->jobs[i];
        if (job->state != NEREUS_SUBMITTED_ENDED)
            continue;
        if (i == 0 || job->submit_s >= free_since_s)
            add_sample(&samples[SUBMIT], job->start_s - job->submit_s);
        else
            add_sample(&samples[NEXT], job->start_s - free_since_s);
        add_sample(&samples[JOB], job->end_s - job->start_s - get_run_s(i));
        free_since_s = job->end_s;
    }
}

/* Mean, least and most; NAN if there are none. */
static void summarise(const struct samples *samples, double *mean_s, double *least_s,
                      double *most_s)
{
    double sum_s = 0;
    *mean_s = *least_s = *most_s = NAN;
    for (int i = 0; i < samples->count; i++) {
        sum_s += samples->values_s[i];
        *least_s = fmin(*least_s, samples->values_s[i]);
        *most_s = fmax(*most_s, samples->values_s[i]);
        *mean_s = sum_s / (i + 1);
    }
}

#define COLUMNS(X)                                                                                 \
    X("latency", "", NULL, nereus_cell_text(names[i]))                                             \
    X("mean_s", "mean", "s", nereus_cell_real(mean_s))                                             \
    X("least_s", "least", "s", nereus_cell_real(least_s))                                          \
    X("most_s", "most", "s", nereus_cell_real(most_s))                                             \
    X("jobs", "jobs", NULL, nereus_cell_integer(s->count))                                         \
    X("meaning", "", NULL, nereus_cell_text(meanings[i]))

bool nereus_latencies_print(const struct nereus_submitted *live, enum nereus_format format,
                            FILE *stream)
{
    struct samples samples[LATENCIES] = {{.count = 0}};
    char text[120] = "";
    size_t used = 0;
    struct nereus_table table;
    NEREUS_TABLE_INIT(&table, COLUMNS);
    collect(live, samples);
    for (int i = 0; i < LATENCIES; i++) {
        struct samples *s = &samples[i];
        double mean_s, least_s, most_s;
        summarise(s, &mean_s, &least_s, &most_s);
        NEREUS_TABLE_ADD(&table, COLUMNS);
        if (s->count > 0)
            used += (size_t)snprintf(text + used, sizeof text - used, "%s%s:%.2fs",
                                     used > 0 ? " " : "", names[i], mean_s);
    }
    if (format == NEREUS_FORMAT_JSON)
        return nereus_json_write(nereus_table_json(&table), stream);
    const bool printed = nereus_table_print(&table, format, stream);
    if (format == NEREUS_FORMAT_TEXT && used > 0)
        fprintf(stream, "\n--latency \"%s\"\n", text);
    return printed && !ferror(stream);
}
