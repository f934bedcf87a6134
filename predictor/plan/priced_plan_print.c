/** @file priced_plan_print.c  Prints a priced plan as text and as JSON. */
#include <inttypes.h>

#include "plan_print.h"
#include "predictor/cli/output.h"
#include "predictor/scenario/question_layout.h"
#include "priced_plan.h"

/* Format the terms of a price: "const 0.256 s + full 0.24 s". */
static char *format_terms(const struct nereus_step_price *price, char *text, size_t bytes)
{
    text[0] = '\0';
    for (int i = 0; i < price->terms; i++) {
        nereus_append(text, bytes, "%s%s %.3g s", i > 0 ? " + " : "", price->term[i].name,
                      price->term[i].seconds);
    }
    return text;
}

#define COLUMNS(X)                                                                                 \
    X("number", "#", NULL, nereus_cell_integer(i + 1))                                             \
    X("step", "step", NULL, nereus_cell_text(name))                                                \
    X("who", "who takes part", NULL, nereus_cell_text(nereus_roles_text(step->roles, roles)))      \
    X("old", "old", NULL, nereus_cell_integer(step->old_processes))                                \
    X("new", "new", NULL, nereus_cell_integer(step->new_processes))                                \
    X("time_s", "time", "s", nereus_cell_real(price->time_s.value))                                \
    X("interval", "90 %", "s", nereus_cell_interval(&price->time_s, 1, interval))                  \
    X("start_s", "from", "s", nereus_cell_real(price->start_s))                                    \
    X("end_s", "to", "s", nereus_cell_real(price->end_s))

static void add_step(struct nereus_table *table, const struct nereus_step *step,
                     const struct nereus_step_price *price, int i)
{
    char roles[64], interval[48], name[96];
    nereus_step_label(step, name);
    NEREUS_TABLE_ADD(table, COLUMNS);
}

/* Print a part of RT that belongs to no step. */
static void add_part(struct nereus_table *table, const char *what, double time_s)
{
    const struct nereus_cell row[] = {
        nereus_cell_empty(),   nereus_cell_text(what), nereus_cell_text(""),
        nereus_cell_empty(),   nereus_cell_empty(),    nereus_cell_real(time_s),
        nereus_cell_text("-"), nereus_cell_empty(),    nereus_cell_empty(),
    };
    nereus_table_add(table, row);
}

/* Print the basis of each time: a line per priced step, and one for all others. */
static void print_bases(const struct nereus_priced_plan *priced, FILE *stream)
{
    char terms[256], contained[1024] = "";
    for (int i = 0; i < priced->plan.step_count; i++) {
        const struct nereus_step_price *price = &priced->prices[i];
        if (price->basis == NEREUS_BASIS_CONTAINED) {
            nereus_append(contained, sizeof contained, "%s%d", contained[0] != '\0' ? ", " : "",
                          i + 1);
        } else if (price->terms > 0) {
            nereus_print_wrapped(stream, 4, "%d: %s: %s", i + 1, nereus_step_price_basis(price),
                                 format_terms(price, terms, sizeof terms));
        }
    }
    if (contained[0] != '\0') {
        nereus_print_wrapped(
            stream, 4, "%s: contained: not measured alone; the time lies in that of another step",
            contained);
    }
    if (priced->has_unattributed) {
        nereus_print_wrapped(stream, 4,
                             "unattributed: what reconfigurations took longer than "
                             "the sum of the medians of their steps");
    }
    for (int i = 0; i < priced->correction_count; i++) {
        nereus_print_wrapped(stream, 4, "%s: %s", priced->corrections[i].what,
                             priced->corrections[i].why);
    }
}

static bool print_steps(const struct nereus_priced_plan *priced, FILE *stream)
{
    static const char *const less[] = {"start_s", "old", "new", NULL};
    struct nereus_table table;
    NEREUS_TABLE_INIT(&table, COLUMNS);
    for (int i = 0; i < priced->plan.step_count; i++)
        add_step(&table, &priced->plan.steps[i], &priced->prices[i], i);
    if (priced->has_unattributed) /* its uncertainty is part of that of RT */
        add_part(&table, "unattributed", priced->unattributed_s.value);
    for (int i = 0; i < priced->correction_count; i++)
        add_part(&table, priced->corrections[i].what, priced->corrections[i].time_s);
    nereus_table_narrow(&table, less);
    if (!nereus_table_print(&table, NEREUS_FORMAT_TEXT, stream))
        return false;
    print_bases(priced, stream);
    return true;
}

/* Print one sentence about each kind of step in the plan. */
static void print_meanings(const struct nereus_plan *plan, FILE *stream)
{
    bool printed[NEREUS_STEP_KIND_COUNT] = {false};
    fputs("\nSteps:\n", stream);
    for (int i = 0; i < plan->step_count; i++) {
        if (!printed[plan->steps[i].kind]) {
            printed[plan->steps[i].kind] = true;
            fprintf(stream, "  %-13s%s\n", nereus_step_name(plan->steps[i].kind),
                    nereus_step_help(plan->steps[i].kind));
        }
    }
}

static void print_total(const char *what, const struct nereus_interval *time_s, FILE *stream)
{
    fprintf(stream, "%s %.4g s", what, time_s->value);
    if (time_s->high > time_s->low)
        fprintf(stream, " (90 %%: %.3g to %.3g s)", time_s->low, time_s->high);
}

static void print_totals(const struct nereus_priced_plan *priced, FILE *stream)
{
    const struct nereus_prediction *p = &priced->prediction;
    char note[NEREUS_NOTE_TEXT_MAX];
    print_total("\nRT", &priced->rt_s, stream);
    fputs(": the sum of these rows, and the RT of predict\n", stream);
    if (p->overlapped) {
        nereus_print_wrapped(
            stream, 4,
            "overlapped with the application: alpha %.3g, iterations omega = %.3g times as long, "
            "It = %.0f of them, CT %.4g s",
            p->alpha, p->omega, p->iterations, p->ct_s);
    }
    if (priced->extrapolated)
        nereus_print_wrapped(stream, 4, "extrapolated: %s", priced->extrapolations);
    if (p->note_count > 0 &&
        strstr(priced->extrapolations, nereus_prediction_note(p, note)) == NULL)
        nereus_print_wrapped(stream, 4, "%s", note);
    if (p->oversubscribed)
        fputs("warning: oversubscribed: more processes than cores\n", stream);
}

/* Print the first line, with the method that is carried out where it differs: ss is a respawn, and
 * an overlap without a free core does not overlap. */
static void print_head(const struct nereus_priced_plan *priced,
                       const struct nereus_question *question, FILE *stream)
{
    char requested[NEREUS_METHOD_TEXT_MAX], method[NEREUS_METHOD_TEXT_MAX];
    const struct nereus_plan *plan = &priced->plan;
    const bool other = plan->method.process != priced->method.process ||
                       (priced->method.has_data && plan->method.overlap != priced->method.overlap);
    nereus_print_wrapped(
        stream, 4, "%s%s%s%s: %lld -> %lld process%s; %lld spawned, %lld woken, %lld leaving",
        nereus_method_format(other ? &priced->method : &plan->method, requested),
        other ? " (carried out as " : "", other ? nereus_method_format(&plan->method, method) : "",
        other ? ")" : "", (long long)question->scenario.ns, (long long)question->scenario.nt,
        nereus_plural_es(question->scenario.nt), (long long)plan->spawned, (long long)plan->woken,
        (long long)plan->leaving);
    if (priced->method.shrink == NEREUS_SHRINK_BY_STATE && priced->prediction.shrink == NEREUS_ZS)
        nereus_print_wrapped(stream, 2, "%s",
                             "The profile has no measured ending worlds, so processes sleep here; "
                             "a job ends whole worlds (ts) if they add up to those that leave.");
}

bool nereus_priced_plan_print(const struct nereus_priced_plan *priced,
                              const struct nereus_question *question, bool bars, FILE *stream)
{
    const struct nereus_plan *plan = &priced->plan;
    const struct nereus_tree_view tree = nereus_priced_plan_tree(priced, question);
    print_head(priced, question, stream);
    nereus_question_print_layout(question, "  ", stream);
    nereus_question_print_assumed(question, stream);
    if (plan->step_count == 0) {
        fputs("\nNothing to do: the job has this size already. RT 0 s\n", stream);
        return !ferror(stream);
    }
    fputc('\n', stream);
    if (!print_steps(priced, stream))
        return false;
    if (bars)
        nereus_plan_print_bars(priced, stream);
    nereus_plan_print_transfers(priced, question, stream);
    print_totals(priced, stream);
    nereus_tree_print(&tree, stream);
    print_meanings(plan, stream);
    return !ferror(stream);
}

static json_t *make_roles_json(unsigned roles)
{
    json_t *array = json_array();
    for (unsigned role = 1; role != 0 && role <= roles; role <<= 1)
        if (roles & role)
            json_array_append_new(array, nereus_json_text(nereus_role_name(role)));
    return array;
}

static json_t *make_corrections_json(const struct nereus_priced_plan *priced)
{
    json_t *array = json_array();
    for (int i = 0; i < priced->correction_count; i++) {
        const struct nereus_correction *c = &priced->corrections[i];
        json_array_append_new(array, nereus_json_pack("{s:s, s:o, s:s}", "what", c->what, "time_s",
                                                      nereus_json_real(c->time_s), "why", c->why));
    }
    return array;
}

static json_t *make_terms_json(const struct nereus_step_price *price)
{
    json_t *array = json_array();
    for (int i = 0; i < price->terms; i++) {
        json_array_append_new(
            array, nereus_json_pack("{s:s, s:o, s:o, s:o}", "name", price->term[i].name, "feature",
                                    nereus_json_real(price->term[i].feature), "coefficient",
                                    nereus_json_real(price->term[i].coefficient), "seconds",
                                    nereus_json_real(price->term[i].seconds)));
    }
    return array;
}

static json_t *make_step_json(const struct nereus_step *step, const struct nereus_step_price *price,
                              int index)
{
    return nereus_json_pack(
        "{s:i, s:s, s:o, s:s, s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:o, s:o, s:o, s:o, s:o, "
        "s:s, s:o}",
        "number", index + 1, "kind", nereus_step_name(step->kind), "who",
        make_roles_json(step->roles), "thread",
        step->thread == NEREUS_AUXILIARY_THREAD ? "auxiliary"
        : step->thread == NEREUS_AT_POINTS      ? "points"
                                                : "main",
        "repeat", (json_int_t)step->repeat, "times", (json_int_t)step->times, "level",
        (json_int_t)step->level, "old_processes", (json_int_t)step->old_processes, "new_processes",
        (json_int_t)step->new_processes, "constant_bytes", (json_int_t)step->constant_bytes,
        "variable_bytes", (json_int_t)step->variable_bytes, "replicated_bytes",
        (json_int_t)step->replicated_bytes, "time_s", nereus_json_real(price->time_s.value),
        "time_low_s", nereus_json_real(nereus_interval_low(&price->time_s)), "time_high_s",
        nereus_json_real(nereus_interval_high(&price->time_s)), "start_s",
        nereus_json_real(price->start_s), "end_s", nereus_json_real(price->end_s), "basis",
        nereus_step_price_basis(price), "terms", make_terms_json(price));
}

static json_t *make_prediction_json(const struct nereus_priced_plan *priced)
{
    const struct nereus_prediction *p = &priced->prediction;
    char note[NEREUS_NOTE_TEXT_MAX];
    return nereus_json_pack(
        "{s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:s, s:b, s:s}", "rt_s",
        nereus_json_real(p->rt_s.value), "rt_low_s",
        nereus_json_real(nereus_interval_low(&p->rt_s)), "rt_high_s",
        nereus_json_real(nereus_interval_high(&p->rt_s)), "alpha", nereus_json_real(p->alpha),
        "omega", nereus_json_real(p->omega), "iterations", nereus_json_real(p->iterations), "ct_s",
        nereus_json_real(p->ct_s), "source", nereus_source_name(p->source), "oversubscribed",
        (int)p->oversubscribed, "note", nereus_prediction_note(p, note));
}

json_t *nereus_priced_plan_json(const struct nereus_priced_plan *priced,
                                const struct nereus_question *question)
{
    char method[NEREUS_METHOD_TEXT_MAX], requested[NEREUS_METHOD_TEXT_MAX], hash[24];
    const struct nereus_plan *plan = &priced->plan;
    const struct nereus_tree_view tree = nereus_priced_plan_tree(priced, question);
    json_t *steps = json_array();
    for (int i = 0; i < plan->step_count; i++) {
        json_t *step = make_step_json(&plan->steps[i], &priced->prices[i], i);
        json_t *transfer = nereus_plan_transfer_json(priced, question, i);
        if (transfer != NULL && step != NULL)
            json_object_set_new(step, "transfer", transfer);
        if (json_array_append_new(steps, step) != 0) {
            json_decref(steps);
            return NULL;
        }
    }
    snprintf(hash, sizeof hash, "%016" PRIx64, plan->hash);
    json_t *json = nereus_json_pack(
        "{s:s, s:s, s:o, s:o, s:s, s:I, s:I, s:I, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:s}",
        "method", nereus_method_format(&plan->method, method), "asked_for",
        nereus_method_format(&priced->method, requested), "scenario",
        nereus_question_json(question), "assumed", nereus_question_assumed_json(question),
        "plan_hash", hash, "spawned", (json_int_t)plan->spawned, "woken", (json_int_t)plan->woken,
        "leaving", (json_int_t)plan->leaving, "steps", steps, "corrections",
        make_corrections_json(priced), "rt_s", nereus_json_real(priced->rt_s.value), "rt_low_s",
        nereus_json_real(nereus_interval_low(&priced->rt_s)), "rt_high_s",
        nereus_json_real(nereus_interval_high(&priced->rt_s)), "prediction",
        make_prediction_json(priced), "tree", nereus_tree_json(&tree), "extrapolated",
        priced->extrapolations);
    if (priced->has_unattributed && json != NULL)
        json_object_set_new(json, "unattributed_s", nereus_json_real(priced->unattributed_s.value));
    return json;
}
