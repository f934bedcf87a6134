/** @file advice_data.c  Prints advice as CSV and JSON, for programs. */

#include "advice_print.h"
#include "predictor/scenario/predictions.h"

/* Failures that were not requested. */
static const struct nereus_failures no_failures = {.mtbf_s = NAN,
                                                   .checkpoint_s = {NAN, NAN, NAN},
                                                   .interval_s = NAN,
                                                   .start_s = NAN,
                                                   .read_s = NAN,
                                                   .left_s = NAN,
                                                   .with_s = NAN,
                                                   .without_s = NAN};

/* A row (`row`, its `size` and the prediction `p` of that) of the `answer`, its `failures`, and
 * `of_nodes`: of a goal about nodes. */
#define COLUMNS(X)                                                                                 \
    X("ns", NULL, NULL, nereus_cell_integer(answer->question.scenario.ns))                         \
    X("nt", NULL, NULL, nereus_cell_integer(size->nt))                                             \
    X("best", NULL, NULL, nereus_cell_bool(row.is_best))                                           \
    X("method", NULL, NULL, nereus_cell_text(row.method))                                          \
    X("rt_s", NULL, NULL, nereus_cell_predicted(p->rt_s.value))                                    \
    X("rt_low_s", NULL, NULL, nereus_cell_predicted(nereus_interval_low(&p->rt_s)))                \
    X("rt_high_s", NULL, NULL, nereus_cell_predicted(nereus_interval_high(&p->rt_s)))              \
    X("t_iter_s", NULL, NULL, nereus_cell_predicted(size->t_iter_nt_s))                            \
    X("t_ex_s", NULL, NULL, nereus_cell_predicted(size->t_ex_s.value))                             \
    X("t_ex_low_s", NULL, NULL, nereus_cell_predicted(nereus_interval_low(&size->t_ex_s)))         \
    X("t_ex_high_s", NULL, NULL, nereus_cell_predicted(nereus_interval_high(&size->t_ex_s)))       \
    X("gain", NULL, NULL, nereus_cell_predicted(size->gain.value))                                 \
    X("gain_low", NULL, NULL, nereus_cell_predicted(nereus_interval_low(&size->gain)))             \
    X("gain_high", NULL, NULL, nereus_cell_predicted(nereus_interval_high(&size->gain)))           \
    X("break_even_iterations", NULL, NULL, nereus_cell_predicted(size->break_even_iterations))     \
    X("pays_until_iteration", NULL, NULL, nereus_cell_predicted(row.last_iteration))               \
    X("may_lose", NULL, NULL, nereus_cell_predicted(row.possible_loss))                            \
    NEREUS_PREDICTION_NODES(X)                                                                     \
    X("iterations", NULL, NULL, nereus_cell_predicted(p->iterations))                              \
    X("iterations_capped", NULL, NULL, nereus_cell_bool(p->iterations_capped))                     \
    X("oversubscribed", NULL, NULL, nereus_cell_bool(p->oversubscribed))                           \
    X("source", NULL, NULL,                                                                        \
      nereus_cell_text(row.is_resize ? nereus_source_name(p->source) : NULL))                      \
    X("later_method", NULL, NULL, nereus_cell_text(row.later_method))                              \
    X("later_rt_s", NULL, NULL,                                                                    \
      nereus_cell_if(row.later_method != NULL, nereus_cell_predicted(size->later_rt_s)))           \
    X("note", NULL, NULL, nereus_cell_text(nereus_prediction_note(p, note)))                       \
    X("mtbf_s", NULL, NULL, nereus_cell_predicted(failures->mtbf_s))                               \
    X("checkpoint_s", NULL, NULL, nereus_cell_predicted(failures->checkpoint_s.value))             \
    X("checkpoint_low_s", NULL, NULL,                                                              \
      nereus_cell_predicted(nereus_interval_low(&failures->checkpoint_s)))                         \
    X("checkpoint_high_s", NULL, NULL,                                                             \
      nereus_cell_predicted(nereus_interval_high(&failures->checkpoint_s)))                        \
    X("checkpoint_interval_s", NULL, NULL, nereus_cell_predicted(failures->interval_s))            \
    X("start_s", NULL, NULL, nereus_cell_predicted(failures->start_s))                             \
    X("read_s", NULL, NULL, nereus_cell_predicted(failures->read_s))                               \
    X("failure_share", NULL, NULL, nereus_cell_predicted(nereus_failures_share(failures)))         \
    X("t_ex_failures_s", NULL, NULL, nereus_cell_predicted(failures->with_s))                      \
    X("t_ex_no_checkpoint_s", NULL, NULL, nereus_cell_predicted(failures->without_s))              \
    X("checkpoint_note", NULL, NULL,                                                               \
      nereus_cell_text(failures->note[0] != '\0' ? failures->note : NULL))                         \
    X("energy_j", NULL, NULL, nereus_cell_if(p->energy_j > 0, nereus_cell_predicted(p->energy_j)))

/* @param index  of the size; -1: the present one */
static void add_row(struct nereus_table *table, const struct nereus_advice_result *answer,
                    int64_t index)
{
    struct nereus_advice_row row;
    nereus_advice_row_make(answer, index, &row);
    const struct nereus_advice_size *size = row.size;
    const struct nereus_prediction *p = &size->prediction;
    const struct nereus_failures *failures =
        !row.is_resize && answer->mtbf != NULL ? &answer->failures : &no_failures;
    const bool of_nodes = nereus_ranking_needs_nodes(&answer->ranking);
    char note[NEREUS_NOTE_TEXT_MAX];
    NEREUS_TABLE_ADD(table, COLUMNS);
}

/* Add the rows; the first one, without a method, is the present size. */
static void fill_table(const struct nereus_advice_result *answer, struct nereus_table *table)
{
    NEREUS_TABLE_INIT(table, COLUMNS);
    add_row(table, answer, -1);
    for (int64_t i = 0; i < answer->candidates.count; i++)
        if (answer->sizes[i].possible)
            add_row(table, answer, i);
}

bool nereus_advice_print_csv(const struct nereus_advice_result *answer, FILE *stream)
{
    struct nereus_table table;
    fill_table(answer, &table);
    nereus_question_log_assumed(&answer->question, "nereus: ");
    return nereus_table_print(&table, NEREUS_FORMAT_CSV, stream);
}

bool nereus_advice_print_json(const struct nereus_advice_result *answer, FILE *stream)
{
    const struct nereus_profile *profile = answer->profile;
    struct nereus_advice_row best;
    struct nereus_table table;
    nereus_advice_row_make(answer, answer->advice.best_index, &best);
    fill_table(answer, &table);
    return nereus_json_write(
        nereus_json_pack(
            "{s:{s:s, s:s, s:s, s:s}, s:o, s:o, s:s, s:s, s:I, s:s?, s:o, s:o}", "profile",
            "cluster", profile->cluster, "host", profile->host, "date", profile->date, "mpi",
            profile->mpi, "scenario", nereus_question_json(&answer->question), "assumed",
            nereus_question_assumed_json(&answer->question), "goal",
            nereus_goal_choices[answer->ranking.goal], "advice", best.is_resize ? "resize" : "stay",
            "nt", (json_int_t)best.size->nt, "method", best.method, "gain",
            nereus_json_real(best.size->gain.value), "sizes", nereus_table_json(&table)),
        stream);
}
