/**
 * @file explain.c
 * Explains why the best method is best.
 *
 * The cost of a reconfiguration for the application is a sum of terms: those of the steps, the
 * unattributed time, the correction by measurements, for an asynchronous method the cost of
 * overlapping minus the iterations that are done meanwhile, and a later shrink. The terms of two
 * methods are compared one by one; the three with the largest difference are shown, and the rest as
 * one row.
 */
#include "explain.h"

#include "predictor/cli/output.h"
#include "predictor/scenario/question_plan.h"

enum { TERMS_MAX = 96, TERMS_SHOWN = 3 };

struct term {
    char name[64], source[96];
    double values[2], difference; /* [0] best method, [1] next one; next - best */
};

struct explanation {
    const struct nereus_prediction *p[2];
    struct term terms[TERMS_MAX];
    int count;
    double difference; /* sum over all terms */
    int shown;
};

static struct term *find_or_add_term(struct explanation *e, const char *name, const char *source)
{
    for (int i = 0; i < e->count; i++)
        if (strcmp(e->terms[i].name, name) == 0)
            return &e->terms[i];
    /* Terms without room are added to the last one. */
    struct term *term = &e->terms[e->count < TERMS_MAX - 1 ? e->count++ : TERMS_MAX - 1];
    if (term->name[0] == '\0') {
        snprintf(term->name, sizeof term->name, "%s", name);
        snprintf(term->source, sizeof term->source, "%s", source);
    }
    return term;
}

static void add_term(struct explanation *e, int side, const char *name, const char *source,
                     double seconds)
{
    if (seconds != 0)
        find_or_add_term(e, name, source)->values[side] += seconds;
}

static void add_step(enum nereus_step_kind kind, const struct nereus_step_price *price,
                     struct explanation *e, int side)
{
    char name[64], source[96];
    double terms_s = 0;
    if (price->basis == NEREUS_BASIS_PRIOR) {
        snprintf(source, sizeof source, "prior: %.64s", price->source);
    } else {
        snprintf(source, sizeof source, "fitted to %lld row%s", (long long)price->rows,
                 nereus_plural_s(price->rows));
    }
    for (int t = 0; t < price->terms; t++) {
        snprintf(name, sizeof name, "%s: %s", nereus_step_name(kind), price->term[t].name);
        add_term(e, side, name, source, price->term[t].seconds);
        terms_s += price->term[t].seconds;
    }
    /* Data that moves by operations has no terms. */
    if (fabs(price->time_s.value - terms_s) > 1e-12)
        add_term(e, side, nereus_step_name(kind), source, price->time_s.value - terms_s);
}

/* Add RT of the synchronous counterpart: steps, unattributed time, correction. */
static void add_steps(const struct nereus_plan *plan, const struct nereus_step_price *prices,
                      double sum_s, struct explanation *e, int side)
{
    const struct nereus_prediction *p = e->p[side];
    double steps_s = 0;
    for (int i = 0; i < plan->step_count; i++) {
        add_step(plan->steps[i].kind, &prices[i], e, side);
        steps_s += prices[i].time_s.value;
    }
    add_term(e, side, "unattributed", "fitted", sum_s - steps_s);
    add_term(e, side, "correction",
             p->source == NEREUS_MEASURED ? "measured as a whole" : "measured at sizes nearby",
             p->rt_sync_s - sum_s);
}

/* @param of_wait  the explanation is of the time of the reconfiguration, not of T_ex */
static void add_overlap(const struct nereus_scenario *s, bool of_wait, struct explanation *e,
                        int side)
{
    const struct nereus_prediction *p = e->p[side];
    add_term(e, side, "overlap with the application", "asynchronous models",
             p->wait_s - p->rt_sync_s);
    if (!of_wait) {
        add_term(e, side, "iterations done meanwhile", "omega and It",
                 -p->iterations_expected * s->t_iter_nt_s);
    }
}

/* Add the later shrink as one term: its cost without the iterations after it. */
static void add_later_shrink(const struct nereus_later_prediction *predictions, bool of_wait,
                             struct explanation *e, int side)
{
    const struct nereus_scenario *s = &predictions->shrink_scenario;
    const struct nereus_prediction *p = &predictions->shrink;
    add_term(e, side, "later shrink", "as a change of its own",
             of_wait ? p->wait_s : p->t_ex_expected_s - s->iterations_after * s->t_iter_nt_s);
}

static enum nereus_status add_method(const struct nereus_profile *profile,
                                     const struct nereus_question *question, struct explanation *e,
                                     int side, struct nereus_error *err)
{
    const struct nereus_method method = nereus_prediction_method(e->p[side]);
    struct nereus_request request;
    struct nereus_plan plan;
    struct nereus_interval sum_s = {0, 0, 0};
    NEREUS_TRY(nereus_question_plan(question, &method, &request, &plan, err));
    struct nereus_step_price *prices = calloc((size_t)plan.step_count + 1, sizeof *prices);
    const enum nereus_status status =
        prices == NULL
            ? nereus_fail(err, NEREUS_ERR_MEMORY, "no memory for prices")
            : nereus_price_plan(profile, &question->scenario, &plan, prices, &sum_s, err);
    if (status == NEREUS_OK)
        add_steps(&plan, prices, sum_s.value, e, side);
    free(prices);
    nereus_plan_fini(&plan);
    nereus_request_fini(&request);
    return status;
}

static int compare_differences(const void *a, const void *b)
{
    const double x = fabs(((const struct term *)a)->difference),
                 y = fabs(((const struct term *)b)->difference);
    return (x < y) - (x > y);
}

static enum nereus_status make_explanation(const struct nereus_profile *profile,
                                           const struct nereus_question *question,
                                           const struct nereus_answer *answer,
                                           struct explanation *e, struct nereus_error *err)
{
    memset(e, 0, sizeof *e);
    if (answer->count < 2) {
        return nereus_fail(err, NEREUS_ERR_NO_BASIS,
                           "nothing to explain: only one method can be predicted");
    }
    const bool of_wait = answer->ranking.goal == NEREUS_GOAL_SYSTEM;
    for (int side = 0; side < 2; side++) {
        const struct nereus_later_prediction *predictions =
            answer->later_predictions != NULL ? &answer->later_predictions[side] : NULL;
        e->p[side] = predictions != NULL ? &predictions->expand : &answer->predictions[side];
        NEREUS_TRY(add_method(profile, question, e, side, err));
        add_overlap(&question->scenario, of_wait, e, side);
        if (predictions != NULL)
            add_later_shrink(predictions, of_wait, e, side);
    }
    for (int i = 0; i < e->count; i++) {
        e->terms[i].difference = e->terms[i].values[1] - e->terms[i].values[0];
        e->difference += e->terms[i].difference;
    }
    qsort(e->terms, (size_t)e->count, sizeof e->terms[0], compare_differences);
    while (e->shown < TERMS_SHOWN && e->shown < e->count && e->terms[e->shown].difference != 0)
        e->shown++;
    return NEREUS_OK;
}

/* Add up the terms that are not shown. */
static struct term sum_rest(const struct explanation *e)
{
    struct term rest = {.name = "all others"};
    for (int i = e->shown; i < e->count; i++) {
        rest.values[0] += e->terms[i].values[0];
        rest.values[1] += e->terms[i].values[1];
        rest.difference += e->terms[i].difference;
    }
    return rest;
}

#define COLUMNS(X)                                                                                 \
    X("term", "term", NULL, nereus_cell_text(term->name))                                          \
    X("best_s", "best", "s", nereus_cell_real(term->values[0]))                                    \
    X("next_s", "next", "s", nereus_cell_real(term->values[1]))                                    \
    X("difference_s", "difference", "s", nereus_cell_real(term->difference))                       \
    X("share", "share", "%", nereus_cell_real(share))                                              \
    X("source", "source", NULL, nereus_cell_text(term->source))

static const struct nereus_column columns[] = {COLUMNS(NEREUS_COLUMN)};

static void add_row(struct nereus_table *table, const struct explanation *e,
                    const struct term *term)
{
    const double share = e->difference != 0 ? 100 * term->difference / e->difference : NAN;
    NEREUS_TABLE_ADD(table, COLUMNS);
}

static void fill_table(const struct explanation *e, struct nereus_table *table)
{
    const struct term rest = sum_rest(e);
    for (int i = 0; i < e->shown; i++)
        add_row(table, e, &e->terms[i]);
    if (e->count > e->shown)
        add_row(table, e, &rest);
}

enum nereus_status nereus_explain_print(const struct nereus_profile *profile,
                                        const struct nereus_question *question,
                                        const struct nereus_answer *answer, FILE *stream,
                                        struct nereus_error *err)
{
    struct explanation e;
    char best[NEREUS_METHOD_TEXT_MAX], next[NEREUS_METHOD_TEXT_MAX];
    struct nereus_table table;
    NEREUS_TRY(make_explanation(profile, question, answer, &e, err));
    nereus_method_format(&e.p[0]->method, best);
    nereus_method_format(&e.p[1]->method, next);
    nereus_table_init(&table, columns, NEREUS_COUNT_OF(columns));
    fill_table(&e, &table);
    nereus_print_wrapped(stream, 2,
                         "\nWhy %s: its %s is %.3g s %s than that of %s, the next one:", best,
                         answer->ranking.goal == NEREUS_GOAL_SYSTEM ? "RT or CT" : "mean T_ex",
                         fabs(e.difference), e.difference >= 0 ? "less" : "more", next);
    return nereus_table_print(&table, NEREUS_FORMAT_TEXT, stream)
               ? NEREUS_OK
               : nereus_fail(err, NEREUS_ERR_IO, "the explanation could not be printed");
}

json_t *nereus_explain_json(const struct nereus_profile *profile,
                            const struct nereus_question *question,
                            const struct nereus_answer *answer)
{
    struct explanation e;
    struct nereus_table table;
    char text[NEREUS_METHOD_TEXT_MAX];
    if (make_explanation(profile, question, answer, &e, NULL) != NEREUS_OK)
        return NULL;
    nereus_table_init(&table, columns, NEREUS_COUNT_OF(columns));
    fill_table(&e, &table);
    return nereus_json_pack("{s:s, s:f, s:o}", "next", nereus_method_format(&e.p[1]->method, text),
                            "difference_s", e.difference, "terms", nereus_table_json(&table));
}
