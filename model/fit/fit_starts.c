/*
 * Which step rows belong to a reconfiguration that starts processes.
 *
 * A step row does not say whether new processes were started or only woken, and some steps take
 * many times as long with starts (decide: the root checks whether starting is possible). A
 * calibration writes the steps of a reconfiguration one after the other, `decide` first: with a
 * wake and without a join nothing was started. Single rows are taken for expansions with starts.
 */
#include "fit.h"

/* Steps of the same reconfiguration, unless there is a `decide` between them. */
static bool same_reconfiguration(const struct nereus_sample *a, const struct nereus_sample *b)
{
    return b->kind == NEREUS_SAMPLE_STEP && a->ns == b->ns && a->nt == b->nt &&
           nereus_method_equal(&a->method, &b->method);
}

/* Steps with processes that are new, however they were started. */
static bool brings_new(enum nereus_step_kind step)
{
    return step == NEREUS_STEP_SPAWN || step == NEREUS_STEP_LAUNCH || step == NEREUS_STEP_JOIN ||
           step == NEREUS_STEP_MERGE;
}

/* Does the reconfiguration of this step row wake zombies and start nothing? */
static bool only_wakes(const struct nereus_fit_rows *rows, size_t row)
{
    const struct nereus_sample *const *of = rows->rows, *s = of[row];
    size_t i = row;
    while (of[i]->step != NEREUS_STEP_DECIDE && i > 0 && same_reconfiguration(s, of[i - 1]))
        i--;
    bool wakes = false;
    do {
        if (brings_new(of[i]->step))
            return false;
        wakes = wakes || of[i]->step == NEREUS_STEP_WAKE;
        i++;
    } while (i < rows->count && same_reconfiguration(s, of[i]) &&
             of[i]->step != NEREUS_STEP_DECIDE);
    return wakes;
}

bool nereus_fit_starts(const struct nereus_fit_rows *rows, size_t row)
{
    const struct nereus_sample *s = rows->rows[row];
    if (nereus_method_carried_out(&s->method).process != NEREUS_MERGE)
        return true;
    return s->nt > s->ns && !(s->kind == NEREUS_SAMPLE_STEP && only_wakes(rows, row));
}
