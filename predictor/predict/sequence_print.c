/** @file sequence_print.c  Prints several changes of size in a row. */

#include "model/util/values.h"
#include "predictor/scenario/predictions.h"
#include "sequence.h"

/* New columns come last: scripts rely on the names and on the order. Reason of the choice and tied
 * methods are empty if the best one could not be placed; JSON has the tied methods as a list. */
#define COLUMNS(X)                                                                                 \
    X("change", "#", NULL, nereus_cell_integer(number + 1))                                        \
    X("at_iteration", "after iteration", NULL,                                                     \
      nereus_cell_integer(sequence->changes[number].iteration))                                    \
    X("ns", "NS", NULL, nereus_cell_integer(a->scenario.ns))                                       \
    X("nt", "NT", NULL, nereus_cell_integer(a->scenario.nt))                                       \
    NEREUS_PREDICTION_FIGURES(X)                                                                   \
    X("t_ex_total_s", "in all", "s", nereus_cell_predicted(a->t_ex_total_s))                       \
    X("nodes_before", "nodes before", NULL, nereus_cell_integer(p->nodes.before))                  \
    X("nodes_during", "during", NULL, nereus_cell_integer(p->nodes.during))                        \
    X("nodes_after", "after", NULL, nereus_cell_integer(p->nodes.after))                           \
    X("node_s", "node-seconds", "s", nereus_cell_predicted(p->node_s))                             \
    X("node_total_s", "in all", "s", nereus_cell_predicted(a->node_total_s))                       \
    X("worlds", "worlds", NULL, nereus_cell_integer(a->worlds))                                    \
    X("zombies", "asleep", NULL, nereus_cell_integer(a->zombies))                                  \
    X("source", "source", NULL, nereus_cell_text(nereus_source_name(p->source)))                   \
    X("t_iter_ns_s", NULL, NULL, nereus_cell_predicted(a->scenario.t_iter_ns_s))                   \
    X("t_iter_nt_s", NULL, NULL, nereus_cell_predicted(a->scenario.t_iter_nt_s))                   \
    X("t_ex_low_s", NULL, NULL, nereus_cell_predicted(a->t_ex_s.low))                              \
    X("t_ex_high_s", NULL, NULL, nereus_cell_predicted(a->t_ex_s.high))                            \
    X("oversubscribed", NULL, NULL, nereus_cell_bool(p->oversubscribed))                           \
    X("best_because", NULL, NULL,                                                                  \
      nereus_cell_text(a->best ? nereus_answer_reason(&a->scenario, answer) : NULL))               \
    X("tied_with", NULL, NULL, nereus_cell_text(a->best ? format_tied(answer, tied) : NULL))       \
    X("robust", NULL, NULL,                                                                        \
      nereus_cell_text(                                                                            \
          a->best ? nereus_method_format(&answer->predictions[answer->tie[0]].method, robust)      \
                  : NULL))                                                                         \
    X("robust_because", NULL, NULL, nereus_cell_text(a->best ? answer->robust_why : NULL))         \
    X("note", NULL, NULL, nereus_cell_text(nereus_prediction_note(p, note)))

enum { TIED_TEXT_MAX = 4096 };

/* Format the tied methods, the most robust first, separated by spaces. */
static const char *format_tied(const struct nereus_answer *answer, char text[TIED_TEXT_MAX])
{
    size_t used = 0;
    text[0] = '\0';
    for (int i = 0; i < answer->tie_count; i++) {
        char method[NEREUS_METHOD_TEXT_MAX];
        if (answer->tie[i] != 0 && used + NEREUS_METHOD_TEXT_MAX + 1 < TIED_TEXT_MAX) {
            used += (size_t)snprintf(
                text + used, TIED_TEXT_MAX - used, "%s%s", used > 0 ? " " : "",
                nereus_method_format(&answer->predictions[answer->tie[i]].method, method));
        }
    }
    return text;
}

static void add_row(const struct nereus_sequence *sequence, int number, bool all,
                    struct nereus_table *table)
{
    const struct nereus_change_answer *a = &sequence->answers[number];
    const struct nereus_answer *answer = &a->answer;
    const struct nereus_prediction *p = &a->prediction;
    const bool overlaps = all || p->overlapped;
    char note[NEREUS_NOTE_TEXT_MAX];
    char method[NEREUS_METHOD_TEXT_MAX], robust[NEREUS_METHOD_TEXT_MAX], tied[TIED_TEXT_MAX];
    NEREUS_TABLE_ADD(table, COLUMNS);
}

/* @param all  also what only asynchronous methods have */
static void make_table(const struct nereus_sequence *sequence, bool all, struct nereus_table *table)
{
    NEREUS_TABLE_INIT(table, COLUMNS);
    for (int i = 0; i < sequence->count; i++)
        add_row(sequence, i, all, table);
}

/* Add the ends of intervals, not their squares, because the errors of one profile are fully
 * correlated. */
static struct nereus_interval sum_intervals(const struct nereus_sequence *sequence)
{
    struct nereus_interval total = {sequence->answers[sequence->count - 1].t_ex_total_s, 0, 0};
    for (int i = 0; i < sequence->count; i++) {
        total.low += sequence->answers[i].t_ex_s.low;
        total.high += sequence->answers[i].t_ex_s.high;
    }
    return total;
}

/* Print why this method was chosen, and the methods that tie with it. */
static void print_choice(const struct nereus_change_answer *a, const char *prefix, int number,
                         FILE *stream)
{
    char text[NEREUS_METHOD_TEXT_MAX], description[96];
    const char *why = a->best ? nereus_answer_reason(&a->scenario, &a->answer) : NULL;
    if (why != NULL) {
        fprintf(stream,
                "%schange %d: %s is best because %s; --goal system wants processes back soon\n",
                prefix, number, nereus_method_format(&a->prediction.method, text), why);
    }
    snprintf(description, sizeof description, "%schange %d: a tie with ", prefix, number);
    if (a->best && nereus_answer_print_tie(&a->answer, description, stream)) {
        fprintf(stream, "; most robust: %s\n",
                nereus_method_format(&a->answer.predictions[a->answer.tie[0]].method, text));
    }
}

static void print_notes(const struct nereus_sequence *sequence, const char *prefix, FILE *stream)
{
    char note[NEREUS_NOTE_TEXT_MAX];
    for (int i = 0; i < sequence->count; i++) {
        const struct nereus_prediction *p = &sequence->answers[i].prediction;
        print_choice(&sequence->answers[i], prefix, i + 1, stream);
        if (p->note_count > 0)
            fprintf(stream, "%schange %d: %s\n", prefix, i + 1, nereus_prediction_note(p, note));
        if (p->oversubscribed)
            fprintf(stream, "%schange %d: more processes than cores\n", prefix, i + 1);
    }
}

/* Print the paragraphs after the table.
 * @return false: no memory */
static bool print_end(const struct nereus_sequence *sequence, const struct nereus_ranking *ranking,
                      FILE *stream)
{
    char *text = NULL;
    size_t length = 0;
    FILE *lines = open_memstream(&text, &length);
    if (lines == NULL)
        return false;
    fputs("methods that are not given are best for the ", lines);
    nereus_ranking_print(ranking, lines);
    fputs(", each for its own change, in the state that the one before it has left\n", lines);
    print_notes(sequence, "", lines);
    const bool complete = fclose(lines) == 0;
    char *rest = text;
    for (char *line = strsep(&rest, "\n"); rest != NULL; line = strsep(&rest, "\n"))
        nereus_print_wrapped(stream, 2, "%s", line);
    free(text);
    return complete;
}

static void print_total(const struct nereus_sequence *sequence, FILE *stream)
{
    const struct nereus_interval total = sum_intervals(sequence);
    nereus_print_wrapped(
        stream, 2,
        "After %d resize%s from %lld process%s: T_ex of %.4g s (90 %%: %.4g to %.4g "
        "s), %.4g node-hours.\n",
        sequence->count, nereus_plural_s(sequence->count),
        (long long)sequence->answers[0].scenario.ns,
        nereus_plural_es(sequence->answers[0].scenario.ns), total.value, total.low, total.high,
        sequence->answers[sequence->count - 1].node_total_s / 3600);
}

static bool print_text(const struct nereus_profile *profile, const struct nereus_question *question,
                       const struct nereus_sequence *sequence, const struct nereus_ranking *ranking,
                       FILE *stream)
{
    /* columns that are left out, in this order, if the table is too wide */
    static const char *const dropped_columns[] = {
        "node_total_s", "worlds",       "zombies", "node_s", "nodes_after",
        "nodes_during", "nodes_before", "source",  "ct_s",   "alpha",
        "omega",        "iterations",   "t_ex_s",  NULL};
    const struct nereus_scenario *first = &sequence->answers[0].scenario;
    char t_iter_s[32];
    struct nereus_table table;
    print_total(sequence, stream);
    make_table(sequence, false, &table);
    nereus_table_narrow(&table, dropped_columns);
    const bool printed = nereus_table_print(&table, NEREUS_FORMAT_TEXT, stream);
    nereus_print_wrapped(stream, 2, "\n%s: iteration %s on %lld process%s", profile->cluster,
                         nereus_format_seconds(first->t_iter_ns_s, t_iter_s), (long long)first->ns,
                         nereus_plural_es(first->ns));
    nereus_question_print_assumed(question, stream);
    return print_end(sequence, ranking, stream) && printed && !ferror(stream);
}

static bool print_csv(const struct nereus_question *question,
                      const struct nereus_sequence *sequence, FILE *stream)
{
    struct nereus_table table;
    make_table(sequence, true, &table);
    const bool printed = nereus_table_print(&table, NEREUS_FORMAT_CSV, stream);
    nereus_question_log_assumed(question, "nereus predict: ");
    print_notes(sequence, "nereus predict: note: ", stderr);
    return printed;
}

static json_t *make_json(const struct nereus_profile *profile,
                         const struct nereus_question *question,
                         const struct nereus_sequence *sequence,
                         const struct nereus_ranking *ranking)
{
    const struct nereus_interval total = sum_intervals(sequence);
    struct nereus_table table;
    make_table(sequence, true, &table);
    json_t *rows = nereus_table_json(&table);
    for (int i = 0; rows != NULL && i < sequence->count; i++) {
        const struct nereus_change_answer *a = &sequence->answers[i];
        if (nereus_json_set(json_array_get(rows, (size_t)i), "tied_with",
                            a->best ? nereus_answer_tied_json(&a->answer) : json_array()) != 0) {
            json_decref(rows);
            rows = NULL;
        }
    }
    return nereus_json_pack(
        "{s:s, s:o, s:s, s:o, s:o, s:o, s:o, s:o}", "profile", profile->cluster, "assumed",
        nereus_question_assumed_json(question), "goal", nereus_goal_choices[ranking->goal],
        "t_ex_s", nereus_json_real(total.value), "t_ex_low_s", nereus_json_real(total.low),
        "t_ex_high_s", nereus_json_real(total.high), "node_s",
        nereus_json_real(sequence->answers[sequence->count - 1].node_total_s), "changes", rows);
}

bool nereus_sequence_print(const struct nereus_profile *profile,
                           const struct nereus_question *question,
                           const struct nereus_sequence *sequence,
                           const struct nereus_ranking *ranking, enum nereus_format format,
                           FILE *stream)
{
    switch (format) {
    case NEREUS_FORMAT_CSV:
        return print_csv(question, sequence, stream);
    case NEREUS_FORMAT_JSON:
        return nereus_json_write(make_json(profile, question, sequence, ranking), stream);
    case NEREUS_FORMAT_TEXT:
        break;
    }
    return print_text(profile, question, sequence, ranking, stream);
}
