/** @file fit_rows.c  Answers questions about rows of samples that several parts of the fit have:
 * machine, plan, rows of one reconfiguration, groups of equal rows. */

#include "fit_rows.h"

#include "model/price/cost_operation.h"
#include "model/price/price_parts.h"
#include "model/profile/profile_machine.h"

struct nereus_machine nereus_fit_machine(const struct nereus_sample *row, struct nereus_node *node)
{
    return row->machine != NULL ? *row->machine
                                : nereus_row_machine(row->cores_per_node, row->cores_per_process,
                                                     row->oversubscribed, node);
}

enum nereus_status nereus_fit_row_plan(const struct nereus_sample *row, struct nereus_plan *plan,
                                       struct nereus_error *err)
{
    struct nereus_data_entry entry = {.name = "data", .element_bytes = 1, .kind = NEREUS_CONSTANT};
    struct nereus_request request = {.version = NEREUS_RECORD_VERSION,
                                     .number = 1,
                                     .ns = row->ns,
                                     .nt = row->nt,
                                     .next_world_id = 1,
                                     .method = row->method};
    if (row->method.has_data && row->bytes > 0) {
        entry.count = (int64_t)row->bytes;
        request.data_count = 1;
        request.data = &entry;
    }
    return nereus_plan_make(&request, plan, err);
}

bool nereus_fit_is_by_operation(const struct nereus_sample *row)
{
    const bool moves =
        row->kind == NEREUS_SAMPLE_STEP ? row->step == NEREUS_STEP_REDISTRIBUTE : row->bytes > 0;
    return moves && row->method.has_data && nereus_cost_is_by_operation(row->method.data);
}

bool nereus_fit_is_planned(const struct nereus_sample *row, bool oversubscribed)
{
    return row->kind == NEREUS_SAMPLE_RECONFIGURATION && row->oversubscribed == oversubscribed &&
           !nereus_method_is_overlapped(&row->method) &&
           !nereus_price_uses_one_model(&row->method, row->nt < row->ns) &&
           !nereus_fit_is_by_operation(row) &&
           nereus_method_check(&row->method, NULL) == NEREUS_OK &&
           !(row->method.process == NEREUS_MERGE && row->ns == row->nt);
}

bool nereus_fit_has_all_steps(const struct nereus_profile *profile, const struct nereus_sample *row)
{
    struct nereus_plan plan;
    if (nereus_fit_row_plan(row, &plan, NULL) != NEREUS_OK)
        return false;
    bool known = plan.step_count > 0;
    for (int i = 0; i < plan.step_count; i++) {
        enum nereus_step_kind priced_as[2];
        const int kinds =
            nereus_cost_priced_as(profile, &plan.steps[i], row->oversubscribed, priced_as);
        for (int k = 0; k < kinds; k++)
            known = known &&
                    nereus_cost_model(profile, priced_as[k], row->oversubscribed)->high_factor > 0;
    }
    nereus_plan_fini(&plan);
    return known;
}

/* ---- rows of one reconfiguration ----
 *
 * A step row does not say whether new processes were started or only woken, and some steps take
 * many times as long with starts (decide: the root checks whether starting is possible). A
 * calibration writes the steps of a reconfiguration one after the other, `decide` first, and then
 * its whole row: with a wake and without a join no process was started. A single row counts as an
 * expansion with a start. */

static bool is_step(const struct nereus_sample *row, enum nereus_step_kind step)
{
    return row->kind == NEREUS_SAMPLE_STEP && row->step == step;
}

/* Can two rows be steps of one reconfiguration? A `decide` between them would separate them. */
static bool may_belong_together(const struct nereus_sample *a, const struct nereus_sample *b)
{
    return b->kind == NEREUS_SAMPLE_STEP && a->ns == b->ns && a->nt == b->nt &&
           nereus_method_equal(&a->method, &b->method);
}

size_t nereus_fit_find_first_step(const struct nereus_fit_rows *rows, size_t row)
{
    size_t i = row;
    while (!is_step(rows->rows[i], NEREUS_STEP_DECIDE) && i > 0 &&
           may_belong_together(rows->rows[row], rows->rows[i - 1]))
        i--;
    return i;
}

/* Does the step involve new processes, however they were started? */
static bool involves_new(enum nereus_step_kind step)
{
    return step == NEREUS_STEP_SPAWN || step == NEREUS_STEP_LAUNCH || step == NEREUS_STEP_JOIN ||
           step == NEREUS_STEP_MERGE;
}

/* Does the reconfiguration of this step row wake zombies and start no process? */
static bool only_wakes(const struct nereus_fit_rows *rows, size_t row)
{
    const struct nereus_sample *const *of = rows->rows;
    const size_t first = nereus_fit_find_first_step(rows, row);
    bool wakes = false;
    for (size_t i = first; i < rows->count && may_belong_together(of[row], of[i]) &&
                           (i == first || of[i]->step != NEREUS_STEP_DECIDE);
         i++) {
        if (involves_new(of[i]->step))
            return false;
        wakes = wakes || of[i]->step == NEREUS_STEP_WAKE;
    }
    return wakes;
}

bool nereus_fit_starts_processes(const struct nereus_fit_rows *rows, size_t row)
{
    const struct nereus_sample *s = rows->rows[row];
    if (s->method.process == NEREUS_RESTART) /* the launcher starts its targets */
        return false;
    if (nereus_method_resolve(&s->method).process != NEREUS_MERGE)
        return true;
    return s->nt > s->ns && !(s->kind == NEREUS_SAMPLE_STEP && only_wakes(rows, row));
}

/* ---- groups of equal rows ---- */

void nereus_fit_group_rows(const struct nereus_fit_rows *rows, nereus_fit_same *same,
                           const void *context, size_t *first_of)
{
    for (size_t i = 0; i < rows->count; i++) {
        first_of[i] = same(rows, i, i, context) ? i : SIZE_MAX;
        for (size_t j = 0; j < i && first_of[i] == i; j++)
            if (first_of[j] == j && same(rows, j, i, context))
                first_of[i] = j;
    }
}

size_t nereus_fit_collect_values(const struct nereus_fit_rows *rows, const size_t *first_of,
                                 size_t first, size_t field, double *values)
{
    size_t n = 0;
    for (size_t i = first; i < rows->count; i++) {
        double value;
        memcpy(&value, (const char *)rows->rows[i] + field, sizeof value);
        if (first_of[i] == first && !isnan(value))
            values[n++] = value;
    }
    return n;
}

enum nereus_status nereus_fit_fail_memory(const struct nereus_fit_rows *rows,
                                          struct nereus_error *err)
{
    return nereus_fail(err, NEREUS_ERR_MEMORY, "no memory for a fit of %zu rows", rows->count);
}
