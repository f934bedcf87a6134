/** @file run_print.c  Prints a modelled run: a table of intervals, and the result. */
#include "run_print.h"

#define COLUMNS(X)                                                                                 \
    X("iteration", "iteration", NULL, nereus_cell_integer(interval->first))                        \
    X("processes", "processes", NULL, nereus_cell_integer(processes))                              \
    X("allocation", "by class", NULL, nereus_cell_text(allocation))                                \
    X("power", "power", NULL, nereus_cell_real(interval->power))                                   \
    X("work", "work", NULL, nereus_cell_real(interval->work))                                      \
    X("change_s", "change", "s", nereus_cell_real(interval->change_s))                             \
    X("computation_s", "computation", "s", nereus_cell_real(interval->computation_s))              \
    X("communication_s", "communication", "s", nereus_cell_real(interval->communication_s))        \
    X("elapsed_s", "elapsed", "s", nereus_cell_real(interval->elapsed_s))                          \
    X("price_per_hour", "price", "/h", nereus_cell_real(interval->price_per_hour))

static struct nereus_computational_model make_model(const struct nereus_modelled_question *q)
{
    struct nereus_computational_model model = {.class_count = q->policy->class_count};
    memcpy(model.classes, q->policy->classes, sizeof model.classes);
    return model;
}

static void add_interval(const struct nereus_computational_model *model,
                         const struct nereus_modelled_interval *interval,
                         struct nereus_table *table)
{
    char allocation[256];
    const int64_t processes = nereus_allocation_processes(model, &interval->allocation);
    nereus_allocation_text(model, &interval->allocation, allocation, sizeof allocation);
    NEREUS_TABLE_ADD(table, COLUMNS);
}

/* Add the rows of intervals; `all` false (text): only the first interval and those with a change.
 */
static void fill_table(const struct nereus_modelled_question *q,
                       const struct nereus_modelled_run *run, bool all, struct nereus_table *table)
{
    const struct nereus_computational_model model = make_model(q);
    NEREUS_TABLE_INIT(table, COLUMNS);
    for (int64_t i = 0; i < run->count; i++)
        if (all || i == 0 || run->intervals[i].changed)
            add_interval(&model, &run->intervals[i], table);
}

static double compute_sooner_percent(const struct nereus_modelled_run *run)
{
    const double share = 1 - run->end_s / run->without_s;
    return fabs(share) < 1e-9 ? 0 : 100 * share; /* rounding */
}

static bool is_met(const struct nereus_modelled_run *run)
{
    return run->end_s <= run->goal_s * (1 + 1e-9);
}

static bool print_text(const struct nereus_modelled_question *q,
                       const struct nereus_modelled_run *run, FILE *stream)
{
    struct nereus_table table;
    fprintf(stream, "%s under %s, ", q->application->name,
            nereus_policy_kind_name(q->policy->kind));
    if (isfinite(run->goal_s))
        fprintf(stream, "to end after %.4g s\n", run->goal_s);
    else
        fputs("without a goal\n", stream);
    fprintf(stream,
            "The first interval of %lld iteration%s, and those before which something changes:\n",
            (long long)q->policy->interval_iterations,
            nereus_plural_s(q->policy->interval_iterations));
    fill_table(q, run, false, &table);
    const bool printed = nereus_table_print(&table, NEREUS_FORMAT_TEXT, stream);
    fprintf(stream, "without a change: %.4g s, cost %.4g\n", run->without_s, run->without_cost);
    fprintf(stream,
            "with the policy:  %.4g s (%.4g %% sooner), cost %.4g, at most %lld process%s, %lld "
            "change%s\n",
            run->end_s, compute_sooner_percent(run), run->cost, (long long)run->max_processes,
            nereus_plural_es(run->max_processes), (long long)run->changes,
            nereus_plural_s(run->changes));
    fprintf(stream,
            "its time: %.4g s computation, %.4g s communication, %.4g s changes, %.4g s start\n",
            run->computation_s, run->communication_s, run->change_s, q->application->start_s);
    if (isfinite(run->goal_s)) {
        fprintf(stream,
                is_met(run) ? "The goal is met, %.3g s before it.\n"
                            : "The goal is missed by %.3g s.\n",
                fabs(run->goal_s - run->end_s));
    }
    return printed;
}

static bool print_json(const struct nereus_modelled_question *q,
                       const struct nereus_modelled_run *run, FILE *stream)
{
    struct nereus_table table;
    fill_table(q, run, true, &table);
    json_t *document = nereus_json_pack(
        "{s:s, s:s, s:o, s:b, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:I, s:I, s:o}",
        "application", q->application->name, "policy", nereus_policy_kind_name(q->policy->kind),
        "goal_s", nereus_json_real(run->goal_s), "met", is_met(run), "end_s",
        nereus_json_real(run->end_s), "sooner_percent",
        nereus_json_real(compute_sooner_percent(run)), "cost", nereus_json_real(run->cost),
        "without_s", nereus_json_real(run->without_s), "without_cost",
        nereus_json_real(run->without_cost), "computation_s", nereus_json_real(run->computation_s),
        "communication_s", nereus_json_real(run->communication_s), "change_s",
        nereus_json_real(run->change_s), "changes", (json_int_t)run->changes, "most_processes",
        (json_int_t)run->max_processes, "intervals", nereus_table_json(&table));
    return nereus_json_write(document, stream);
}

bool nereus_modelled_run_print(const struct nereus_modelled_question *question,
                               const struct nereus_modelled_run *run, enum nereus_format format,
                               FILE *stream)
{
    struct nereus_table table;
    if (format == NEREUS_FORMAT_TEXT)
        return print_text(question, run, stream);
    if (format == NEREUS_FORMAT_JSON)
        return print_json(question, run, stream);
    fill_table(question, run, true, &table);
    return nereus_table_print(&table, NEREUS_FORMAT_CSV, stream);
}
