/** @file top_view.c  Prints the state of a monitored job as text, CSV and JSON. */
#include "top_view.h"

#include "predictor/cli/terminal.h"

/* Least imbalance that is coloured: the slowest process has 10 % more work than the mean. */
static const double high_imbalance = 0.1;
enum { DARK_RED = 0xaf0000 };

static double compute_percent(double part, double total)
{
    return total > 0 ? 100 * part / total : NAN;
}

/* A `process` of a `job`; the headers (NEREUS_COLUMN) use the job's unit of work alone. */
#define COLUMNS(X)                                                                                 \
    X("job", NULL, NULL, nereus_cell_text(job->job))                                               \
    X("point", NULL, NULL, nereus_cell_integer(job->point))                                        \
    X("iterations", NULL, NULL, nereus_cell_integer(job->iterations))                              \
    X("t_iter_s", NULL, NULL, nereus_cell_real(job->t_iter_s))                                     \
    X("rank", "rank", NULL, nereus_cell_integer(process->rank))                                    \
    X("host", "host", NULL, nereus_cell_text(process->host))                                       \
    X("pid", "pid", NULL, nereus_cell_integer(process->pid))                                       \
    X(NULL, "busy", "%", nereus_cell_real(100 - compute_percent(process->mpi_s, process->real_s))) \
    X(NULL, "waiting", "%", nereus_cell_real(compute_percent(process->wait_s, process->real_s)))   \
    X(NULL, "CPU", "%", nereus_cell_real(compute_percent(process->cpu_s, process->real_s)))        \
    X("real_s", NULL, NULL, nereus_cell_real(process->real_s))                                     \
    X("cpu_s", NULL, NULL, nereus_cell_real(process->cpu_s))                                       \
    X("work_kind", NULL, NULL, nereus_cell_text(job->work))                                        \
    X("work", "work", job->work, nereus_cell_real(process->work))                                  \
    X("power", "power", "per s", nereus_cell_real(process->power))                                 \
    X("mpi_s", NULL, NULL, nereus_cell_real(process->mpi_s))                                       \
    X("wait_s", NULL, NULL, nereus_cell_real(process->wait_s))                                     \
    X(NULL, "memory", "MiB", nereus_cell_real((double)process->memory_bytes / 1048576))            \
    X("memory_bytes", NULL, NULL, nereus_cell_integer(process->memory_bytes))

static void add_processes(const struct nereus_monitored *job, int64_t count,
                          struct nereus_table *table)
{
    for (int64_t i = 0; i < count; i++) {
        const struct nereus_monitored_process *process = &job->sample.processes[i];
        NEREUS_TABLE_ADD(table, COLUMNS);
    }
}

static bool print_processes(const struct nereus_monitored *job, int64_t count,
                            enum nereus_format format, FILE *stream)
{
    const struct nereus_column columns[] = {COLUMNS(NEREUS_COLUMN)};
    struct nereus_table table;
    nereus_table_init(&table, columns, NEREUS_COUNT_OF(columns));
    add_processes(job, count, &table);
    return nereus_table_print(&table, format, stream);
}

bool nereus_top_print_csv(const struct nereus_monitored *job, FILE *stream)
{
    return print_processes(job, job->sample.process_count, NEREUS_FORMAT_CSV, stream);
}

static json_t *make_processes_json(const struct nereus_monitored *job)
{
    const struct nereus_column columns[] = {COLUMNS(NEREUS_COLUMN)};
    struct nereus_table table;
    nereus_table_init(&table, columns, NEREUS_COUNT_OF(columns));
    add_processes(job, job->sample.process_count, &table);
    return nereus_table_json(&table);
}

#define CALL_COLUMNS(X)                                                                            \
    X("kind", "MPI call", NULL, nereus_cell_text(use->kind))                                       \
    X("calls", "calls", NULL, nereus_cell_integer(use->calls))                                     \
    X("bytes", "bytes", NULL, nereus_cell_integer(use->bytes))                                     \
    X("time_s", "time of all", "s", nereus_cell_real(use->time_s))

static void make_calls(const struct nereus_monitored *job, struct nereus_table *table)
{
    NEREUS_TABLE_INIT(table, CALL_COLUMNS);
    for (int64_t i = 0; i < job->sample.call_count; i++) {
        const struct nereus_monitored_calls *use = &job->sample.calls[i];
        NEREUS_TABLE_ADD(table, CALL_COLUMNS);
    }
}

json_t *nereus_top_json(const struct nereus_monitored *job)
{
    struct nereus_table calls;
    make_calls(job, &calls);
    json_t *change =
        job->change_point < 0
            ? json_null()
            : nereus_json_pack("{s:I, s:I, s:I, s:s, s:s, s:s}", "point",
                               (json_int_t)job->change_point, "ns", (json_int_t)job->change_ns,
                               "nt", (json_int_t)job->change_nt, "method", job->change_method,
                               "outcome", job->change_outcome, "sentence", job->change_sentence);
    return nereus_json_pack(
        "{s:s, s:b, s:s, s:s?, s:I, s:I, s:I, s:I, s:I, s:o, s:o, s:o, s:o, s:o, s:o}", "job",
        job->job, "ended", job->ended, "work_kind", job->work, "degraded",
        job->degraded[0] != '\0' ? job->degraded : NULL, "processes",
        (json_int_t)job->sample.process_count, "hosts", (json_int_t)job->sample.host_count, "point",
        (json_int_t)job->point, "iterations", (json_int_t)job->iterations, "reconfigurations",
        (json_int_t)job->reconfigurations, "real_s", nereus_json_real(job->real_s), "t_iter_s",
        nereus_json_real(job->t_iter_s), "imbalance", nereus_json_real(job->imbalance),
        "last_change", change, "ranks", make_processes_json(job), "mpi", nereus_table_json(&calls));
}

static void print_head(const struct nereus_monitored *job, bool colours, FILE *stream)
{
    const int64_t processes = job->sample.process_count, hosts = job->sample.host_count;
    const bool high = job->imbalance >= high_imbalance;
    fprintf(stream, "Job %s%s: %lld %s on %lld %s, point %lld, %lld %s\n", job->job,
            job->ended ? " (ended)" : "", (long long)processes,
            processes == 1 ? "process" : "processes", (long long)hosts,
            hosts == 1 ? "host" : "hosts", (long long)job->point, (long long)job->reconfigurations,
            job->reconfigurations == 1 ? "reconfiguration" : "reconfigurations");
    fprintf(stream, "Iteration %.4g s (%lld in %.4g s)", job->t_iter_s, (long long)job->iterations,
            job->real_s);
    if (!isnan(job->imbalance)) {
        fputs(", imbalance ", stream);
        if (colours && high)
            nereus_terminal_paint(stream, DARK_RED, -1);
        fprintf(stream, "%.3g %%", 100 * job->imbalance);
        if (colours && high)
            nereus_terminal_plain(stream);
    }
    fputc('\n', stream);
    if (job->change_point >= 0) {
        nereus_print_wrapped(stream, 2, "Last request, at point %lld: %s: %s",
                             (long long)job->change_point, job->change_outcome,
                             job->change_sentence);
    }
    if (job->degraded[0] != '\0')
        nereus_print_wrapped(stream, 2, "Note: %s", job->degraded);
}

bool nereus_top_print(const struct nereus_monitored *job, int64_t max_rows, bool colours,
                      FILE *stream)
{
    const int64_t all = job->sample.process_count,
                  rows = max_rows > 0 && max_rows < all ? max_rows : all;
    struct nereus_table calls;
    if (job->samples == 0) {
        fprintf(stream, "Job %s: no interval is over yet\n", job->job);
        return !ferror(stream);
    }
    print_head(job, colours, stream);
    bool printed = print_processes(job, rows, NEREUS_FORMAT_TEXT, stream);
    if (rows < all) {
        fprintf(stream, "(%lld more process%s: --once shows all)\n", (long long)(all - rows),
                nereus_plural_es(all - rows));
    }
    make_calls(job, &calls);
    if (calls.row_count > 0) {
        fputc('\n', stream);
        printed = nereus_table_print(&calls, NEREUS_FORMAT_TEXT, stream) && printed;
    } else {
        nereus_table_fini(&calls);
    }
    return printed && !ferror(stream);
}
