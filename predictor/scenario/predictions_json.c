/** @file predictions_json.c  Writes an answer as JSON: its rows, and the values that a row cannot
 * contain. */
#include "predictions.h"

static int add_later_shrink_details(json_t *row, const struct nereus_later_prediction *predictions)
{
    const struct nereus_prediction *p = &predictions->shrink;
    char text[NEREUS_METHOD_TEXT_MAX], note[NEREUS_NOTE_TEXT_MAX];
    json_t *later = nereus_json_pack(
        "{s:s, s:o, s:o, s:o, s:o, s:I, s:I, s:o, s:s, s:s}", "method",
        nereus_method_format(&p->method, text), "rt_s", nereus_json_real(p->rt_s.value), "rt_low_s",
        nereus_json_real(nereus_interval_low(&p->rt_s)), "rt_high_s",
        nereus_json_real(nereus_interval_high(&p->rt_s)), "t_ex_s", nereus_json_real(p->t_ex_s),
        "nodes_before", (json_int_t)p->nodes.before, "nodes_after", (json_int_t)p->nodes.after,
        "node_s", nereus_json_real(p->node_s), "source", nereus_source_name(p->source), "note",
        nereus_prediction_note(p, note));
    return json_object_set_new(row, "later", later);
}

/* JSON nests the note and the later shrink in the row. */
static int add_details(json_t *rows, const struct nereus_answer *answer)
{
    char note[NEREUS_NOTE_TEXT_MAX];
    int failed = 0;
    for (int i = 0; i < answer->count; i++) {
        json_t *row = json_array_get(rows, (size_t)i);
        failed |= json_object_set_new(
            row, "note", nereus_json_text(nereus_prediction_note(&answer->predictions[i], note)));
        if (answer->predictions[i].energy_j > 0) {
            failed |= json_object_set_new(row, "energy_j",
                                          nereus_json_real(answer->predictions[i].energy_j));
        }
        if (answer->predictions[i].start_up_s > 0) {
            failed |= json_object_set_new(row, "start_up_s",
                                          nereus_json_real(answer->predictions[i].start_up_s));
        }
        if (answer->later_predictions != NULL)
            failed |= add_later_shrink_details(row, &answer->later_predictions[i]);
    }
    return failed;
}

json_t *nereus_answer_tied_json(const struct nereus_answer *answer)
{
    json_t *array = json_array();
    for (int i = 0; i < answer->tie_count; i++) {
        char text[NEREUS_METHOD_TEXT_MAX];
        if (answer->tie[i] != 0) {
            json_array_append_new(array, nereus_json_text(nereus_method_format(
                                             &answer->predictions[answer->tie[i]].method, text)));
        }
    }
    return array;
}

static json_t *make_refused_json(const struct nereus_answer *answer)
{
    json_t *array = json_array();
    for (int i = 0; i < answer->refusal_count; i++) {
        char text[NEREUS_METHOD_TEXT_MAX];
        json_array_append_new(
            array, nereus_json_pack("{s:s, s:s, s:s}", "method",
                                    nereus_method_format(&answer->refusals[i].method, text),
                                    "status", nereus_status_name(answer->refusals[i].why.status),
                                    "reason", answer->refusals[i].why.text));
    }
    return array;
}

/* Add the options of the goal and of the later shrink. */
static int add_ranking(json_t *document, const struct nereus_question *question,
                       const struct nereus_ranking *ranking)
{
    const struct nereus_later_shrink *later_shrink = &question->later_shrink;
    const double *w = ranking->weights;
    int failed = 0;
    if (ranking->goal == NEREUS_GOAL_SYSTEM) {
        failed |= json_object_set_new(document, "system_threshold",
                                      nereus_json_real(ranking->system_threshold));
    }
    if (ranking->goal == NEREUS_GOAL_WEIGHTS) {
        failed |= json_object_set_new(
            document, "weights",
            nereus_json_pack("{s:f, s:f, s:f, s:f}", "t_ex", w[NEREUS_QUANTITY_T_EX], "rt",
                             w[NEREUS_QUANTITY_RT], "node_hours", w[NEREUS_QUANTITY_NODE_HOURS],
                             "energy", w[NEREUS_QUANTITY_ENERGY]));
    }
    if (ranking->power.busy_w > 0) {
        failed |= json_object_set_new(
            document, "node_power",
            nereus_json_pack("{s:f, s:f, s:f}", "busy_w", ranking->power.busy_w, "idle_w",
                             ranking->power.idle_w, "resize_w", ranking->power.resize_w));
    }
    if (later_shrink->processes > 0) {
        failed |= json_object_set_new(
            document, "later_shrink",
            nereus_json_pack("{s:I, s:f, s:f, s:s}", "processes",
                             (json_int_t)later_shrink->processes, "iterations",
                             later_shrink->iterations, "t_iter_s", later_shrink->t_iter_s, "nodes",
                             later_shrink->any_nodes ? "any" : "returned"));
    }
    return failed;
}

json_t *nereus_answer_json(const struct nereus_profile *profile,
                           const struct nereus_question *question,
                           const struct nereus_answer *answer)
{
    struct nereus_table table;
    nereus_table_init(&table, nereus_prediction_columns, nereus_prediction_own_column_count);
    nereus_predictions_add(&table, &question->scenario, answer, true);
    json_t *rows = nereus_table_json(&table);
    if (rows == NULL || add_details(rows, answer) != 0) {
        json_decref(rows);
        return NULL;
    }
    char best[NEREUS_METHOD_TEXT_MAX], robust[NEREUS_METHOD_TEXT_MAX];
    nereus_method_format(&answer->predictions[0].method, best);
    nereus_method_format(&answer->predictions[answer->tie[0]].method, robust);
    json_t *document = nereus_json_pack(
        "{s:{s:s, s:s, s:s, s:s}, s:o, s:o, s:s, s:s, s:o, s:s, s:s?, s:s?, s:b, s:o, s:o}",
        "profile", "cluster", profile->cluster, "host", profile->host, "date", profile->date, "mpi",
        profile->mpi, "scenario", nereus_question_json(question), "assumed",
        nereus_question_assumed_json(question), "goal", nereus_goal_choices[answer->ranking.goal],
        "best", best, "tied_with", nereus_answer_tied_json(answer), "robust", robust,
        "robust_because", answer->robust_why, "best_because",
        nereus_answer_reason(&question->scenario, answer), "oversubscribed",
        (int)answer->oversubscribed, "predictions", rows, "refused", make_refused_json(answer));
    if (document != NULL && add_ranking(document, question, &answer->ranking) != 0) {
        json_decref(document);
        return NULL;
    }
    return document;
}
