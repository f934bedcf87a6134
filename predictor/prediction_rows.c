/** @file prediction_rows.c  Predictions as rows of CSV and JSON: one header, whatever was asked for. */
#include <string.h>

#include "options.h"
#include "predictions.h"

/* New columns come last: others rely on the names and on the order. */
const struct nereus_column nereus_prediction_columns[] = {
    {"ns", "NS", NULL, false},
    {"nt", "NT", NULL, false},
    {"t_iter_ns_s", "T_iter", "s", false},
    NEREUS_PREDICTION_FIGURE_COLUMNS,
    {"rank_application", "rank app.", NULL, false},
    {"rank_system", "rank sys.", NULL, false},
    {"source", "source", NULL, true},
    {"rank", "rank", NULL, false},
    {"tied", "tied", NULL, false},
    {"robust", "robust", NULL, false},
    {"omega_low", "omega low", NULL, false},
    {"omega_high", "omega high", NULL, false},
    {"rt_sync_s", "RT sync.", "s", false},
    {"iterations_expected", "mean It", NULL, false},
    {"t_ex_expected_s", "mean T_ex", "s", false},
    {"t_ex_low_s", "T_ex low", "s", false},
    {"t_ex_high_s", "T_ex high", "s", false},
    {"oversubscribed", "oversubscribed", NULL, false},
    {"iterations_capped", "It capped", NULL, false},
    {"nodes_before", "nodes before", NULL, false},
    {"nodes_during", "during", NULL, false},
    {"nodes_after", "after", NULL, false},
    {"node_s", "node-seconds", "s", false},
    {"score", "weighted", NULL, false},
    {"later_method", "later shrink", NULL, true},
    {"later_rt_s", "its RT", "s", false},
    {"later_rt_low_s", "low", "s", false},
    {"later_rt_high_s", "high", "s", false},
    {"later_t_ex_s", "its T_ex", "s", false},
    {"later_nodes_before", "its nodes before", NULL, false},
    {"later_nodes_after", "after", NULL, false},
    {"later_node_s", "its node-seconds", "s", false},
    {"later_source", "its source", NULL, true},
    {"note", "note", NULL, true},
    {"later_note", "its note", NULL, true},
};
const size_t nereus_prediction_column_count = NEREUS_COUNT_OF(nereus_prediction_columns);

/* How the columns above fall into parts. */
enum {
    CASE = 3,
    RANKS = 3,
    CERTAINTY = 12,
    GOAL = 5,
    LATER = 9,
    NOTES = 2,
    OWN = CASE + NEREUS_PREDICTION_FIGURES + RANKS + CERTAINTY + GOAL,
    ALL = OWN + LATER + NOTES
};
_Static_assert(ALL == NEREUS_COUNT_OF(nereus_prediction_columns), "a cell a column");
_Static_assert((int)OWN == NEREUS_PREDICTION_OWN_COLUMNS, "as the header says");

static struct nereus_cell real_if(bool wanted, double value)
{
    return wanted ? nereus_cell_real(value) : nereus_cell_empty();
}

static struct nereus_cell integer_if(bool wanted, int64_t value)
{
    return wanted ? nereus_cell_integer(value) : nereus_cell_empty();
}

static struct nereus_cell bool_if(bool wanted, bool yes)
{
    return wanted ? nereus_cell_bool(yes) : nereus_cell_empty();
}

void nereus_prediction_cells(const struct nereus_prediction *p, bool always, char *method,
                             struct nereus_cell cells[NEREUS_PREDICTION_FIGURES])
{
    /* What only asynchronous methods have is a number for programs, and nothing for people. */
    const bool beside = always || p->overlapped;
    const struct nereus_cell figures[NEREUS_PREDICTION_FIGURES] = {
        nereus_cell_text(nereus_method_print(&p->method, method)),
        nereus_cell_real(p->rt_s.value),
        nereus_cell_real(nereus_interval_low(&p->rt_s)),
        nereus_cell_real(nereus_interval_high(&p->rt_s)),
        real_if(beside, p->alpha),
        real_if(beside, p->omega),
        real_if(beside, p->iterations),
        real_if(beside, p->ct_s),
        nereus_cell_real(p->t_ex_s),
    };
    memcpy(cells, figures, sizeof figures);
}

/* Is a prediction among those whose intervals overlap with the best one's? A tie needs two. */
static bool is_tied(const struct nereus_answer *answer, int number)
{
    bool found = false;
    for (int i = 0; i < answer->tie_count; i++) {
        found = found || answer->tie[i] == number;
    }
    return found && answer->tie_count > 1;
}

/* The rank for the goal, and how sure the figures are. */
static void certainty_cells(const struct nereus_scenario *scenario, const struct nereus_answer *answer,
                            int number, bool always, struct nereus_cell cells[CERTAINTY])
{
    const struct nereus_prediction *p = &answer->predictions[number];
    const struct nereus_interval t_ex =
        nereus_answer_interval(scenario, answer, number, NEREUS_QUANTITY_T_EX);
    const struct nereus_interval omega = nereus_answer_omega(p);
    const bool other_goal =
        answer->ranking.goal != NEREUS_GOAL_APPLICATION && answer->ranking.goal != NEREUS_GOAL_SYSTEM;
    const struct nereus_cell certainty[CERTAINTY] = {
        integer_if(always || other_goal, p->rank),
        bool_if(always, is_tied(answer, number)),
        bool_if(always, answer->tie[0] == number),
        real_if(always, omega.low),
        real_if(always, omega.high),
        real_if(always, p->rt_sync_s),
        real_if(always, p->iterations_expected),
        real_if(always || p->overlapped, p->t_ex_expected_s),
        real_if(always, t_ex.low),
        real_if(always, t_ex.high),
        bool_if(always, p->oversubscribed),
        bool_if(always, p->iterations_capped),
    };
    memcpy(cells, certainty, sizeof certainty);
}

/* What only some goals look at; for others it was not worked out. */
static void goal_cells(const struct nereus_prediction *p, const struct nereus_ranking *ranking,
                       struct nereus_cell cells[GOAL])
{
    const bool of_nodes = nereus_ranking_needs_nodes(ranking);
    const struct nereus_cell goal[GOAL] = {
        integer_if(of_nodes, p->nodes.before),
        integer_if(of_nodes, p->nodes.during),
        integer_if(of_nodes, p->nodes.after),
        real_if(of_nodes, p->node_s),
        real_if(ranking->goal == NEREUS_GOAL_WEIGHTS, p->score),
    };
    memcpy(cells, goal, sizeof goal);
}

/* @param p  the shrink that follows; NULL: none was asked for */
static void later_cells(const struct nereus_prediction *p, bool always, char *method,
                        struct nereus_cell cells[LATER])
{
    for (int i = 0; i < LATER; i++) {
        cells[i] = nereus_cell_empty();
    }
    if (p == NULL) {
        return;
    }
    const struct nereus_cell later[LATER] = {
        nereus_cell_text(nereus_method_print(&p->method, method)),
        nereus_cell_real(p->rt_s.value),
        real_if(always, nereus_interval_low(&p->rt_s)),
        real_if(always, nereus_interval_high(&p->rt_s)),
        real_if(always, p->t_ex_s),
        integer_if(always, p->nodes.before),
        integer_if(always, p->nodes.after),
        real_if(always, p->node_s),
        nereus_cell_text(always ? nereus_source_name(p->source) : NULL),
    };
    memcpy(cells, later, sizeof later);
}

static void add_row(struct nereus_table *table, const struct nereus_scenario *scenario,
                    const struct nereus_answer *answer, int number, bool always)
{
    const struct nereus_prediction *p = &answer->predictions[number];
    const struct nereus_prediction *shrink =
        answer->outlooks != NULL ? &answer->outlooks[number].shrink : NULL;
    char method[NEREUS_METHOD_TEXT_MAX], later[NEREUS_METHOD_TEXT_MAX];
    char note[NEREUS_NOTE_TEXT_MAX], later_note[NEREUS_NOTE_TEXT_MAX];
    struct nereus_cell row[ALL] = {
        nereus_cell_integer(scenario->ns),
        nereus_cell_integer(scenario->nt),
        nereus_cell_real(scenario->t_iter_ns_s),
    };
    struct nereus_cell *const ranks = &row[CASE + NEREUS_PREDICTION_FIGURES];
    struct nereus_cell *const notes = &row[OWN + LATER];
    nereus_prediction_cells(p, always, method, &row[CASE]);
    ranks[0] = nereus_cell_integer(p->rank_application);
    ranks[1] = nereus_cell_integer(p->rank_system);
    ranks[2] = nereus_cell_text(nereus_source_name(p->source));
    certainty_cells(scenario, answer, number, always, &ranks[RANKS]);
    goal_cells(p, &answer->ranking, &ranks[RANKS + CERTAINTY]);
    later_cells(shrink, always, later, &row[OWN]);
    notes[0] = nereus_cell_text(always ? nereus_prediction_note(p, note) : NULL);
    notes[1] = nereus_cell_text(always && shrink != NULL ? nereus_prediction_note(shrink, later_note) : NULL);
    nereus_table_add(table, row);
}

void nereus_predictions_add(struct nereus_table *table, const struct nereus_scenario *scenario,
                            const struct nereus_answer *answer, bool always)
{
    for (int i = 0; i < answer->count; i++) {
        add_row(table, scenario, answer, i, always);
    }
}
