/** @file sequence_print.c  Several changes of size in a row, for people and for programs. */
#include <inttypes.h>
#include <string.h>

#include "predictions.h"
#include "sequence.h"
#include "values.h"

/* New columns come last: others rely on the names and on the order. */
static const struct nereus_column columns[] = {
    {"change", "#", NULL, false},
    {"at_iteration", "after iteration", NULL, false},
    {"ns", "NS", NULL, false},
    {"nt", "NT", NULL, false},
    NEREUS_PREDICTION_FIGURE_COLUMNS,
    {"t_ex_total_s", "in all", "s", false},
    {"nodes_before", "nodes before", NULL, false},
    {"nodes_during", "during", NULL, false},
    {"nodes_after", "after", NULL, false},
    {"node_s", "node-seconds", "s", false},
    {"node_total_s", "in all", "s", false},
    {"worlds", "worlds", NULL, false},
    {"zombies", "asleep", NULL, false},
    {"source", "source", NULL, true},
    {"t_iter_ns_s", "T_iter NS", "s", false},
    {"t_iter_nt_s", "T_iter NT", "s", false},
    {"t_ex_low_s", "T_ex low", "s", false},
    {"t_ex_high_s", "T_ex high", "s", false},
    {"oversubscribed", "oversubscribed", NULL, false},
    {"best_because", "best because", NULL, true},
    {"tied_with", "tied with", NULL, true},
    {"robust", "most robust", NULL, true},
    {"robust_because", "robust because", NULL, true},
    {"note", "note", NULL, true},
};

/* How the columns above fall into parts: for people only the first three. JSON has the last one otherwise. */
enum {
    BEFORE = 4,
    NODES = 9,
    MORE = 5,
    REASONS = 5,
    FOR_PEOPLE = BEFORE + NEREUS_PREDICTION_FIGURES + NODES,
    ALL = FOR_PEOPLE + MORE + REASONS
};
_Static_assert(ALL == NEREUS_COUNT_OF(columns), "a cell a column");

enum { TIED_TEXT_MAX = 4096 };

/* The others of a tie, the most robust first, with a space between them. */
static const char *tied_text(const struct nereus_answer *answer, char text[TIED_TEXT_MAX])
{
    size_t used = 0;
    text[0] = '\0';
    for (int i = 0; i < answer->tie_count; i++) {
        char method[NEREUS_METHOD_TEXT_MAX];
        if (answer->tie[i] != 0 && used + NEREUS_METHOD_TEXT_MAX + 1 < TIED_TEXT_MAX) {
            used +=
                (size_t)snprintf(text + used, TIED_TEXT_MAX - used, "%s%s", used > 0 ? " " : "",
                                 nereus_method_print(&answer->predictions[answer->tie[i]].method, method));
        }
    }
    return text;
}

static void add_more(const struct nereus_change_answer *a, struct nereus_cell cells[MORE])
{
    const struct nereus_cell more[MORE] = {
        nereus_cell_real(a->scenario.t_iter_ns_s),
        nereus_cell_real(a->scenario.t_iter_nt_s),
        nereus_cell_real(a->t_ex_s.low),
        nereus_cell_real(a->t_ex_s.high),
        nereus_cell_bool(a->prediction.oversubscribed),
    };
    memcpy(cells, more, sizeof more);
}

/* Why this method, and which could have been chosen as well; nothing where the best one could not be placed. */
static void add_reasons(const struct nereus_change_answer *a, char *robust, char *tied, char *note,
                        struct nereus_cell cells[REASONS])
{
    const struct nereus_answer *answer = &a->answer;
    for (int i = 0; i < REASONS - 1; i++) {
        cells[i] = nereus_cell_empty();
    }
    if (a->best) {
        cells[0] = nereus_cell_text(nereus_answer_why(&a->scenario, answer));
        cells[1] = nereus_cell_text(tied_text(answer, tied));
        cells[2] = nereus_cell_text(nereus_method_print(&answer->predictions[answer->tie[0]].method, robust));
        cells[3] = nereus_cell_text(answer->robust_why);
    }
    cells[REASONS - 1] = nereus_cell_text(nereus_prediction_note(&a->prediction, note));
}

static void add_row(const struct nereus_sequence *sequence, int number, bool always,
                    struct nereus_table *table)
{
    const struct nereus_change_answer *a = &sequence->answers[number];
    const struct nereus_prediction *p = &a->prediction;
    char method[NEREUS_METHOD_TEXT_MAX], robust[NEREUS_METHOD_TEXT_MAX], tied[TIED_TEXT_MAX];
    char note[NEREUS_NOTE_TEXT_MAX];
    struct nereus_cell row[ALL] = {
        nereus_cell_integer(number + 1),
        nereus_cell_integer(sequence->changes[number].iteration),
        nereus_cell_integer(a->scenario.ns),
        nereus_cell_integer(a->scenario.nt),
    };
    const struct nereus_cell nodes[NODES] = {
        nereus_cell_real(a->t_ex_total_s),
        nereus_cell_integer(p->nodes.before),
        nereus_cell_integer(p->nodes.during),
        nereus_cell_integer(p->nodes.after),
        nereus_cell_real(p->node_s),
        nereus_cell_real(a->node_total_s),
        nereus_cell_integer(a->worlds),
        nereus_cell_integer(a->zombies),
        nereus_cell_text(nereus_source_name(p->source)),
    };
    nereus_prediction_cells(p, always, method, &row[BEFORE]);
    memcpy(&row[BEFORE + NEREUS_PREDICTION_FIGURES], nodes, sizeof nodes);
    for (int i = FOR_PEOPLE; i < ALL; i++) {
        row[i] = nereus_cell_empty();
    }
    if (always) {
        add_more(a, &row[FOR_PEOPLE]);
        add_reasons(a, robust, tied, note, &row[FOR_PEOPLE + MORE]);
    }
    nereus_table_add(table, row);
}

/* Of the first column_count columns. */
static void make_table(const struct nereus_sequence *sequence, bool always, size_t column_count,
                       struct nereus_table *table)
{
    nereus_table_init(table, columns, column_count);
    for (int i = 0; i < sequence->count; i++) {
        add_row(sequence, i, always, table);
    }
}

/* Ends of intervals are added up: one profile errs in the same way each time. */
static struct nereus_interval total_of(const struct nereus_sequence *sequence)
{
    struct nereus_interval total = {sequence->answers[sequence->count - 1].t_ex_total_s, 0, 0};
    for (int i = 0; i < sequence->count; i++) {
        total.low += sequence->answers[i].t_ex_s.low;
        total.high += sequence->answers[i].t_ex_s.high;
    }
    return total;
}

/* Why this method, and which could have been chosen as well. */
static void print_choice(const struct nereus_change_answer *a, const char *prefix, int number, FILE *stream)
{
    char text[NEREUS_METHOD_TEXT_MAX], before[96];
    const char *why = a->best ? nereus_answer_why(&a->scenario, &a->answer) : NULL;
    if (why != NULL) {
        fprintf(stream, "%schange %d: %s is best because %s; --goal system wants processes back soon\n",
                prefix, number, nereus_method_print(&a->prediction.method, text), why);
    }
    snprintf(before, sizeof before, "%schange %d: a tie with ", prefix, number);
    if (a->best && nereus_answer_print_tie(&a->answer, before, stream)) {
        fprintf(stream, "; most robust: %s\n",
                nereus_method_print(&a->answer.predictions[a->answer.tie[0]].method, text));
    }
}

static void print_notes(const struct nereus_sequence *sequence, const char *prefix, FILE *stream)
{
    char note[NEREUS_NOTE_TEXT_MAX];
    for (int i = 0; i < sequence->count; i++) {
        const struct nereus_prediction *p = &sequence->answers[i].prediction;
        print_choice(&sequence->answers[i], prefix, i + 1, stream);
        if (p->note_count > 0) {
            fprintf(stream, "%schange %d: %s\n", prefix, i + 1, nereus_prediction_note(p, note));
        }
        if (p->oversubscribed) {
            fprintf(stream, "%schange %d: more processes than cores\n", prefix, i + 1);
        }
    }
}

static bool print_text(const struct nereus_profile *profile, const struct nereus_question *question,
                       const struct nereus_sequence *sequence, const struct nereus_ranking *ranking,
                       FILE *stream)
{
    const struct nereus_scenario *first = &sequence->answers[0].scenario;
    const struct nereus_interval total = total_of(sequence);
    const double node_s = sequence->answers[sequence->count - 1].node_total_s;
    char t_iter_s[32];
    struct nereus_table table;
    fprintf(stream, "%s: %" PRId64 " processes, iteration %s; %d change%s of size\n", profile->cluster,
            first->ns, nereus_format_seconds(first->t_iter_ns_s, t_iter_s), sequence->count,
            sequence->count == 1 ? "" : "s");
    nereus_question_print_assumed(question, "  ", stream);
    fputc('\n', stream);
    make_table(sequence, false, FOR_PEOPLE, &table);
    const bool printed = nereus_table_print(&table, NEREUS_FORMAT_TEXT, stream);
    nereus_table_fini(&table);
    fprintf(stream,
            "\nT_ex %.4g s (90 %%: %.4g to %.4g s), %.4g node-hours; methods that are not given are best for "
            "the ",
            total.value, total.low, total.high, node_s / 3600);
    nereus_ranking_print(ranking, stream);
    fputs(",\neach for its own change, in the state that the one before it has left\n", stream);
    print_notes(sequence, "", stream);
    return printed && !ferror(stream);
}

static bool print_csv(const struct nereus_question *question, const struct nereus_sequence *sequence,
                      FILE *stream)
{
    struct nereus_table table;
    make_table(sequence, true, ALL, &table);
    const bool printed = nereus_table_print(&table, NEREUS_FORMAT_CSV, stream);
    nereus_table_fini(&table);
    nereus_question_print_assumed(question, "nereus predict: ", stderr);
    print_notes(sequence, "nereus predict: note: ", stderr);
    return printed;
}

/* Why this method, and which could have been chosen as well; nothing where the best one could not be placed. */
static int add_choice(json_t *row, const struct nereus_change_answer *a)
{
    char robust[NEREUS_METHOD_TEXT_MAX];
    const struct nereus_answer *answer = &a->answer;
    json_t *choice =
        a->best ? json_pack("{s:s?, s:o, s:s, s:s?}", "best_because", nereus_answer_why(&a->scenario, answer),
                            "tied_with", nereus_answer_tied_json(answer), "robust",
                            nereus_method_print(&answer->predictions[answer->tie[0]].method, robust),
                            "robust_because", answer->robust_why)
                : json_pack("{s:n, s:[], s:n, s:n}", "best_because", "tied_with", "robust", "robust_because");
    const int failed = json_object_update(row, choice);
    json_decref(choice);
    return failed;
}

static json_t *make_json(const struct nereus_profile *profile, const struct nereus_question *question,
                         const struct nereus_sequence *sequence, const struct nereus_ranking *ranking)
{
    const struct nereus_interval total = total_of(sequence);
    struct nereus_table table;
    char note[NEREUS_NOTE_TEXT_MAX];
    make_table(sequence, true, FOR_PEOPLE + MORE, &table);
    json_t *rows = nereus_table_json(&table);
    nereus_table_fini(&table);
    for (int i = 0; rows != NULL && i < sequence->count; i++) {
        const struct nereus_prediction *p = &sequence->answers[i].prediction;
        json_t *row = json_array_get(rows, (size_t)i);
        json_object_set_new(row, "note", json_string(nereus_prediction_note(p, note)));
        if (add_choice(row, &sequence->answers[i]) != 0) {
            json_decref(rows);
            return NULL;
        }
    }
    return json_pack("{s:s, s:o, s:s, s:o, s:o, s:o, s:o, s:o}", "profile", profile->cluster, "assumed",
                     nereus_question_assumed_json(question), "goal", nereus_goal_choices[ranking->goal],
                     "t_ex_s", nereus_json_real(total.value), "t_ex_low_s", nereus_json_real(total.low),
                     "t_ex_high_s", nereus_json_real(total.high), "node_s",
                     nereus_json_real(sequence->answers[sequence->count - 1].node_total_s), "changes", rows);
}

bool nereus_sequence_print(const struct nereus_profile *profile, const struct nereus_question *question,
                           const struct nereus_sequence *sequence, const struct nereus_ranking *ranking,
                           enum nereus_format format, FILE *stream)
{
    switch (format) {
    case NEREUS_FORMAT_CSV:
        return print_csv(question, sequence, stream);
    case NEREUS_FORMAT_JSON:
        return nereus_json_print(make_json(profile, question, sequence, ranking), stream);
    case NEREUS_FORMAT_TEXT:
        break;
    }
    return print_text(profile, question, sequence, ranking, stream);
}
