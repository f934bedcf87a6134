/** @file advice_print.c  Prints advice as text, CSV and JSON. */

#include "advice.h"
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

static double get_iterations_left(const struct nereus_advice_result *answer)
{
    const struct nereus_question *question = &answer->question;
    return question->later_shrink.processes > 0 ? question->later_shrink.iterations
                                                : question->scenario.iterations_after;
}

/* @return least whole number of iterations that must be left; NAN: the resize never pays */
static double compute_min_iterations(const struct nereus_advice_size *size)
{
    static const double rounding = 1e-9;
    return isfinite(size->break_even_iterations)
               ? ceil(size->break_even_iterations * (1 - rounding))
               : NAN;
}

/* @return last iteration after which the resize still pays; NAN: none */
static double compute_last_paying_iteration(const struct nereus_advice_result *answer,
                                            const struct nereus_advice_size *size)
{
    const double until = answer->question.scenario.iterations_before + get_iterations_left(answer) -
                         compute_min_iterations(size);
    return until >= 0 ? until : NAN;
}

/* @return loss against staying, at the unfavourable bound of the gain's interval; 0: none */
static double compute_possible_loss(const struct nereus_advice_size *size)
{
    return fmax(0, -size->gain.low);
}

/* ---- text ---- */

/* Uses add_row's parameters `size`, `advised` and `stay`, and its locals `p`, `unit`, `nodes`,
 * `later`, `method`, `later_method`, `interval` and `source`. For the headers (NEREUS_COLUMN) only
 * `unit` is used. */
#define COLUMNS(X)                                                                                 \
    X("advice", "", NULL, nereus_cell_text(advised))                                               \
    X("nt", "NT", NULL, nereus_cell_integer(size->nt))                                             \
    X("method", "method", NULL, nereus_cell_if(!stay, nereus_cell_text(method)))                   \
    X("later", "later shrink", NULL, nereus_cell_if(later, nereus_cell_text(later_method)))        \
    X("rt_s", "RT", "s", nereus_cell_if(!stay, nereus_cell_predicted(p->rt_s.value)))              \
    X("t_iter_nt_s", "T_iter", "s", nereus_cell_predicted(size->t_iter_nt_s))                      \
    X("t_ex_s", "T_ex", "s", nereus_cell_predicted(size->t_ex_s.value))                            \
    X("interval", "90 % interval", NULL, nereus_cell_interval(&size->t_ex_s, 1, interval))         \
    X("gain", "gain", unit.name,                                                                   \
      nereus_cell_if(!stay, nereus_cell_predicted(size->gain.value / unit.divisor)))               \
    X("pays_from", "pays from", NULL,                                                              \
      nereus_cell_if(!stay, nereus_cell_predicted(compute_min_iterations(size))))                  \
    X("may_lose", "may lose", unit.name,                                                           \
      nereus_cell_if(!stay, nereus_cell_predicted(compute_possible_loss(size) / unit.divisor)))    \
    X("nodes", "nodes", NULL, nereus_cell_if(nodes > 0, nereus_cell_integer(nodes)))               \
    X("source", "source", NULL, nereus_cell_text(source))

/* Columns that are left out, in this order, if the table is too wide. */
static const char *const dropped_columns[] = {"source", "interval", "t_iter_nt_s", "nodes", NULL};

static void add_row(struct nereus_table *table, const struct nereus_advice_result *answer,
                    const struct nereus_advice_size *size, const char *advised, bool stay)
{
    const struct nereus_prediction *p = &size->prediction;
    const struct unit unit = get_unit(answer);
    const int64_t nodes = stay ? answer->advice.stay_nodes : p->nodes.after;
    const bool later = size->later_rt_s > 0;
    char method[NEREUS_METHOD_TEXT_MAX], later_method[NEREUS_METHOD_TEXT_MAX], interval[48],
        source[64] = "";
    nereus_method_format(&p->method, method);
    nereus_method_format(&size->later_method, later_method);
    if (!stay) {
        snprintf(source, sizeof source, "%s%s", nereus_source_name(p->source),
                 p->oversubscribed ? ", oversubscribed" : "");
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

static void add_stay(struct nereus_table *table, const struct nereus_advice_result *answer)
{
    const struct nereus_scenario *s = &answer->question.scenario;
    const double t_ex_s = answer->advice.stay_t_ex_s;
    const struct nereus_advice_size present = {
        .nt = s->ns, .t_iter_nt_s = s->t_iter_ns_s, .t_ex_s = {t_ex_s, t_ex_s, t_ex_s}};
    add_row(table, answer, &present, answer->advice.best_index < 0 ? "stay: best" : "stay", true);
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
            add_stay(&table, answer);
            stayed = true;
        }
        if (is_shown(answer, i)) {
            add_row(&table, answer, &answer->sizes[i], i == answer->advice.best_index ? "best" : "",
                    false);
        }
    }
    if (!stayed)
        add_stay(&table, answer);
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
static void print_until(const struct nereus_advice_result *answer,
                        const struct nereus_advice_size *size, FILE *stream)
{
    const bool later = answer->question.later_shrink.processes > 0;
    const double iterations_before = answer->question.scenario.iterations_before;
    const double from = compute_min_iterations(size);
    if (isnan(from))
        return;
    if (later) {
        nereus_print_wrapped(
            stream, 2,
            "It pays if at least %.0f iteration%s run on %lld process%s before the shrink to %lld.",
            from, nereus_plural_s((int64_t)from), (long long)size->nt, nereus_plural_es(size->nt),
            (long long)answer->question.later_shrink.processes);
    } else if (isnan(compute_last_paying_iteration(answer, size))) {
        nereus_print_wrapped(stream, 2, "It would pay if at least %.0f iteration%s %s left.", from,
                             nereus_plural_s((int64_t)from),
                             nereus_choose_plural((int64_t)from, "was", "were"));
    } else {
        nereus_print_wrapped(
            stream, 2,
            "It pays as long as at least %.0f iteration%s %s left: until iteration "
            "%.0f of the %.0f.",
            from, nereus_plural_s((int64_t)from), nereus_choose_plural((int64_t)from, "is", "are"),
            compute_last_paying_iteration(answer, size),
            iterations_before + get_iterations_left(answer));
    }
}

static void print_resize(const struct nereus_advice_result *answer, FILE *stream)
{
    const struct nereus_advice_size *best = &answer->sizes[answer->advice.best_index];
    char method[NEREUS_METHOD_TEXT_MAX], best_text[48], stay_text[48];
    const double stay = answer->advice.stay_figure, with = stay - best->gain.value;
    nereus_print_wrapped(stream, 2,
                         "Resize from %lld to %lld process%s by %s: %s of %s instead "
                         "of %s, %.3g %% less.",
                         (long long)answer->question.scenario.ns, (long long)best->nt,
                         nereus_plural_es(best->nt),
                         nereus_method_format(&best->prediction.method, method),
                         get_unit(answer).figure, format_figure(answer, with, best_text),
                         format_figure(answer, stay, stay_text), 100 * best->gain.value / stay);
    print_until(answer, best, stream);
    print_gain_interval(answer, best, stream);
}

static void print_stay(const struct nereus_advice_result *answer, FILE *stream)
{
    const int64_t next = answer->advice.second_index;
    char method[NEREUS_METHOD_TEXT_MAX], stay_text[48], more_text[48];
    format_figure(answer, answer->advice.stay_figure, stay_text);
    if (next < 0) {
        nereus_print_wrapped(stream, 2,
                             "Stay at %lld process%s: no resize would end before the last "
                             "iteration (%s %s).",
                             (long long)answer->question.scenario.ns,
                             nereus_plural_es(answer->question.scenario.ns),
                             get_unit(answer).figure, stay_text);
        return;
    }
    const struct nereus_advice_size *size = &answer->sizes[next];
    nereus_print_wrapped(
        stream, 2,
        "Stay at %lld process%s: %s of %s; the best resize, to %lld by %s, costs %s more.",
        (long long)answer->question.scenario.ns, nereus_plural_es(answer->question.scenario.ns),
        get_unit(answer).figure, stay_text, (long long)size->nt,
        nereus_method_format(&size->prediction.method, method),
        format_figure(answer, -size->gain.value, more_text));
    print_until(answer, size, stream);
    print_gain_interval(answer, size, stream);
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

/* ---- csv and json ---- */

/* Uses add_data's parameters `answer`, `size`, `best` and `stay`, and its locals `p`, `f`, `later`,
 * `failures`, `method`, `later_method` and `note`; in NEREUS_PREDICTION_NODES also `of_nodes`. */
#define DATA_COLUMNS(X)                                                                            \
    X("ns", "NS", NULL, nereus_cell_integer(answer->question.scenario.ns))                         \
    X("nt", "NT", NULL, nereus_cell_integer(size->nt))                                             \
    X("best", "best", NULL, nereus_cell_bool(best))                                                \
    X("method", "method", NULL,                                                                    \
      nereus_cell_if(!stay, nereus_cell_text(nereus_method_format(&p->method, method))))           \
    X("rt_s", "RT", "s", nereus_cell_if(!stay, nereus_cell_predicted(p->rt_s.value)))              \
    X("rt_low_s", "low", "s", nereus_cell_predicted(nereus_interval_low(&p->rt_s)))                \
    X("rt_high_s", "high", "s", nereus_cell_predicted(nereus_interval_high(&p->rt_s)))             \
    X("t_iter_s", "T_iter", "s", nereus_cell_predicted(size->t_iter_nt_s))                         \
    X("t_ex_s", "T_ex", "s", nereus_cell_predicted(size->t_ex_s.value))                            \
    X("t_ex_low_s", "low", "s", nereus_cell_predicted(nereus_interval_low(&size->t_ex_s)))         \
    X("t_ex_high_s", "high", "s", nereus_cell_predicted(nereus_interval_high(&size->t_ex_s)))      \
    X("gain", "gain", NULL, nereus_cell_predicted(size->gain.value))                               \
    X("gain_low", "low", NULL, nereus_cell_predicted(nereus_interval_low(&size->gain)))            \
    X("gain_high", "high", NULL, nereus_cell_predicted(nereus_interval_high(&size->gain)))         \
    X("break_even_iterations", "pays from", NULL,                                                  \
      nereus_cell_if(!stay, nereus_cell_predicted(size->break_even_iterations)))                   \
    X("pays_until_iteration", "pays until", NULL,                                                  \
      nereus_cell_if(!stay, nereus_cell_predicted(compute_last_paying_iteration(answer, size))))   \
    X("may_lose", "may lose", NULL,                                                                \
      nereus_cell_if(!stay, nereus_cell_predicted(compute_possible_loss(size))))                   \
    NEREUS_PREDICTION_NODES(X)                                                                     \
    X("iterations", "It", NULL, nereus_cell_predicted(p->iterations))                              \
    X("iterations_capped", "It capped", NULL, nereus_cell_bool(p->iterations_capped))              \
    X("oversubscribed", "oversubscribed", NULL, nereus_cell_bool(p->oversubscribed))               \
    X("source", "source", NULL,                                                                    \
      nereus_cell_if(!stay, nereus_cell_text(nereus_source_name(p->source))))                      \
    X("later_method", "later shrink", NULL,                                                        \
      nereus_cell_if(later,                                                                        \
                     nereus_cell_text(nereus_method_format(&size->later_method, later_method))))   \
    X("later_rt_s", "its RT", "s", nereus_cell_if(later, nereus_cell_predicted(size->later_rt_s))) \
    X("note", "note", NULL, nereus_cell_text(nereus_prediction_note(p, note)))                     \
    X("mtbf_s", "MTBF", "s", nereus_cell_if(failures, nereus_cell_predicted(f->mtbf_s)))           \
    X("checkpoint_s", "checkpoint", "s",                                                           \
      nereus_cell_if(failures, nereus_cell_predicted(f->checkpoint_s.value)))                      \
    X("checkpoint_low_s", "low", "s",                                                              \
      nereus_cell_if(failures, nereus_cell_predicted(nereus_interval_low(&f->checkpoint_s))))      \
    X("checkpoint_high_s", "high", "s",                                                            \
      nereus_cell_if(failures, nereus_cell_predicted(nereus_interval_high(&f->checkpoint_s))))     \
    X("checkpoint_interval_s", "interval", "s",                                                    \
      nereus_cell_if(failures, nereus_cell_predicted(f->interval_s)))                              \
    X("start_s", "start", "s", nereus_cell_if(failures, nereus_cell_predicted(f->start_s)))        \
    X("read_s", "read", "s", nereus_cell_if(failures, nereus_cell_predicted(f->read_s)))           \
    X("failure_share", "share", NULL,                                                              \
      nereus_cell_if(failures, nereus_cell_predicted(nereus_failures_share(f))))                   \
    X("t_ex_failures_s", "with failures", "s",                                                     \
      nereus_cell_if(failures, nereus_cell_predicted(f->with_s)))                                  \
    X("t_ex_no_checkpoint_s", "without checkpoints", "s",                                          \
      nereus_cell_if(failures, nereus_cell_predicted(f->without_s)))                               \
    X("checkpoint_note", "note", NULL,                                                             \
      nereus_cell_if(failures && f->note[0] != '\0', nereus_cell_text(f->note)))                   \
    X("energy_j", "energy", "J",                                                                   \
      nereus_cell_if(p->energy_j > 0, nereus_cell_predicted(p->energy_j)))

static void add_data(struct nereus_table *table, const struct nereus_advice_result *answer,
                     const struct nereus_advice_size *size, bool best, bool stay)
{
    const struct nereus_prediction *p = &size->prediction;
    const struct nereus_failures *f = &answer->failures;
    const bool of_nodes = nereus_ranking_needs_nodes(&answer->ranking),
               later = size->later_rt_s > 0, failures = stay && answer->mtbf != NULL;
    char method[NEREUS_METHOD_TEXT_MAX], later_method[NEREUS_METHOD_TEXT_MAX],
        note[NEREUS_NOTE_TEXT_MAX];
    NEREUS_TABLE_ADD(table, DATA_COLUMNS);
}

/* Add the rows; the first one, without a method, is the present size. */
static void fill_data(const struct nereus_advice_result *answer, struct nereus_table *table)
{
    const struct nereus_scenario *s = &answer->question.scenario;
    const struct nereus_advice *advice = &answer->advice;
    const int64_t nodes = advice->stay_nodes;
    const struct nereus_advice_size present = {
        .nt = s->ns,
        .possible = true,
        .t_iter_nt_s = s->t_iter_ns_s,
        .t_ex_s = {advice->stay_t_ex_s, 0, 0},
        .prediction = {.oversubscribed =
                           nereus_machine_is_oversubscribed(&answer->question.machine, s->ns),
                       .node_s = (double)nodes * advice->stay_t_ex_s,
                       .nodes = {nodes, nodes, nodes},
                       .energy_j = advice->stay_power_w * advice->stay_t_ex_s}};
    NEREUS_TABLE_INIT(table, DATA_COLUMNS);
    add_data(table, answer, &present, advice->best_index < 0, true);
    for (int64_t i = 0; i < answer->candidates.count; i++)
        if (answer->sizes[i].possible)
            add_data(table, answer, &answer->sizes[i], i == advice->best_index, false);
}

static bool print_csv(const struct nereus_advice_result *answer, FILE *stream)
{
    struct nereus_table table;
    fill_data(answer, &table);
    nereus_question_log_assumed(&answer->question, "nereus: ");
    return nereus_table_print(&table, NEREUS_FORMAT_CSV, stream);
}

static bool print_json(const struct nereus_advice_result *answer, FILE *stream)
{
    const struct nereus_profile *profile = answer->profile;
    const int64_t best = answer->advice.best_index;
    const struct nereus_advice_size *size = best >= 0 ? &answer->sizes[best] : NULL;
    char method[NEREUS_METHOD_TEXT_MAX];
    struct nereus_table table;
    fill_data(answer, &table);
    return nereus_json_write(
        nereus_json_pack(
            "{s:{s:s, s:s, s:s, s:s}, s:o, s:o, s:s, s:s, s:I, s:s?, s:o, s:o}", "profile",
            "cluster", profile->cluster, "host", profile->host, "date", profile->date, "mpi",
            profile->mpi, "scenario", nereus_question_json(&answer->question), "assumed",
            nereus_question_assumed_json(&answer->question), "goal",
            nereus_goal_choices[answer->ranking.goal], "advice", size != NULL ? "resize" : "stay",
            "nt", (json_int_t)(size != NULL ? size->nt : answer->question.scenario.ns), "method",
            size != NULL ? nereus_method_format(&size->prediction.method, method) : NULL, "gain",
            nereus_json_real(size != NULL ? size->gain.value : 0), "sizes",
            nereus_table_json(&table)),
        stream);
}

bool nereus_advice_print(const struct nereus_advice_result *answer, enum nereus_format format,
                         FILE *stream)
{
    switch (format) {
    case NEREUS_FORMAT_CSV:
        return print_csv(answer, stream);
    case NEREUS_FORMAT_JSON:
        return print_json(answer, stream);
    case NEREUS_FORMAT_TEXT:
        break;
    }
    return print_text(answer, stream);
}
