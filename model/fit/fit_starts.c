/**
 * @file fit_starts.c
 * Finds the rows of one reconfiguration, and whether it starts processes.
 *
 * A step row does not say whether new processes were started or only woken, and some steps take
 * many times as long with starts (decide: the root checks whether starting is possible). A
 * calibration writes the steps of a reconfiguration one after the other, `decide` first, and then
 * its whole row: with a wake and without a join no process was started. A single row counts as an
 * expansion with a start.
 */
#include "fit.h"

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
