/**
 * @file cmd_report.c
 * The command nereus study report: shows results of the synthetic application as a page, a picture
 * or a table.
 */

#include "predictor/cli/command.h"
#include "predictor/profile/profile_option.h"
#include "report.h"

/* ---- tables (columns: docs/formats.md) ---- */

enum table { TABLE_CHANGES, TABLE_EVENTS };
/* In the order of the enum. */
static const char *const tables[] = {"changes", "events", NULL};

#define CHANGE_COLUMNS(X)                                                                          \
    X("ns", "NS", NULL, nereus_cell_integer(c->ns))                                                \
    X("nt", "NT", NULL, nereus_cell_integer(c->nt))                                                \
    X("method", "method", NULL, nereus_cell_text(c->method))                                       \
    X("constant_bytes", "constant", "B", nereus_cell_real(c->constant_bytes))                      \
    X("variable_bytes", "variable", "B", nereus_cell_real(c->variable_bytes))                      \
    X("runs", "runs", NULL, nereus_cell_integer(c->count))                                         \
    X("rt_s", "RT", "s", nereus_cell_real(nereus_report_median_s(c)))                              \
    X("rt_least_s", "least", "s", nereus_cell_real(c->rt_s[0]))                                    \
    X("rt_most_s", "most", "s", nereus_cell_real(c->rt_s[c->count - 1]))                           \
    X("predicted_s", "predicted", "s", nereus_cell_if(c->predicted, nereus_cell_real(p->value)))   \
    X("predicted_low_s", "90 % from", "s",                                                         \
      nereus_cell_if(c->predicted, nereus_cell_real(nereus_interval_low(p))))                      \
    X("predicted_high_s", "to", "s",                                                               \
      nereus_cell_if(c->predicted, nereus_cell_real(nereus_interval_high(p))))                     \
    X("oversubscribed", "oversubscribed", NULL, nereus_cell_bool(c->oversubscribed))

static bool print_changes(const struct nereus_report *report, enum nereus_format format)
{
    struct nereus_table table;
    NEREUS_TABLE_INIT(&table, CHANGE_COLUMNS);
    for (int64_t i = 0; i < report->cell_count; i++) {
        const struct nereus_report_cell *c = &report->cells[i];
        const struct nereus_interval *p = &c->predicted_s;
        NEREUS_TABLE_ADD(&table, CHANGE_COLUMNS);
    }
    return nereus_table_print(&table, format, stdout);
}

/* Values of an event; -1, NULL and NAN: none. */
struct row {
    const char *event, *kind, *method, *outcome;
    int64_t group, iteration, stage, reconfiguration, step, level, ns, nt, processes, nodes;
    int64_t old_processes, new_processes, overlapped, oversubscribed;
    double start_s, time_s, critical_s, wait_s, bytes, constant_bytes, variable_bytes;
};
#define NO_ROW                                                                                     \
    {                                                                                              \
        .group = -1, .iteration = -1, .stage = -1, .reconfiguration = -1, .step = -1, .level = -1, \
        .ns = -1, .nt = -1, .processes = -1, .nodes = -1, .old_processes = -1,                     \
        .new_processes = -1, .overlapped = -1, .oversubscribed = -1, .start_s = NAN,               \
        .time_s = NAN, .critical_s = NAN, .wait_s = NAN, .bytes = NAN, .constant_bytes = NAN,      \
        .variable_bytes = NAN                                                                      \
    }

static struct nereus_cell make_number_cell(int64_t value)
{
    return nereus_cell_if(value >= 0, nereus_cell_integer(value));
}

#define EVENT_COLUMNS(X)                                                                           \
    X("file", "file", NULL, nereus_cell_text(run->path))                                           \
    X("event", "event", NULL, nereus_cell_text(r->event))                                          \
    X("group", "group", NULL, make_number_cell(r->group))                                          \
    X("iteration", "iteration", NULL, make_number_cell(r->iteration))                              \
    X("overlapped", "overlapped", NULL, make_number_cell(r->overlapped))                           \
    X("stage", "stage", NULL, make_number_cell(r->stage))                                          \
    X("reconfiguration", "change", NULL, make_number_cell(r->reconfiguration))                     \
    X("step", "step", NULL, make_number_cell(r->step))                                             \
    X("level", "level", NULL, make_number_cell(r->level))                                          \
    X("kind", "kind", NULL, nereus_cell_text(r->kind))                                             \
    X("ns", "NS", NULL, make_number_cell(r->ns))                                                   \
    X("nt", "NT", NULL, make_number_cell(r->nt))                                                   \
    X("method", "method", NULL, nereus_cell_text(r->method))                                       \
    X("outcome", "outcome", NULL, nereus_cell_text(r->outcome))                                    \
    X("processes", "processes", NULL, make_number_cell(r->processes))                              \
    X("nodes", "nodes", NULL, make_number_cell(r->nodes))                                          \
    X("old_processes", "old", NULL, make_number_cell(r->old_processes))                            \
    X("new_processes", "new", NULL, make_number_cell(r->new_processes))                            \
    X("start_s", "start", "s", nereus_cell_real(r->start_s))                                       \
    X("time_s", "time", "s", nereus_cell_real(r->time_s))                                          \
    X("critical_s", "critical", "s", nereus_cell_real(r->critical_s))                              \
    X("wait_s", "wait", "s", nereus_cell_real(r->wait_s))                                          \
    X("bytes", "bytes", NULL, nereus_cell_real(r->bytes))                                          \
    X("constant_bytes", "constant", "B", nereus_cell_real(r->constant_bytes))                      \
    X("variable_bytes", "variable", "B", nereus_cell_real(r->variable_bytes))                      \
    X("oversubscribed", "oversubscribed", NULL, make_number_cell(r->oversubscribed))

static void add_row(struct nereus_table *table, const struct nereus_results *run,
                    const struct row *r)
{
    NEREUS_TABLE_ADD(table, EVENT_COLUMNS);
}

static void add_iterations(struct nereus_table *table, const struct nereus_results *run)
{
    for (int64_t i = 0; i < run->iteration_count; i++) {
        const struct nereus_result_iteration *iteration = &run->iterations[i];
        struct row row = NO_ROW;
        row.event = "iteration";
        row.group = iteration->group;
        row.iteration = iteration->iteration;
        row.overlapped = iteration->overlapped;
        row.processes = iteration->processes;
        row.nodes = iteration->nodes;
        row.start_s = iteration->start_s;
        row.time_s = iteration->time_s;
        add_row(table, run, &row);
    }
    for (int64_t i = 0; i < run->stage_count; i++) {
        const struct nereus_result_stage *stage = &run->stages[i];
        struct row row = NO_ROW;
        row.event = "stage";
        row.group = stage->group;
        row.iteration = stage->iteration;
        row.stage = stage->stage;
        row.kind = stage->kind;
        row.time_s = stage->time_s;
        add_row(table, run, &row);
    }
}

static void add_changes(struct nereus_table *table, const struct nereus_results *run)
{
    for (int64_t i = 0; i < run->change_count; i++) {
        const struct nereus_result_change *change = &run->changes[i];
        struct row row = NO_ROW;
        row.event = "change";
        row.reconfiguration = change->reconfiguration;
        row.ns = change->ns;
        row.nt = change->nt;
        row.nodes = change->nodes;
        row.method = change->method;
        row.outcome = change->outcome;
        row.start_s = change->start_s;
        row.time_s = change->time_s;
        row.constant_bytes = change->constant_bytes;
        row.variable_bytes = change->variable_bytes;
        row.oversubscribed = change->oversubscribed;
        add_row(table, run, &row);
    }
}

static void add_trace(struct nereus_table *table, const struct nereus_results *run)
{
    for (int64_t i = 0; i < run->trace.count; i++) {
        const struct nereus_trace_event *event = &run->trace.events[i];
        const bool step = event->kind == NEREUS_TRACE_STEP;
        char method[NEREUS_METHOD_TEXT_MAX];
        struct row row = NO_ROW;
        if (!step && event->kind != NEREUS_TRACE_RECONFIGURATION)
            continue;
        row.event = step ? "step" : "reconfiguration";
        row.reconfiguration = event->reconfiguration;
        row.ns = event->ns;
        row.nt = event->nt;
        row.method = nereus_method_format(&event->method, method);
        row.bytes = event->bytes;
        row.critical_s = event->critical_s;
        row.oversubscribed = event->oversubscribed;
        row.time_s = step ? event->time_s : event->rt_s;
        row.wait_s = step ? event->wait_s : event->waits_s;
        if (step) {
            row.step = event->step;
            row.level = event->level > 0 ? event->level : -1;
            row.kind = nereus_step_name(event->step_kind);
            row.old_processes = event->old_processes;
            row.new_processes = event->new_processes;
            row.start_s = event->start_s;
        } else {
            row.outcome = event->outcome;
        }
        add_row(table, run, &row);
    }
}

static bool print_events(const struct nereus_report *report, enum nereus_format format)
{
    struct nereus_table table;
    NEREUS_TABLE_INIT(&table, EVENT_COLUMNS);
    for (int i = 0; i < report->run_count; i++) {
        add_iterations(&table, &report->runs[i]);
        add_changes(&table, &report->runs[i]);
        add_trace(&table, &report->runs[i]);
    }
    return nereus_table_print(&table, format, stdout);
}

static bool print_report(const struct nereus_report *report, enum table table,
                         enum nereus_format format)
{
    return table == TABLE_EVENTS ? print_events(report, format) : print_changes(report, format);
}

/* ---- the command ---- */

struct settings {
    int format, table;
    struct nereus_profile_settings machine;
    struct nereus_picture_settings picture;
};

static const struct nereus_option options[] = {
    {"format", 0, NEREUS_OPTION_CHOICE, "FORMAT", "text, csv or json (text)",
     offsetof(struct settings, format), nereus_format_choices},
    {"report", 0, NEREUS_OPTION_CHOICE, "TABLE",
     "changes (RT of each kind of change, measured and predicted) or events (every iteration, "
     "stage, change and step) (changes)",
     offsetof(struct settings, table), tables},
};

/* Read the profile: a named one must exist; else the installed one is used, if there is one. */
static enum nereus_status add_predictions(const struct settings *settings,
                                          struct nereus_report *report, struct nereus_error *err)
{
    const bool named = settings->machine.profile != NULL || settings->machine.synthetic != NULL;
    struct nereus_profile profile;
    const enum nereus_status status = nereus_profile_open(&settings->machine, NULL, &profile, err);
    if (status != NEREUS_OK && named)
        return status;
    if (status != NEREUS_OK) {
        nereus_cli_note("nothing is predicted: %s", err->text);
        return NEREUS_OK;
    }
    nereus_report_predict(report, &profile);
    nereus_profile_fini(&profile);
    return NEREUS_OK;
}

static void note_unpredicted(const struct nereus_report *report)
{
    for (int64_t i = 0; i < report->cell_count; i++) {
        const struct nereus_report_cell *cell = &report->cells[i];
        char label[128];
        if (report->cluster[0] != '\0' && !cell->predicted) {
            nereus_cli_note("%s is not predicted: %s",
                            nereus_report_label(cell, label, sizeof label), cell->why);
        }
    }
}

static enum nereus_status write_report(const struct settings *settings,
                                       const struct nereus_arguments *files,
                                       struct nereus_report *report, struct nereus_error *err)
{
    NEREUS_TRY(nereus_picture_check_path(&settings->picture, (const char *const *)files->items,
                                         (size_t)files->count, err));
    NEREUS_TRY(nereus_report_read(files->items, files->count, report, err));
    NEREUS_TRY(add_predictions(settings, report, err));
    if (!print_report(report, (enum table)settings->table, (enum nereus_format)settings->format))
        return nereus_fail(err, NEREUS_ERR_IO, "the report could not be printed");
    note_unpredicted(report);
    return settings->picture.path == NULL ? NEREUS_OK
                                          : nereus_report_draw(report, &settings->picture, err);
}

static const char help[] =
    "Summarises results of the synthetic application (`nereus run --results FILE.jsonl`): a "
    "table, and with --output a page or a picture: iterations and sizes over time, reconfiguration "
    "times by step, and predicted compared with measured times where there is a profile. A folder "
    "stands for all its files NAME.jsonl.";

int nereus_cmd_study_report(int argc, char **argv)
{
    struct settings settings = {0};
    const struct nereus_option_group groups[] = {
        {NULL, options, NEREUS_COUNT_OF(options), &settings},
        {"Machine", nereus_profile_options, nereus_profile_option_count, &settings.machine},
        {"Pictures", nereus_picture_options, nereus_picture_option_count, &settings.picture}};
    const struct nereus_command_line line =
        NEREUS_COMMAND_LINE("RESULTS.jsonl...", help, groups, 1, INT_MAX);
    struct nereus_arguments files;
    struct nereus_report report = {.run_count = 0};
    struct nereus_error err;
    int exit_status;
    if (!nereus_options_parse(&line, argc, argv, &files, &exit_status))
        return exit_status;
    if (nereus_profile_settings_check(&settings.machine, &err) != NEREUS_OK ||
        nereus_picture_check(&settings.picture, &err) != NEREUS_OK)
        return nereus_cli_fail_usage("%s", err.text);
    const enum nereus_status status = write_report(&settings, &files, &report, &err);
    nereus_report_fini(&report);
    return status == NEREUS_OK ? NEREUS_EXIT_OK : nereus_cli_fail("%s", err.text);
}
