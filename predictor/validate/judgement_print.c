/** @file judgement_print.c  Prints the quality of predictions: coverage and errors, regrets, a
 * summary. */

#include "print.h"

static const char *get_cores_name(enum nereus_judgement_cores cores)
{
    static const char *const names[] = {"within", "above", "all"};
    return names[cores];
}

/* Print a share: "83 %". */
static struct nereus_cell make_percent_cell(double part, char text[16])
{
    snprintf(text, 16, "%.*f %%", 100 * part < 9.95 ? 1 : 0, 100 * part);
    return nereus_cell_text(isnan(part) ? NULL : text);
}

#define JUDGED_COLUMNS(X)                                                                          \
    X("load", "cores", NULL, nereus_cell_text(get_cores_name(judged->cores)))                      \
    X("quantity", "what", NULL, nereus_cell_text(judged->quantity))                                \
    X("name", "of", NULL, nereus_cell_text(judged->name))                                          \
    X("cells", "cells", NULL, nereus_cell_integer(judged->cells))                                  \
    X("observations", "observed", NULL, nereus_cell_integer(judged->observations))                 \
    X("inside", NULL, NULL,                                                                        \
      nereus_cell_if(judged->with_interval > 0, nereus_cell_integer(judged->inside_count)))        \
    X("coverage", NULL, NULL, nereus_cell_real(judged->model.coverage))                            \
    X(NULL, "inside 90 %", NULL, make_percent_cell(judged->model.coverage, text[0]))               \
    X("coverage_low", NULL, NULL, nereus_cell_real(judged->coverage_low))                          \
    X("coverage_high", NULL, NULL, nereus_cell_real(judged->coverage_high))                        \
    X(NULL, "by chance", "%", nereus_cell_text(judged->with_interval > 0 ? range : NULL))          \
    X("floor_coverage", NULL, NULL, nereus_cell_real(judged->floor.coverage))                      \
    X(NULL, "floor", NULL, make_percent_cell(judged->floor.coverage, text[1]))                     \
    X("ratio_median", "measured/predicted", NULL, nereus_cell_real(judged->ratio))                 \
    X("error_median", NULL, NULL, nereus_cell_real(judged->model.median))                          \
    X(NULL, "error", NULL, make_percent_cell(judged->model.median, text[2]))                       \
    X("floor_error_median", NULL, NULL, nereus_cell_real(judged->floor.median))                    \
    X(NULL, "floor", NULL, make_percent_cell(judged->floor.median, text[3]))                       \
    X("error_p90", NULL, NULL, nereus_cell_real(judged->model.p90))                                \
    X(NULL, "p90 error", NULL, make_percent_cell(judged->model.p90, text[4]))                      \
    X("floor_error_p90", NULL, NULL, nereus_cell_real(judged->floor.p90))                          \
    X(NULL, "floor", NULL, make_percent_cell(judged->floor.p90, text[5]))

void nereus_judgement_fill_table(const struct nereus_judgement *judgement,
                                 struct nereus_table *table)
{
    NEREUS_TABLE_INIT(table, JUDGED_COLUMNS);
    for (int i = 0; i < judgement->count; i++) {
        const struct nereus_judgement_row *judged = &judgement->rows[i];
        char range[48], text[6][16];
        snprintf(range, sizeof range, "%.0f to %.0f", 100 * judged->coverage_low,
                 100 * judged->coverage_high);
        NEREUS_TABLE_ADD(table, JUDGED_COLUMNS);
    }
}

bool nereus_judgement_print(const struct nereus_judgement *judgement, FILE *stream)
{
    struct nereus_table table;
    nereus_judgement_fill_table(judgement, &table);
    fputs("Errors of the predictions, and (floor) of one that knows the median of the other "
          "repeats\n",
          stream);
    const bool printed = nereus_table_print(&table, NEREUS_FORMAT_TEXT, stream);
    fputs("cores: with no more processes at a time than cores, or above. A cell is a pair by a "
          "method. Inside: how many single runs lie\nin their 90 % interval, and in which range "
          "that is by chance alone (of independent runs: those of a cell share their "
          "prediction,\nso that it is wider). Error: |predicted - measured| / measured, median and "
          "90th percentile. The floor's intervals are the\nprediction's, shifted to the median "
          "that it knows.\n",
          stream);
    return printed;
}

static const char *const goal_names[NEREUS_CHOICE_GOALS] = {"system", "application"};

#define CHOICE_COLUMNS(X)                                                                          \
    X("load", "cores", NULL,                                                                       \
      nereus_cell_text(get_cores_name(choice->oversubscribed ? NEREUS_JUDGED_OVERSUBSCRIBED        \
                                                             : NEREUS_JUDGED_WITHIN)))             \
    X("goal", "goal", NULL, nereus_cell_text(goal_names[choice->goal]))                            \
    X("ns", "NS", NULL, nereus_cell_integer(choice->ns))                                           \
    X("nt", "NT", NULL, nereus_cell_integer(choice->nt))                                           \
    X("iterations_after", "iterations after", NULL,                                                \
      nereus_cell_integer((int64_t)choice->chosen_comparison->iterations_after))                   \
    X("methods", "methods", NULL, nereus_cell_integer(choice->methods))                            \
    X("chosen", "predictor's choice", NULL,                                                        \
      nereus_cell_text(nereus_method_format(&choice->chosen_comparison->method, chosen)))          \
    X("best", "best measured", NULL,                                                               \
      nereus_cell_text(nereus_method_format(&choice->best_comparison->method, best)))              \
    X("regret", "regret", NULL, nereus_cell_real(choice->regret))                                  \
    X("merge_regret", "merge's", NULL, nereus_cell_real(choice->merge_regret))                     \
    X("floor_regret", "floor", NULL, nereus_cell_real(choice->floor_regret))

void nereus_choices_fill_table(const struct nereus_choices *choices, struct nereus_table *table)
{
    NEREUS_TABLE_INIT(table, CHOICE_COLUMNS);
    for (int i = 0; i < choices->count; i++) {
        const struct nereus_choice *choice = &choices->items[i];
        char chosen[NEREUS_METHOD_TEXT_MAX], best[NEREUS_METHOD_TEXT_MAX];
        NEREUS_TABLE_ADD(table, CHOICE_COLUMNS);
    }
}

#define REGRET_COLUMNS(X)                                                                          \
    X("load", "cores", NULL, nereus_cell_text(get_cores_name((enum nereus_judgement_cores)cores))) \
    X("goal", "goal", NULL, nereus_cell_text(goal_names[goal]))                                    \
    X("who", "who chooses", NULL, nereus_cell_text(who))                                           \
    X("pairs", "pairs", NULL, nereus_cell_integer(regret->pairs))                                  \
    X("exact", "best chosen", NULL,                                                                \
      nereus_cell_if(regret->exact_count >= 0, nereus_cell_integer(regret->exact_count)))          \
    X("regret_mean", "mean regret", NULL, nereus_cell_real(regret->mean))                          \
    X("regret_most", "at most", NULL, nereus_cell_real(regret->max))

static void add_regret(struct nereus_table *table, int cores, int goal, const char *who,
                       const struct nereus_regret *regret)
{
    const struct nereus_cell cells[] = {REGRET_COLUMNS(NEREUS_CELL)};
    if (regret->pairs > 0)
        nereus_table_add(table, cells);
}

void nereus_regrets_fill_table(const struct nereus_choices *choices, struct nereus_table *table)
{
    NEREUS_TABLE_INIT(table, REGRET_COLUMNS);
    for (int cores = NEREUS_JUDGED_WITHIN; cores < NEREUS_JUDGED_ALL; cores++) {
        for (int goal = 0; goal < NEREUS_CHOICE_GOALS; goal++) {
            const struct nereus_regrets *regrets = &choices->regrets[cores][goal];
            add_regret(table, cores, goal, "predictor", &regrets->predicted_choice);
            add_regret(table, cores, goal, "always merge", &regrets->merge);
            add_regret(table, cores, goal, "noise floor", &regrets->floor);
        }
    }
}

bool nereus_choices_print(const struct nereus_choices *choices, FILE *stream)
{
    struct nereus_table each, all;
    if (choices->count == 0) {
        fputs("No pair was measured by two methods: there was nothing to choose.\n", stream);
        return true;
    }
    nereus_choices_fill_table(choices, &each);
    nereus_regrets_fill_table(choices, &all);
    fputs("Regret of following the predictor (0.1: 10 % more than the best)\n", stream);
    const bool printed = nereus_table_print(&each, NEREUS_FORMAT_TEXT, stream);
    fputc('\n', stream);
    const bool printed_all = nereus_table_print(&all, NEREUS_FORMAT_TEXT, stream);
    fputs("System: of RT; the rule takes up to 10 % more for a lower T_ex. Application: of T_ex "
          "with so many iterations after the request\n(equation 7 with the measured RT and It). "
          "Floor: a choice by the medians of half of the repeats, judged by the other half.\n",
          stream);
    return printed && printed_all;
}

/* Print the comparisons without a measurement: not reached within the budget, or failed. */
static void print_unmeasured(const struct nereus_summary *summary,
                             const struct nereus_comparison *comparisons, int count, FILE *stream)
{
    const int not_reached = summary->wanted_count - summary->measured_count - summary->failed_count;
    char method[NEREUS_METHOD_TEXT_MAX];
    if (not_reached > 0)
        fprintf(stream, "%d not reached within the budget.\n", not_reached);
    if (summary->failed_count > 0)
        fprintf(stream, "%d could not be measured:\n", summary->failed_count);
    for (int i = 0; i < count; i++) {
        if (comparisons[i].rt->count == 0 && comparisons[i].failure[0] != '\0') {
            fprintf(stream, "  %lld -> %lld by %s: %s\n", (long long)comparisons[i].ns,
                    (long long)comparisons[i].nt,
                    nereus_method_format(&comparisons[i].method, method), comparisons[i].failure);
        }
    }
}

static void print_sentences(const struct nereus_summary *summary, FILE *stream)
{
    fprintf(
        stream,
        "\nmeasured/predicted 1 is a perfect prediction, 2 a reconfiguration that took twice as "
        "long as said.\n"
        "An RT whose prediction is from \"measured\" was measured as a whole before, and need not "
        "be the sum of its steps'\npredictions; the medians of steps do not add up exactly "
        "either.\n");
    fprintf(stream, "%d of %d measured RTs lie inside their predicted 90 %% interval",
            summary->inside_count, summary->measured_count);
    if (summary->worst_comparison != NULL) {
        char method[NEREUS_METHOD_TEXT_MAX];
        fprintf(stream,
                "; predictions are off by a factor of %.3g (median) and %.3g at most (%s, %lld -> "
                "%lld)",
                summary->median_factor, summary->worst_factor,
                nereus_method_format(&summary->worst_comparison->method, method),
                (long long)summary->worst_comparison->ns, (long long)summary->worst_comparison->nt);
    }
    fputs(".\n", stream);
    if (summary->oversubscribed > 0) {
        fprintf(stream,
                "%d of them ran more processes than there are cores (oversubscribed): their times "
                "vary with the scheduler and say little about a machine with enough cores.\n",
                summary->oversubscribed);
    }
}

#define SUMMARY_COLUMNS(X)                                                                         \
    X("pair", "reconfiguration", NULL, nereus_cell_text(pair))                                     \
    X("method", "method", NULL,                                                                    \
      nereus_cell_text(nereus_method_format(&comparison->method, method)))                         \
    X("predicted_ms", "predicted RT", "ms", nereus_cell_real(1e3 * rt->prediction.value))          \
    X("interval", "90 % interval", "ms", nereus_cell_interval(&rt->prediction, 1e3, interval))     \
    X("measured_ms", "measured RT", "ms", nereus_cell_real(1e3 * rt->median_s))                    \
    X("ratio", "measured/predicted", NULL, nereus_cell_real(nereus_comparison_row_ratio(rt)))      \
    X("source", "prediction", NULL, nereus_cell_text(rt->source))                                  \
    X("note", "", NULL, nereus_cell_text(note))

static const char *get_note(const struct nereus_comparison *comparison)
{
    if (comparison->failure[0] != '\0')
        return "failed";
    if (comparison->rt->count == 0)
        return "not reached";
    return comparison->oversubscribed ? "oversubscribed" : "";
}

/* Print RT of each comparison.
 * @return false when writing failed */
static bool print_rts(const struct nereus_comparison *comparisons, int count, FILE *stream)
{
    struct nereus_table table;
    NEREUS_TABLE_INIT(&table, SUMMARY_COLUMNS);
    for (int i = 0; i < count; i++) {
        const struct nereus_comparison *comparison = &comparisons[i];
        const struct nereus_comparison_row *rt = comparison->rt;
        char pair[64], method[NEREUS_METHOD_TEXT_MAX], interval[48];
        const char *note = get_note(comparison);
        snprintf(pair, sizeof pair, "%lld -> %lld", (long long)comparison->ns,
                 (long long)comparison->nt);
        NEREUS_TABLE_ADD(&table, SUMMARY_COLUMNS);
    }
    return nereus_table_print(&table, NEREUS_FORMAT_TEXT, stream);
}

bool nereus_summary_print(const struct nereus_summary *summary,
                          const struct nereus_comparison *comparisons, int count, FILE *stream)
{
    bool printed = true;
    if (summary->measured_count > 0) {
        printed = print_rts(comparisons, count, stream);
        print_sentences(summary, stream);
    } else {
        fputs("Nothing was measured.\n", stream);
    }
    print_unmeasured(summary, comparisons, count, stream);
    return printed;
}

json_t *nereus_summary_json(const struct nereus_summary *summary)
{
    return nereus_json_pack(
        "{s:i, s:i, s:i, s:i, s:i, s:i, s:o, s:o}", "reconfigurations", summary->wanted_count,
        "measured", summary->measured_count, "not_reached",
        summary->wanted_count - summary->measured_count - summary->failed_count, "failed",
        summary->failed_count, "inside", summary->inside_count, "oversubscribed",
        summary->oversubscribed, "median_factor", nereus_json_real(summary->median_factor),
        "worst_factor",
        nereus_json_real(summary->worst_comparison != NULL ? summary->worst_factor : NAN));
}
