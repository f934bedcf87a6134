/** @file report.c  Prints the results of `nereus validate`. */

#include "predictor/cli/command.h"
#include "print.h"
#include "validate.h"

const char *const nereus_validate_reports[] = {"steps",   "judgement", "choices",
                                               "regrets", "overlaps",  NULL};

/* Judgement, choices and summary over all comparisons. */
struct findings {
    struct nereus_summary summary;
    struct nereus_judgement judgement;
    struct nereus_choices choices;
};

static void fill_table(const struct nereus_validate_results *results,
                       const struct findings *findings, int report, struct nereus_table *table)
{
    switch (report) {
    case NEREUS_REPORT_JUDGEMENT:
        nereus_judgement_fill_table(&findings->judgement, table);
        return;
    case NEREUS_REPORT_CHOICES:
        nereus_choices_fill_table(&findings->choices, table);
        return;
    case NEREUS_REPORT_REGRETS:
        nereus_regrets_fill_table(&findings->choices, table);
        return;
    case NEREUS_REPORT_OVERLAPS:
        nereus_overlaps_fill_table(results->comparisons, results->count, table);
        return;
    default:
        nereus_comparisons_fill_table(results->comparisons, results->count, table);
    }
}

static bool print_table(const struct nereus_validate_results *results,
                        const struct findings *findings, int report, enum nereus_format format)
{
    struct nereus_table table;
    fill_table(results, findings, report, &table);
    return (format == NEREUS_FORMAT_TEXT && table.row_count == 0) ||
           nereus_table_print(&table, format, stdout);
}

static json_t *make_table_json(const struct nereus_validate_results *results,
                               const struct findings *findings, int report)
{
    struct nereus_table table;
    fill_table(results, findings, report, &table);
    return nereus_table_json(&table);
}

static bool print_overlaps(const struct nereus_validate_results *results,
                           const struct findings *findings)
{
    bool any = false;
    for (int i = 0; i < results->count; i++)
        any = any || (results->comparisons[i].is_overlapped &&
                      results->comparisons[i].successful_jobs > 0);
    if (any) {
        puts("Overlapped with the application (medians; It: means)");
        any = print_table(results, findings, NEREUS_REPORT_OVERLAPS, NEREUS_FORMAT_TEXT);
        putchar('\n');
        return any;
    }
    return true;
}

static void print_head(const struct nereus_validate_inputs *inputs,
                       const struct nereus_validate_results *results)
{
    const bool named = inputs->settings->pairs != NULL;
    printf("%d pair%s, %d reconfiguration%s (a pair by a method)", inputs->pair_count,
           nereus_plural_s(inputs->pair_count), results->count, nereus_plural_s(results->count));
    if (inputs->settings->held_out) {
        printf("; predicted from a fit without %s",
               named ? "any of these pairs" : "the pair itself");
    }
    if (results->refused > 0)
        printf("; %d refused, as nothing else says what they cost", results->refused);
    if (results->jobs_resumed > 0)
        printf("; %d of the runs are from %s", results->jobs_resumed, inputs->settings->results);
    puts("\n");
}

static bool print_text(const struct nereus_validate_inputs *inputs,
                       const struct nereus_validate_results *results,
                       const struct findings *findings, int report)
{
    bool printed = true;
    if (report == NEREUS_REPORT_JUDGEMENT) {
        print_head(inputs, results);
        printed =
            nereus_summary_print(&findings->summary, results->comparisons, results->count, stdout);
        if (findings->summary.measured_count == 0)
            return printed;
        putchar('\n');
        printed = printed && print_overlaps(results, findings);
        printed = printed && nereus_judgement_print(&findings->judgement, stdout);
        putchar('\n');
        return printed && nereus_choices_print(&findings->choices, stdout);
    }
    if (report != NEREUS_REPORT_STEPS)
        return print_table(results, findings, report, NEREUS_FORMAT_TEXT);
    for (int i = 0; printed && i < results->count; i++)
        if (results->comparisons[i].successful_jobs > 0) /* the others are in the summary */
            printed = nereus_comparison_print(&results->comparisons[i], stdout);
    return printed &&
           nereus_summary_print(&findings->summary, results->comparisons, results->count, stdout);
}

static json_t *make_failures_json(const struct nereus_validate_results *results)
{
    json_t *array = json_array();
    for (int i = 0; i < results->count; i++) {
        const struct nereus_comparison *comparison = &results->comparisons[i];
        char method[NEREUS_METHOD_TEXT_MAX];
        if (comparison->failure[0] != '\0') {
            json_array_append_new(
                array, nereus_json_pack("{s:I, s:I, s:s, s:s}", "ns", (json_int_t)comparison->ns,
                                        "nt", (json_int_t)comparison->nt, "method",
                                        nereus_method_format(&comparison->method, method), "reason",
                                        comparison->failure));
        }
    }
    return array;
}

static bool print_json(const struct nereus_validate_inputs *inputs,
                       const struct nereus_validate_results *results,
                       const struct findings *findings)
{
    return nereus_json_write(
        nereus_json_pack("{s:s, s:I, s:I, s:b, s:o, s:o, s:o, s:o, s:o, s:o, s:o}", "cluster",
                         inputs->profile.cluster, "bytes", (json_int_t)inputs->settings->bytes,
                         "bytes_constant", (json_int_t)inputs->settings->constant_bytes, "held_out",
                         inputs->settings->held_out ? 1 : 0, "rows",
                         make_table_json(results, findings, NEREUS_REPORT_STEPS), "summary",
                         nereus_summary_json(&findings->summary), "overlaps",
                         make_table_json(results, findings, NEREUS_REPORT_OVERLAPS), "judgement",
                         make_table_json(results, findings, NEREUS_REPORT_JUDGEMENT), "choices",
                         make_table_json(results, findings, NEREUS_REPORT_CHOICES), "regrets",
                         make_table_json(results, findings, NEREUS_REPORT_REGRETS), "failures",
                         make_failures_json(results)),
        stdout);
}

static bool print_report(const struct nereus_validate_inputs *inputs,
                         const struct nereus_validate_results *results,
                         const struct findings *findings)
{
    const struct nereus_validate_settings *settings = inputs->settings;
    const int by_default = settings->held_out ? NEREUS_REPORT_JUDGEMENT : NEREUS_REPORT_STEPS;
    const int report = settings->report >= 0 ? settings->report : by_default;
    if (settings->format == NEREUS_FORMAT_JSON)
        return print_json(inputs, results, findings);
    return settings->format == NEREUS_FORMAT_CSV
               ? print_table(results, findings, report, NEREUS_FORMAT_CSV)
               : print_text(inputs, results, findings, report);
}

static enum nereus_status gather_findings(const struct nereus_validate_results *results,
                                          struct findings *findings, struct nereus_error *err)
{
    const struct nereus_comparison *comparisons = results->comparisons;
    const int count = results->count;
    NEREUS_TRY(nereus_summary_make(comparisons, count, &findings->summary, err));
    NEREUS_TRY(nereus_judgement_make(comparisons, count, &findings->judgement, err));
    return nereus_choices_make(comparisons, count, &findings->choices, err);
}

/* A failed job makes the exit status 1. */
static int report_failures(const struct nereus_validate_inputs *inputs,
                           const struct nereus_validate_results *results)
{
    for (int i = 0; i < results->count; i++) {
        if (results->comparisons[i].failure[0] != '\0') {
            return nereus_cli_fail("not everything could be measured: %s",
                                   results->comparisons[i].failure);
        }
    }
    if (results->budget_spent) {
        nereus_cli_note(
            "the budget is spent: %d of %d run%s %s in this answer",
            results->jobs_resumed + results->jobs_done,
            results->count * (int)inputs->settings->repeats,
            nereus_plural_s(results->count * (int)inputs->settings->repeats),
            nereus_choose_plural(results->jobs_resumed + results->jobs_done, "is", "are"));
    }
    return NEREUS_EXIT_OK;
}

int nereus_validate_answer(const struct nereus_validate_inputs *inputs,
                           const struct nereus_validate_results *results)
{
    struct findings findings = {0};
    struct nereus_error err;
    int exit_status;
    if (gather_findings(results, &findings, &err) != NEREUS_OK) {
        exit_status = nereus_cli_fail("%s", err.text);
    } else if (print_report(inputs, results, &findings)) {
        exit_status = report_failures(inputs, results);
        /* draw after the answer was printed, so that measurements are not lost with a picture */
        if (inputs->settings->picture.path != NULL &&
            nereus_comparisons_draw(results->comparisons, results->count, inputs->profile.cluster,
                                    &inputs->settings->picture, &err) != NEREUS_OK)
            exit_status = nereus_cli_fail("%s", err.text);
    } else {
        exit_status = nereus_cli_fail("not enough memory to print the comparison");
    }
    nereus_judgement_fini(&findings.judgement);
    nereus_choices_fini(&findings.choices);
    return exit_status;
}
