/**
 * @file prediction_rows.c
 * Makes rows of CSV and JSON from predictions, with the same header for every question.
 */

#include "predictions.h"

/* The cells of both lists are expressions over the variables of add_row. New columns come last:
 * scripts rely on the names and on the order. */
#define OWN_COLUMNS(X)                                                                             \
    X("ns", "NS", NULL, nereus_cell_integer(scenario->ns))                                         \
    X("nt", "NT", NULL, nereus_cell_integer(scenario->nt))                                         \
    X("t_iter_ns_s", "T_iter", "s", nereus_cell_predicted(scenario->t_iter_ns_s))                  \
    NEREUS_PREDICTION_FIGURES(X)                                                                   \
    X("rank_application", "rank app.", NULL, nereus_cell_integer(p->rank_application))             \
    X("rank_system", "rank sys.", NULL, nereus_cell_integer(p->rank_system))                       \
    X("source", "source", NULL, nereus_cell_text(nereus_source_name(p->source)))                   \
    X("rank", "rank", NULL, nereus_cell_if(all || other_goal, nereus_cell_integer(p->rank)))       \
    X("tied", "tied", NULL, nereus_cell_if(all, nereus_cell_bool(is_tied(answer, number))))        \
    X("robust", "robust", NULL, nereus_cell_if(all, nereus_cell_bool(answer->tie[0] == number)))   \
    X("omega_low", "omega low", NULL, nereus_cell_if(all, nereus_cell_predicted(omega.low)))       \
    X("omega_high", "omega high", NULL, nereus_cell_if(all, nereus_cell_predicted(omega.high)))    \
    X("rt_sync_s", "RT sync.", "s", nereus_cell_if(all, nereus_cell_predicted(p->rt_sync_s)))      \
    X("iterations_expected", "mean It", NULL,                                                      \
      nereus_cell_if(all, nereus_cell_predicted(p->iterations_expected)))                          \
    X("t_ex_expected_s", "mean T_ex", "s",                                                         \
      nereus_cell_if(overlaps, nereus_cell_predicted(p->t_ex_expected_s)))                         \
    X("t_ex_low_s", "T_ex low", "s", nereus_cell_if(all, nereus_cell_predicted(t_ex.low)))         \
    X("t_ex_high_s", "T_ex high", "s", nereus_cell_if(all, nereus_cell_predicted(t_ex.high)))      \
    X("oversubscribed", "oversubscribed", NULL,                                                    \
      nereus_cell_if(all, nereus_cell_bool(p->oversubscribed)))                                    \
    X("iterations_capped", "It capped", NULL,                                                      \
      nereus_cell_if(all, nereus_cell_bool(p->iterations_capped)))                                 \
    NEREUS_PREDICTION_NODES(X)                                                                     \
    X("score", "weighted", NULL, nereus_cell_if(weighted, nereus_cell_predicted(p->score)))
/* Columns of the later shrink, notes and energy, which JSON has in another form. */
#define LATER_COLUMNS(X)                                                                           \
    X("later_method", "later shrink", NULL,                                                        \
      nereus_cell_text(has_later ? nereus_method_format(&later->method, later_method) : NULL))     \
    X("later_rt_s", "its RT", "s",                                                                 \
      nereus_cell_if(has_later, nereus_cell_predicted(later->rt_s.value)))                         \
    X("later_rt_low_s", "low", "s",                                                                \
      nereus_cell_predicted(all_of_later ? nereus_interval_low(&later->rt_s) : NAN))               \
    X("later_rt_high_s", "high", "s",                                                              \
      nereus_cell_predicted(all_of_later ? nereus_interval_high(&later->rt_s) : NAN))              \
    X("later_t_ex_s", "its T_ex", "s",                                                             \
      nereus_cell_if(all_of_later, nereus_cell_predicted(later->t_ex_s)))                          \
    X("later_nodes_before", "its nodes before", NULL,                                              \
      nereus_cell_if(all_of_later, nereus_cell_integer(later->nodes.before)))                      \
    X("later_nodes_after", "after", NULL,                                                          \
      nereus_cell_if(all_of_later, nereus_cell_integer(later->nodes.after)))                       \
    X("later_node_s", "its node-seconds", "s",                                                     \
      nereus_cell_if(all_of_later, nereus_cell_predicted(later->node_s)))                          \
    X("later_source", "its source", NULL,                                                          \
      nereus_cell_text(all_of_later ? nereus_source_name(later->source) : NULL))                   \
    X("note", "note", NULL, nereus_cell_text(all ? nereus_prediction_note(p, note) : NULL))        \
    X("later_note", "its note", NULL,                                                              \
      nereus_cell_text(all_of_later ? nereus_prediction_note(later, later_note) : NULL))           \
    X("energy_j", "energy", "J",                                                                   \
      nereus_cell_if(p->energy_j > 0, nereus_cell_predicted(p->energy_j)))

const struct nereus_column nereus_prediction_columns[] = {OWN_COLUMNS(NEREUS_COLUMN)
                                                              LATER_COLUMNS(NEREUS_COLUMN)};
const size_t nereus_prediction_column_count = NEREUS_COUNT_OF(nereus_prediction_columns);
#define ONE(key, title, unit, cell) +1
const size_t nereus_prediction_own_column_count = OWN_COLUMNS(ONE);

/* Does the interval of a method overlap with that of the best one? A tie needs two methods. */
static bool is_tied(const struct nereus_answer *answer, int number)
{
    bool found = false;
    for (int i = 0; i < answer->tie_count; i++)
        found = found || answer->tie[i] == number;
    return found && answer->tie_count > 1;
}

/* @param all  as nereus_predictions_add; cells that were not requested stay empty */
static void add_row(struct nereus_table *table, const struct nereus_scenario *scenario,
                    const struct nereus_answer *answer, int number, bool all)
{
    const struct nereus_prediction *p = &answer->predictions[number];
    const bool has_later = answer->later_predictions != NULL, all_of_later = has_later && all;
    const struct nereus_prediction *later =
        has_later ? &answer->later_predictions[number].shrink : p;
    const struct nereus_interval t_ex =
        nereus_answer_interval(scenario, answer, number, NEREUS_QUANTITY_T_EX);
    const struct nereus_interval omega = nereus_omega_interval(scenario, p);
    const enum nereus_goal goal = answer->ranking.goal;
    const bool other_goal = goal != NEREUS_GOAL_APPLICATION && goal != NEREUS_GOAL_SYSTEM;
    const bool weighted = goal == NEREUS_GOAL_WEIGHTS,
               of_nodes = nereus_ranking_needs_nodes(&answer->ranking);
    const bool overlaps = all || p->overlapped;
    char method[NEREUS_METHOD_TEXT_MAX], later_method[NEREUS_METHOD_TEXT_MAX];
    char note[NEREUS_NOTE_TEXT_MAX], later_note[NEREUS_NOTE_TEXT_MAX];
    const struct nereus_cell row[] = {OWN_COLUMNS(NEREUS_CELL) LATER_COLUMNS(NEREUS_CELL)};
    nereus_table_add(table, row);
}

void nereus_predictions_add(struct nereus_table *table, const struct nereus_scenario *scenario,
                            const struct nereus_answer *answer, bool all)
{
    for (int i = 0; i < answer->count; i++)
        add_row(table, scenario, answer, i, all);
}
