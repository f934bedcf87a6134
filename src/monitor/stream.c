/**
 * @file stream.c
 * Appends lines to the monitoring file. They are written by rank 0 alone, after the gather: no
 * process waits for a file.
 */

#include "model/util/clock.h"
#include "model/util/json_make.h"
#include "model/util/values.h"
#include "sample.h"
#include "src/util/json_lines.h"

/* Version of the file; a reader refuses newer ones (docs/formats.md). */
enum { MONITOR_VERSION = 1 };

/* Milliseconds since 1970. */
static json_int_t read_wall_clock_ms(void)
{
    return (json_int_t)(1000 * nereus_wall_clock_s());
}

static const char file_kind[] = "monitoring file";

static void append_event(const nereus_job *job, json_t *line)
{
    nereus_json_line_append(job->settings.monitor_path, file_kind, line, &nereus_unwritten.monitor);
}

void nereus_stream_write_header(const nereus_job *job, enum nereus_work work, const char *event,
                                const char *degraded)
{
    char id[24];
    snprintf(id, sizeof id, "%016llx", (unsigned long long)job->id);
    append_event(job, nereus_json_pack("{s:s, s:i, s:s, s:I, s:i, s:s, s:s?, s:s?, s:o, s:o}",
                                       "event", "monitor", "version", MONITOR_VERSION, "job", id,
                                       "unix_ms", read_wall_clock_ms(), "processes", job->size,
                                       "work", nereus_work_name((int)work), "counter",
                                       event[0] != '\0' ? event : NULL, "degraded",
                                       degraded[0] != '\0' ? degraded : NULL, "every_iterations",
                                       job->settings.monitor.iterations > 0
                                           ? json_integer(job->settings.monitor.iterations)
                                           : json_null(),
                                       "every_s",
                                       job->settings.monitor.iterations > 0
                                           ? json_null()
                                           : nereus_json_real(job->settings.monitor.seconds)));
}

/* ---- intervals: by printf, as a JSON document for each would take most of the time ----------- */

/* Printed digits: clocks count nanoseconds, so that further digits have no meaning. */
enum { DIGITS = 12 };

static const char *format_number(double value, char *text)
{
    return nereus_format_real(nereus_round_digits(value, DIGITS), text);
}

/* Print a number, or null if it is unknown. */
static void print_real(FILE *file, const char *key, double value)
{
    char text[32];
    fprintf(file, ",\"%s\":%s", key, isfinite(value) ? format_number(value, text) : "null");
}

/* Print the kinds of calls that occurred. */
static void print_mpi(FILE *file, const struct nereus_metrics *metrics)
{
    const char *separator = "";
    char text[32];
    fputs(",\"mpi\":{", file);
    for (int kind = 0; kind < NEREUS_MPI_KIND_COUNT; kind++) {
        const struct nereus_mpi_use *use = &metrics->mpi[kind];
        if (use->calls == 0)
            continue;
        fprintf(file, "%s\"%s\":[%lld,%lld,%s]", separator,
                nereus_mpi_kind_name((enum nereus_mpi_kind)kind), (long long)use->calls,
                (long long)use->bytes, format_number(use->time_s, text));
        separator = ",";
    }
    fputs("}", file);
}

static void print_process(FILE *file, int rank, const struct process_host *process_host,
                          const struct nereus_metrics *metrics)
{
    fprintf(file, "{\"event\":\"process\",\"rank\":%d,\"host\":", rank);
    nereus_json_text_print(file, process_host->host);
    fprintf(file, ",\"pid\":%lld,\"memory_bytes\":%lld,\"power_set\":%s",
            (long long)process_host->pid, (long long)metrics->memory_bytes,
            metrics->power_set ? "true" : "false");
    print_real(file, "real_s", metrics->real_s);
    print_real(file, "cpu_s", metrics->cpu_s);
    print_real(file, "work", metrics->work);
    print_real(file, "power", metrics->power);
    print_real(file, "mpi_s", metrics->mpi_s);
    print_real(file, "wait_s", metrics->wait_s);
    print_mpi(file, metrics);
    fputs("}\n", file);
}

/* Relative excess of the slowest process' time outside MPI over the mean; NAN: unknown. */
static double compute_imbalance(const nereus_job *job, const struct nereus_metrics *metrics)
{
    double sum_s = 0, most_s = 0;
    for (int rank = 0; rank < job->size; rank++) {
        const double busy_s = metrics[rank].real_s - metrics[rank].mpi_s;
        sum_s += busy_s;
        most_s = fmax(most_s, busy_s);
    }
    return sum_s > 0 ? fmax(0, most_s * job->size / sum_s - 1) : NAN;
}

static void print_interval(FILE *file, const nereus_job *job, const struct nereus_metrics *metrics)
{
    double real_s = 0;
    for (int rank = 0; rank < job->size; rank++)
        real_s = fmax(real_s, metrics[rank].real_s);
    fprintf(file,
            "{\"event\":\"interval\",\"unix_ms\":%lld,\"point\":%lld,\"iterations\":%lld,"
            "\"processes\":%d,\"reconfigurations\":%lld,\"work\":\"%s\"",
            (long long)read_wall_clock_ms(), (long long)metrics->point,
            (long long)metrics->iterations, job->size, (long long)job->reconfigurations,
            nereus_work_name((int)metrics->work_kind));
    print_real(file, "real_s", real_s);
    print_real(file, "t_iter_s", real_s / (double)metrics->iterations);
    print_real(file, "imbalance", compute_imbalance(job, metrics));
    fputs("}\n", file);
}

void nereus_stream_write_interval(const nereus_job *job, const struct process_host *process_hosts,
                                  const struct nereus_metrics *metrics)
{
    char *text = NULL;
    size_t length = 0;
    FILE *file = open_memstream(&text, &length);
    if (file != NULL) {
        for (int rank = 0; rank < job->size; rank++)
            print_process(file, rank, &process_hosts[rank], &metrics[rank]);
        print_interval(file, job, metrics);
        fclose(file);
    }
    nereus_lines_append(job->settings.monitor_path, file_kind, text, &nereus_unwritten.monitor);
    free(text);
}

void nereus_stream_write_reconfiguration(const nereus_job *job, int64_t ns, int64_t nt,
                                         const struct nereus_method *method, const char *outcome)
{
    char text[NEREUS_METHOD_TEXT_MAX];
    append_event(job, nereus_json_pack("{s:s, s:I, s:I, s:I, s:I, s:s, s:s, s:s}", "event",
                                       "reconfiguration", "unix_ms", read_wall_clock_ms(), "point",
                                       (json_int_t)job->points, "ns", (json_int_t)ns, "nt",
                                       (json_int_t)nt, "method", nereus_method_format(method, text),
                                       "outcome", outcome, "sentence", job->outcome_error.text));
}

void nereus_stream_write_end(const nereus_job *job)
{
    append_event(job, nereus_json_pack("{s:s, s:I, s:I, s:i}", "event", "end", "unix_ms",
                                       read_wall_clock_ms(), "point", (json_int_t)job->points,
                                       "processes", job->size));
}
