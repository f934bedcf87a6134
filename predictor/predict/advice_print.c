/** @file advice_print.c  Prints advice as text, for people. */

#include "advice_print.h"

#include "model/util/values.h"
#include "predictor/scenario/predictions.h"

/* Approximate number of rows of a text table; CSV and JSON have all sizes. */
enum { ROWS_SHOWN = 10 };

/* Unit of a goal's figure in text, and the factor by which it is converted. */
struct unit {
    const char *name, *figure;
    double divisor;
};

static struct unit get_unit(const struct nereus_advice_result *answer)
{
    static const struct unit units[] = {[NEREUS_GOAL_APPLICATION] = {"s", "T_ex", 1},
                                        [NEREUS_GOAL_SYSTEM] = {"s", "T_ex", 1},
                                        [NEREUS_GOAL_NODE_HOURS] = {"h", "node-hours", 3600},
                                        [NEREUS_GOAL_ENERGY] = {"kWh", "energy", 3.6e6},
                                        [NEREUS_GOAL_WEIGHTS] = {NULL, "weighted sum", 1}};
    return units[answer->ranking.goal];
}

/* A row (`row` and its `size`) in the goal's `unit`; the headers (NEREUS_COLUMN) need `unit`. */
#define COLUMNS(X)                                                                                 \
    X("advice", "", NULL, nereus_cell_text(advice))                                                \
    X("nt", "NT", NULL, nereus_cell_integer(size->nt))                                             \
    X("method", "method", NULL, nereus_cell_text(row.method))                                      \
    X("later", "later shrink", NULL, nereus_cell_text(row.later_method))                           \
    X("rt_s", "RT", "s", nereus_cell_predicted(size->prediction.rt_s.value))                       \
    X("t_iter_nt_s", "T_iter", "s", nereus_cell_predicted(size->t_iter_nt_s))                      \
    X("t_ex_s", "T_ex", "s", nereus_cell_predicted(size->t_ex_s.value))                            \
    X("interval", "90 % interval", NULL, nereus_cell_interval(&size->t_ex_s, 1, interval))         \
    X("gain", "gain", unit.name,                                                                   \
      nereus_cell_if(row.is_resize, nereus_cell_predicted(size->gain.value / unit.divisor)))       \
    X("pays_from", "pays from", NULL, nereus_cell_predicted(row.min_iterations))                   \
    X("may_lose", "may lose", unit.name, nereus_cell_predicted(row.possible_loss / unit.divisor))  \
    X("nodes", "nodes", NULL,                                                                      \
      nereus_cell_if(size->prediction.nodes.after > 0,                                             \
                     nereus_cell_integer(size->prediction.nodes.after)))                           \
    X("source", "source", NULL, nereus_cell_text(source))

/* Columns that are left out, in this order, if the table is too wide. */
static const char *const dropped_columns[] = {"source", "interval", "t_iter_nt_s", "nodes", NULL};

/* @param index  of the size; -1: the present one */
static void add_row(struct nereus_table *table, const struct nereus_advice_result *answer,
                    int64_t index)
{
    struct nereus_advice_row row;
    nereus_advice_row_make(answer, index, &row);
    const struct nereus_advice_size *size = row.size;
    const struct unit unit = get_unit(answer);
    const char *const advice = !row.is_resize ? (row.is_best ? "stay: best" : "stay")
                               : row.is_best  ? "best"
                                              : "";
    char interval[48], source[64] = "";
    if (row.is_resize) {
        snprintf(source, sizeof source, "%s%s", nereus_source_name(size->prediction.source),
                 size->prediction.oversubscribed ? ", oversubscribed" : "");
    }
    NEREUS_TABLE_ADD(table, COLUMNS);
}

/* Is the size shown? The best, the next and the last one are, and others at even steps; of all
 * sizes from 1 on, those of whole nodes if they have several cores. */
static bool is_shown(const struct nereus_advice_result *answer, int64_t i)
{
    const struct nereus_sizes *candidates = &answer->candidates;
    const int64_t cores = answer->question.machine.cores_per_node, count = candidates->count;
    const bool are_all = candidates->items[count - 1] == count;
    int64_t step = nereus_divide_up(count, ROWS_SHOWN);
    step = are_all && cores > 1 && cores < count ? nereus_divide_up(step, cores) * cores : step;
    return answer->sizes[i].possible &&
           (count <= ROWS_SHOWN + 2 || i == answer->advice.best_index ||
            i == answer->advice.second_index || i == count - 1 || (i + 1) % step == 0);
}

/* Columns of the printed table that need an explanation. */
struct column_notes {
    bool pays_from, may_lose;
};

static bool print_table(const struct nereus_advice_result *answer, struct column_notes *notes,
                        FILE *stream)
{
    const struct unit unit = get_unit(answer);
    const struct nereus_column columns[] = {COLUMNS(NEREUS_COLUMN)};
    struct nereus_table table;
    bool stayed = false;
    nereus_table_init(&table, columns, NEREUS_COUNT_OF(columns));
    for (int64_t i = 0; i < answer->candidates.count; i++) {
        if (!stayed && answer->candidates.items[i] >= answer->question.scenario.ns) {
            add_row(&table, answer, -1);
            stayed = true;
        }
        if (is_shown(answer, i))
            add_row(&table, answer, i);
    }
    if (!stayed)
        add_row(&table, answer, -1);
    nereus_table_narrow(&table, dropped_columns);
    notes->pays_from = nereus_table_shows(&table, "pays_from");
    notes->may_lose = nereus_table_shows(&table, "may_lose");
    return nereus_table_print(&table, NEREUS_FORMAT_TEXT, stream);
}

/* Format a figure: "5.1 s", "0.0123 node-hours", "0.042 kWh", "1.2". */
static char *format_figure(const struct nereus_advice_result *answer, double value, char text[48])
{
    const struct unit unit = get_unit(answer);
    char number[32];
    nereus_format_digits(value / unit.divisor, 4, number);
    if (answer->ranking.goal == NEREUS_GOAL_NODE_HOURS)
        snprintf(text, 48, "%s node-hours", number);
    else if (answer->ranking.goal == NEREUS_GOAL_ENERGY)
        snprintf(text, 48, "%s %s", number, unit.name);
    else if (answer->ranking.goal == NEREUS_GOAL_WEIGHTS)
        snprintf(text, 48, "%s", number);
    else
        snprintf(text, 48, "%s", nereus_format_seconds(value, number));
    return text;
}

/* Print the interval of the gain. */
static void print_gain_interval(const struct nereus_advice_result *answer,
                                const struct nereus_advice_size *size, FILE *stream)
{
    char low[48], high[48];
    format_figure(answer, fabs(size->gain.low), low);
    format_figure(answer, fabs(size->gain.high), high);
    if (size->gain.low >= 0) {
        nereus_print_wrapped(stream, 2, "90 %% interval of the gain: %s to %s.", low, high);
    } else if (size->gain.high > 0) {
        nereus_print_wrapped(
            stream, 2, "90 %% interval of the gain: from a loss of %s to a gain of %s.", low, high);
    }
}

/* Print until when it pays: "until iteration 88 of the 97". */
static void print_until(const struct nereus_question *question, const struct nereus_advice_row *row,
                        FILE *stream)
{
    const struct nereus_scenario *scenario = &question->scenario;
    const double from = row->min_iterations;
    if (isnan(from))
        return;
    if (question->later_shrink.processes > 0) {
        nereus_print_wrapped(
            stream, 2,
            "It pays if at least %.0f iteration%s run on %lld process%s before the shrink to %lld.",
            from, nereus_plural_s((int64_t)from), (long long)row->size->nt,
            nereus_plural_es(row->size->nt), (long long)question->later_shrink.processes);
    } else if (isnan(row->last_iteration)) {
        nereus_print_wrapped(stream, 2, "It would pay if at least %.0f iteration%s %s left.", from,
                             nereus_plural_s((int64_t)from),
                             nereus_choose_plural((int64_t)from, "was", "were"));
    } else {
        nereus_print_wrapped(stream, 2,
                             "It pays as long as at least %.0f iteration%s %s left: until "
                             "iteration %.0f of the %.0f.",
                             from, nereus_plural_s((int64_t)from),
                             nereus_choose_plural((int64_t)from, "is", "are"), row->last_iteration,
                             scenario->iterations_before + scenario->iterations_after);
    }
}

static void print_resize(const struct nereus_advice_result *answer, FILE *stream)
{
    struct nereus_advice_row best;
    char figure[48], stay_figure[48];
    const double stay = answer->advice.stay_figure;
    nereus_advice_row_make(answer, answer->advice.best_index, &best);
    const double gain = best.size->gain.value;
    nereus_print_wrapped(
        stream, 2,
        "Resize from %lld to %lld process%s by %s: %s of %s instead of %s, %.3g %% less.",
        (long long)answer->question.scenario.ns, (long long)best.size->nt,
        nereus_plural_es(best.size->nt), best.method, get_unit(answer).figure,
        format_figure(answer, stay - gain, figure), format_figure(answer, stay, stay_figure),
        100 * gain / stay);
    print_until(&answer->question, &best, stream);
    print_gain_interval(answer, best.size, stream);
}

static void print_stay(const struct nereus_advice_result *answer, FILE *stream)
{
    const int64_t ns = answer->question.scenario.ns;
    struct nereus_advice_row next;
    char stay_figure[48], difference[48];
    format_figure(answer, answer->advice.stay_figure, stay_figure);
    if (answer->advice.second_index < 0) {
        nereus_print_wrapped(stream, 2,
                             "Stay at %lld process%s: no resize would end before the last "
                             "iteration (%s %s).",
                             (long long)ns, nereus_plural_es(ns), get_unit(answer).figure,
                             stay_figure);
        return;
    }
    nereus_advice_row_make(answer, answer->advice.second_index, &next);
    nereus_print_wrapped(
        stream, 2,
        "Stay at %lld process%s: %s of %s; the best resize, to %lld by %s, costs %s more.",
        (long long)ns, nereus_plural_es(ns), get_unit(answer).figure, stay_figure,
        (long long)next.size->nt, next.method,
        format_figure(answer, -next.size->gain.value, difference));
    print_until(&answer->question, &next, stream);
    print_gain_interval(answer, next.size, stream);
}

/* Count the sizes with more processes than cores during the resize.
 * @param[out] first  the least one; 0: none */
static int64_t count_oversubscribed(const struct nereus_advice_result *answer, int64_t *first)
{
    int64_t count = 0;
    *first = 0;
    for (int64_t i = 0; i < answer->candidates.count; i++)
        if (answer->sizes[i].possible && answer->sizes[i].prediction.oversubscribed) {
            *first = count == 0 ? answer->sizes[i].nt : *first;
            count++;
        }
    return count;
}

static void explain_columns(const struct column_notes *notes, FILE *stream)
{
    const bool both = notes->pays_from && notes->may_lose;
    if (notes->pays_from || notes->may_lose) {
        nereus_print_wrapped(
            stream, 2, "%s%s%s",
            notes->pays_from
                ? "pays from: least iterations left with which it costs no more than staying"
                : "",
            both ? "; " : "",
            notes->may_lose ? "may lose: loss against staying, at the unfavourable bound of "
                              "the 90 % interval"
                            : "");
    }
}

static void print_question(const struct nereus_advice_result *answer, FILE *stream)
{
    const struct nereus_scenario *s = &answer->question.scenario;
    const struct nereus_sizes *candidates = &answer->candidates;
    char t_iter[32];
    int64_t first_oversubscribed;
    const int64_t oversubscribed = count_oversubscribed(answer, &first_oversubscribed);
    nereus_print_wrapped(
        stream, 2,
        "%s: %lld of %lld size%s from %lld to %lld are possible%s; iterations of %s on %lld "
        "process%s, %.0f left",
        answer->profile->cluster, (long long)answer->advice.possible_count,
        (long long)candidates->count, nereus_plural_s(candidates->count),
        (long long)candidates->items[0], (long long)(candidates->items[candidates->count - 1]),
        candidates->count > ROWS_SHOWN + 2 ? " (csv and json have all)" : "",
        nereus_format_seconds(s->t_iter_ns_s, t_iter), (long long)s->ns, nereus_plural_es(s->ns),
        s->iterations_after);
    if (oversubscribed > 0 && oversubscribed == answer->advice.possible_count) {
        nereus_print_wrapped(stream, 2,
                             "during every resize there are more processes than cores: times "
                             "depend on the OS scheduler");
    } else if (oversubscribed > 0) {
        nereus_print_wrapped(stream, 2,
                             "during %lld of these resizes, from NT %lld on, there are more "
                             "processes than cores: times depend on the OS scheduler",
                             (long long)oversubscribed, (long long)first_oversubscribed);
    }
}

static bool print_text(const struct nereus_advice_result *answer, FILE *stream)
{
    if (answer->advice.best_index >= 0)
        print_resize(answer, stream);
    else
        print_stay(answer, stream);
    struct column_notes notes;
    fputc('\n', stream);
    if (!print_table(answer, &notes, stream))
        return false;
    if (answer->mtbf != NULL)
        nereus_failures_print(&answer->failures, stream);
    fputs("\nGoal: ", stream);
    nereus_ranking_print(&answer->ranking, stream);
    fputc('\n', stream);
    explain_columns(&notes, stream);
    print_question(answer, stream);
    nereus_question_print_assumed(&answer->question, stream);
    return !ferror(stream);
}

bool nereus_advice_print(const struct nereus_advice_result *answer, enum nereus_format format,
                         FILE *stream)
{
    switch (format) {
    case NEREUS_FORMAT_CSV:
        return nereus_advice_print_csv(answer, stream);
    case NEREUS_FORMAT_JSON:
        return nereus_advice_print_json(answer, stream);
    case NEREUS_FORMAT_TEXT:
        break;
    }
    return print_text(answer, stream);
}
