/** @file report.c  Prints the results of a simulation. CSV is written row by row, because a table
 * in memory would be large. */
#include "report.h"

static bool has_ended(const struct nereus_sim_job *job)
{
    return job->end_s >= 0;
}

#define SUMMARY_COLUMNS(X)                                                                         \
    X("jobs", "jobs", NULL, nereus_cell_integer(s->jobs))                                          \
    X("makespan_s", "makespan", "s", nereus_cell_real(s->makespan_s))                              \
    X("mean_wait_s", "mean wait", "s", nereus_cell_real(s->mean_wait_s))                           \
    X("mean_turnaround_s", "turnaround", "s", nereus_cell_real(s->mean_turnaround_s))              \
    X("mean_bounded_slowdown", "slowdown", NULL, nereus_cell_real(s->mean_bounded_slowdown))       \
    X("utilisation", "utilisation", NULL, nereus_cell_real(s->utilisation))                        \
    X("malleable", "malleable", NULL, nereus_cell_integer(s->malleable))                           \
    X("resizes", "resizes", NULL, nereus_cell_integer(s->resizes))                                 \
    X("reconfiguration_node_hours", "in resizes", "node-hours",                                    \
      nereus_cell_real(s->reconfiguration_node_hours))                                             \
    X("energy_kwh", "energy", "kWh",                                                               \
      nereus_cell_if(!isnan(s->energy_kwh), nereus_cell_real(s->energy_kwh)))
/* Columns that are used where nodes can fail. */
#define LOSS_COLUMNS(X)                                                                            \
    X("failures", "failures", NULL, nereus_cell_integer(l->failures))                              \
    X("losses", "of jobs", NULL, nereus_cell_integer(l->losses))                                   \
    X("unfinished", "unfinished", NULL, nereus_cell_integer(l->unfinished))                        \
    NEREUS_NODE_HOUR_COLUMNS(X)
static struct nereus_table make_loss_table(const struct nereus_sim_losses *l)
{
    struct nereus_table table;
    NEREUS_TABLE_INIT(&table, LOSS_COLUMNS);
    NEREUS_TABLE_ADD(&table, LOSS_COLUMNS);
    return table;
}

#define METHOD_COLUMNS(X)                                                                          \
    X("method", "method", NULL, nereus_cell_text(nereus_method_format(&p->methods[i], text)))      \
    X("resizes", "resizes", NULL, nereus_cell_integer(p->resizes[i]))
static struct nereus_table make_summary_table(const struct nereus_sim_summary *s)
{
    struct nereus_table table;
    const struct nereus_cell cells[] = {SUMMARY_COLUMNS(NEREUS_CELL)};
    NEREUS_TABLE_INIT(&table, SUMMARY_COLUMNS);
    nereus_table_add(&table, cells);
    return table;
}

/* Columns of the methods that were used. */
static struct nereus_table make_method_table(const struct nereus_resize_prices *p)
{
    struct nereus_table table;
    char text[NEREUS_METHOD_TEXT_MAX];
    NEREUS_TABLE_INIT(&table, METHOD_COLUMNS);
    for (int i = 0; p != NULL && i < p->count; i++)
        if (p->resizes[i] > 0)
            NEREUS_TABLE_ADD(&table, METHOD_COLUMNS);
    return table;
}

/* Get the name of a job's class; NULL: none */
static const char *get_class(const struct nereus_workload *workload,
                             const struct nereus_sim_job *job)
{
    return job->app_class != NEREUS_SIM_NONE ? workload->classes[job->app_class] : NULL;
}

#define JOB_COLUMNS(X)                                                                             \
    X("job", "job", NULL, nereus_cell_integer(job->number))                                        \
    X("submit_s", "submitted", "s", nereus_cell_real(job->submit_s))                               \
    X("start_s", "start", "s", nereus_cell_real(job->start_s))                                     \
    X("end_s", "end", "s", nereus_cell_real(job->end_s))                                           \
    X("processors", "processors", NULL, nereus_cell_integer(job->processors))                      \
    X("nodes", "nodes", NULL, nereus_cell_integer(job->nodes))                                     \
    X("wait_s", "wait", "s", nereus_cell_real(job->start_s - job->submit_s))                       \
    X("malleable", "malleable", NULL, nereus_cell_bool(job->malleable))                            \
    X("resizes", "resizes", NULL, nereus_cell_integer(job->resizes))                               \
    X("reconfiguration_s", "in resizes", "s", nereus_cell_real(job->reconfiguration_s))            \
    X("node_s", "node-seconds", "s", nereus_cell_real(job->node_s))                                \
    X("class", "class", NULL, nereus_cell_text(get_class(workload, job)))
/* Further columns that are used where nodes can fail. */
#define SURVIVAL_COLUMNS(X)                                                                        \
    X("losses", "losses", NULL, nereus_cell_integer(s->losses))                                    \
    X("redone_node_s", "redone", "s", nereus_cell_real(s->redone_node_s))                          \
    X("checkpoint_node_s", "checkpoints", "s", nereus_cell_real(s->checkpoint_node_s))             \
    X("restart_node_s", "restarts", "s", nereus_cell_real(s->restart_node_s))
static const struct nereus_column job_columns[] = {JOB_COLUMNS(NEREUS_COLUMN)
                                                       SURVIVAL_COLUMNS(NEREUS_COLUMN)};
enum { WITH_SURVIVAL = NEREUS_COUNT_OF(job_columns), WITHOUT = WITH_SURVIVAL - 4 };

static size_t count_columns(const struct nereus_workload *workload)
{
    return workload->survival != NULL ? WITH_SURVIVAL : WITHOUT;
}

static void fill_job(const struct nereus_workload *workload, int64_t i,
                     struct nereus_cell cells[WITH_SURVIVAL])
{
    static const struct nereus_sim_survival none;
    const struct nereus_sim_job *job = &workload->jobs[i];
    const struct nereus_sim_survival *s =
        workload->survival != NULL ? &workload->survival[i] : &none;
    const struct nereus_cell filled[] = {JOB_COLUMNS(NEREUS_CELL) SURVIVAL_COLUMNS(NEREUS_CELL)};
    memcpy(cells, filled, sizeof filled);
}

static void print_jobs(const struct nereus_workload *workload, FILE *stream)
{
    struct nereus_cell cells[WITH_SURVIVAL];
    nereus_csv_print_head(stream, job_columns, count_columns(workload));
    for (int64_t i = 0; i < workload->count; i++) {
        if (has_ended(&workload->jobs[i])) {
            fill_job(workload, i, cells);
            nereus_csv_print_row(stream, job_columns, cells, count_columns(workload));
        }
    }
}

static struct nereus_table make_job_table(const struct nereus_workload *workload)
{
    struct nereus_table table;
    struct nereus_cell cells[WITH_SURVIVAL];
    nereus_table_init(&table, job_columns, count_columns(workload));
    for (int64_t i = 0; i < workload->count; i++) {
        if (has_ended(&workload->jobs[i])) {
            fill_job(workload, i, cells);
            nereus_table_add(&table, cells);
        }
    }
    return table;
}

/* Print a table after another one; nothing if it has no rows. */
static bool print_further(struct nereus_table *table, FILE *stream)
{
    if (table->row_count == 0) {
        nereus_table_fini(table);
        return true;
    }
    fputc('\n', stream);
    return nereus_table_print(table, NEREUS_FORMAT_TEXT, stream);
}

bool nereus_sim_report(const struct nereus_workload *workload, int32_t nodes,
                       const struct nereus_resize_prices *prices,
                       const struct nereus_node_power *power, enum nereus_format format,
                       FILE *stream)
{
    struct nereus_sim_summary summary;
    if (format == NEREUS_FORMAT_CSV) {
        print_jobs(workload, stream);
        return !ferror(stream);
    }
    nereus_sim_summarise(workload, nodes, power, &summary);
    struct nereus_table whole = make_summary_table(&summary), methods = make_method_table(prices),
                        losses = make_loss_table(&summary.losses);
    if (workload->survival == NULL)
        nereus_table_fini(&losses);
    if (format == NEREUS_FORMAT_JSON) {
        struct nereus_table jobs = make_job_table(workload);
        json_t *document =
            nereus_json_pack("{s:o,s:o,s:o}", "summary", nereus_table_json(&whole), "methods",
                             nereus_table_json(&methods), "jobs", nereus_table_json(&jobs));
        if (document != NULL && workload->survival != NULL)
            json_object_set_new(document, "failures", nereus_table_json(&losses));
        return nereus_json_write(document, stream);
    }
    const bool printed[] = {nereus_table_print(&whole, format, stream),
                            print_further(&losses, stream), print_further(&methods, stream)};
    return printed[0] && printed[1] && printed[2];
}
