/** @file question_print.c  Prints a question and its assumptions as text and as JSON. */

#include "predictor/cli/output.h"
#include "question_layout.h"
#include "scenario.h"

/* Append "--t-iter-nt 0.02 s (strong scaling)", as far as it fits. */
static void format_assumption(const struct nereus_assumption *assumption, char *text, size_t bytes)
{
    const bool has_reason = assumption->reason != NULL;
    nereus_append(text, bytes, "--%s %s%s%s%s", assumption->option, assumption->value,
                  has_reason ? " (" : "", has_reason ? assumption->reason : "",
                  has_reason ? ")" : "");
}

static void list_assumptions(const struct nereus_question *question, const char *before, char *text,
                             size_t bytes)
{
    for (int i = 0; i < question->assumed_count; i++) {
        nereus_append(text, bytes, "%s", i == 0 ? before : ", ");
        format_assumption(&question->assumptions[i], text, bytes);
    }
    if (question->assumed_count > 0)
        nereus_append(text, bytes, ".");
}

void nereus_question_assumed_text(const struct nereus_question *question, char *text, size_t bytes)
{
    list_assumptions(question, "Assumed: ", text, bytes);
}

void nereus_question_print_assumed(const struct nereus_question *question, FILE *stream)
{
    char text[8192] = "";
    nereus_question_assumed_text(question, text, sizeof text);
    if (text[0] != '\0')
        nereus_print_wrapped(stream, 2, "%s", text);
    if (question->more_nodes[0] != '\0')
        nereus_print_wrapped(stream, 2, "%s", question->more_nodes);
}

void nereus_question_log_assumed(const struct nereus_question *question, const char *prefix)
{
    char text[8192] = "";
    list_assumptions(question, "assumed: ", text, sizeof text);
    if (text[0] != '\0')
        nereus_print_wrapped(stderr, 2, "%s%s", prefix, text);
    if (question->more_nodes[0] != '\0')
        nereus_print_wrapped(stderr, 2, "%s%s", prefix, question->more_nodes);
}

json_t *nereus_question_assumed_json(const struct nereus_question *question)
{
    json_t *array = json_array();
    for (int i = 0; array != NULL && i < question->assumed_count; i++) {
        const struct nereus_assumption *assumption = &question->assumptions[i];
        json_t *row = nereus_json_pack("{s:s, s:s, s:s?}", "option", assumption->option, "value",
                                       assumption->value, "reason", assumption->reason);
        if (json_array_append_new(array, row) != 0) {
            json_decref(array);
            return NULL;
        }
    }
    if (array != NULL && question->more_nodes[0] != '\0') {
        json_array_append_new(array, nereus_json_pack("{s:s, s:n, s:s}", "option", "nodes", "value",
                                                      "reason", question->more_nodes));
    }
    return array;
}

json_t *nereus_question_json(const struct nereus_question *question)
{
    const struct nereus_scenario *scenario = &question->scenario;
    return nereus_json_pack(
        "{s:I, s:I, s:I, s:I, s:I, s:I, s:s, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:I, s:I, s:o}",
        "ns", (json_int_t)scenario->ns, "nt", (json_int_t)scenario->nt, "cores_per_node",
        (json_int_t)(question->machine.cores_per_node *
                     nereus_machine_cores_per_process(&question->machine)),
        "cores_per_process", (json_int_t)nereus_machine_cores_per_process(&question->machine),
        "nodes", (json_int_t)question->machine.node_count, "slots",
        (json_int_t)question->machine.slots, "stage", nereus_stage_name(scenario->stage),
        "t_iter_ns_s", nereus_json_real(scenario->t_iter_ns_s), "t_iter_nt_s",
        nereus_json_real(scenario->t_iter_nt_s), "iterations_before",
        nereus_json_real(scenario->iterations_before), "iterations_after",
        nereus_json_real(scenario->iterations_after), "bytes_constant",
        nereus_json_real(scenario->constant_bytes), "bytes_variable",
        nereus_json_real(scenario->variable_bytes), "bytes_replicated",
        nereus_json_real(scenario->replicated_bytes), "worlds",
        (json_int_t)question->state.world_count, "zombies",
        (json_int_t)nereus_jobstate_zombies(&question->state), "layout",
        nereus_question_layout_json(question));
}
