/*
 * Which rows belong to a reconfiguration that starts processes.
 *
 * A row of a step does not say whether the processes that came in were started or only woken, and some steps take many times as long
 * where something starts (decide: the root sees whether it can be done). But a calibration writes the steps of a reconfiguration one
 * behind the other, `decide` first: with a wake among them and nobody who joins, nothing was started. Rows that stand alone are of
 * expansions as they mostly are.
 *
 * Where a step was measured without any start (within the cores only a shrink, say), what a start adds to it above the cores, or within
 * them, is better than nothing.
 */
#include <math.h>
#include <string.h>

#include "fit.h"

/* Of the same reconfiguration, unless a `decide` lies between them. */
static bool same_reconfiguration(const struct nereus_sample *a, const struct nereus_sample *b)
{
    return b->kind == NEREUS_SAMPLE_STEP && a->ns == b->ns && a->nt == b->nt &&
           nereus_method_equal(&a->method, &b->method);
}

/* Who is new, however it was started, joins and is merged: of a tree's starts alone there are no rows. */
static bool brings_new(enum nereus_step_kind step)
{
    return step == NEREUS_STEP_SPAWN || step == NEREUS_STEP_LAUNCH || step == NEREUS_STEP_JOIN ||
           step == NEREUS_STEP_MERGE;
}

/* Does the reconfiguration of this step row wake zombies, and nobody else comes in? */
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
    } while (i < rows->count && same_reconfiguration(s, of[i]) && of[i]->step != NEREUS_STEP_DECIDE);
    return wakes;
}

bool nereus_fit_starts(const struct nereus_fit_rows *rows, size_t row)
{
    const struct nereus_sample *s = rows->rows[row];
    if (nereus_method_carried_out(&s->method).process != NEREUS_MERGE)
        return true;
    return s->nt > s->ns && !(s->kind == NEREUS_SAMPLE_STEP && only_wakes(rows, row));
}

/* Where the model has the feature; -1: nowhere. */
static int term_of(const struct nereus_linear_model *m, const char *name)
{
    for (int i = 0; i < m->terms; i++)
        if (strcmp(m->names[i], name) == 0)
            return i;
    return -1;
}

/* Was the step measured by itself where something starts? */
static bool measured_with_start(const struct nereus_fit_rows *rows, enum nereus_step_kind kind,
                                bool oversubscribed)
{
    bool measured = false;
    for (size_t i = 0; i < rows->count && !measured; i++) {
        const struct nereus_sample *s = rows->rows[i];
        measured = s->kind == NEREUS_SAMPLE_STEP && s->step == kind && s->oversubscribed == oversubscribed &&
                   nereus_fit_starts(rows, i);
    }
    return measured;
}

static void borrow(const struct nereus_linear_model *from, struct nereus_linear_model *to)
{
    const char *const name = nereus_feature_name(NEREUS_FEATURE_STARTS);
    const int there = term_of(from, name), here = to->terms;
    if (there < 0 || term_of(to, name) >= 0 || here == NEREUS_TERMS_MAX)
        return;
    to->covariance[here][here] = pow(NEREUS_FIT_RELATED * from->coefficients[there], 2);
    nereus_fit_add_term(to, name, from->coefficients[there]);
}

void nereus_fit_borrow_starts(const struct nereus_fit_rows *rows, struct nereus_profile *profile)
{
    for (int k = 0; k < NEREUS_STEP_KIND_COUNT; k++) {
        struct nereus_linear_model *const models[] = {&profile->steps[k], &profile->steps_oversubscribed[k]};
        for (int over = 0; over < 2; over++)
            if (models[over]->high_factor > 0 && models[1 - over]->high_factor > 0 &&
                !measured_with_start(rows, (enum nereus_step_kind)k, over == 1))
                borrow(models[1 - over], models[over]);
    }
}
