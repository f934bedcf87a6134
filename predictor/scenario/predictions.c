/** @file predictions.c  Prints an answer as text. */
#include "predictions.h"

#include "model/util/values.h"
#include "predictor/cli/command.h"
#include "predictor/scenario/question_layout.h"

/* Largest numbers of methods that are listed as tied, as equally robust, and with a note; least
 * number of rows of the table. */
enum { TIED_SHOWN = 3, ROBUST_SHOWN = 3, NOTED_SHOWN = 3, ROWS_LEAST = 3 };

#define COLUMNS(X)                                                                                 \
    X("rank", "rank", NULL, nereus_cell_integer(p->rank))                                          \
    X("method", "method", NULL, nereus_cell_text(nereus_method_format(&p->method, method)))        \
    X("rt_s", "RT", "s", nereus_cell_predicted(p->rt_s.value))                                     \
    X("interval", "90 % interval", NULL, nereus_cell_interval(&p->rt_s, 1, interval))              \
    X("alpha", "alpha", NULL, nereus_cell_if(p->overlapped, nereus_cell_predicted(p->alpha)))      \
    X("omega", "omega", NULL, nereus_cell_if(p->overlapped, nereus_cell_predicted(p->omega)))      \
    X("iterations", "It", NULL,                                                                    \
      nereus_cell_if(p->overlapped, nereus_cell_predicted(p->iterations)))                         \
    X("ct_s", "CT", "s", nereus_cell_if(p->overlapped, nereus_cell_predicted(p->ct_s)))            \
    X("later", "later shrink", NULL,                                                               \
      nereus_cell_text(follows ? nereus_method_format(&later->method, later_method) : NULL))       \
    X("later_rt_s", "its RT", "s",                                                                 \
      nereus_cell_if(follows, nereus_cell_predicted(later->rt_s.value)))                           \
    X("t_ex_s", "T_ex", "s", nereus_cell_predicted(p->t_ex_s))                                     \
    X("t_ex_expected_s", "mean T_ex", "s",                                                         \
      nereus_cell_if(p->overlapped, nereus_cell_predicted(p->t_ex_expected_s)))                    \
    X("nodes", "nodes", NULL, nereus_cell_if(of_nodes, nereus_cell_text(nodes)))                   \
    X("node_h", "node-hours", NULL,                                                                \
      nereus_cell_if(of_nodes, nereus_cell_predicted(p->node_s / 3600)))                           \
    X("energy_kwh", "energy", "kWh",                                                               \
      nereus_cell_if(p->energy_j > 0, nereus_cell_predicted(p->energy_j / 3.6e6)))                 \
    X("score", "weighted", NULL,                                                                   \
      nereus_cell_if(goal == NEREUS_GOAL_WEIGHTS, nereus_cell_predicted(p->score)))                \
    X("rank_application", "rank (application)", NULL,                                              \
      nereus_cell_if(goal != NEREUS_GOAL_APPLICATION, nereus_cell_integer(p->rank_application)))   \
    X("rank_system", "rank (system)", NULL,                                                        \
      nereus_cell_if(goal != NEREUS_GOAL_SYSTEM, nereus_cell_integer(p->rank_system)))             \
    X("source", "source", NULL, nereus_cell_text(source))

static void add_text_row(struct nereus_table *table, const struct nereus_answer *answer, int number)
{
    const struct nereus_prediction *p = &answer->predictions[number];
    const bool follows = answer->later_predictions != NULL,
               of_nodes = nereus_ranking_needs_nodes(&answer->ranking);
    const struct nereus_prediction *later = follows ? &answer->later_predictions[number].shrink : p;
    const enum nereus_goal goal = answer->ranking.goal;
    char method[NEREUS_METHOD_TEXT_MAX], later_method[NEREUS_METHOD_TEXT_MAX], interval[48],
        source[64], nodes[80];
    snprintf(source, sizeof source, "%s%s", nereus_source_name(p->source),
             p->oversubscribed ? ", oversubscribed" : "");
    snprintf(nodes, sizeof nodes, "%lld, %lld, %lld", (long long)p->nodes.before,
             (long long)p->nodes.during, (long long)p->nodes.after);
    NEREUS_TABLE_ADD(table, COLUMNS);
}

/* @param rows  methods shown, the best ones */
static bool print_table(const struct nereus_answer *answer, int rows, FILE *stream)
{
    /* in this order, while the table is too wide */
    static const char *const columns_to_drop[] = {
        "rank_system", "rank_application", "ct_s",  "iterations",      "alpha",  "omega",
        "later_rt_s",  "source",           "nodes", "t_ex_expected_s", "node_h", NULL};
    struct nereus_table table;
    NEREUS_TABLE_INIT(&table, COLUMNS);
    for (int i = 0; i < rows; i++)
        add_text_row(&table, answer, i);
    nereus_table_narrow(&table, columns_to_drop);
    if (rows < answer->count)
        nereus_append(table.left_out, sizeof table.left_out, "%s%d methods",
                      table.left_out[0] != '\0' ? ", " : "", answer->count - rows);
    return nereus_table_print(&table, NEREUS_FORMAT_TEXT, stream);
}

/* Describe the nodes: "1 node, 2 cores in all" or "20 cores a node", and the cores of a process. */
static char *format_nodes(const struct nereus_machine *machine, char text[120])
{
    const int64_t each = nereus_machine_cores_per_process(machine);
    int used;
    if (machine->node_count > 0) {
        used = snprintf(text, 120, "%lld node%s, %lld core%s in all",
                        (long long)machine->node_count, nereus_plural_s(machine->node_count),
                        (long long)(each * nereus_machine_total_cores(machine)),
                        nereus_plural_s(each * nereus_machine_total_cores(machine)));
    } else {
        used =
            snprintf(text, 120, "%lld core%s a node", (long long)(each * machine->cores_per_node),
                     nereus_plural_s(each * machine->cores_per_node));
    }
    if (each > 1)
        snprintf(text + used, 120 - (size_t)used, ", %lld for each process", (long long)each);
    return text;
}

/* Describe the data: "data: 8 GB constant, 0 B variable" or "no data". */
static const char *format_data(const struct nereus_scenario *scenario, char text[120])
{
    char constant[32], variable[32], replicated[32];
    if (scenario->constant_bytes + scenario->variable_bytes + scenario->replicated_bytes <= 0)
        return "no data";
    snprintf(text, 120, "data: %s constant, %s variable%s%s",
             nereus_format_bytes(scenario->constant_bytes, constant),
             nereus_format_bytes(scenario->variable_bytes, variable),
             scenario->replicated_bytes > 0 ? ", replicated: " : "",
             scenario->replicated_bytes > 0
                 ? nereus_format_bytes(scenario->replicated_bytes, replicated)
                 : "");
    return text;
}

static void print_question(const struct nereus_profile *profile,
                           const struct nereus_question *question, FILE *stream)
{
    const struct nereus_scenario *s = &question->scenario;
    char ns_s[32], nt_s[32], nodes[120], data[120];
    const bool is_dated = profile->date[0] != '\0'; /* a synthetic cluster was not measured */
    nereus_print_wrapped(stream, 2, "%s (%s%.10s%s%s): %s", profile->cluster,
                         is_dated ? "measured " : "", profile->date, is_dated ? ", " : "",
                         profile->mpi[0] != '\0' ? profile->mpi : "unknown MPI",
                         format_nodes(&question->machine, nodes));
    nereus_print_wrapped(stream, 2, "iteration %s -> %s, %.0f before and %.0f after; %s",
                         nereus_format_seconds(s->t_iter_ns_s, ns_s),
                         nereus_format_seconds(s->t_iter_nt_s, nt_s), s->iterations_before,
                         s->iterations_after, format_data(s, data));
}

/* Print the start-up time of the profile's program in RT; it is longer with several rounds of
 * spawns. */
static void print_start_up(const struct nereus_profile *profile, const struct nereus_answer *answer,
                           FILE *stream)
{
    double min_s = INFINITY, max_s = 0;
    char max[24] = "";
    for (int i = 0; i < answer->count; i++) {
        const double start_up_s = answer->predictions[i].start_up_s;
        min_s = start_up_s > 0 ? fmin(min_s, start_up_s) : min_s;
        max_s = fmax(max_s, start_up_s);
    }
    if (max_s > 0) {
        if (max_s > 1.005 * min_s)
            snprintf(max, sizeof max, " to %.2g", max_s);
        nereus_print_wrapped(stream, 2, "start-up of %s: %.2g%s s, as part of RT",
                             profile->program.command, min_s, max);
    }
}

/* Print the later shrink, and the iterations before it. */
static void print_later_shrink(const struct nereus_question *question, FILE *stream)
{
    const struct nereus_later_shrink *later_shrink = &question->later_shrink;
    char t_iter_s[32];
    if (later_shrink->processes > 0) {
        nereus_print_wrapped(
            stream, 2,
            "a shrink to %lld process%s follows after %.0f of these iterations (then %s each)%s; "
            "T_ex, RT for ranks and node-hours are of both",
            (long long)later_shrink->processes, nereus_plural_es(later_shrink->processes),
            later_shrink->iterations, nereus_format_seconds(later_shrink->t_iter_s, t_iter_s),
            later_shrink->any_nodes ? "" : ", which gives the nodes back");
    }
}

void nereus_ranking_print(const struct nereus_ranking *ranking, FILE *stream)
{
    const double *w = ranking->weights;
    switch (ranking->goal) {
    case NEREUS_GOAL_APPLICATION:
        fputs("application (least mean T_ex)", stream);
        break;
    case NEREUS_GOAL_SYSTEM:
        fprintf(stream, "system (RT or CT within %.4g %% of the least, then least mean T_ex)",
                ranking->system_threshold * 100);
        break;
    case NEREUS_GOAL_NODE_HOURS:
        fputs("use of nodes (least node-hours)", stream);
        break;
    case NEREUS_GOAL_ENERGY:
        fputs("energy (least energy of the nodes held)", stream);
        break;
    case NEREUS_GOAL_WEIGHTS:
        fprintf(stream, "weights (least sum of %.4g T_ex, %.4g RT or CT, %.4g node-hours",
                w[NEREUS_QUANTITY_T_EX], w[NEREUS_QUANTITY_RT], w[NEREUS_QUANTITY_NODE_HOURS]);
        if (w[NEREUS_QUANTITY_ENERGY] > 0)
            fprintf(stream, ", %.4g energy", w[NEREUS_QUANTITY_ENERGY]);
        fputs(", each over its least)", stream);
        break;
    }
}

bool nereus_answer_print_tie(const struct nereus_answer *answer, const char *separator,
                             FILE *stream)
{
    char text[NEREUS_METHOD_TEXT_MAX];
    int shown = 0;
    for (int i = 0; i < answer->tie_count; i++) {
        if (answer->tie[i] != 0 && shown++ < TIED_SHOWN) {
            fprintf(stream, "%s%s", shown == 1 ? separator : ", ",
                    nereus_method_format(&answer->predictions[answer->tie[i]].method, text));
        }
    }
    if (shown > TIED_SHOWN)
        fprintf(stream, " and %d more", shown - TIED_SHOWN);
    fputs(shown > 0 ? " (the intervals overlap)" : "", stream);
    return shown > 0;
}

/* A paragraph that is printed in pieces, and wrapped when it is complete. */
struct paragraph {
    char *text;
    size_t length;
    FILE *stream; /* NULL: no memory */
};

static FILE *begin_paragraph(struct paragraph *paragraph)
{
    *paragraph = (struct paragraph){.text = NULL};
    paragraph->stream = open_memstream(&paragraph->text, &paragraph->length);
    return paragraph->stream;
}

static void print_paragraph(struct paragraph *paragraph, FILE *stream)
{
    if (paragraph->stream != NULL && fclose(paragraph->stream) == 0)
        nereus_print_wrapped(stream, 2, "%s", paragraph->text);
    free(paragraph->text);
}

/* Print methods that are equally robust, by rank: "merge, merge-single (against the best one:
 * ...)". The reason compares with the best one only. */
static void print_robust(const struct nereus_answer *answer, FILE *stream)
{
    const struct nereus_prediction *p = answer->predictions;
    char text[NEREUS_METHOD_TEXT_MAX];
    struct paragraph paragraph;
    int shown = 0;
    FILE *to = begin_paragraph(&paragraph);
    for (int i = 0; to != NULL && i < answer->tie_count; i++) {
        if (nereus_robustness_compare(&p[answer->tie[i]], &p[answer->tie[0]], NULL) == 0 &&
            shown++ < ROBUST_SHOWN) {
            fprintf(to, "%s%s", shown == 1 ? "Most robust: " : ", ",
                    nereus_method_format(&p[answer->tie[i]].method, text));
        }
    }
    if (shown > ROBUST_SHOWN)
        fprintf(to, " and %d more", shown - ROBUST_SHOWN);
    if (to != NULL && answer->robust_why != NULL)
        fprintf(to, " (%s)", answer->robust_why);
    print_paragraph(&paragraph, stream);
}

/* Does the best method win because its shrink takes longer: iterations on NS processes, slowed by
 * omega, are shorter than those on NT? */
static bool longer_shrink_wins(const struct nereus_scenario *s, const struct nereus_answer *answer)
{
    const struct nereus_prediction *best_prediction = &answer->predictions[0];
    bool slower = false;
    for (int i = 1; i < answer->count; i++) {
        const struct nereus_prediction *other = &answer->predictions[i];
        slower = slower || (!other->iterations_capped && other->wait_s < best_prediction->wait_s);
    }
    return answer->ranking.goal == NEREUS_GOAL_APPLICATION && answer->later_predictions == NULL &&
           best_prediction->shrinks && best_prediction->overlapped &&
           best_prediction->omega * s->t_iter_ns_s < s->t_iter_nt_s && slower;
}

const char *nereus_answer_reason(const struct nereus_scenario *scenario,
                                 const struct nereus_answer *answer)
{
    return longer_shrink_wins(scenario, answer)
               ? "a slow shrink lets more iterations run on more processes"
               : NULL;
}

/* Print the reason of the choice, if the table does not show it. */
static void print_why(const struct nereus_scenario *s, const struct nereus_answer *answer,
                      FILE *stream)
{
    const struct nereus_prediction *best_prediction = &answer->predictions[0];
    char text[NEREUS_METHOD_TEXT_MAX];
    const char *why = nereus_answer_reason(s, answer);
    if (why != NULL) {
        nereus_print_wrapped(
            stream, 2,
            "%s is best because %s: %.3g of them on %lld, which even slowed by omega are shorter "
            "than on %lld; --goal system wants processes back soon",
            nereus_method_format(&best_prediction->method, text), why,
            best_prediction->iterations_expected, (long long)s->ns, (long long)s->nt);
    }
}

/* Print the cost of the best method. */
static void print_cost(const struct nereus_scenario *s,
                       const struct nereus_prediction *best_prediction, FILE *stream)
{
    char rt[32], low[32], high[32], t_ex[32], interval[96] = "";
    if (best_prediction->rt_s.high > best_prediction->rt_s.low)
        snprintf(interval, sizeof interval, " (90 %%: %s to %s)",
                 nereus_format_seconds(best_prediction->rt_s.low, low),
                 nereus_format_seconds(best_prediction->rt_s.high, high));
    nereus_print_wrapped(stream, 2, "From %lld to %lld process%s in %s%s; T_ex is %s.",
                         (long long)s->ns, (long long)s->nt, nereus_plural_es(s->nt),
                         nereus_format_seconds(best_prediction->rt_s.value, rt), interval,
                         nereus_format_seconds(best_prediction->t_ex_s, t_ex));
}

static void print_choice(const struct nereus_scenario *s, const struct nereus_answer *answer,
                         FILE *stream)
{
    char text[NEREUS_METHOD_TEXT_MAX];
    struct paragraph paragraph;
    FILE *to = begin_paragraph(&paragraph);
    if (to != NULL) {
        fputs("Best for the ", to);
        nereus_ranking_print(&answer->ranking, to);
        fprintf(to, ": %s", nereus_method_format(&answer->predictions[0].method, text));
        nereus_answer_print_tie(answer, "; a tie with ", to);
    }
    print_paragraph(&paragraph, stream);
    print_cost(s, &answer->predictions[0], stream);
    if (answer->tie[0] != 0)
        print_robust(answer, stream);
    print_why(s, answer, stream);
}

/* Format a note. A prior's share is left out, because it differs by method; `plan` shows it for
 * each step. Notes after NEREUS_NOTE_LATER begin with "later shrink: ". */
static void format_note(const struct nereus_prediction *p, int note, char *words, size_t size)
{
    struct nereus_note printed = p->notes[note];
    size_t used = 0;
    for (int i = 0; i < note; i++)
        if (p->notes[i].code == NEREUS_NOTE_LATER)
            used = (size_t)snprintf(words, size, "later shrink: ");
    if (printed.code <= NEREUS_NOTE_PRIOR_PART_OTHERS)
        printed.code = NEREUS_NOTE_PRIOR;
    nereus_notes_format(&printed, 1, words + used, size - used);
}

/* Does a prediction have a note that differs at most in numbers, before the note `before`? */
static bool has_note(const struct nereus_prediction *p, int before, const char *words)
{
    char other[NEREUS_NOTE_TEXT_MAX];
    for (int n = 0; n < before; n++) {
        format_note(p, n, other, sizeof other);
        if (nereus_cli_is_same_but_numbers(other, words))
            return true;
    }
    return false;
}

static bool was_printed(const struct nereus_answer *answer, int number, int note, const char *words)
{
    bool printed = has_note(&answer->predictions[number], note, words);
    for (int i = 0; i < number && !printed; i++)
        printed = has_note(&answer->predictions[i], answer->predictions[i].note_count, words);
    return printed;
}

/* Print a note with its methods: "merge, baseline: prior: launch as spawn"; "all methods: ...". */
static void print_note(const struct nereus_answer *answer, const char *words, FILE *stream)
{
    char text[NEREUS_METHOD_TEXT_MAX];
    struct paragraph paragraph;
    FILE *to = begin_paragraph(&paragraph);
    int having = 0, shown = 0;
    for (int i = 0; i < answer->count; i++)
        having += has_note(&answer->predictions[i], answer->predictions[i].note_count, words);
    const bool all = having == answer->count && having > NOTED_SHOWN;
    for (int i = 0; to != NULL && i < answer->count && !all && shown < NOTED_SHOWN; i++) {
        if (has_note(&answer->predictions[i], answer->predictions[i].note_count, words)) {
            fprintf(to, "%s%s", shown++ > 0 ? ", " : "",
                    nereus_method_format(&answer->predictions[i].method, text));
        }
    }
    if (to != NULL && all)
        fputs("all methods", to);
    else if (to != NULL && having > shown)
        fprintf(to, " and %d more", having - shown);
    if (to != NULL)
        fprintf(to, ": %s", words);
    print_paragraph(&paragraph, stream);
}

/* Print each note once, after the methods to which it applies. */
static void print_method_notes(const struct nereus_answer *answer, FILE *stream)
{
    char words[NEREUS_NOTE_TEXT_MAX];
    for (int i = 0; i < answer->count; i++) {
        const struct nereus_prediction *p = &answer->predictions[i];
        for (int n = 0; n < p->note_count; n++) {
            format_note(p, n, words, sizeof words);
            if (p->notes[n].code != NEREUS_NOTE_LATER && !was_printed(answer, i, n, words))
                print_note(answer, words, stream);
        }
    }
}

static void print_notes(const struct nereus_answer *answer, FILE *stream)
{
    char text[NEREUS_METHOD_TEXT_MAX];
    print_method_notes(answer, stream);
    if (nereus_ranking_needs_nodes(&answer->ranking))
        fputs("nodes: held before, during and after the change\n", stream);
    for (int i = 0; i < answer->refusal_count; i++) {
        nereus_print_wrapped(stream, 2, "%s is left out: %s",
                             nereus_method_format(&answer->refusals[i].method, text),
                             answer->refusals[i].why.text);
    }
    if (answer->oversubscribed) {
        nereus_print_wrapped(
            stream, 2, "warning: more processes than cores: times depend on the OS scheduler");
    }
}

static bool print_rows_and_notes(const struct nereus_profile *profile,
                                 const struct nereus_question *question,
                                 const struct nereus_answer *answer, int rows, FILE *stream)
{
    print_choice(&question->scenario, answer, stream);
    fputc('\n', stream);
    if (!print_table(answer, rows, stream))
        return false;
    fputc('\n', stream);
    print_question(profile, question, stream);
    print_start_up(profile, answer, stream);
    print_later_shrink(question, stream);
    nereus_question_print_layout(question, "  ", stream);
    nereus_question_print_assumed(question, stream);
    print_notes(answer, stream);
    return !ferror(stream);
}

/* Count the rows of the table that leave room for the notes. */
static int count_fitting_rows(const struct nereus_profile *profile,
                              const struct nereus_question *question,
                              const struct nereus_answer *answer, int lines)
{
    struct paragraph whole;
    FILE *to = begin_paragraph(&whole);
    int surplus = -lines;
    if (to != NULL && print_rows_and_notes(profile, question, answer, answer->count, to) &&
        fflush(to) == 0)
        for (size_t i = 0; i < whole.length; i++)
            surplus += whole.text[i] == '\n';
    if (to != NULL)
        fclose(to);
    free(whole.text);
    const int fitting = answer->count - surplus;
    return surplus <= 0 ? answer->count : fitting > ROWS_LEAST ? fitting : ROWS_LEAST;
}

bool nereus_answer_print_text(const struct nereus_profile *profile,
                              const struct nereus_question *question,
                              const struct nereus_answer *answer, int lines, FILE *stream)
{
    const int rows = lines <= 0 || answer->count <= ROWS_LEAST
                         ? answer->count
                         : count_fitting_rows(profile, question, answer, lines);
    return print_rows_and_notes(profile, question, answer, rows, stream);
}
