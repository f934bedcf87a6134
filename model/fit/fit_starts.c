/*
 * Which step rows belong to a reconfiguration that starts processes.
 *
 * A step row does not say whether new processes were started or only woken, and some steps take
 * many times as long with starts (decide: the root checks whether starting is possible). A
 * calibration writes the steps of a reconfiguration one after the other, `decide` first: with a
 * wake and without a join nothing was started. Single rows are taken for expansions with starts.
 *
 * If a step was measured without starts only within the cores, the term `starts` of the model above
 * them is used, and vice versa.
 */
#include <math.h>
#include <string.h>

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

/* Index of a term; -1: none. */
static int term_of(const struct nereus_linear_model *m, const char *name)
{
    for (int i = 0; i < m->terms; i++)
        if (strcmp(m->names[i], name) == 0)
            return i;
    return -1;
}

/* Are there rows of the step with a start? */
static bool measured_with_start(const struct nereus_fit_rows *rows, enum nereus_step_kind kind,
                                bool oversubscribed)
{
    bool measured = false;
    for (size_t i = 0; i < rows->count && !measured; i++) {
        const struct nereus_sample *s = rows->rows[i];
        measured = s->kind == NEREUS_SAMPLE_STEP && s->step == kind &&
                   s->oversubscribed == oversubscribed && nereus_fit_starts(rows, i);
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
        struct nereus_linear_model *const models[] = {&profile->steps[k],
                                                      &profile->steps_oversubscribed[k]};
        for (int over = 0; over < 2; over++)
            if (models[over]->high_factor > 0 && models[1 - over]->high_factor > 0 &&
                !measured_with_start(rows, (enum nereus_step_kind)k, over == 1))
                borrow(models[1 - over], models[over]);
    }
}
